// Marks the problems that this browser's reader has solved and missed, and those that have come back.

import { find } from "../dom.js";
import { due, progress } from "../tour/progress.js";

const list = find(".problems");
const { game = "", solved = "", missed = "", due: again = "" } = list.dataset;
const items = new Map(
  [...list.querySelectorAll("[data-problem]")].map((item) => [
    /** @type {HTMLElement} */ (item).dataset.problem ?? "",
    item,
  ]),
);
const back = due(game, [...items.keys()]);

for (const [problem, item] of items) {
  const known = progress(game, problem);
  const said = { solved, missed }[known?.state ?? ""];
  if (said) find(".state", item).textContent = back.includes(problem) ? `${said} · ${again}` : said;
}
const [first] = back;
if (first) {
  const link = /** @type {HTMLAnchorElement} */ (find("#due"));
  link.href = `/games/${game}/problems/${first}`;
  link.textContent += ` (${back.length})`;
  link.hidden = false;
}
