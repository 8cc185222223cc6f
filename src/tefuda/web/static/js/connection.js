// A table's socket: it mends itself, tells what was missed, and repeats orders until they are answered.

import { parse } from "./table/game.js";
import { say } from "./texts.js";

/** @typedef {import("./messages.js").StateMessage} State */
/** @typedef {import("./messages.js").SocketAnswer} Answer */
/** @typedef {"open" | "mending" | "ended"} LineState */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const PING_EVERY = 15000;
const PONG_WITHIN = 8000;
/** With this code the server closes a socket that has asked too much, or for a table that is not there. */
const POLICY = 1008;

/**
 * What a connection tells of.
 * @typedef {object} Hearers
 * @property {(state: State, resumed?: boolean) => void} state the table as it stands, with the events since
 *   the last one; whether messages before it may have been missed, since it is the first of a socket
 * @property {(line: LineState) => void} line whether the connection stands
 * @property {(answer: Answer) => void} refused something was refused that nobody waits for
 */

export class Connection {
  /** @type {WebSocket | null} */ #socket = null;
  /** @type {Map<string, {message: object, answered: (answer: Answer) => void}>} */ #waiting = new Map();
  #seq;
  /** @type {State | null} */ #state = null;
  #wait = FIRST_WAIT;
  #ended = false;
  #heard = 0;
  #isNew = true;
  /** @type {number | undefined} */ #again;
  #count = 0;
  #session = Math.random().toString(36).slice(2, 10);

  /**
   * @param {string} table its name
   * @param {string} language of the texts
   * @param {number} after seq of the last event that is known; 0 for none
   * @param {Promise<Hearers>} hearers what comes waits for them
   */
  constructor(table, language, after, hearers) {
    this.path = `/api/v1/tables/${table}/socket?lang=${language}&patch=true&presence=true`;
    this.#seq = after;
    this.hearers = hearers;
    window.addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
    window.setInterval(() => this.#ping(), PING_EVERY);
    this.#open();
  }

  /**
   * Send an order or a question; resolves with its answer, however often the connection has to be mended
   * before.
   * @param {object} message
   * @returns {Promise<Answer>}
   */
  ask(message) {
    const id = `${this.#session}-${++this.#count}`;
    return new Promise((answered) => {
      const whole = { ...message, id };
      this.#waiting.set(id, { message: whole, answered });
      this.#send(whole);
    });
  }

  #open() {
    window.clearTimeout(this.#again);
    const known = this.#seq ? `&after=${this.#seq}` : "";
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}${this.path}${known}`);
    this.#socket = socket;
    this.#heard = performance.now();
    this.#isNew = true;
    socket.addEventListener("open", () => {
      for (const { message } of this.#waiting.values()) this.#send(message);
    });
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#hear(read(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    });
  }

  /** @param {{type: string, id?: string | null, seq?: number}} message */
  #hear(message) {
    this.#heard = performance.now();
    const isChange = message.type === "patch" || message.type === "shuffle";
    const state = /** @type {any} */ (isChange ? this.#changed(message) : message);
    if (!state) this.#drop();
    else if (state.type === "state" && isState(state)) this.#fold(state);
    else if (message.id !== undefined && message.id !== null) this.#answer(message.id, message);
    else if (message.type === "refused") this.#refused(/** @type {any} */ (message));
    else if (state.type === "state" || state.type === "damaged")
      this.#tell(({ refused }) =>
        refused({ type: "refused", id: null, error: { code: "damaged", text: say("table.damaged") } }),
      );
  }

  /**
   * The last state with what has changed since; null if something was missed, so that the whole has to be
   * asked for.
   * @param {any} message that tells of changes alone
   */
  #changed({ seq, after = this.#state?.seq, events, patch = [], shuffle = this.#state?.shuffle }) {
    if (!this.#state || after !== this.#state.seq) return null;
    return { ...this.#state, seq, events, shuffle, deal: patched(this.#state.deal, patch) };
  }

  /**
   * Of all states the one with the highest seq is kept; events that are known are not told again.
   * @param {State} state
   */
  #fold(state) {
    this.#wait = FIRST_WAIT;
    this.#tell(({ line }) => line("open"));
    if (state.seq < this.#seq) return;
    const events = state.events.filter((event) => event.seq > this.#seq);
    this.#seq = state.seq;
    this.#state = state;
    const whole = { ...state, events };
    const resumed = this.#isNew;
    this.#isNew = false;
    this.#tell((hearers) => hearers.state(whole, resumed));
  }

  /** @param {string} id @param {any} answer */
  #answer(id, answer) {
    this.#waiting.get(id)?.answered(answer);
    this.#waiting.delete(id);
  }

  /** @param {Answer} answer */
  #refused(answer) {
    if (answer.error?.code !== "too_many") this.#ended = true;
    this.#tell(({ refused }) => refused(answer));
  }

  /** @param {(hearers: Hearers) => void} what */
  #tell(what) {
    this.hearers.then(what);
  }

  /** @param {number} code */
  #lost(code) {
    if (this.#ended) {
      this.#tell(({ line }) => line("ended"));
      return;
    }
    this.#tell(({ line }) => line("mending"));
    const wait = code === POLICY ? LONGEST_WAIT / 4 : this.#wait * (0.7 + 0.6 * Math.random());
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
    this.#again = window.setTimeout(() => this.#open(), wait);
  }

  /** Somebody has come back to the page, or the network has: do not wait out the pause. */
  #hurry() {
    if (this.#ended) return;
    if (this.#socket?.readyState === WebSocket.CLOSED) this.#open();
    else this.#ping();
  }

  #ping() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const asked = performance.now();
    this.#send({ type: "ping", id: "ping" });
    window.setTimeout(() => {
      // A line that has died without a word: go on with a new one.
      if (this.#heard < asked && this.#socket?.readyState === WebSocket.OPEN) this.#drop();
    }, PONG_WITHIN);
  }

  #drop() {
    const dead = this.#socket;
    this.#socket = null;
    dead?.close();
    this.#lost(0);
  }

  /** @param {object} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

/**
 * A message of the server; one of its own kind if it is none.
 * @param {unknown} told
 * @returns {{type: string, id?: string | null, seq?: number}}
 */
function read(told) {
  try {
    const message = parse(String(told));
    if (typeof message?.type === "string") return message;
  } catch {
    // it is not JSON
  }
  return { type: "damaged" };
}

/**
 * A copy with other values at some places; what is the same stays the same object.
 * @param {any} whole
 * @param {{path: string, value: unknown}[]} patch replacements of a JSON Patch (RFC 6902)
 */
function patched(whole, patch) {
  return patch.reduce((now, { path, value }) => put(now, path.split("/").slice(1), value), whole);
}

/** @param {any} whole @param {string[]} place @param {unknown} value @returns {any} */
function put(whole, [key, ...within], value) {
  if (key === undefined) return value;
  const copy = Array.isArray(whole) ? [...whole] : { ...whole };
  copy[key] = put(copy[key], within, value);
  return copy;
}

/** Whether a state has what every page reads of it. @param {any} state */
function isState({ seq, events, seats, you, session, options }) {
  return (
    [seq, session].every(Number.isSafeInteger) &&
    Array.isArray(events) &&
    events.every((event) => Number.isSafeInteger(event?.seq)) &&
    Array.isArray(seats) &&
    (you?.seat === null || Number.isInteger(you?.seat)) &&
    typeof options === "object" &&
    options !== null
  );
}
