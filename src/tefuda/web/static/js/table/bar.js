// What may be done now: the plays that the picked cards make, cards that would go with them, and the plays that are words.

import { make } from "../dom.js";
import { hasText, say, tell } from "../texts.js";
import { cardName, cardText } from "./game.js";
import { isWord } from "./notation.js";

/** @typedef {import("./notation.js").Play} Play */
/** @typedef {import("./choice.js").Found} Found */

const MOST_OFFERED = 6;

/**
 * A play in words, as a button says it.
 * @param {Play} play
 */
export function nameOf(play) {
  if (isWord(play)) return hasText(`plays.${play.word}`) ? tell(`plays.${play.word}`) : play.word;
  const cards = cardsInWords(play);
  if (play.said) return hasText(`plays.${play.said}`) ? tell(`plays.${play.said}`, { cards }) : `${play.said}${cards}`;
  if (play.name) return say("table.play_named", { name: tell(play.name), cards });
  return say(play.down ? "table.throw" : "table.play", { cards });
}

/** @param {Play} play */
function cardsInWords(play) {
  const one = play.cards.length === 1;
  const words = play.cards.map((card, place) => {
    const word = one ? cardName(card) : cardText(card);
    return play.as[place] ? say("table.stands_for", { card: word, rank: play.as[place] ?? "" }) : word;
  });
  return words.join(say("wording.comma"));
}

/**
 * @param {Play[]} plays that are legal; none while somebody else is to act
 * @param {Found} found
 * @param {string[]} picked cards
 * @param {boolean} busy whether a play is on its way
 * @param {import("../messages.js").WishState | null} wish what may be said before one is asked
 */
export function bar(plays, found, picked, busy, wish) {
  const any = plays.find((play) => play.any);
  const words = plays.filter(isWord);
  const offered = found.wider.filter((play) => !play.any).slice(0, MOST_OFFERED);
  const waits = plays.some((play) => !isWord(play));
  const counts = any && !found.exact.length ? { count: any.any - picked.length } : null;
  return [
    counts ? make("span", { class: "hint-text", key: "any" }, say("table.choose_any", counts)) : null,
    !picked.length && waits && !any ? make("span", { class: "hint-text", key: "pick" }, say("table.pick")) : null,
    ...found.exact.map((play, place) => action(play, place === 0 ? "" : "second", busy)),
    ...words.map((play) => action(play, waits ? "quiet" : "", busy)),
    offered.length ? make("span", { class: "offers", key: "offers", role: "group", "aria-label": say("table.or") },
      offered.map((play) => make("button", { type: "button", class: "quiet offer", key: `offer-${play.word}`, "data-offer": play.word },
        offer(play, rest(play, picked))))) : null,
    picked.length ? make("button", { type: "button", class: "quiet", key: "clear", "data-act": "clear" }, say("table.clear")) : null,
    plays.length ? null : wished(wish, busy),
  ];
}

/**
 * What the reader may say before they are asked; pressed again, it is taken back.
 * @param {import("../messages.js").WishState | null} wish
 * @param {boolean} busy whether it is on its way
 */
function wished(wish, busy) {
  if (!wish) return null;
  const name = hasText(`plays.${wish.play}`) ? tell(`plays.${wish.play}`) : wish.play;
  return make("button", { type: "button", class: "act quiet", key: "wish", "data-play": wish.said ? wish.otherwise : wish.play,
    "aria-pressed": String(wish.said), "aria-disabled": busy ? "true" : null }, wish.said ? `✓ ${name}` : name);
}

/** While a bot plays for the reader. */
export function away() {
  return [make("span", { class: "hint-text", key: "away" }, say("table.bot_plays")),
    make("button", { type: "button", class: "act", key: "here", "data-act": "here" }, say("table.here"))];
}

/** @param {Play} play @param {string} kind @param {boolean} busy */
function action(play, kind, busy) {
  return make("button", { type: "button", class: `act ${kind}`, key: `play-${play.word}`, "data-play": play.word, "aria-disabled": busy ? "true" : null },
    nameOf(play));
}

/** A larger play, by the cards that would be added. @param {Play} play @param {string} cards */
function offer(play, cards) {
  return play.name ? say("table.with_named", { name: tell(play.name), cards }) : say("table.with", { cards });
}

/** The cards of a play beside those that are picked. @param {Play} play @param {string[]} picked */
function rest(play, picked) {
  const left = [...picked];
  const others = play.cards.filter((card) => {
    const place = left.indexOf(card);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return others.map(cardText).join(say("wording.comma"));
}
