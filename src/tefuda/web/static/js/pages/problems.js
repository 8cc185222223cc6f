// Marks the problems that this browser's reader has solved and missed.

import { find } from "../dom.js";
import { recall } from "../storage.js";

const list = find(".problems");

for (const item of list.querySelectorAll("[data-problem]")) {
  const { problem = "" } = /** @type {HTMLElement} */ (item).dataset;
  const state = recall(`tefuda.problem.${list.dataset.game}.${problem}`);
  if (state === "solved" || state === "missed") find(".state", item).textContent = list.dataset[state] ?? "";
}
