// What the page knows of its table and game before anything has happened: data that come with it.

/**
 * @typedef {object} CardName
 * @property {string} text short, with the suit's sign
 * @property {string} name in full
 * @property {string} reading how its characters are read; empty where nobody needs that
 * @property {string[]} about sentences: where it ranks, what it counts
 */

/**
 * @typedef {object} Game
 * @property {string} table
 * @property {string} name
 * @property {string} title
 * @property {string} language
 * @property {number} unit how many of the smallest unit make one of what people count
 * @property {Record<string, CardName>} cards
 * @property {[number, number]} size of a card
 * @property {string | null} sprite
 * @property {string | null} marked the sprite whose suits are told apart by more than colour
 * @property {string} rules address of the rules; a rule's number is its anchor
 * @property {Record<string, string>} bots which can be seated, with what they are called
 * @property {string[]} phrases
 * @property {string | null} invite
 * @property {number} after
 */

/** @type {Game} */
export const game = JSON.parse(document.getElementById("game")?.textContent ?? "null");

/** @param {string} word */
export function isCard(word) {
  return word in game.cards;
}

/** What a card is called aloud. @param {string} word */
export function cardName(word) {
  return game.cards[word]?.name || game.cards[word]?.text || word;
}

/** What a card is called where there is little room. @param {string} word */
export function cardText(word) {
  return game.cards[word]?.text ?? word;
}

/** The address of a rule. @param {string} rule */
export function ruleAddress(rule) {
  return `${game.rules}#${rule}`;
}
