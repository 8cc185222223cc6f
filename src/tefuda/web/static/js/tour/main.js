// A tour: the table of a fixed deal, and beside it a coach who tells what to look at and waits for the right
// play. The table is the one of the game itself; here the answers come from the page's own data and not from
// a server.

import { find } from "../dom.js";
import { announce, say } from "../texts.js";
import { keep } from "../storage.js";
import { game, inOwnDeck, isCard, parse } from "../table/game.js";
import { covered } from "../table/hand.js";
import { keyOf } from "../table/keys.js";
import { Table } from "../table/main.js";
import { isSame, read } from "../table/plays.js";
import { begin, equalOf, playsOf } from "../table/store.js";
import { point } from "./pointing.js";
import { answered, due } from "./progress.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").SocketAnswer} Answer */
/** @typedef {import("../messages.js").ReasonMessage} Reason */

/**
 * @typedef {object} Step
 * @property {State[]} states shown one after the other
 * @property {string[]} plays the right ones; none if the step waits for no play
 * @property {Record<string, Step[]>} then for each right play but the first the steps that follow it
 * @property {string} ask the card that the step waits to be asked about
 * @property {Record<string, Reason>} why
 * @property {string[]} show
 */

const PACE = 900;
const DONE = `tefuda.tour.${game.name}`;
/** What this is, if it is no tour: a problem, by its name, or an example of a rule. */
const { kind = "tour", problem: PROBLEM = "" } = document.querySelector("main")?.dataset ?? {};

class Tour {
  root = find("#table");
  coach = find(".coach", this.root);
  said = find(".said", this.coach);
  /** @type {Step[]} */ steps = parse(find("#steps").textContent ?? "[]");
  at = -1;
  asked = false;
  #isMarked = false;
  /** The step whose words are shown. */
  #spoken = -1;
  /** @type {State[]} states that are still to be shown */ #coming = [];
  /** @type {number | undefined} */ #timer;

