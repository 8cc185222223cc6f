// What people say at a table: in whose words it is shown, who may say something, and whom the reader does not hear.

import { keep, recall } from "../storage.js";
import { hasText, say, tell } from "../texts.js";
import { game } from "./game.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** Under this key the browser keeps whom the reader does not hear at this table. */
const MUTED = `tefuda.muted.${game.table}`;

/** A stock phrase, in the game's own words if it is the game's. @param {string} name */
export function phrase(name) {
  return hasText(`phrases.${name}`) ? tell(`phrases.${name}`) : say(`phrases.${name}`);
}

/** The others who can hear the reader, or be heard. @param {State} state */
export function others({ seats, you, table }) {
  if (!table || you.seat === null) return [];
  return seats.filter(({ name, bot }, seat) => name && !bot && seat !== you.seat).map(({ name }) => name);
}

/** Those whom the reader does not hear. @returns {string[]} */
export function muted() {
  return (recall(MUTED) ?? "").split("\n").filter(Boolean);
}

/** Hear somebody no more, or again. @param {string} name */
export function mute(name) {
  const now = muted();
  keep(MUTED, (now.includes(name) ? now.filter((each) => each !== name) : [...now, name]).join("\n"));
}
