// What the reader asks for before it is their turn: to play a card as soon as it may be played, to pass until they lead.
// Both are offered when they are first of use; who has been told knows where they are.

import { announce } from "../live.js";
import { choose, setting } from "../settings.js";
import { keep, recall } from "../storage.js";
import { say } from "../texts.js";
import { cardsOf, matching } from "./choice.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** Where it is kept who has been told of what; js/table/bar.js looks there. */
const TOLD = { premove: "tefuda.told.premove", passing: "tefuda.told.passing" };
/** After so many passes in one contest one may want to pass until it is over. */
const PASSES = 2;

export class Ahead {
  /** @type {string[]} ids of slots that are played as soon as that is legal */ queued = [];
  /** Whether the reader passes until they lead. */
  passes = false;
  /** How often they have passed in this contest since they last played. */
  #passed = 0;
  /** @type {string[]} what they have tapped when they were asked whether it is to be played */ #tapped = [];

  /** @param {import("./main.js").Table} table */
  constructor(table) {
    this.table = table;
  }

  /** @param {State} state @param {Set<string>} held ids of slots */
  hear(state, held) {
    this.queued = this.queued.filter((id) => held.has(id));
    if (state.deal?.over) this.passes = false;
    if (state.events.some((event) => event.trick)) this.#passed = 0;
  }

  /** The reader has made this play themselves. @param {string} word */
  played(word) {
    this.#passed = word === "pass" ? this.#passed + 1 : 0;
    if (this.#passed >= PASSES) keep(TOLD.passing, "yes");
  }

  /**
   * A card has been tapped before the reader's turn: it is to be played, or no longer; or nobody has told them yet that
   * this is possible.
   * @param {string} slot @param {string[]} stack the slots of equal cards
   */
  tap(slot, stack) {
    const { root, state } = this.table;
    const isWaiting = state?.deal && !state.deal.over && state.you.seat !== null;
    if (isWaiting && setting("premove") === "on") {
      const isQueued = stack.some((id) => this.queued.includes(id));
      this.queued = isQueued ? [] : stack.slice(0, 1);
      announce(root, [say(isQueued ? "table.premove_off" : "table.premove_on")]);
    } else if (isWaiting && recall(TOLD.premove) !== "yes") {
      keep(TOLD.premove, "yes");
      this.#tapped = stack;
      this.table.notify(say("table.premove_offer"), "", { act: "premove", text: say("table.turn_on") });
    } else this.table.why(slot);
    this.table.draw();
  }

  /** What buttons say. @param {string} act */
  act(act) {
    if (act === "premove") {
      choose("premove", "on");
      this.queued = this.#tapped.filter((id) => this.table.slots.some((slot) => slot.id === id)).slice(0, 1);
      this.table.notify(say("table.premove_on"));
    } else this.passes = act === "pass_on";
    this.goOn();
    this.table.draw();
  }

  /** It may have come to what has been asked for. */
  goOn() {
    const { slots, plays, equal, sent } = this.table;
    if (!plays.length || sent !== null) return;
    if (this.passes) {
      this.passes = plays.some((play) => play.word === "pass");
      if (this.passes) this.table.play("pass");
    } else if (this.queued.length) {
      const [only, other] = matching(plays, cardsOf(slots, this.queued), equal).exact;
      this.queued = [];
      if (only && !other) this.table.play(only.word);
      else this.table.notify(say("table.premove_void"));
    }
    this.table.draw();
  }
}
