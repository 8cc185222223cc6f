// What the page knows of its table and game before anything has happened: data that come with it.

/**
 * @typedef {object} CardName
 * @property {string} text short, with the suit's sign
 * @property {string} name in full
 * @property {string} reading how its characters are read; empty where nobody needs that
 * @property {string[]} about sentences: where it ranks, what it counts
 * @property {number} rank its place from the best of its suit, where suits are compared by it; else 0
 */

/**
 * @typedef {object} Game
 * @property {string} table
 * @property {string} name
 * @property {string} title
 * @property {string} language
 * @property {number} unit how many of the smallest unit make one of what people count
 * @property {Record<string, CardName>} cards
 * @property {string[]} pack of the table, as a shuffle begins with it
 * @property {[number, number]} size of a card
 * @property {{name: string, title: string}[]} decks to choose from, the reader's own first; none where there
 *   is no choice
 * @property {Record<string, string>} renamed what the reader's deck calls cards, by what sentences call them;
 *   empty for the deck of the game's home
 * @property {string | null} sprite
 * @property {string | null} marked the sprite whose suits are told apart by more than colour
 * @property {string | null} back the pattern of a card's back, without its ground
 * @property {string} rules address of the rules; a rule's number is its anchor
 * @property {Record<string, string>} bots which can be seated, with what they are called
 * @property {string[]} phrases
 * @property {string | null} invite
 * @property {number} after
 * @property {Record<string, string[]>} formed what hands may be sorted by: words of plays, by the text that
 *   says what they are called
 * @property {number[]} may_sit seats that the reader may take while they are free; these six only at a table
 *   that is played at
 * @property {string} host what the host is called who sits there; empty if none does
 * @property {string} called what the reader is called
 * @property {number} minutes that a deal takes; 0 if nobody has said
 * @property {string} tour the address of the tour to begin with; empty if there is none
 * @property {string | null} push the key for which browsers subscribe to notices; null where there are none
 * @property {boolean} mail whether there are notices by e-mail
 */

/** @type {Game} */
export const game = JSON.parse(document.getElementById("game")?.textContent ?? "null");

// What styles need: how wide a card is for its height, and the pattern of its back, whose ground has the
// colour that the reader has chosen.
if (game) {
  document.documentElement.style.setProperty("--ratio", String(game.size[0] / game.size[1]));
  if (game.back) document.documentElement.style.setProperty("--pattern", `url("${game.back}")`);
}

const renamed = new Map(Object.entries(game?.renamed ?? {}));
/** The longest name first: another may be the beginning of it. */
const names = renamed.size
  ? new RegExp(
      [...renamed.keys()]
        .sort((a, b) => b.length - a.length)
        .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join("|"),
      "g",
    )
  : null;

/** A text with cards called as on the reader's own deck. @param {string} text */
export function inOwnDeck(text) {
  return names ? text.replace(names, (name) => renamed.get(name) ?? name) : text;
}

/** What the server tells, with cards called as on the reader's own deck. @param {string} told */
export function parse(told) {
  return names
    ? JSON.parse(told, (_key, value) => (typeof value === "string" ? inOwnDeck(value) : value))
    : JSON.parse(told);
}

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
