// SHA-256. Browsers have it over https and on this machine only; a club that plays over http in its own network has the
// few lines below.

/** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} 32 bytes */
export async function sha256(bytes) {
  if (!globalThis.crypto?.subtle) return computed(bytes);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
}

/** The first 32 bits of the fractional part of a number. @param {number} number */
function fraction(number) {
  return Math.floor((number - Math.floor(number)) * 2 ** 32) | 0;
}

const PRIMES = Array.from({ length: 312 }, (_, k) => k).filter((k) => k > 1 && !Array.from({ length: k }, (_, d) => d).some((d) => d > 1 && k % d === 0));
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
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (ROUNDS[k] ?? 0) + at(k)) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, place) => (word + (hash[place] ?? 0)) | 0);
}
