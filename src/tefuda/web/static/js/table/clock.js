// The clock, gently: nothing is shown before the last part of somebody's time.

import { make } from "../dom.js";
import { say } from "../texts.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** Seconds before the end from which the clock is seen. */
const SHOWN = 20;

/** @type {{key: string, began: number}} */
let turn = { key: "", began: 0 };

/** @param {State | null} state */
export function clock(state) {
  const deal = state?.deal;
  if (!state || !deal || deal.over || deal.mover === null || deal.answered || state.seats[deal.mover]?.bot) return [];
  const key = `${deal.number} ${deal.since}`;
  if (turn.key !== key) turn = { key, began: Date.now() }; // by this machine's clock, which need not agree with the server's
  const left = Math.max(0, Math.ceil(state.clock - (Date.now() - turn.began) / 1000));
  if (left > Math.min(SHOWN, state.clock / 2)) return [];
  return [make("span", { role: "timer", "aria-label": say("table.clock", { seconds: left }) }, `${left} s`)];
}
