// Checks of a proof, once the cards have been dealt: the shuffle is computed again, and compared with our
// receipt and with the chain of all that were shown. The bytes are described in docs/explanation/shuffle.md.

import { receiptOf } from "./receipts.js";
import { bytes, hash, hex, joined, roundOf, sealed, sha256 } from "./shuffle.js";

/** @typedef {import("./receipts.js").Receipt} Receipt */
/**
 * @typedef {object} Proof
 * @property {string} context what the commitment is bound to
 * @property {string} commitment in hexadecimal, as are secret and entropy
 * @property {string} secret
 * @property {string[]} entropy of each seat
 * @property {string[]} [seals] of the entropy, empty for a seat that took no part; none in protocol 1
 * @property {number} [attempt] none in protocol 1
 */
/**
 * @typedef {Proof & {table: string, deal: number, pack: string[], deck: string[], chance: number,
 *   hands?: string[][]}} Shown
 */
/**
 * @typedef {{kind: string, table: string, deal: number, link: string, commitment?: string, attempt?: number,
 *   seals?: string[], seats?: number[]}} Entry
 */

const DOMAIN = "tefuda/shuffle/1/";

/**
 * What contradicts our receipt of a deal or the table's chain, or does not follow from its proof: the codes
 * of texts.
 * @param {Shown} proof
 * @param {Entry[]} chain
 * @returns {Promise<{faults: string[], verdict: "fair" | "alone" | "consistent", named: number[]}>}
 */
export async function check(proof, chain) {
  const receipt = receiptOf(proof.table, proof.deal);
  const faults = receipt ? await contradictions(receipt, proof) : [];
  if (!faults.length) faults.push(...(await recompute(proof)));
  if (!faults.length && receipt?.link && !(await holds(chain, proof, receipt.link))) faults.push("chain");
  const verdict = !receipt
    ? "consistent"
    : proof.seals && receipt.added !== false && proof.entropy[receipt.seat]
      ? "fair"
      : "alone";
  return { faults, verdict, named: receipt?.named ?? [] };
}

/** @param {Receipt} receipt @param {Shown} proof */
async function contradictions(receipt, proof) {
  const { seals, seat, hand, pack } = receipt;
  const own = !seals || seals[seat] ? receipt.entropy : "";
  const dealt = proof.hands?.[seat];
  const isOut = receipt.added === false; // nothing of ours is in the deal
  const holdsSo = {
    rules: proof.context === receipt.context && proof.table === receipt.table && proof.deal === receipt.deal,
    commitment: proof.commitment === receipt.commitment,
    pack: !pack || pack === (await hash("", "", JSON.stringify(proof.pack))),
    attempt: isOut || !proof.seals || proof.attempt === receipt.attempt,
    seals:
      isOut || (seals ? proof.seals?.join() === seals.join() : proof.seals !== undefined || !receipt.seal),
    entropy: isOut || (proof.entropy[seat] ?? "") === own,
    hand:
      (!hand || !dealt || [...hand].sort().join() === [...dealt].sort().join()) &&
      areOfDeck(proof.hands?.flat() ?? [], proof.deck),
  };
  const broken = Object.entries(holdsSo)
    .filter(([, isSo]) => !isSo)
    .map(([code]) => code);
  return [...new Set([...receipt.faults, ...broken])];
}

/**
 * Whether cards can be together in hands that were dealt from a deck.
 * @param {string[]} cards
 * @param {string[]} deck
 */
function areOfDeck(cards, deck) {
  const left = [...deck];
  return cards.every((card) => left.includes(card) && left.splice(left.indexOf(card), 1));
}

// The chain

/**
 * Whether a chain holds together, has the link that we were shown, and tells of a deal what its proof tells.
 * @param {Entry[]} entries
 * @param {{table: string, deal: number, commitment: string, seals?: string[], attempt?: number}} proof
 * @param {string} shown the link
 */
