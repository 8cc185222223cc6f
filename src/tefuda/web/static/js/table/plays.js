// Plays, the same in every game, and which of the legal ones the picked cards may become. Their notation:
// cards joined by "+", "~" before cards laid face down, "=" for what a card stands for, "~3" for any three
// cards face down, a word with a colon before cards it is about, or a word alone. Which plays there are is
// what the server lists; no rule is known here.

/**
 * @typedef {object} Play
 * @property {string} word as it is sent
 * @property {string} said what is said with the cards, such as "expose:"; empty for a play of cards alone
 * @property {boolean} down whether the cards are laid face down
 * @property {string[]} cards
 * @property {string[]} as what each stands for; empty where it is itself
 * @property {number} any how many cards of one's choice belong to it; 0 if the cards are named
 * @property {string} name text of the game that says what such cards are called; empty where they have no
 *   name
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
  if (!parts.every(([card]) => isCard(card ?? "")))
    return { word, said: word, down: false, cards: [], as: [], any: 0, name };
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
  const parts = (/** @type {Play} */ { cards, as }) =>
    cards
      .map((card, place) => `${equal[card] ?? card}=${as[place]}`)
      .sort()
      .join();
  if (isWord(one) || isWord(other)) return one.word === other.word;
  return one.said === other.said && one.down === other.down && parts(one) === parts(other);
}

/**
 * The cards that lie before somebody: words of cards, and for each card of which only the back is seen
 * "back".
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

// What is picked

/**
 * A card in the hand: of equal cards each copy is one.
 * @typedef {object} Slot
 * @property {string} id
 * @property {string} card
 */

/**
 * @typedef {object} Found
 * @property {Play[]} exact the plays that the picked cards make
 * @property {Play[]} wider the plays that they may still become, the shortest first
 */

/**
 * The legal plays that hold these cards.
 * @param {Play[]} plays
 * @param {string[]} cards
 * @param {Record<string, string>} equal for a card the one that the plays name in its place
 * @returns {Found}
 */
export function matching(plays, cards, equal) {
  const wanted = count(cards.map((card) => equal[card] ?? card));
  /** @type {Found} */
  const found = { exact: [], wider: [] };
  if (!cards.length) return found;
  for (const play of plays) {
    if (isWord(play)) continue;
    if (play.any) {
      if (cards.length === play.any)
        found.exact.push({ ...play, word: `~${cards.join("+")}`, cards, any: 0 });
      else if (cards.length < play.any) found.wider.push(play);
      continue;
    }
    const held = count(play.cards);
    if (![...wanted].every(([card, copies]) => (held.get(card) ?? 0) >= copies)) continue;
    if (play.cards.length === cards.length) found.exact.push(meant(play, cards, equal));
    else found.wider.push(play);
  }
  found.wider.sort((a, b) => a.cards.length - b.cards.length);
  return found;
}

/**
 * The play with the very cards that were picked, where others of them are equal.
 * @param {Play} play
 * @param {string[]} picked
 * @param {Record<string, string>} equal
 * @returns {Play}
 */
function meant(play, picked, equal) {
  const left = [...picked];
  const cards = play.cards.map(
    (card) =>
      left.splice(
        left.findIndex((each) => (equal[each] ?? each) === card),
        1,
      )[0] ?? card,
  );
  if (cards.join() === play.cards.join()) return play;
  const parts = cards.map((card, place) => (play.as[place] ? `${card}=${play.as[place]}` : card));
  return { ...play, cards, word: `${play.said}${play.down ? "~" : ""}${parts.join("+")}` };
}

/**
 * What is picked after a tap on a card: it is added or taken away; where it goes with nothing picked it
 * begins anew; a play that alone is left is picked whole. Null if no legal play has this card.
 * @param {Slot[]} hand
 * @param {string[]} picked ids of slots
 * @param {string} tapped
 * @param {Play[]} plays
 * @param {Record<string, string>} equal
 * @returns {string[] | null}
 */
