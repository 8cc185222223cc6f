// Between the reader's turns: the next of their tables at which they are asked, and whether this browser is
// to tell them.

import { make } from "../dom.js";
import * as notices from "../notices.js";
import { keep, recall } from "../storage.js";
import { say } from "../texts.js";
import { game } from "./game.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("./store.js").Known} Known */

/**
 * What the table knows of the others, and of the reader's other tables.
 * @typedef {object} Met
 * @property {string} news of people, which stand over the felt for a while
 * @property {number[]} waits seats that the reader waits for as long as they are not connected
 * @property {{table: string, title: string}[]} elsewhere the reader's other tables at which they are asked
 * @property {boolean} offers whether the reader is asked if they want to be told
 */

/** @type {Met} */
const NOBODY = { news: "", waits: [], elsewhere: [], offers: false };

/** How often other tables are looked at, and how soon after the last time at most, in milliseconds. */
const EVERY = 60_000;
const SOON = 3000;
/** Kept once the reader has answered whether they want to be told. */
const ANSWERED = "tefuda.notices";

/** What is known of them. @param {Known} known */
export function met({ company }) {
  return company ?? NOBODY;
}

/** The step after which more is known of them. @param {Known} known @param {Partial<Met>} part */
export function learn(known, part) {
  return { company: { ...met(known), ...part } };
}

export class Between {
  #looked = -SOON;
  /** @type {number | undefined} */ #again;

  /** @param {import("./acts.js").Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.store = acts.store;
    if (notices.isPossible()) this.#prepare();
    else this.store.take(learn, { offers: game.mail && recall(ANSWERED) === null });
    window.setInterval(() => this.look(), EVERY);
    document.addEventListener("visibilitychange", () => this.look());
    this.look();
  }

  async #prepare() {
    const isOn = await notices.isOn();
    this.store.take(learn, {
      offers: !isOn && Notification.permission !== "denied" && recall(ANSWERED) === null,
    });
    if (isOn) await notices.renew();
  }

  /** Ask where else the reader is to play. */
  look() {
    window.clearTimeout(this.#again);
    const wait = this.#looked + SOON - performance.now();
    if (document.hidden) return;
    if (wait > 0) this.#again = window.setTimeout(() => this.look(), wait);
    else this.#fetch().catch(() => {}); // the next time may do better
  }

  async #fetch() {
    this.#looked = performance.now();
    const answer = await fetch("/me/turns");
    if (!answer.ok) return;
    const waiting = await answer.json();
    // This page knows better
    const elsewhere = waiting.filter((/** @type {{table: string}} */ { table }) => table !== game.table);
    this.store.take(learn, { elsewhere });
  }

  /** The way to the table where the reader's time ends first, with how many wait. */
  next() {
    const { elsewhere } = met(this.store.now);
    const [first] = elsewhere;
    return first
      ? make(
          "a",
          { class: "button quiet", key: "next", href: `/t/${first.table}`, title: first.title },
          say("table.next_table", { count: elsewhere.length }),
        )
      : null;
  }

  /** At a slow table: that one need not stay, and may be told. @param {State} state */
  offer({ slow, you }) {
    if (!met(this.store.now).offers || !slow || you.seat === null) return null;
    return make(
      "div",
      { class: "why asks", key: "offer" },
      make("p", null, say("table.slow")),
      make("button", { type: "button", "data-act": "tell_me" }, say("table.tell_me")),
      make(
        "button",
        { type: "button", class: "quiet", "data-act": "not_now", "aria-label": say("table.dismiss") },
        "×",
      ),
    );
  }

  /** @param {boolean} agreed */
  async answer(agreed) {
    this.store.take(learn, { offers: false });
    keep(ANSWERED, "answered");
    if (!agreed) return;
    if (notices.isPossible()) this.acts.notify((await notices.turnOn()) || say("table.told"));
    else location.assign("/me#mail");
  }
}
