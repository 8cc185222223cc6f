// Receipts: what this browser keeps of a shuffle before the cards are dealt. The same as
// tefuda/table/receipt.py, whose file of receipts `tefuda verify --receipt` reads.

import { beginAnew, follow, isIn, isShuffle, note } from "./shuffle_steps.js";
import { hash, sealed } from "./shuffle.js";
import { forget, keep as keepIn, keysOf, recall } from "./storage.js";
import { game } from "./table/game.js";

/** @typedef {import("./messages.js").StateMessage} State */
/** @typedef {import("./messages.js").ShuffleState} Pending */

/**
 * @typedef {object} Receipt
 * @property {string} table with the number of the session
 * @property {number} deal
 * @property {string} context what the commitment is bound to
 * @property {string} commitment
 * @property {number} seat
 * @property {number} attempt the latest that was shown
 * @property {string} entropy ours in that attempt; empty if we take no part
 * @property {string} seal
 * @property {boolean} sealed whether the server has said that it took the seal
 * @property {boolean} sent whether the entropy was sent
 * @property {boolean} revealed whether the server has said that it took it
 * @property {string[] | null} seals the closed list of that attempt
 * @property {number[]} opened the seats that were shown to have revealed in it
 * @property {number[]} named the seats that did not reveal
 * @property {string} link the latest of the table's chain
 * @property {number} seq of the latest message that was noted: of several pages one may be behind
 * @property {string} pack the hash of the pack that came with the page
 * @property {boolean | null} added whether the deal was dealt with our entropy, as far as we were shown; null
 *   before that
 * @property {string[] | null} hand the cards dealt to us
 * @property {string[]} faults codes of what has gone wrong before the deal
 */

/**
 * What a message gives cause for: codes of faults, and why nothing of ours is in a deal that has begun.
 * @typedef {{deal: number, faults: string[], doubt: "" | "unproven" | "given"}} Heard
 */

const PREFIX = "tefuda.receipt:";
const ENTROPY_BYTES = 32;
const MOST = 500;

/** What receipts of older versions lack. */
const BEFORE = {
  sealed: false,
  sent: false,
  revealed: false,
  opened: [],
  link: "",
  seq: 0,
  pack: "",
  added: null,
};

/**
 * The receipt of a deal, if this browser has one.
 * @param {string} table
 * @param {number} deal
 * @returns {Receipt | null}
 */
export function receiptOf(table, deal) {
  const kept = recall(`${PREFIX}${table}/${deal}`);
  return kept === null ? null : { ...BEFORE, ...JSON.parse(kept) };
}

/** @param {Receipt} receipt */
function keep(receipt) {
  const own = `${PREFIX}${receipt.table}/${receipt.deal}`;
  if (recall(own) === null) {
    const keys = keysOf(PREFIX);
    keys.slice(0, Math.max(0, keys.length - MOST)).forEach(forget);
  }
  keepIn(own, JSON.stringify(receipt));
}

/** @param {State} state */
const sessionOf = (state) => `${state.table}/${state.session}`;

/** Deals of which this page has told what it has to tell. */
const told = new Set();

/**
 * Note what a state shows of a shuffle or of the cards dealt.
 * @param {State} state
 * @param {boolean} resumed whether messages before this one may have been missed: the first of a connection
 * @returns {Heard}
 */
export function hear(state, resumed) {
  if (state.table !== game.table) return { deal: 0, faults: ["rules"], doubt: "" };
  if (state.you.seat === null) {
    leave(state);
    return { deal: 0, faults: [], doubt: "" };
  }
  // The deal of the day that another table was faster to shuffle: ours is not dealt.
  if (state.events.at(-1)?.kind === "given") forget(`${PREFIX}${sessionOf(state)}/1`);
  const shuffled = hearShuffle(state, state.you.seat, resumed);
  const dealt = hearDeal(state, resumed);
  return shuffled.faults.length ? shuffled : dealt;
}

/** Whoever has no seat any more has nothing in a list that is still open. @param {State} state */
function leave(state) {
  const receipt = state.shuffle && receiptOf(sessionOf(state), state.shuffle.deal);
  if (!receipt || receipt.seals) return;
  beginAnew(receipt, receipt.seat);
  keep(receipt);
}

/** @param {State} state @param {number} seat @param {boolean} resumed @returns {Heard} */
function hearShuffle(state, seat, resumed) {
  const pending = state.shuffle;
  const receipt = pending && receiptOf(sessionOf(state), pending.deal);
  if (!pending) return { deal: 0, faults: [], doubt: "" };
  if (!isShuffle(pending, state.seats.length))
    return { deal: pending.deal, faults: ["malformed"], doubt: "" };
  if (!receipt)
    return {
      deal: pending.deal,
      faults: pending.attempt > pending.unrevealed.length + 1 ? ["steps"] : [],
      doubt: "",
    };
  if (state.seq < receipt.seq) return { deal: pending.deal, faults: receipt.faults, doubt: "" };
  receipt.seq = state.seq;
  if (contextOf(state, pending.deal) !== receipt.context) note(receipt, "rules");
  // We left, and came back
  const isForgotten = resumed && receipt.sealed && !pending.seals && !pending.ready[seat];
  if (
    receipt.seat !== seat ||
    isForgotten ||
    state.events.some((event) => event.kind === "left" && event.seat === seat)
  )
    beginAnew(receipt, seat);
  follow(receipt, pending, resumed);
  keep(receipt);
  return { deal: pending.deal, faults: receipt.faults, doubt: "" };
}

