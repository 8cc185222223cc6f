// The fair shuffle, computed again: the bytes are described in docs/explanation/shuffle.md.

import { sha256 } from "./sha256.js";

/**
 * @typedef {object} Proof
 * @property {string} context what the commitment is bound to
 * @property {string} commitment in hexadecimal, as are secret and entropy
 * @property {string} secret
 * @property {string[]} entropy of each seat
 * @property {string[]} [seals] of the entropy, empty for a seat that took no part; none in protocol 1
 * @property {number} [attempt] none in protocol 1
 */

const DOMAIN = "tefuda/shuffle/1/";
const SEAL = "tefuda/shuffle/2/seal\n";

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
  const key = await sha256(joined(`${DOMAIN}key\n${roundOf(proof.context, proof.attempt)}\n`, bytes(proof.secret), added));
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

/** What seals and key are bound to: the context, and in protocol 2 the attempt. @param {string} context @param {number} [attempt] */
function roundOf(context, attempt) {
  return attempt === undefined ? context : `${context.slice(0, -1)},${attempt}]`;
}

/**
 * The seal of a seat's entropy, in hexadecimal.
 * @param {{context: string, commitment: string, attempt?: number}} proof @param {number} seat @param {string} entropy
 */
export async function sealed(proof, seat, entropy) {
  const parts = [`${SEAL}${roundOf(proof.context, proof.attempt)}\n`, bytes(proof.commitment), [seat], bytes(entropy)];
  return hex(await sha256(joined(...parts)));
}

/**
 * What does not follow from a proof: the codes of texts, none if all of it holds.
 * @param {Proof & {pack: string[], deck: string[], chance: number}} proof
 */
export async function recompute(proof) {
  if ((await committed(proof)) !== proof.commitment) return ["secret"];
  if (proof.attempt !== undefined && proof.attempt - 1 > (proof.seals ?? []).filter((seal) => !seal).length) return ["steps"];
  for (const [seat, seal] of (proof.seals ?? []).entries()) {
    const entropy = proof.entropy[seat] ?? "";
    if (seal === "" ? entropy !== "" : seal !== (await sealed(proof, seat, entropy))) return ["opened"];
  }
  const { deck, chance } = await shuffled(proof.pack, proof);
  return chance === proof.chance && deck.join() === proof.deck.join() ? [] : ["deck"];
}

/** The hash of text and of bytes in hexadecimal digits, one after the other, as hexadecimal digits. @param {string} domain @param {string} digits @param {string} text */
export async function hash(domain, digits, text) {
  return hex(await sha256(joined(domain, bytes(digits), text)));
}

/** Words of 32 bits without end. @param {Uint8Array} key */
async function* stream(key) {
  for (let block = 0; ; block++) {
    const number = new DataView(new ArrayBuffer(8));
    number.setUint32(4, block);
    const digest = new DataView((await sha256(joined(`${DOMAIN}stream\n`, key, new Uint8Array(number.buffer)))).buffer);
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

/** @param {...(string | Iterable<number>)} parts text is ASCII */
function joined(...parts) {
  const encoder = new TextEncoder();
  return Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? encoder.encode(part) : part)]));
}

/** @param {string} text hexadecimal */
function bytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} digest */
function hex(digest) {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
