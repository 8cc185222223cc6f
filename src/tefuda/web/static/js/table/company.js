// People who sit together: whom the others wait for, or not.

import { make } from "../dom.js";
import { say } from "../texts.js";

/** @typedef {import("../messages.js").StateMessage} State */

export class Company {
  /** @type {Set<number>} seats that the reader waits for as long as they are not connected */ #waits = new Set();

  /**
   * What the reader is asked about the others.
   * @param {State} state @param {string[]} names
   */
  notices(state, names) {
    for (const seat of this.#waits) if (state.seats[seat]?.connected !== false) this.#waits.delete(seat);
    if (state.you.seat === null) return [];
    const isMissed = (/** @type {number} */ seat) => state.seats[seat]?.connected === false && !state.seats[seat]?.absent;
    return [...state.seats.keys()].filter((seat) => isMissed(seat) && isAsked(state, seat) && !this.#waits.has(seat))
      .map((seat) => gone(seat, names[seat] ?? ""));
  }

  /** Wait for everybody who is not connected now. @param {State | null} state */
  wait(state) {
    state?.seats.forEach(({ connected }, seat) => connected === false && this.#waits.add(seat));
  }
}

/** Whether the table waits for a seat. @param {State} state @param {number} seat */
function isAsked({ deal, shuffle, phase }, seat) {
  return phase === "playing" ? deal?.mover === seat : phase === "shuffling" && shuffle?.ready[seat] === false;
}

/** @param {number} seat @param {string} name */
function gone(seat, name) {
  return make("div", { class: "why asks", key: `gone${seat}` }, make("p", null, say("table.log_gone", { name })),
    make("button", { type: "button", "data-stand-in": seat }, say("table.stand_in", { name })),
    make("button", { type: "button", class: "quiet", "data-act": "wait" }, say("table.wait")));
}
