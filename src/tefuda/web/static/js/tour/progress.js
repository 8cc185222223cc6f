// How this browser's reader has answered problems, and when each comes back. The server reckons when; it
// keeps nothing.

import { keep, recall } from "../storage.js";

/** Answers are kept under names that begin so. */
export const PROBLEM = "tefuda.problem";

/**
 * @typedef {{state: string, card: string, due: number}} Progress solved or missed; of the schedule;
 *   milliseconds since 1970
 */

/**
 * @param {string} game
 * @param {string} problem
 * @returns {Progress | null} null if it has not been answered
 */
export function progress(game, problem) {
  const known = recall(key(game, problem));
  // As kept before problems came back
  if (known === "solved" || known === "missed") return { state: known, card: "", due: 0 };
  try {
    const { state, card, due } = JSON.parse(known ?? "");
    return { state: String(state), card: String(card), due: Number(due) };
  } catch {
    return null;
  }
}

/** Those that have come back, the longest due first. @param {string} game @param {string[]} problems */
export function due(game, problems) {
  const now = Date.now();
  return problems
    .map((name) => ({ name, at: progress(game, name)?.due ?? Infinity }))
    .filter(({ at }) => at <= now)
    .sort((one, other) => one.at - other.at)
    .map(({ name }) => name);
}

/**
 * Keep an answer at once, and when the problem comes back as soon as that is known.
 * @param {string} game
 * @param {string} problem
 * @param {"solved" | "missed"} state
 */
export async function answered(game, problem, state) {
  const card = progress(game, problem)?.card ?? "";
  write(game, problem, { state, card, due: Date.now() });
  try {
    const answer = await fetch(`/games/${game}/problems/${problem}/answered`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ solved: state === "solved", card }),
    });
    if (answer.ok) write(game, problem, { state, ...(await answer.json()) });
  } catch {
    // without a connection it counts as due
  }
}

/** @param {string} game @param {string} problem */
function key(game, problem) {
  return `${PROBLEM}.${game}.${problem}`;
}

/** @param {string} game @param {string} problem @param {Progress} known */
function write(game, problem, known) {
  keep(key(game, problem), JSON.stringify(known));
}
