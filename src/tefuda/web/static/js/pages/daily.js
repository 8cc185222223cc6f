// The deal of the day: when it ends, by the reader's own clock; while bots still play it, the list of results
// grows by itself.

import { refresh } from "./fresh.js";

const EVERY = 3000; // milliseconds

const ends = document.querySelector("#ends");
if (ends instanceof HTMLTimeElement) {
  const [language, at] = [document.documentElement.lang, new Date(ends.dateTime)];
  const within = new Intl.RelativeTimeFormat(language).format(
    Math.max(1, Math.ceil((at.getTime() - Date.now()) / 3_600_000)),
    "hour",
  );
  const time = at.toLocaleTimeString(language, { timeStyle: "short" });
  ends.textContent = (ends.dataset.own ?? "").replace("{time}", time).replace("{within}", within);
}

async function look() {
  // A server that is away now may be back at the next try
  if (!document.hidden) await refresh().catch(() => {});
  wait();
}

function wait() {
  if (document.querySelector("[data-fresh] .waits")) window.setTimeout(look, EVERY);
}

wait();
