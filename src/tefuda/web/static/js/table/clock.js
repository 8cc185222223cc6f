// The clock: the time of whoever is to play stays in sight, where time is counted; near its end it is marked.

import { make } from "../dom.js";
import { say } from "../texts.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** Seconds before the end from which the clock warns. */
const WARNS = 10;

/** @type {{key: string, began: number}} */
let turn = { key: "", began: 0 };

/** Seconds that are left to whoever is to play; null where nobody's time is counted. @param {State | null} state */
export function secondsLeft(state) {
  const deal = state?.deal;
  if (!state?.timed || !state.table || !state.clock || !deal || deal.over || deal.mover === null || deal.answered) return null;
  const seat = state.seats[deal.mover];
  if (!seat || seat.bot || seat.absent || seat.open) return null;
  const key = `${deal.number} ${deal.since}`;
  if (turn.key !== key) turn = { key, began: Date.now() }; // by this machine's clock, which need not agree with the server's
  return Math.max(0, Math.ceil(state.clock - (Date.now() - turn.began) / 1000));
}

/** @param {number | null} left */
export function isLate(left) {
  return left !== null && left <= WARNS;
}

/** @param {State | null} state */
export function clock(state) {
  const left = secondsLeft(state);
  if (left === null) return [];
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return [make("span", { role: "timer", class: isLate(left) ? "late" : null, "aria-label": say("table.clock", { seconds: left }) }, text)];
}