export async function holds(entries, proof, shown) {
  let before = "00".repeat(32);
  for (const { link, ...entry } of entries) {
    before = await hash("tefuda/shuffle/2/link\n", before, JSON.stringify(entry, Object.keys(entry).sort()));
    if (link !== before) return false;
  }
  const own = entries.filter((entry) => entry.table === proof.table && entry.deal === proof.deal);
  const [committed, ...steps] = own;
  if (
    committed?.kind !== "committed" ||
    committed.commitment !== proof.commitment ||
    !own.some(({ link }) => link === shown)
  )
    return false;
  const last = steps.at(-1);
  return (
    followEachOther(steps, proof.seals?.length ?? 0) &&
    last?.attempt === proof.attempt &&
    last?.seals?.join() === proof.seals?.join()
  );
}

/**
 * Closed lists and the seats that were named after them, which had sealed something and then took no part.
 * @param {Entry[]} steps
 * @param {number} seats
 */
function followEachOther(steps, seats) {
  const out = new Set();
  /** @type {string[]} */ let seals = [];
  for (const [number, entry] of steps.entries()) {
    const isList = number % 2 === 0;
    if (entry.kind !== (isList ? "sealed" : "unrevealed") || entry.attempt !== Math.floor(number / 2) + 1)
      return false;
    if (isList) {
      seals = entry.seals ?? [];
      if (seals.length !== seats || [...out].some((seat) => seals[seat])) return false;
    } else {
      const named = entry.seats ?? [];
      if (
        !named.length ||
        new Set(named).size < named.length ||
        !named.every((seat) => seals[seat] && !out.has(seat))
      )
        return false;
      named.forEach((seat) => out.add(seat));
    }
  }
  return steps.length % 2 === 1;
}

// The shuffle

/**
 * What does not follow from a proof: the codes of texts, none if all of it holds.
 * @param {Proof & {pack: string[], deck: string[], chance: number}} proof
 */
export async function recompute(proof) {
  if ((await committed(proof)) !== proof.commitment) return ["secret"];
  if (proof.attempt !== undefined && proof.attempt - 1 > (proof.seals ?? []).filter((seal) => !seal).length)
    return ["steps"];
  for (const [seat, seal] of (proof.seals ?? []).entries()) {
    const entropy = proof.entropy[seat] ?? "";
    if (seal === "" ? entropy !== "" : seal !== (await sealed(proof, seat, entropy))) return ["opened"];
  }
  const { deck, chance } = await shuffled(proof.pack, proof);
  return chance === proof.chance && deck.join() === proof.deck.join() ? [] : ["deck"];
}

/** The commitment to the secret of a proof, in hexadecimal. @param {Proof} proof */
export async function committed(proof) {
  return hex(await sha256(joined(`${DOMAIN}commitment\n${proof.context}\n`, bytes(proof.secret))));
}

/**
 * The order of the deck, and the deal's random number.
 * @template Card
 * @param {Card[]} pack in ascending order
 * @param {Proof} proof
 * @returns {Promise<{deck: Card[], chance: number}>}
 */
export async function shuffled(pack, proof) {
  const added = proof.entropy.map(bytes).flatMap((part) => [part.length, ...part]);
  const key = await sha256(
    joined(`${DOMAIN}key\n${roundOf(proof.context, proof.attempt)}\n`, bytes(proof.secret), added),
  );
  const words = stream(key);
  const deck = [...pack];
  for (let last = deck.length - 1; last > 0; last--) {
    const chosen = await below(words, last + 1);
    const card = /** @type {Card} */ (deck[last]);
    deck[last] = /** @type {Card} */ (deck[chosen]);
    deck[chosen] = card;
  }
  return { deck, chance: (await next(words)) >>> 2 };
}

/** Words of 32 bits without end. @param {Uint8Array} key */
async function* stream(key) {
  for (let block = 0; ; block++) {
    const number = new DataView(new ArrayBuffer(8));
    number.setUint32(4, block);
    const digest = new DataView(
      (await sha256(joined(`${DOMAIN}stream\n`, key, new Uint8Array(number.buffer)))).buffer,
    );
    for (let place = 0; place < 32; place += 4) yield digest.getUint32(place);
  }
}

/** @param {AsyncGenerator<number>} words @returns {Promise<number>} */
async function next(words) {
  return (await words.next()).value;
}

/** A number from 0 to n − 1, each as likely. @param {AsyncGenerator<number>} words @param {number} n */
async function below(words, n) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  let word = await next(words);
  while (word >= limit) word = await next(words);
  return word % n;
}
