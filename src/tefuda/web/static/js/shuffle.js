// Seals and hashes of the fair shuffle: the bytes are described in docs/explanation/shuffle.md.

const SEAL = "tefuda/shuffle/2/seal\n";

/**
 * What seals and key are bound to: the context, and in protocol 2 the attempt.
 * @param {string} context
 * @param {number} [attempt]
 */
export function roundOf(context, attempt) {
  return attempt === undefined ? context : `${context.slice(0, -1)},${attempt}]`;
}

/**
 * The seal of a seat's entropy, in hexadecimal.
 * @param {{context: string, commitment: string, attempt?: number}} proof @param {number} seat @param {string}
 *   entropy
 */
export async function sealed(proof, seat, entropy) {
  const parts = [
    `${SEAL}${roundOf(proof.context, proof.attempt)}\n`,
    bytes(proof.commitment),
    [seat],
    bytes(entropy),
  ];
  return hex(await sha256(joined(...parts)));
}

/**
 * The hash of text and of bytes in hexadecimal digits, one after the other, as hexadecimal digits.
 * @param {string} domain
 * @param {string} digits
 * @param {string} text
 */
export async function hash(domain, digits, text) {
  return hex(await sha256(joined(domain, bytes(digits), text)));
}

/** @param {...(string | Iterable<number>)} parts text is ASCII */
export function joined(...parts) {
  const encoder = new TextEncoder();
  return Uint8Array.from(
    parts.flatMap((part) => [...(typeof part === "string" ? encoder.encode(part) : part)]),
  );
}

/** @param {string} text hexadecimal */
export function bytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} digest */
export function hex(digest) {
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// SHA-256. Browsers have it over https and on this machine only; a club that plays over http in its own
// network has the few lines below.

/** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} 32 bytes */
export async function sha256(bytes) {
  if (!globalThis.crypto?.subtle) return computed(bytes);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
}

/** The first 32 bits of the fractional part of a number. @param {number} number */
function fraction(number) {
  return Math.floor((number - Math.floor(number)) * 2 ** 32) | 0;
}

const PRIMES = Array.from({ length: 312 }, (_, k) => k).filter(
  (k) => k > 1 && !Array.from({ length: k }, (_, d) => d).some((d) => d > 1 && k % d === 0),
);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The same, computed here (FIPS 180-4). @param {Uint8Array} bytes */
export function computed(bytes) {
  const padded = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) * 64));
  bytes.forEach((byte, place) => padded.setUint8(place, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, bytes.length << 3);
  let hash = [...START];
  for (let block = 0; block < padded.byteLength; block += 64) hash = compressed(hash, padded, block);
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, place) => digest.setInt32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

/** @param {number[]} hash @param {DataView} bytes @param {number} block where it begins */
function compressed(hash, bytes, block) {
  const words = new Int32Array(64);
  const at = (/** @type {number} */ place) => words[place] ?? 0;
  for (let k = 0; k < 64; k++) {
    if (k < 16) words[k] = bytes.getInt32(block + 4 * k);
    else {
      const low = turned(at(k - 15), 7) ^ turned(at(k - 15), 18) ^ (at(k - 15) >>> 3);
      const high = turned(at(k - 2), 17) ^ turned(at(k - 2), 19) ^ (at(k - 2) >>> 10);
      words[k] = at(k - 16) + low + at(k - 7) + high;
    }
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let k = 0; k < 64; k++) {
    const one =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (ROUNDS[k] ?? 0) + at(k)) |
      0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, place) => (word + (hash[place] ?? 0)) | 0);
}
