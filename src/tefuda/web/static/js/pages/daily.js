// The deal of the day: while bots still play it, the list of results grows by itself.

import { refresh } from "./fresh.js";

const EVERY = 3000; // milliseconds

async function look() {
  if (!document.hidden) await refresh().catch(() => {}); // a server that is away now may be back at the next try
  wait();
}

function wait() {
  if (document.querySelector("[data-fresh] .waits")) window.setTimeout(look, EVERY);
}

wait();