/** @param {State} state @param {boolean} resumed @returns {Heard} */
function hearDeal(state, resumed) {
  const { deal } = state;
  if (!deal) return { deal: 0, faults: [], doubt: "" };
  const [table, isDealt] = [sessionOf(state), state.events.at(-1)?.kind === "dealt"];
  const [receipt, isNew] = [receiptOf(table, deal.number), !told.has(`${table}/${deal.number}`)];
  told.add(`${table}/${deal.number}`);
  if (!receipt)
    return {
      deal: deal.number,
      faults: [],
      doubt: !isNew || deal.over ? "" : state.given ? "given" : "unproven",
    };
  if (receipt.added === null) {
    const isPromised = isIn(receipt) || (receipt.sealed && !receipt.seals);
    if (isPromised && !receipt.sent && !resumed) note(receipt, "unasked");
    if (!isDealt && !resumed) note(receipt, "unseen");
    receipt.added = isIn(receipt) && (resumed ? receipt.revealed : receipt.sent);
    keep(receipt);
  }
  if (isDealt && !receipt.hand) {
    receipt.hand = deal.scene.hand.flatMap((group) => group.cards);
    keep(receipt);
  }
  return {
    deal: deal.number,
    faults: receipt.faults,
    doubt: isNew && !receipt.added && !deal.over ? "unproven" : "",
  };
}

/** The server has said that it took our part: it must use it. @param {State} state @param {Part} part */
export function taken(state, part) {
  const receipt = receiptOf(sessionOf(state), part.deal);
  if (!receipt || (part.seal && part.seal !== receipt.seal)) return;
  receipt.sealed ||= Boolean(part.seal);
  receipt.revealed ||= part.type === "reveal";
  if (receipt.added !== null) receipt.added ||= isIn(receipt) && receipt.revealed; // the answer was late
  keep(receipt);
}

/**
 * What the commitment to a deal must be bound to, by what a state says of its table.
 * @param {State} state
 * @param {number} deal
 */
function contextOf(state, deal) {
  const options = Object.fromEntries(
    Object.entries(state.options).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return JSON.stringify([sessionOf(state), deal, state.game, state.rules, state.seats.length, options]);
}

/** @typedef {{type: string, deal: number, seal?: string, entropy?: string}} Part */

/**
 * Draw our part of a shuffle, keep it, and seal it. Another page of this browser may have the same seat open:
 * one draws, and the other sends the same part.
 * @param {State} state
 * @returns {Promise<Part | null>} what to send
 */
export async function ready(state) {
  const {
    shuffle: pending,
    you: { seat },
  } = state;
  if (!pending || seat === null) return null;
  const own = () => partOf(state, pending, seat);
  return navigator.locks ? navigator.locks.request(PREFIX, own) : own(); // there are none over plain http
}

/** @param {State} state @param {Pending} pending @param {number} seat @returns {Promise<Part>} */
async function partOf(state, pending, seat) {
  const [table, { deal }] = [sessionOf(state), pending];
  const without = { type: "ready", deal }; // the deal may come, but nothing of ours is in it
  if (!isShuffle(pending, state.seats.length)) return without;
  const known = receiptOf(table, deal) ?? begun(state, pending, seat);
  if (known.seat !== seat) beginAnew(known, seat);
  keep(known);
  if (known.faults.length || known.seals || known.named.includes(seat)) return without;
  const { context, commitment, attempt } = known;
  const entropy = known.entropy || drawn();
  keep({ ...known, entropy });
  const [seal, pack] = [
    await sealed({ context, commitment, attempt }, seat, entropy),
    await hash("", "", JSON.stringify(game.pack)),
  ];
  const now = receiptOf(table, deal) ?? known;
  if (now.attempt !== attempt) return partOf(state, pending, seat); // it went on meanwhile
  keep({ ...now, entropy, seal, pack });
  return { type: "ready", deal, seal };
}

/** @param {State} state @param {Pending} pending @param {number} seat @returns {Receipt} */
function begun(state, { deal, commitment, attempt, unrevealed, link, seals }, seat) {
  return {
    table: sessionOf(state),
    deal,
    context: contextOf(state, deal),
    commitment,
    seat,
    attempt,
    entropy: "",
    seal: "",
    sealed: false,
    sent: false,
    revealed: false,
    seals,
    opened: [],
    named: unrevealed,
    link,
    seq: state.seq,
    pack: "",
    added: null,
    hand: null,
    faults: [],
  };
}

/** Fresh entropy, in hexadecimal. */
function drawn() {
  const random = crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Our part, once the list of seals is closed and ours is in it.
 * @param {State} state
 * @returns {Part | null} what to send
 */
export function reveal(state) {
  const {
    shuffle: pending,
    you: { seat },
  } = state;
  const receipt = pending && receiptOf(sessionOf(state), pending.deal);
  if (!receipt || receipt.seat !== seat || !isIn(receipt) || receipt.faults.length || receipt.revealed)
    return null;
  keep({ ...receipt, sent: true });
  return { type: "reveal", deal: receipt.deal, entropy: receipt.entropy };
}

/**
 * All receipts of a table, as a file for `tefuda verify --receipt`.
 * @param {string} table with the number of the session
 */
export function receiptFile(table) {
  return keysOf(`${PREFIX}${table}/`)
    .map((key) => `${recall(key)}\n`)
    .join("");
}
