// People who sit together: who comes and goes, and whom the others wait for, or not.

import { make } from "../dom.js";
import { say, sentences } from "../texts.js";
import { Between, learn, met } from "./between.js";
import { words } from "./story.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("./store.js").Known} Known */

/** How long news of people stand over the felt, in milliseconds. */
const NEWS_STAY = 7000;
/** Events that are news to all. */
const NEWS = ["hosted", "absent", "returned", "answered_back", "taken_back"];

/** The reader waits for everybody who is not connected. @param {Known} known */
function wait(known) {
  return learn(known, {
    waits: [...(known.state?.seats.keys() ?? [])].filter((seat) => isGone(known, seat)),
  });
}

/** Nobody is waited for who has come back. @param {Known} known */
function meet(known) {
  return learn(known, { waits: met(known).waits.filter((seat) => isGone(known, seat)) });
}

/** @param {Known} known @param {number} seat */
function isGone({ state }, seat) {
  return state?.seats[seat]?.connected === false;
}

export class Company {
  /** @param {import("./acts.js").Acts} acts */
  constructor(acts) {
    this.store = acts.store;
    this.between = new Between(acts);
  }

  /**
   * Who has left, whose time is up, who is back, and what happens now, is said where everybody looks.
   * @param {State} state @param {string[]} names
   */
  tell(state, names) {
    this.store.take(meet, null);
    if (!state.deal?.legal.length) this.between.look();
    const isPassed = state.deal || state.events.some((each) => each.kind === "hosted");
    const isNews = (/** @type {import("../messages.js").EventReport} */ { kind, seat }) =>
      NEWS.includes(kind) ||
      (kind === "left" && isPassed) ||
      (kind === "asked_back" && seat === state.you.seat); // the others are asked
    const told = state.events.filter(isNews).flatMap((event) => words(event, names, state));
    if (!told.length) return;
    this.store.take(learn, { news: sentences(told) });
    window.setTimeout(() => this.store.take(learn, { news: "" }), NEWS_STAY);
  }

  /**
   * What the reader is asked about the others.
   * @param {State} state @param {string[]} names
   */
  notices(state, names) {
    if (state.you.seat === null) return [];
    const { waits } = met(this.store.now);
    const isMissed = (/** @type {number} */ seat) =>
      state.seats[seat]?.connected === false && !state.seats[seat]?.absent;
    const missed = [...state.seats.keys()].filter(
      (seat) => isMissed(seat) && isAsked(state, seat) && !waits.includes(seat),
    );
    const asked = state.asked_back?.awaited.includes(state.you.seat)
      ? [askedBack(names[state.asked_back.seat] ?? "")]
      : [];
    return [...asked, ...missed.map((seat) => gone(seat, names[seat] ?? "")), this.between.offer(state)];
  }

  /**
   * What the reader answers: they wait for everybody who is not connected, or want to be told of their
   * turn, or not.
   * @param {string} act
   */
  act(act) {
    if (act === "wait") this.store.take(wait, null);
    else this.between.answer(act === "tell_me");
  }
}

/** Whether the table waits for a seat. @param {State} state @param {number} seat */
function isAsked({ deal, shuffle, phase }, seat) {
  return phase === "playing" ? deal?.mover === seat : phase === "shuffling" && shuffle?.ready[seat] === false;
}

/** @param {string} name of whom would like to take a play back */
function askedBack(name) {
  return make(
    "div",
    { class: "why asks", key: "asked-back" },
    make("p", null, say("table.log_asked_back", { name })),
    make("button", { type: "button", "data-answer-back": "yes" }, say("table.agree_back")),
    make("button", { type: "button", class: "quiet", "data-answer-back": "no" }, say("table.refuse_back")),
  );
}

/** @param {number} seat @param {string} name */
function gone(seat, name) {
  return make(
    "div",
    { class: "why asks", key: `gone${seat}` },
    make("p", null, say("table.log_gone", { name })),
    make("button", { type: "button", "data-stand-in": seat }, say("table.stand_in", { name })),
    make("button", { type: "button", class: "quiet", "data-act": "wait" }, say("table.wait")),
  );
}
