// Keeps what changes on the page fresh: asks for the page again now and then, and takes over its parts. Says so, if the
// reader wants to be told, when a seat becomes free or it is their turn, also while they look at something else.

import { announceNews } from "./news.js";

const EVERY = 10_000; // milliseconds

const news = announceNews();

async function refresh() {
  const parts = [...document.querySelectorAll("[data-fresh]")];
  if (!parts.length || (document.hidden && !news.isOn())) return;
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of parts) {
    const now = fresh.querySelector(`[data-fresh="${/** @type {HTMLElement} */ (part).dataset.fresh}"]`);
    if (part.contains(document.activeElement)) continue;
    if (!now) part.remove();
    else if (now.innerHTML !== part.innerHTML) part.replaceWith(document.adoptNode(now));
  }
  news.look();
}

setInterval(() => refresh().catch(() => {}), EVERY); // a server that is away now may be back at the next try
