// The combinations that a hand can form, of those that the game has names for: offered to whoever taps a card
// out of turn, and one of the orders of a hand. The server has told with the page of what cards each is made.

import { game, isCard } from "./game.js";
import { read } from "./plays.js";

/** @typedef {import("./plays.js").Play} Play */

/** The largest first. @type {Play[]} */
const all = Object.entries(game?.formed ?? {})
  .flatMap(([name, words]) => words.map((word) => read(word, isCard, { [word]: name })))
  .sort((one, other) => other.cards.length - one.cards.length);

/** Whether the game has any. */
export const hasForms = all.length > 0;

/** Those whose cards are all held, the largest first. @param {string[]} held @returns {Play[]} */
export function formsOf(held) {
  /** @param {string[]} cards @param {string} card */
  const copies = (cards, card) => cards.filter((each) => each === card).length;
  return all.filter(({ cards }) => cards.every((card) => copies(cards, card) <= copies(held, card)));
}

/**
 * What a hand falls into: the largest form, the largest of what is left, and so on.
 * @param {string[]} held
 */
export function apart(held) {
  /** @type {string[][]} */
  const found = [];
  let left = held;
  for (let [form] = formsOf(left); form; [form] = formsOf(left)) {
    const { cards } = form;
    found.push(left.filter((card) => cards.includes(card)));
    left = left.filter((card) => !cards.includes(card));
  }
  return found;
}
