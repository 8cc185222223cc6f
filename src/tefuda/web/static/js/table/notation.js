// The notation of plays, the same in every game: cards joined by "+", "~" before cards laid face down, "=" for what a
// card stands for, "~3" for any three cards face down, a word with a colon before cards it is about, or a word alone.
// Which plays there are is what the server lists; no rule is known here.

/**
 * @typedef {object} Play
 * @property {string} word as it is sent
 * @property {string} said what is said with the cards, such as "expose:"; empty for a play of cards alone
 * @property {boolean} down whether the cards are laid face down
 * @property {string[]} cards
 * @property {string[]} as what each stands for; empty where it is itself
 * @property {number} any how many cards of one's choice belong to it; 0 if the cards are named
 * @property {string} name text of the game that says what such cards are called; empty where they have no name
 */

const ANY = /^~(\d+)$/;

/**
 * @param {string} word
 * @param {(card: string) => boolean} isCard
 * @param {Record<string, string>} [named] texts of the plays that have a name
 * @returns {Play} without cards if it is a word alone
 */
export function read(word, isCard, named = {}) {
  const name = named[word] ?? "";
  const any = ANY.exec(word);
  if (any && !isCard(word.slice(1))) {
    return { word, said: "", down: true, cards: [], as: [], any: Number(any[1]), name };
  }
  const colon = word.indexOf(":") + 1;
  const rest = word.slice(colon);
  const down = rest.startsWith("~");
  const parts = (down ? rest.slice(1) : rest).split("+").map((part) => part.split("="));
  if (!parts.every(([card]) => isCard(card ?? ""))) return { word, said: word, down: false, cards: [], as: [], any: 0, name };
  return {
    word,
    said: word.slice(0, colon),
    down,
    cards: parts.map(([card]) => card ?? ""),
    as: parts.map(([, as]) => as ?? ""),
    any: 0,
    name,
  };
}

/** Whether a play is a word alone. @param {Play} play */
export function isWord(play) {
  return !play.cards.length && !play.any;
}

/**
 * Whether two plays are one and the same: cards in any order, equal ones for each other.
 * @param {Play} one
 * @param {Play} other
 * @param {Record<string, string>} equal for a card the one that stands for it
 */
export function isSame(one, other, equal) {
  const parts = (/** @type {Play} */ { cards, as }) => cards.map((card, place) => `${equal[card] ?? card}=${as[place]}`).sort().join();
  if (isWord(one) || isWord(other)) return one.word === other.word;
  return one.said === other.said && one.down === other.down && parts(one) === parts(other);
}

/**
 * The cards that lie before somebody: words of cards, and for each card of which only the back is seen "back".
 * @param {string} played
 * @param {(card: string) => boolean} isCard
 * @returns {{card: string, as: string, down: boolean}[]}
 */
export function lying(played, isCard) {
  if (!played) return [];
  const play = read(played, isCard);
  if (play.any) return Array.from({ length: play.any }, () => ({ card: "back", as: "", down: true }));
  if (!play.cards.length) return [{ card: "back", as: "", down: true }];
  return play.cards.map((card, place) => ({ card, as: play.as[place] ?? "", down: play.down }));
}
