// Keeps the lobby fresh. Says so, if the reader wants to be told, when a seat becomes free or it is their turn, also while
// they look at something else.

import { refresh } from "./fresh.js";
import { announceNews } from "./news.js";

const EVERY = 10_000; // milliseconds

const news = announceNews();

async function look() {
  if (!document.querySelector("[data-fresh]") || (document.hidden && !news.isOn())) return;
  await refresh();
  news.look();
}

setInterval(() => look().catch(() => {}), EVERY); // a server that is away now may be back at the next try
