// What the reader asks for before it is their turn: to play cards as soon as they may be played, to pass
// until they lead. Both are offered when they are first of use; who has been told knows where they are. And
// what a card could form.

import { choose, keep, recall, setting } from "../storage.js";
import { announce, hasText, say, tell } from "../texts.js";
import { afterTap, cardsOf, complete, matching } from "./plays.js";
import { formsOf, hasForms } from "./forms.js";
import { isCard } from "./game.js";
import { read } from "./plays.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("./plays.js").Play} Play */

/** Where it is kept who has been told of what; js/table/bar.js looks there. */
const TOLD = { premove: "tefuda.told.premove", passing: "tefuda.told.passing" };
/** After so many passes in a row one may want to pass until one leads. */
const PASSES = 2;

export class Ahead {
  /** How often the reader has passed since they last played. */
  #passed = 0;
  /** The card that they tapped when they were told that it may be chosen ahead. */
  #tapped = "";

  /** @param {import("./acts.js").Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.store = acts.store;
  }

  /** What the hand could form, and its cards one by one: what may be chosen out of turn. @returns {Play[]} */
  get forms() {
    const held = this.acts.slots.map(({ card }) => card);
    return hasForms ? [...formsOf(held), ...[...new Set(held)].map((card) => read(card, isCard))] : [];
  }

  /** The cards that are chosen out of turn: to be played ahead, or to be looked at. */
  get chosen() {
    const { queued, picked } = this.store.now;
    return setting("premove") === "on" ? queued : picked;
  }

  /** @param {string[]} slots */
  #choose(slots) {
    this.store.set(setting("premove") === "on" ? { queued: slots } : { picked: slots });
  }

  /** The server has told how things are now. */
  hear() {
    const { plays, slots, equal } = this.acts;
    const { state, notice, picked } = this.store.now;
    const isAsked = plays.length > 0;
    const isOfUse =
      notice?.act?.act === "pass_on" ? !isAsked || plays.some(({ word }) => word === "pass") : !isAsked;
    const { exact, wider } = matching(plays, cardsOf(slots, picked), equal);
    if (isAsked && !exact.length && !wider.length) this.store.set({ picked: [] }); // they were only looked at
    if (notice?.act && (state?.deal?.over || !isOfUse)) this.store.set({ notice: null });
    this.goOn();
  }

  /** The reader has made this play themselves. @param {string} word */
  played(word) {
    if (this.store.now.passes) return;
    this.#passed = word === "pass" ? this.#passed + 1 : 0;
    if (this.#passed < PASSES || recall(TOLD.passing) || !hasText("plays.pass_on")) return;
    keep(TOLD.passing, "yes");
    this.acts.notify(say("table.passing_offer"), "", { act: "pass_on", text: tell("plays.pass_on") });
  }

  /**
   * A card has been tapped out of turn.
   * @param {string} slot
   * @param {string[]} stack the slots of equal cards
   */
  tap(slot, stack) {
    const { acts, store } = this;
    const { state } = store.now;
    if (!state?.deal || state.deal.over || state.you.seat === null) {
      acts.why(slot);
      return;
    }
    const isAhead = setting("premove") === "on";
    const chosen =
      afterTap(acts.slots, this.chosen, stack, this.forms, acts.equal) ?? (isAhead ? [slot] : null);
    if (chosen) this.#choose(chosen);
    if (isAhead)
      announce(acts.root, [say(store.now.queued.length ? "table.premove_on" : "table.premove_off")]);
    else if (!recall(TOLD.premove)) {
      keep(TOLD.premove, "yes");
      this.#tapped = slot;
      acts.notify(say("table.premove_offer"), "", { act: "premove", text: say("table.premove_start") });
    } else if (!chosen) acts.why(slot);
  }

  /** All the cards of something that the chosen ones could form. @param {string} word */
  offer(word) {
    const play = this.forms.find((each) => each.word === word);
    if (play) this.#choose(complete(this.acts.slots, this.chosen, play, this.acts.equal));
  }

  /** What buttons say. @param {string} act */
  act(act) {
    this.acts.notify("");
    if (act === "premove") {
      choose("premove", "on");
      const { picked } = this.store.now;
      const tapped = this.acts.slots.filter(({ id }) => id === this.#tapped).map(({ id }) => id);
      this.store.set({ queued: picked.length ? picked : tapped, picked: [] });
    } else this.store.set({ passes: act === "pass_on" });
    this.goOn();
  }

  /** It may have come to what has been asked for. */
  goOn() {
    const { slots, plays, equal } = this.acts;
    const { sent, passes, queued } = this.store.now;
    if (!plays.length || sent !== null) return;
    if (passes && plays.some((play) => play.word === "pass")) this.acts.play("pass");
    else if (passes) this.store.set({ passes: false });
    else if (queued.length) {
      const [only, other] = matching(plays, cardsOf(slots, queued), equal).exact;
      this.store.set({ queued: [] });
      if (only && !other) this.acts.play(only.word);
      else this.acts.notify(say("table.premove_void"));
    }
  }
}
