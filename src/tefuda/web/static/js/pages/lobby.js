// Draws the hand that a newcomer begins with, and how far the reader is with the problems. Keeps the lobby
// fresh. Says so, if the reader wants to be told, when a seat becomes free or it is their turn, also while
// they look at something else.

import { show } from "../faces.js";
import { keysOf } from "../storage.js";
import { due, progress, PROBLEM } from "../tour/progress.js";
import { refresh } from "./fresh.js";
import { announceNews } from "./news.js";

const EVERY = 10_000; // milliseconds

document.querySelectorAll("img[data-face]").forEach((place) => show(/** @type {HTMLImageElement} */ (place)));

const problem = /** @type {HTMLElement | null} */ (document.querySelector("[data-problem]"));
if (problem) tellOfProblems(problem);

const news = announceNews();

async function look() {
  if (!document.querySelector("[data-fresh]") || (document.hidden && !news.isOn())) return;
  await refresh();
  news.look();
}

setInterval(() => look().catch(() => {}), EVERY); // a server that is away now may be back at the next try

/**
 * Whether the problem of the day has been answered, and how many others have come back.
 * @param {HTMLElement} line
 */
function tellOfProblems(line) {
  const { game = "", problem: today = "", solved = "", missed = "" } = line.dataset;
  const [state, back] = [line.querySelector(".state"), line.querySelector(".back")];
  if (state) state.textContent = { solved, missed }[progress(game, today)?.state ?? ""] ?? "";
  const again = due(
    game,
    keysOf(`${PROBLEM}.${game}.`).map((key) => key.slice(`${PROBLEM}.${game}.`.length)),
  );
  if (!(back instanceof HTMLAnchorElement) || !again.length) return;
  back.href = `/games/${game}/problems/${again[0]}`;
  back.textContent += ` (${again.length})`;
  back.hidden = false;
}