  constructor() {
    keepWays(this.steps);
    renameCards(find(".words", this.root));
    this.table = new Table((hearers) => {
      this.hearers = hearers;
      return this;
    });
    this.root.addEventListener("drawn", () => this.#drawn());
    this.coach.addEventListener("click", (event) => this.#click(event));
    document.addEventListener("keydown", (event) => this.#key(event));
    if (kind === "tour") keep(DONE, "seen");
    if (PROBLEM) goOnWithDue(/** @type {HTMLFormElement} */ (find("form", this.coach)));
    find(".felt", this.root).tabIndex = 0; // where there is little room it scrolls, by keyboard too
    this.go(Math.max(0, Number(location.hash.slice(1)) - 1) || 0, true);
    this.root.addEventListener(
      "drawn",
      () => this.#playFrom(new URLSearchParams(location.search).get("play")),
      { once: true },
    );
  }

  /**
   * The card that the reader has pressed on the first page is played as if they had pressed it here.
   * @param {string | null} card
   */
  #playFrom(card) {
    if (!card) return;
    history.replaceState(null, "", location.pathname + location.hash);
    if (playsOf(this.table.store.now).some((play) => play.word === card)) this.table.acts.play(card);
    else this.table.acts.why(`${card}.0`);
  }

  get step() {
    return /** @type {Step} */ (this.steps[this.at]);
  }

  /** Whether the step waits for the reader. */
  get waits() {
    return this.step.plays.length > 0 || (this.step.ask !== "" && !this.asked);
  }

  /** What the table asks. @param {{type: string, play?: string}} message @returns {Promise<Answer>} */
  async ask({ type, play = "" }) {
    if (type === "play") return this.#judge(play);
    if (type === "why") return this.#explain(play);
    return { type: "done", id: null };
  }

  /**
   * @param {number} at
   * @param {boolean} atOnce whether what has happened before is shown at once
   */
  go(at, atOnce) {
    window.clearTimeout(this.#timer);
    const forward = at === this.at + 1 && !atOnce;
    if (forward) this.#rush();
    this.at = Math.min(at, this.steps.length - 1);
    this.asked = false;
    history.replaceState(null, "", `#${this.at + 1}`);
    const panel = this.step.show.find((what) => ["log", "ranks", "last"].includes(what));
    this.table.store.take(begin, panel ?? (covered.matches ? "" : "log"));
    if (forward && this.step.states.length) {
      this.#coming = [...this.step.states];
      this.#showNext(); // the words come when all of it has been shown
    } else {
      this.#speak();
      this.#showAll();
    }
    this.#offer();
  }

  /** The table at the end of this step's plays, with all that has been told before. */
  #showAll() {
    this.#coming = [];
    const states = this.steps.slice(0, this.at + 1).flatMap((step) => step.states);
    const last = /** @type {State} */ (states.at(-1));
    this.table.story.forget();
    this.hearers?.state({ ...last, events: states.flatMap((state) => state.events) });
  }

  #showNext() {
    const state = this.#coming.shift();
    if (!state) return;
    this.hearers?.state(state);
    if (this.#coming.length) this.#timer = window.setTimeout(() => this.#showNext(), PACE);
  }

  /** The reader does not want to wait for what is still to be shown. */
  #rush() {
    for (const state of this.#coming.splice(0)) this.hearers?.state(state);
  }

  /** @param {string} word @returns {Answer} */
  #judge(word) {
    const play = read(word, isCard);
    const right = this.step.plays.find((each) =>
      isSame(read(each, isCard), play, equalOf(this.table.store.now)),
    );
    this.#mark(right === undefined ? "missed" : "solved");
    if (right === undefined) return refused(this.#words.dataset.other || say("tour.other"));
    const then = this.step.then[right];
    if (then) this.steps = [...this.steps.slice(0, this.at + 1), ...then];
    window.setTimeout(() => this.#goOn());
    return { type: "done", id: null };
  }

  /**
   * Why a play may not be made; of several cards dragged together the first that may not.
   * @param {string} word
   * @returns {Answer}
   */
  #explain(word) {
    if (word === this.step.ask && !this.asked) {
      this.asked = true;
      window.setTimeout(() => this.#focus()); // the table has drawn itself anew by then, with the answer
    }
    const reason =
      word
        .split("+")
        .map((card) => this.step.why[card])
        .find(Boolean) ?? null;
    if (!reason && word.includes("+")) return refused(say("tour.no_play"));
    return { type: "why", id: null, reason };
  }

  /** The words of this step, as the page brought them. */
  get #words() {
    return /** @type {HTMLElement} */ (this.root.querySelectorAll(".words li")[this.at]);
  }

  #speak() {
    find(".count", this.coach).textContent = say("tour.count", {
      step: this.at + 1,
      steps: this.steps.length,
    });
    this.said.replaceChildren(...[...this.#words.children].map((part) => part.cloneNode(true)));
    this.said.scrollTop = 0;
    this.#spoken = this.at;
    announce(this.root, [
      find(".count", this.coach).textContent ?? "",
      ...[...this.said.children].map((part) => part.textContent ?? ""),
    ]);
  }

  /** After the table has been drawn: what the step points at, and whether all of it is to be seen. */
  #drawn() {
    point(this.root, this.step.show, this.step.ask);
    this.#offer();
    const isShown = this.table.store.now.state?.seq === this.step.states.at(-1)?.seq;
    if (isShown && this.#spoken !== this.at) this.#speak();
    this.coach.dataset.shown = isShown ? String(this.at + 1) : "";
  }

  /** The buttons of the step. */
  #offer() {
    const isLast = this.at === this.steps.length - 1;
    button(this.coach, "back").disabled = this.at === 0;
    button(this.coach, "do").hidden = !this.waits;
    button(this.coach, "next").hidden = this.waits || isLast;
    find("form", this.coach).hidden = !isLast;
    this.coach.dataset.waits = this.waits ? "yes" : "";
  }

  /** To where the step is gone on from. */
  #focus() {
    const place = this.waits
      ? ".hand [tabindex='0'], .bar button"
      : "[data-tour=next]:not([hidden]), form:not([hidden]) button";
    const found = this.root.querySelector(place);
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  }

  /** @param {Event} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target.closest("[data-tour]") : null;
    if (target instanceof HTMLElement) this.#act(target.dataset.tour ?? "");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const what = { n: "next", b: "back", d: "do" }[keyOf(event)];
    const isFree = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (what && isFree && !button(this.coach, what).hidden) this.#act(what);
  }

  /** @param {string} what */
  #act(what) {
    if (what === "do") this.#doIt();
    else if (what === "next" && !this.waits && this.at < this.steps.length - 1) this.#goOn();
    else if (what === "back" && this.at > 0) {
      this.go(this.at - 1, true);
      this.#focus();
    }
  }

  #goOn() {
    this.go(this.at + 1, false);
    this.#focus();
  }

  /** Keep how a problem was answered; the first answer counts. @param {"solved" | "missed"} state */
  #mark(state) {
    if (PROBLEM && !this.#isMarked) answered(game.name, PROBLEM, state);
    this.#isMarked = true;
  }

  /** Do for the reader what the step waits for. */
  #doIt() {
    this.#mark("missed");
    this.#rush();
    if (this.step.ask) this.table.acts.why(`${this.step.ask}.0`);
    else this.table.acts.play(this.step.plays[0] ?? "");
  }
}

/** @param {string} text @returns {Answer} */
function refused(text) {
  return { type: "refused", id: null, error: { code: "tour", text } };
}

/** Let each step that has several right plays know what follows the first one too. @param {Step[]} steps */
function keepWays(steps) {
  steps.forEach((step, place) => {
    Object.values(step.then).forEach(keepWays);
    if (Object.keys(step.then).length) step.then[step.plays[0] ?? ""] = steps.slice(place + 1);
  });
}

/** Call the cards in the words of the steps as the reader's deck does. @param {HTMLElement} words */
function renameCards(words) {
  const texts = document.createTreeWalker(words, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = /** @type {Text} */ (texts.currentNode);
    text.data = String(inOwnDeck(text.data));
  }
}

/** After this problem comes another that is due, if there is one. @param {HTMLFormElement} form */
function goOnWithDue(form) {
  const others = (form.dataset.problems ?? "").split(" ").filter((name) => name !== PROBLEM);
  const [first] = due(game.name, others);
  if (first) form.action = `/games/${game.name}/problems/${first}`;
}

/** @param {HTMLElement} coach @param {string} name @returns {HTMLButtonElement} */
function button(coach, name) {
  return /** @type {HTMLButtonElement} */ (find(`[data-tour=${name}]`, coach));
}

new Tour();
