// What is asked of the house: seats, bots, the next deal, another game, a hint.

import { keep } from "../storage.js";
import { say } from "../texts.js";
import { game, parse } from "./game.js";
import { invitation, NAME, usualName } from "./sheet.js";
import { nameOfSeat } from "./story.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").Hint} Hint */
/** @typedef {typeof import("../receipts.js")} Receipts */


export class House {
  /** @type {State | null} */ #state = null;
  /** Our receipts of shuffles; cards are in sight before these come. @type {Promise<Receipts>} */ #receipts = import(/* soon */ "../receipts.js");
  /** @type {Set<string>} steps of shuffles that have been answered, and deals that have been checked */ #done = new Set();

  /**
   * @param {import("./main.js").Line} connection
   * @param {(text: string) => void} notify
   * @param {(text: string) => void} alarm says what must not be overlooked
   */
  constructor(connection, notify, alarm) {
    this.connection = connection;
    this.notify = notify;
    this.alarm = alarm;
  }

  /**
   * Take part in the shuffle, as soon as a state comes: the first without being asked; later ones are the player's word
   * that they want to go on. @param {State} state
   */
  hear(state) {
    const isNew = this.#state?.shuffle?.deal !== state.shuffle?.deal || this.#state?.you.seat !== state.you.seat;
    this.#state = state;
    this.#receipts.then((receipts) => {
      this.#takePart(receipts, state, isNew);
      this.#checkDealt(receipts, state);
    });
  }

  /** @param {DOMStringMap} data of the button @param {HTMLElement} root */
  act(data, root) {
    if (data.act === "ready") this.#ready();
    else if (data.act === "here") this.connection.ask({ type: "here" });
    else if (data.act === "rematch") this.#post("rematch");
    else if (data.act === "share") this.#share();
    else if (data.act === "review") this.#review();
    else if (data.act === "take_back" || data.act === "close") this.#post(data.act);
    else if (data.act === "fill") this.#post("bots", { bot: value(root, "#bot") });
    else if (data.act === "copy") this.#copy();
    else if (data.phrase) this.#post("say", { phrase: data.phrase });
    else if (data.sit !== undefined) this.#sit(Number(data.sit), value(root, "#name"));
    else if (data.seatBot !== undefined) this.#post("bots", { bot: value(root, "#bot"), seat: Number(data.seatBot) });
    else if (data.removeBot !== undefined) this.#post("bots/remove", { seat: Number(data.removeBot) });
  }

  /** What to play, and why. @returns {Promise<Hint | {refused: string}>} */
  async hint() {
    const answer = await fetch(`${this.#address("hint")}?lang=${game.language}`);
    const found = parse(await answer.text());
    return answer.ok ? found : { refused: found.error.text };
  }

  /** Give the seat up, and go home. */
  async leave() {
    if (this.#state?.you.seat !== null) await this.#post("leave");
    location.assign("/");
  }

  /** How fast the table plays. @param {{clock?: number | null, speed?: string}} pace */
  pace(pace) {
    return this.#post("pace", pace);
  }

  /** What we do for the shuffle without being asked. @param {Receipts} receipts @param {State} state @param {boolean} isNew */
  #takePart({ hear, receiptOf, reveal }, state, isNew) {
    const { shuffle, you: { seat } } = state;
    if (!shuffle || seat === null) return;
    hear(state);
    const again = (shuffle.attempt ?? 1) > 1 && receiptOf(`${state.table}/${state.session}`, shuffle.deal) !== null;
    if (!shuffle.ready[seat] && ((!state.deal && isNew) || again)) this.#ready();
    const answer = reveal(state);
    if (answer && this.#first(`reveal ${state.session} ${shuffle.deal} ${shuffle.attempt}`)) this.connection.ask(answer);
  }

  /** Our part of the shuffle: with it nobody else can have chosen the cards. */
  async #ready() {
    const state = this.#state;
    if (!state?.shuffle || !this.#first(`ready ${state.session} ${state.shuffle.deal} ${state.shuffle.attempt} ${state.you.seat}`)) return;
    const answer = await (await this.#receipts).ready(state);
    if (answer) this.connection.ask(answer);
  }

  /** Check the shuffles whose secrets have been shown, and say so if one was not fair. @param {Receipts} receipts @param {State} state */
  async #checkDealt({ check, hear, receiptOf }, state) {
    hear(state);
    const { deal, phase, session } = state;
    const isDone = phase === "over" || phase === "closed";
    if (!deal?.over && !isDone) return;
    const table = `${state.table}/${session}`;
    const kept = Array.from({ length: deal?.number ?? 0 }, (_, number) => number + 1).filter((number) => receiptOf(table, number) && !this.#done.has(`checked ${table} ${number}`));
    if (!kept.length || !this.#first(`check ${table} ${deal?.number} ${isDone}`)) return;
    const answer = await fetch(this.#address("proofs"));
    if (!answer.ok) return;
    const found = new Map((await answer.json()).map((/** @type {import("../receipts.js").Shown} */ proof) => [proof.table === table ? proof.deal : 0, proof]));
    for (const number of kept) {
      const proof = found.get(number);
      if (proof || isDone) this.#done.add(`checked ${table} ${number}`);
      const faults = proof ? (await check(proof)).faults : isDone ? ["withheld"] : [];
      if (faults.length) this.alarm(say("shuffle.caught", { number, faults: faults.map((code) => say(`shuffle.${code}`)).join("; ") }));
    }
  }

  /** Whether this is done for the first time. @param {string} what */
  #first(what) {
    const isFirst = !this.#done.has(what);
    this.#done.add(what);
    return isFirst;
  }

  /** @param {number} seat @param {string} name */
  #sit(seat, name) {
    const field = document.querySelector("#name");
    if (field instanceof HTMLInputElement && !name.trim()) {
      field.focus();
      this.notify(say("table.name_first"));
      return;
    }
    if (name && name !== usualName()) keep(NAME, name);
    this.#post("join", { name: name || usualName(), seat, invite: game.invite });
  }

  async #review() {
    const { open } = await import("./review_dialog.js");
    if (this.#state) open(this.#state, this.#state.seats.map(nameOfSeat));
  }

  #share() {
    const state = this.#state;
    if (!state) return;
    this.#copyLink(`${location.origin}/r/${state.table}?deal=${state.deal?.number ?? 1}&session=${state.session}`);
  }

  #copy() {
    const state = this.#state;
    if (!state) return;
    this.#copyLink(invitation(state));
  }

  /** Copy a link; where the browser does not let us, it can be read. @param {string} link */
  async #copyLink(link) {
    const { copy } = await import("../copy.js");
    this.notify(await copy(link) ? say("table.copied") : link);
  }

  /** @param {string} what @param {object} [body] */
  async #post(what, body = {}) {
    const answer = await fetch(`${this.#address(what)}?lang=${game.language}`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    });
    if (!answer.ok) this.notify((await answer.json()).error.text);
  }

  /** @param {string} what */
  #address(what) {
    return `/api/v1/tables/${game.table}/${what}`;
  }
}

/** @param {HTMLElement} root @param {string} selector */
function value(root, selector) {
  const field = root.querySelector(selector);
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : "";
}
