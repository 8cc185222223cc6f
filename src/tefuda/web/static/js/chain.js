// The chain of a table's commitments, checked again: the same as tefuda/table/shuffle.py.

import { hash } from "./shuffle.js";

/** @typedef {{kind: string, table: string, deal: number, link: string, commitment?: string, attempt?: number, seals?: string[], seats?: number[]}} Entry */

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
  if (committed?.kind !== "committed" || committed.commitment !== proof.commitment || !own.some(({ link }) => link === shown)) return false;
  const last = steps.at(-1);
  return followEachOther(steps, proof.seals?.length ?? 0) && last?.attempt === proof.attempt && last?.seals?.join() === proof.seals?.join();
}

/** Closed lists and the seats that were named after them, which had sealed something and then took no part. @param {Entry[]} steps @param {number} seats */
function followEachOther(steps, seats) {
  const out = new Set();
  /** @type {string[]} */ let seals = [];
  for (const [number, entry] of steps.entries()) {
    const isList = number % 2 === 0;
    if (entry.kind !== (isList ? "sealed" : "unrevealed") || entry.attempt !== Math.floor(number / 2) + 1) return false;
    if (isList) {
      seals = entry.seals ?? [];
      if (seals.length !== seats || [...out].some((seat) => seals[seat])) return false;
    } else {
      const named = entry.seats ?? [];
      if (!named.length || new Set(named).size < named.length || !named.every((seat) => seals[seat] && !out.has(seat))) return false;
      named.forEach((seat) => out.add(seat));
    }
  }
  return steps.length % 2 === 1;
}
