// People who sit together: who comes and goes, and whom the others wait for, or not.

import { make } from "../dom.js";
import { say, sentences } from "../texts.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** How long news of people stand over the felt, in milliseconds. */
const NEWS_STAY = 7000;
/** Events that are news to all. */
const NEWS = ["hosted", "absent", "returned", "answered_back", "taken_back"];

export class Company {
  news = "";
  /** @type {Set<number>} seats that the reader waits for as long as they are not connected */ #waits = new Set();

  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
  }

  /**
   * Who has left, whose time is up, who is back, and what happens now, is said where everybody looks.
   * @param {State} state @param {string[]} names @param {import("./story.js").Story} story
   */
  tell(state, names, story) {
    const isPassed = state.deal || state.events.some((each) => each.kind === "hosted");
    const isNews = (/** @type {import("../messages.js").EventReport} */ { kind, seat }) => NEWS.includes(kind)
      || (kind === "left" && isPassed) || (kind === "asked_back" && seat === state.you.seat); // the others are asked
    const told = state.events.filter(isNews).flatMap((event) => story.words(event, names, state));
    if (!told.length) return;
    this.news = sentences(told);
    window.setTimeout(() => {
      this.news = "";
      this.redraw();
    }, NEWS_STAY);
    this.redraw();
  }

  /**
   * What the reader is asked about the others.
   * @param {State} state @param {string[]} names
   */
  notices(state, names) {
    for (const seat of this.#waits) if (state.seats[seat]?.connected !== false) this.#waits.delete(seat);
    if (state.you.seat === null) return [];
    const isMissed = (/** @type {number} */ seat) => state.seats[seat]?.connected === false && !state.seats[seat]?.absent;
    const missed = [...state.seats.keys()].filter((seat) => isMissed(seat) && isAsked(state, seat) && !this.#waits.has(seat));
    const asked = state.asked_back?.awaited.includes(state.you.seat) ? [askedBack(names[state.asked_back.seat] ?? "")] : [];
    return [...asked, ...missed.map((seat) => gone(seat, names[seat] ?? ""))];
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

/** @param {string} name of whom would like to take a play back */
function askedBack(name) {
  return make("div", { class: "why asks", key: "asked-back" }, make("p", null, say("table.log_asked_back", { name })),
    make("button", { type: "button", "data-answer-back": "yes" }, say("table.agree_back")),
    make("button", { type: "button", class: "quiet", "data-answer-back": "no" }, say("table.refuse_back")));
}

/** @param {number} seat @param {string} name */
function gone(seat, name) {
  return make("div", { class: "why asks", key: `gone${seat}` }, make("p", null, say("table.log_gone", { name })),
    make("button", { type: "button", "data-stand-in": seat }, say("table.stand_in", { name })),
    make("button", { type: "button", class: "quiet", "data-act": "wait" }, say("table.wait")));
}
