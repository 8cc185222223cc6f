// Bytes, hashes and JSON as docs/explanation/shuffle.md has them. Nothing but Web Crypto is needed.

/** JSON text: ASCII, no blanks, keys sorted. */
export function text(value) {
  const sorted = (_key, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each;
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, sorted).replace(/[\u007f-\uffff]/g, escaped);
}

/** The bytes of hexadecimal digits. */
export function bytes(digits) {
  if (typeof digits !== "string" || !/^([0-9a-f]{2})*$/.test(digits)) throw new Error(`${digits}: no bytes`);
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** SHA-256 of texts and bytes one after the other, in hexadecimal. */
export async function sha256(...parts) {
  const whole = parts.flatMap((part) => [
    ...(typeof part === "string" ? new TextEncoder().encode(part) : part),
  ]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(whole)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The same after the name of what is hashed. */
export const hashed = (domain, ...parts) => sha256(`tefuda/${domain}\n`, ...parts);
