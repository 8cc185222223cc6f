// What the reader does at the table: cards picked, played and asked about.

import { setting } from "../storage.js";
import { announce, say } from "../texts.js";
import { afterTap, cardsOf, complete, matching } from "./plays.js";
import { cardName, game } from "./game.js";
import { stacksOf } from "./hand.js";
import { answer, clear, equalOf, handOf, notify, pick, playsOf, send, warn } from "./store.js";

/** @typedef {import("../messages.js").SocketAnswer} Answer */
/** @typedef {import("./plays.js").Play} Play */

export class Acts {
  /**
   * Once the reader wants any of that.
   * @type {{order: import("./order.js").Order, ahead: import("./ahead.js").Ahead} | null}
   */
  own = null;

  /**
   * @param {HTMLElement} root
   * @param {import("./store.js").Store} store
   * @param {import("./main.js").Line["ask"]} ask
   * @param {{sending: () => void, redraw: () => void}} calls when a play is sent, and to draw all at once
   */
  constructor(root, store, ask, { sending, redraw }) {
    this.root = root;
    this.store = store;
    this.ask = ask;
    this.sending = sending;
    this.redraw = redraw;
  }

  get slots() {
    return handOf(this.store.now);
  }

  get plays() {
    return playsOf(this.store.now);
  }

  get equal() {
    return equalOf(this.store.now);
  }

  /**
   * The reader wants something of the order of their cards, or out of turn; in a tour there is none of it.
   * @param {(own: NonNullable<Acts["own"]>) => void} wish
   */
  async wish(wish) {
    if (!game.formed) return;
    const [{ Order }, { Ahead }] = await Promise.all([import("./order.js"), import("./ahead.js")]);
    const isNew = !this.own;
    this.own ??= { order: new Order(this), ahead: new Ahead(this) };
    if (isNew) this.redraw(); // then it knows how the cards lie
    wish(this.own);
  }

  /** @param {string} slot */
  tap(slot) {
    this.moveTo(slot);
    const { plays } = this;
    const { picked } = this.store.now;
    const stack = stacksOf(this.slots).find((each) => each.slots.includes(slot))?.slots ?? [slot];
    const isPicked = stack.some((id) => picked.includes(id));
    const again = isPicked && setting("taps") !== "button" ? this.#only(plays) : "";
    if (!plays.length && game.formed) this.wish(({ ahead }) => ahead.tap(slot, stack));
    else if (again) this.play(again);
    else if (!this.#pick(stack, plays)) this.why(slot);
    else if (setting("taps") === "one") this.play(this.#only(plays));
  }

  /**
   * One more of these equal cards, or all are put back; whether a legal play has such a card.
   * @param {string[]} stack @param {Play[]} plays
   */
  #pick(stack, plays) {
    const found = afterTap(this.slots, this.store.now.picked, stack, plays, this.equal);
    if (found) this.store.take(pick, found);
    return found !== null;
  }

  /** The play that a tap on the picked card makes: where that leaves no question. @param {Play[]} plays */
  #only(plays) {
    const { picked } = this.store.now;
    const { exact, wider } = matching(plays, cardsOf(this.slots, picked), this.equal);
    return exact.length === 1 && !wider.length && picked.length === 1 ? (exact[0]?.word ?? "") : "";
  }

  /** Pick all cards of a play that has been offered. @param {string} word */
  offer(word) {
    const play = this.plays.find((each) => each.word === word);
    if (play) this.store.set({ picked: complete(this.slots, this.store.now.picked, play, this.equal) });
    else this.own?.ahead.offer(word);
  }

  /** Send a play. @param {string} word */
  async play(word) {
    if (!word || this.store.now.sent !== null || !this.store.now.state) return;
    this.store.take(send, word);
    if (word === "pass" || this.own) this.wish(({ ahead }) => ahead.played(word));
    this.sending();
    const found = await this.ask({ type: "play", play: word });
    this.store.take(answer, found.type !== "refused");
    if (found.type === "refused") this.refuse(found);
  }

  /** Why a card may not be played. @param {string} slot */
  async why(slot) {
    const card = this.slots.find((each) => each.id === slot)?.card;
    if (card && this.store.now.state?.you.seat !== null) await this.#explain(card);
  }

  /** Why a play may not be made, or that it may. @param {string} word */
  async #explain(word) {
    const found = await this.ask({ type: "why", play: word });
    if (found.type === "refused") this.refuse(found);
    else
      this.notify(
        found.reason?.text ?? say("table.is_legal", { card: cardName(word) }),
        found.reason?.rule ?? "",
      );
  }

  clear() {
    this.store.take(clear, null);
  }

  /** The slots that are dragged with this one: all that are picked, if it is. @param {string} slot */
  taken(slot) {
    const { sent, state, picked } = this.store.now;
    if (sent !== null || state?.you.seat === null) return [];
    const slots = picked.includes(slot) ? picked : [slot];
    this.wish(({ order }) => order.drag(slots));
    return slots;
  }

  /**
   * Cards dropped on the felt are played where that leaves no question; else they are picked, or it is said
   * why not.
   * @param {string[]} slots
   */
  drop(slots) {
    const cards = cardsOf(this.slots, slots);
    const { exact, wider } = matching(this.plays, cards, this.equal);
    const [only, larger] = [exact[0], wider[0]];
    if (only && exact.length === 1) this.play(only.word);
    else if (!only && !larger) this.#explain(cards.join("+"));
    else {
      const isWhole = !only && larger && wider.length === 1 && !larger.any;
      this.store.take(pick, isWhole ? complete(this.slots, slots, larger, this.equal) : slots);
    }
    return exact.length === 1;
  }

  /** @param {string} current the slot that the keyboard is on now */
  moveTo(current) {
    const card = this.root.querySelector(`.hand [data-slot="${CSS.escape(current)}"]`);
    // Before more changes: of what has the focus, browsers then style all
    card?.setAttribute("tabindex", "0");
    this.store.set({ current });
  }

  /** @param {string} text @param {string} [rule] @param {import("./bar.js").Notice["act"]} [act] */
  notify(text, rule = "", act) {
    this.store.take(notify, { text, rule, act });
    announce(this.root, [text]);
  }

  /**
   * A shuffle was not fair (`alarm`, which stays), or nobody can tell.
   * @param {"alarm" | "doubt"} kind @param {string} text
   */
  warn(kind, text) {
    this.store.take(warn, { [kind]: text });
    announce(this.root, [text]);
  }

  /** @param {Answer} found */
  refuse(found) {
    this.notify(found.error?.text ?? "", found.error?.rule ?? "");
  }
}