function tap(hand, picked, tapped, plays, equal) {
  if (picked.includes(tapped)) return picked.filter((id) => id !== tapped);
  for (const ids of [[...picked, tapped], [tapped]]) {
    const { exact, wider } = matching(plays, cardsOf(hand, ids), equal);
    const only = wider[0];
    if (exact.length) return ids;
    if (only && wider.length === 1 && !only.any) return complete(hand, ids, only, equal);
    if (wider.length) return ids;
  }
  return null;
}

/**
 * What is picked after a tap on equal cards: the next of them too, or all are put back. Null if no legal play
 * has such a card.
 * @param {Slot[]} hand
 * @param {string[]} picked ids of slots
 * @param {string[]} stack ids of the equal cards
 * @param {Play[]} plays
 * @param {Record<string, string>} equal
 */
export function afterTap(hand, picked, stack, plays, equal) {
  const next = stack.find((id) => !picked.includes(id));
  const found = next ? tap(hand, picked, next, plays, equal) : null;
  const isPicked = stack.some((id) => picked.includes(id));
  return isPicked && (!found || found.length <= picked.length)
    ? picked.filter((id) => !stack.includes(id))
    : found;
}

/**
 * The slots of a whole play, those picked already among them.
 * @param {Slot[]} hand
 * @param {string[]} ids
 * @param {Play} play
 * @param {Record<string, string>} equal
 */
export function complete(hand, ids, play, equal) {
  const missing = count(play.cards);
  const take = (/** @type {Slot} */ slot) => {
    const card = missing.get(slot.card) ? slot.card : (equal[slot.card] ?? slot.card);
    const copies = missing.get(card) ?? 0;
    missing.set(card, copies - 1);
    return copies > 0;
  };
  const first = hand.filter((slot) => ids.includes(slot.id));
  const others = hand.filter((slot) => !ids.includes(slot.id));
  return [...first, ...others].filter(take).map((slot) => slot.id);
}

/** @param {Slot[]} hand @param {string[]} ids @returns {string[]} */
export function cardsOf(hand, ids) {
  return hand.filter((slot) => ids.includes(slot.id)).map((slot) => slot.card);
}

/**
 * The cards of the hand that a legal play has, as ids of slots.
 * @param {Slot[]} hand
 * @param {Play[]} plays
 * @param {Record<string, string>} equal
 * @returns {Set<string>}
 */
function playable(hand, plays, equal) {
  const any = plays.some((play) => play.any);
  const cards = new Set(plays.flatMap((play) => play.cards));
  return new Set(hand.filter(({ card }) => any || cards.has(equal[card] ?? card)).map(({ id }) => id));
}

/**
 * What each card is good for; null where only words may be said. While one is asked to judge the whole hand,
 * such as which cards to lay open, no card is barred.
 * @param {Slot[]} hand
 * @param {Play[]} plays
 * @param {Record<string, string>} equal
 * @param {string[]} beating cards that win the trick so far, where the plays do not say it
 * @returns {Map<string, import("./hand.js").Use> | null}
 */
export function usesOf(hand, plays, equal, beating) {
  const ofCards = plays.filter((play) => !isWord(play));
  if (!ofCards.length) return null;
  const legal = playable(hand, plays, equal);
  const judges = ofCards.some((play) => play.said);
  const thrown = ofCards.some((play) => play.down);
  const shown = thrown
    ? playable(
        hand,
        ofCards.filter((play) => !play.down),
        equal,
      )
    : new Set();
  /** @type {Map<string, import("./hand.js").Use>} */
  const found = new Map();
  for (const { id, card } of hand) {
    if (!legal.has(id)) {
      if (!judges) found.set(id, "barred");
    } else if (beating.includes(card) || shown.has(id)) found.set(id, "wins");
    else found.set(id, thrown ? "throws" : "legal");
  }
  return found;
}

/** @param {string[]} cards @returns {Map<string, number>} */
function count(cards) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const card of cards) found.set(card, (found.get(card) ?? 0) + 1);
  return found;
}
