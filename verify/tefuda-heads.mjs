// The log of all tables of a server: whether it holds together, is signed, and has what was seen of it before.

import { bytes, hashed, text } from "./tefuda-bytes.mjs";

const ZERO = "00".repeat(32);

/** Whether a head is signed by the key that it names (Ed25519). */
async function isHead({ number, link, key, signature }) {
  try {
    const message = new Uint8Array(8);
    new DataView(message.buffer).setBigUint64(0, BigInt(number));
    const told = new TextEncoder().encode("tefuda/heads/1/head\n");
    const known = await crypto.subtle.importKey("raw", bytes(key), "Ed25519", false, ["verify"]);
    const signed = Uint8Array.from([...told, ...message, ...bytes(link)]);
    return await crypto.subtle.verify("Ed25519", known, bytes(signature), signed);
  } catch {
    return false;
  }
}

/** The fault of the log, or of it beside the heads that were kept; null if there is none. */
export async function checkHeads({ entries, head }, kept) {
  const start = entries.length ? entries[0].number - 1 : head.number;
  const links = new Map(kept.filter((each) => each.number === start).map((each) => [start, each.link]));
  if (start === 0) links.set(0, ZERO);
  if (!links.has(start)) throw new Error(`the log begins after entry ${start}, and no such head was kept`);
  for (const [k, { link, ...entry }] of entries.entries()) {
    const number = start + k + 1;
    links.set(number, await hashed("heads/1/link", bytes(links.get(number - 1)), text(entry)));
    if (entry.number !== number || link !== links.get(number)) return k === 0 && start ? "cut" : "heads";
  }
  if (!(await isHead(head)) || links.get(head.number) !== head.link) return "heads";
  for (const each of kept) {
    if (!(await isHead(each))) throw new Error("a head that was kept is not signed by its key");
    const isThere = each.number < start || links.get(each.number) === each.link;
    if (each.key !== head.key || !isThere) return "cut";
  }
  return null;
}

/**
 * Whether the log has the deal of a receipt, or a later one of the table's chain, which is hashed onto it. False if it
 * must and has not: the program saw the log before the deal. Null if that cannot be told.
 */
export function isLogged({ entries, head }, receipt, chain) {
  const own = (chain ?? []).map((entry) => entry.link);
  const links = own.includes(receipt.link) ? own.slice(own.indexOf(receipt.link)) : [receipt.link];
  if (entries.some((entry) => links.includes(entry.head))) return true;
  const first = entries[0]?.number ?? head.number + 1;
  return Number.isInteger(receipt.log) && receipt.added && first <= receipt.log + 1 ? false : null;
}
