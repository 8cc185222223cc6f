// What the reader has chosen: how the table looks and sounds, and how cards are played. Kept in this browser.

import { keep, recall } from "./storage.js";

/** What may be chosen, the usual first. */
export const CHOICES = {
  theme: ["system", "light", "dark"],
  felt: ["green", "blue", "red", "slate"],
  size: ["usual", "small", "large"],
  back: ["black", "red", "blue", "green"],
  suits: ["usual", "marked"],
  taps: ["two", "one", "button"],
  premove: ["off", "on"],
  sound: ["on", "off"],
};

/** @typedef {keyof typeof CHOICES} Setting */

const KEY = "tefuda.settings";
const MARKED = "tefuda.marked"; // where suits alone were kept before
/** What stands at the root of the page, where styles find it. */
const SHOWN = new Set(["theme", "felt", "back", "size"]);

/** @type {Record<string, string>} */
let chosen = read();
/** @type {(() => void)[]} */
const hearers = [];

/** @param {Setting} name */
export function setting(name) {
  const choices = CHOICES[name];
  const found = chosen[name] ?? "";
  return choices.includes(found) ? found : choices[0] ?? "";
}

/** Whether the choice is kept beyond this page. @param {Setting} name @param {string} value */
export function choose(name, value) {
  chosen = { ...chosen, [name]: value };
  if (SHOWN.has(name)) document.documentElement.dataset[name] = value;
  const isKept = keep(KEY, JSON.stringify(chosen));
  for (const hear of hearers) hear();
  return isKept;
}

/** @param {() => void} hear is called after each choice */
export function onChoice(hear) {
  hearers.push(hear);
}

/** @returns {Record<string, string>} */
function read() {
  try {
    const found = JSON.parse(recall(KEY) ?? "{}");
    return recall(MARKED) === "yes" && !found.suits ? { ...found, suits: "marked" } : found;
  } catch {
    return {};
  }
}
