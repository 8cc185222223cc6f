// Receipts: what this browser keeps of a shuffle before the cards are dealt, and checks after the deal. The same as
// tefuda/table/receipt.py, whose file of receipts `tefuda verify --receipt` reads.

import { recompute, sealed } from "./shuffle.js";
import { forget, keep as keepIn, keysOf, recall } from "./storage.js";

/** @typedef {import("./messages.js").StateMessage} State */
/** @typedef {import("./messages.js").ShuffleState} Pending */
/** @typedef {import("./shuffle.js").Proof & {table: string, deal: number, pack: string[], deck: string[], chance: number, hands?: string[][]}} Shown */

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
 * @property {string[] | null} seals the closed list of that attempt
 * @property {number[]} named the seats that did not reveal
 * @property {string[] | null} hand the cards dealt to us
 * @property {string[]} faults codes of what has gone wrong before the deal
 */

const PREFIX = "tefuda.receipt:";
const ENTROPY_BYTES = 32;
const MOST = 500;

/** The receipt of a deal, if this browser has one. @param {string} table @param {number} deal @returns {Receipt | null} */
export function receiptOf(table, deal) {
  return JSON.parse(recall(`${PREFIX}${table}/${deal}`) ?? "null");
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

/** What a state shows of a shuffle or of the cards dealt. @param {State} state */
export function hear(state) {
  // The deal of the day that another table was faster to shuffle: ours is not dealt.
  if (state.given?.day && state.events.at(-1)?.kind === "given") forget(`${PREFIX}${sessionOf(state)}/1`);
  const pending = state.shuffle;
  const ofShuffle = pending && receiptOf(sessionOf(state), pending.deal);
  if (pending && ofShuffle) {
    compare(ofShuffle, pending);
    keep(ofShuffle);
  }
  const receipt = state.deal && receiptOf(sessionOf(state), state.deal.number);
  if (state.deal && receipt && !receipt.hand && state.events.at(-1)?.kind === "dealt") {
    keep({ ...receipt, hand: state.deal.scene.hand.flatMap((group) => group.cards) });
  }
}

/** @param {Receipt} receipt @param {Pending} pending */
function compare(receipt, pending) {
  /** @param {string} fault */
  const note = (fault) => receipt.faults.includes(fault) || receipt.faults.push(fault);
  if (pending.commitment !== receipt.commitment) note("commitment");
  if (pending.attempt === undefined) return;
  const named = pending.unrevealed ?? [];
  if (named.includes(receipt.seat) && !receipt.named.includes(receipt.seat)) {
    if (receipt.seals) note("named");
    receipt.entropy = receipt.seal = "";
  }
  receipt.named = named;
  if (pending.attempt !== receipt.attempt) Object.assign(receipt, { attempt: pending.attempt, entropy: "", seal: "", seals: null }); // what was shown once is used up
  if (!pending.seals) return;
  if (receipt.seals) {
    if (receipt.seals.join() !== pending.seals.join()) note("seals");
    return;
  }
  receipt.seals = pending.seals;
  if (receipt.seal && receipt.seals[receipt.seat] !== receipt.seal) note("left_out");
}

/** @typedef {{type: string, deal: number, seal?: string, entropy?: string}} Part */

/**
 * Draw our part of a shuffle, keep it, and seal it. Another page of this browser may have the same seat open: one draws, and
 * the other sends the same part.
 * @param {State} state
 * @returns {Promise<Part | null>} what to send
 */
export async function ready(state) {
  const { shuffle: pending, you: { seat } } = state;
  if (!pending || seat === null) return null;
  const own = () => partOf(state, pending, seat);
  return navigator.locks ? navigator.locks.request(PREFIX, own) : own(); // there are none over plain http
}

/** @param {State} state @param {Pending} pending @param {number} seat @returns {Promise<Part>} */
async function partOf(state, pending, seat) {
  const table = sessionOf(state);
  const options = Object.fromEntries(Object.entries(state.options).sort(([one], [other]) => (one < other ? -1 : 1)));
  const context = JSON.stringify([table, pending.deal, state.game, state.rules, state.seats.length, options]);
  const known = receiptOf(table, pending.deal);
  const commitment = known?.commitment ?? pending.commitment;
  const attempt = pending.attempt ?? 1;
  const entropy = (known?.seat === seat && known.attempt === attempt && known.entropy) || drawn();
  const receipt = { named: [], hand: null, faults: [], seal: "", seals: null, ...known, table, deal: pending.deal, context, commitment, seat, attempt, entropy };
  keep(receipt);
  const seal = pending.attempt === undefined ? "" : await sealed({ context, commitment, attempt }, seat, entropy);
  keep({ ...(receiptOf(table, pending.deal) ?? receipt), seal });
  return { type: "ready", deal: pending.deal, ...(seal ? { seal } : { entropy }) };
}

/** Fresh entropy, in hexadecimal. */
function drawn() {
  const random = crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Our part, once the list of seals is closed and ours is in it. @param {State} state @returns {{type: string, deal: number, entropy: string} | null} what to send */
export function reveal(state) {
  const { shuffle: pending, you: { seat } } = state;
  const receipt = pending && receiptOf(sessionOf(state), pending.deal);
  if (!pending?.seals || seat === null || !receipt?.seal || receipt.faults.length || pending.revealed?.[seat]) return null;
  return pending.seals[seat] === receipt.seal ? { type: "reveal", deal: pending.deal, entropy: receipt.entropy } : null;
}

/**
 * What contradicts our receipt of a deal, or does not follow from its proof: the codes of texts.
 * @param {Shown} proof
 * @returns {Promise<{faults: string[], verdict: "fair" | "alone" | "consistent", named: number[]}>}
 */
export async function check(proof) {
  const receipt = receiptOf(proof.table, proof.deal);
  const faults = receipt ? contradictions(receipt, proof) : [];
  if (!faults.length) faults.push(...(await recompute(proof)));
  const verdict = !receipt ? "consistent" : proof.seals && proof.entropy[receipt.seat] ? "fair" : "alone";
  return { faults, verdict, named: receipt?.named ?? [] };
}

/** @param {Receipt} receipt @param {Shown} proof */
function contradictions(receipt, proof) {
  const { seals, seat, hand } = receipt;
  const own = !seals || seals[seat] ? receipt.entropy : "";
  const dealt = proof.hands?.[seat];
  const holds = {
    rules: proof.context === receipt.context && proof.table === receipt.table && proof.deal === receipt.deal,
    commitment: proof.commitment === receipt.commitment,
    attempt: !proof.seals || proof.attempt === receipt.attempt,
    seals: seals ? proof.seals?.join() === seals.join() : proof.seals !== undefined || !receipt.seal,
    entropy: (proof.entropy[seat] ?? "") === own,
    hand: !hand || !dealt || [...hand].sort().join() === [...dealt].sort().join(),
  };
  const broken = Object.entries(holds).filter(([, isSo]) => !isSo).map(([code]) => code);
  return [...new Set([...receipt.faults, ...broken])];
}

/** All receipts of a table, as a file for `tefuda verify --receipt`. @param {string} table with the number of the session */
export function receiptFile(table) {
  return keysOf(`${PREFIX}${table}/`).map((key) => `${recall(key)}\n`).join("");
}
