// What this browser keeps for its reader, and what they have chosen there. Where it may keep nothing, or has
// no room, all goes on for as long as the page is open.

/** @type {Map<string, string>} what could not be kept */
const kept = new Map();

/** @param {string} key @returns {string | null} */
export function recall(key) {
  if (kept.has(key)) return kept.get(key) ?? null;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Whether it is kept beyond this page. @param {string} key @param {string} value */
export function keep(key, value) {
  kept.delete(key);
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    kept.set(key, value);
    return false;
  }
}

/** What is kept under names that begin so. @param {string} prefix @returns {string[]} */
export function keysOf(prefix) {
  /** @type {string[]} */
  let found = [...kept.keys()];
  try {
    found = [...Object.keys(localStorage), ...found];
  } catch {
    // nothing is kept beyond this page
  }
  return found.filter((key) => key.startsWith(prefix));
}

/** @param {string} key */
export function forget(key) {
  kept.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // it was not kept
  }
}

// What the reader has chosen: how the table looks and sounds, and how cards are played

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
  banter: ["on", "off"],
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
  return choices.includes(found) ? found : (choices[0] ?? "");
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
