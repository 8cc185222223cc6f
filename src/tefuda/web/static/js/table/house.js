// What is asked of the house: seats, bots, the next deal, another game, a hint.

import { find } from "../dom.js";
import { say } from "../texts.js";
import { game } from "./game.js";
import { invitation } from "./sheet.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").Hint} Hint */

const NAME = "tefuda.name";
const ENTROPY_BYTES = 16;

export class House {
  /** @type {State | null} */ #state = null;

  /**
   * @param {import("./main.js").Line} connection
   * @param {(text: string) => void} notify
   */
  constructor(connection, notify) {
    this.connection = connection;
    this.notify = notify;
  }

  /** Add to the first shuffle without being asked; later ones are the player's word that they want to go on. @param {State} state */
  look(state) {
    const isNew = this.#state?.shuffle?.deal !== state.shuffle?.deal || this.#state?.you.seat !== state.you.seat;
    this.#state = state;
    const seat = state.you.seat;
    if (state.shuffle && seat !== null && !state.shuffle.ready[seat] && !state.deal && isNew) this.#ready();
    const input = document.querySelector("#name");
    if (input instanceof HTMLInputElement && !input.value) input.value = localStorage.getItem(NAME) ?? "";
  }

  /** @param {DOMStringMap} data of the button @param {HTMLElement} root */
  act(data, root) {
    if (data.act === "ready") this.#ready();
    else if (data.act === "here") this.connection.ask({ type: "here" });
    else if (data.act === "rematch") this.#post("rematch");
    else if (data.act === "fill") this.#post("bots", { bot: value(root, "#bot") });
    else if (data.act === "copy") this.#copy();
    else if (data.phrase) this.#post("say", { phrase: data.phrase });
    else if (data.sit !== undefined) this.#sit(Number(data.sit), value(root, "#name"));
    else if (data.seatBot !== undefined) this.#post("bots", { bot: value(root, "#bot"), seat: Number(data.seatBot) });
    else if (data.removeBot !== undefined) this.#post("bots/remove", { seat: Number(data.removeBot) });
  }

  /** What bots would play. @returns {Promise<Hint | {refused: string}>} */
  async hint() {
    const answer = await fetch(`${this.#address("hint")}?lang=${game.language}`);
    const found = await answer.json();
    return answer.ok ? found : { refused: found.error.text };
  }

  /** Our part of the shuffle: with it nobody else can have chosen the cards. */
  #ready() {
    const bytes = crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES));
    const entropy = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    this.connection.ask({ type: "ready", deal: this.#state?.shuffle?.deal, entropy });
  }

  /** @param {number} seat @param {string} name */
  #sit(seat, name) {
    if (!name.trim()) {
      find("#name").focus();
      this.notify(say("table.name_first"));
      return;
    }
    localStorage.setItem(NAME, name);
    this.#post("join", { name, seat, invite: game.invite });
  }

  async #copy() {
    const state = this.#state;
    if (!state) return;
    await navigator.clipboard?.writeText(invitation(state));
    this.notify(say("table.copied"));
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
