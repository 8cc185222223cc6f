// What is asked of the house: seats, bots, the next deal, another game, a hint.

import { keep, recall } from "../storage.js";
import { say } from "../texts.js";
import { game, parse } from "./game.js";
import { nameOfSeat } from "./people.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").Hint} Hint */
/** @typedef {typeof import("../receipts.js")} Receipts */

/** How often the proofs are asked for, if they do not come, and after how many milliseconds again. */
const TRIES = 4;
const AGAIN = 3000;

/** Under this key the browser keeps what the reader has called themselves. */
const NAME = "tefuda.name";

export class House {
  /** @type {State | null} */ #state = null;
  /** Our receipts of shuffles; cards are in sight before these come. @type {Promise<Receipts>} */ #receipts =
    import(/* soon */ "../receipts.js");
  /** How often the proofs could not be fetched. */ #misses = 0;
  /** @type {Set<string>} steps of shuffles that have been answered, and deals that have been checked */
  #done = new Set();

  /**
   * @param {import("./main.js").Line} connection
   * @param {import("./acts.js").Acts} acts say things to the reader
   */
  constructor(connection, acts) {
    this.connection = connection;
    this.acts = acts;
  }

  /**
   * Take part in the shuffle, as soon as a state comes: the first without being asked; later ones are the
   * player's word that they want to go on.
   * @param {State} state
   * @param {boolean} [resumed] whether messages before this one may have been missed
   */
  hear(state, resumed = false) {
    const isNew =
      this.#state?.shuffle?.deal !== state.shuffle?.deal || this.#state?.you.seat !== state.you.seat;
    this.#state = state;
    if (!state.table) return; // a tour
    if (resumed) this.#comeBack(state);
    this.#receipts.then((receipts) => {
      this.#follow(receipts, state, resumed);
      this.#takePart(receipts, state, isNew);
      this.#checkDealt(receipts, state);
    });
  }

  /** The reader has come back, and a bot plays for them only because they were gone. @param {State} state */
  #comeBack({ events, seats, you: { seat } }) {
    const missed = events.findLast((event) => event.kind === "absent" && event.seat === seat);
    if (seat !== null && seats[seat]?.absent && missed?.by !== undefined && !document.hidden)
      this.connection.ask({ type: "here" });
  }

  /** @param {DOMStringMap} data of the button @param {HTMLElement} root */
  act(data, root) {
    if (data.act === "ready") this.#ready();
    else if (data.act === "here") this.connection.ask({ type: "here" });
    else if (data.act === "rematch") this.post("rematch");
    else if (data.act === "share") this.#share();
    else if (data.act === "review") this.#review();
    else if (data.act === "take_back" || data.act === "close") this.post(data.act);
    else if (data.act === "fill") this.post("bots", { bot: value(root, "#bot") });
    else if (data.act === "copy") this.#copy();
    else if (data.answerBack) this.post("answer_back", { agreed: data.answerBack === "yes" });
    else if (data.standIn !== undefined) this.post("stand_in", { seat: Number(data.standIn) });
    else if (data.sit !== undefined) this.#sit(Number(data.sit), value(root, "#name"));
    else if (data.seatBot !== undefined)
      this.post("bots", { bot: value(root, "#bot"), seat: Number(data.seatBot) });
    else if (data.removeBot !== undefined) this.post("bots/remove", { seat: Number(data.removeBot) });
  }

  /**
   * What to play, and why.
   * @param {boolean} quick by rules of thumb alone
   * @returns {Promise<Hint | {refused: string}>}
   */
  async hint(quick) {
    const answer = await fetch(`${this.#address("hint")}?lang=${game.language}&quick=${quick}`);
    const found = parse(await answer.text());
    return answer.ok ? found : { refused: found.error.text };
  }

  /** Give the seat up, and go home. */
  async leave() {
    if (this.#state?.you.seat !== null) await this.post("leave");
    location.assign("/");
  }

  /**
   * What we do for the shuffle without being asked.
   * @param {Receipts} receipts
   * @param {State} state
   * @param {boolean} isNew
   */
  #takePart(receipts, state, isNew) {
    const {
      shuffle,
      you: { seat },
    } = state;
    if (!shuffle || seat === null) return;
    const receipt = receipts.receiptOf(`${state.table}/${state.session}`, shuffle.deal);
    const again = shuffle.attempt > 1 && receipt !== null && !receipt.faults.length;
    if (!shuffle.ready?.[seat] && ((!state.deal && isNew) || again)) this.#ready();
    const answer = receipts.reveal(state);
    if (answer && this.#first(`reveal ${state.session} ${shuffle.deal} ${shuffle.attempt}`))
      this.#send(receipts, state, answer);
  }

  /**
   * What a state shows of a shuffle is compared with what was shown before, at once.
   * @param {Receipts} receipts
   * @param {State} state
   * @param {boolean} resumed
   */
  #follow(receipts, state, resumed) {
    const { deal, faults, doubt } = receipts.hear(state, resumed);
    if (faults.length) this.#accuse(deal, faults);
    if (state.events.at(-1)?.kind === "dealt") this.acts.warn("doubt", "");
    if (doubt) this.acts.warn("doubt", say(`shuffle.${doubt}`, { number: deal }));
  }

  /** @param {Receipts} receipts @param {State} state @param {import("../receipts.js").Part} part */
  async #send({ taken }, state, part) {
    const answer = await this.connection.ask(part);
    if (answer.type === "done") taken(state, part);
  }

  /** @param {number} number of the deal @param {string[]} faults */
  #accuse(number, faults) {
    if (this.#first(`accused ${number} ${faults.join()}`))
      this.acts.warn(
        "alarm",
        say("shuffle.caught", { number, faults: faults.map((code) => say(`shuffle.${code}`)).join("; ") }),
      );
  }

  /** Our part of the shuffle: with it nobody else can have chosen the cards. */
  async #ready() {
    const state = this.#state;
    if (
      !state?.shuffle ||
      !this.#first(`ready ${state.session} ${state.shuffle.deal} ${state.shuffle.attempt} ${state.you.seat}`)
    )
      return;
    const receipts = await this.#receipts;
    const part = await receipts.ready(state);
    if (part) this.#send(receipts, state, part);
  }

  /**
   * Check the shuffles whose secrets have been shown, and say so if one was not fair.
   * @param {Receipts} receipts
   * @param {State} state
   */
  async #checkDealt({ receiptOf }, state) {
    const { deal, phase, session, given } = state;
    const isOver = phase === "over" || phase === "closed";
    // Other tables may still play a round
    const isDone = isOver && (phase === "closed" || given?.kind !== "round");
    if (!deal?.over && !isOver) return;
    const table = `${state.table}/${session}`;
    const kept = Array.from({ length: deal?.number ?? 0 }, (_, number) => number + 1).filter(
      (number) => receiptOf(table, number) && !this.#done.has(`checked ${table} ${number}`),
    );
    if (!kept.length || !this.#first(`check ${table} ${deal?.number} ${isDone} ${this.#misses}`)) return;
    const [checks, proofs, chain] = await Promise.all([
      import("../proofs.js").catch(() => null),
      this.#fetched("proofs"),
      this.#fetched("commitments"),
    ]);
    if (!checks || !proofs || !chain) {
      this.#misses += 1;
      if (this.#misses < TRIES)
        window.setTimeout(
          async () => this.#state && this.#checkDealt(await this.#receipts, this.#state),
          AGAIN,
        );
      else if (isDone) kept.forEach((number) => this.#accuse(number, ["withheld"]));
      return;
    }
    const found = new Map(
      proofs.map((/** @type {import("../proofs.js").Shown} */ proof) => [
        proof.table === table ? proof.deal : 0,
        proof,
      ]),
    );
    for (const number of kept) {
      const proof = found.get(number);
      if (proof || isDone) this.#done.add(`checked ${table} ${number}`);
      const faults = proof
        ? (await checks.check(proof, chain).catch(() => ({ faults: ["malformed"] }))).faults
        : isDone
          ? ["withheld"]
          : [];
      if (faults.length) this.#accuse(number, faults);
    }
  }

  /** What the server answers, if it is a list. @param {string} what @returns {Promise<any[] | null>} */
  async #fetched(what) {
    try {
      const found = await (await fetch(this.#address(what))).json();
      return Array.isArray(found) ? found : null;
    } catch {
      return null;
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
      this.acts.notify(say("table.name_first"));
      return;
    }
    if (name && name !== usualName()) keep(NAME, name);
    this.post("join", { name: name || usualName(), seat, invite: game.invite });
  }

  async #review() {
    const { open } = await import("./review_dialog.js");
    if (this.#state) open(this.#state, this.#state.seats.map(nameOfSeat));
  }

  #share() {
    const state = this.#state;
    if (!state) return;
    this.#copyLink(
      `${location.origin}/r/${state.table}?deal=${state.deal?.number ?? 1}&session=${state.session}`,
    );
  }

  #copy() {
    const state = this.#state;
    if (!state) return;
    this.#copyLink(invitation(state));
  }

  /** Copy a link; where the browser does not let us, it can be read. @param {string} link */
  async #copyLink(link) {
    const { copy } = await import("../copy.js");
    this.acts.notify((await copy(link)) ? say("table.copied") : link);
  }

  /** Give a command; whether it was done. @param {string} what its path @param {object} [body] */
  async post(what, body = {}) {
    const answer = await fetch(`${this.#address(what)}?lang=${game.language}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) this.acts.notify((await answer.json()).error.text);
    return answer.ok;
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

/** What the reader has called themselves before at a table, else what the site calls them. */
export function usualName() {
  return recall(NAME) ?? game.called;
}

/** The link with which friends come here. @param {State} state */
export function invitation(state) {
  const query = game.invite ? `?invite=${game.invite}` : "";
  return `${location.origin}/t/${state.table}${query}`;
}
