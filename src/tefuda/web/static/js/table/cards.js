// Cards as they are drawn: a symbol of the game's sprite, or its name where there is no drawing.

import { make } from "../dom.js";
import { load } from "../faces.js";
import { setting } from "../storage.js";
import { hasText, say, tell } from "../texts.js";
import { cardName, cardText, game, isCard } from "./game.js";
import { lying } from "./plays.js";

/** How a card is written that lies face down and is not the reader's own. */
const UNSEEN = "▮";

/** The address of the drawings that the reader has chosen. */
function sprite() {
  return setting("suits") === "marked" ? (game.marked ?? game.sprite) : game.sprite;
}

// With the scripts, not after them; if it fails, names stand on the cards
if (game && sprite()) load(sprite() ?? "").catch(() => {});

/** A card's face: js/faces.js puts the drawing in. Backs are drawn by the styles. @param {string} word */
export function face(word) {
  // The name stands below the drawing, for as long as that is not there.
  const text = make("span", { class: "face-text", "aria-hidden": "true" }, cardText(word));
  if (!sprite()) return [text];
  const [width, height] = game.size;
  return [
    text,
    make("img", { alt: "", width, height, draggable: "false", "data-face": `${sprite()}#${word}` }),
  ];
}

/**
 * A card that lies on the table.
 * @param {string} word
 * @param {{key?: string, as?: string, down?: boolean, marked?: boolean, copies?: number}} [how]
 */
export function card(word, how = {}) {
  const known = isCard(word);
  const copies = (how.copies ?? 1) > 1 ? `×${how.copies}` : "";
  return make(
    "span",
    {
      key: how.key,
      class: `playing-card${known ? "" : " backed"}${how.down ? " down" : ""}${how.marked ? " marked" : ""}`,
      role: "img",
      "aria-label": `${called(word, how)}${copies && ` ${copies}`}`,
      "data-word": known ? word : null,
    },
    known ? face(word) : null,
    how.as || copies ? make("b", { class: "as", "aria-hidden": "true" }, how.as || copies) : null,
  );
}

/**
 * What a card on the table is called aloud.
 * @param {string} word
 * @param {{as?: string, down?: boolean}} how
 */
function called(word, { as, down }) {
  const name = !down
    ? cardName(word)
    : isCard(word)
      ? say("table.face_down_own", { card: cardName(word) })
      : say("table.face_down");
  return as ? say("table.stands_for", { card: name, rank: as }) : name;
}

/** What somebody has played, in words. @param {string} played */
export function playedInWords(played) {
  if (hasText(`plays.${played}`)) return tell(`plays.${played}`);
  return lying(played, isCard)
    .map((each) => called(each.card, each))
    .join(say("wording.comma"));
}

/**
 * What somebody has played, as it lies before them.
 * @param {string} played
 */
export function cardsOfPlay(played) {
  return lying(played, isCard).map(({ card: word, as, down }, place) =>
    card(word, { key: `${place}-${word}`, as, down }),
  );
}

/**
 * Cards under a label; words that are no cards, such as a number of tricks, are written.
 * @param {string[]} words
 * @param {string[]} [marked]
 */
export function row(words, marked = []) {
  return make(
    "span",
    { class: "card-row" },
    runs(words).map(([word, copies], place) => {
      const [only] = lying(word, isCard);
      const drawn = isCard(word) || word.startsWith("~") || word === UNSEEN;
      if (!drawn || !only) return make("span", { class: "count" }, word.replace(/:$/, ""));
      return card(only.card, {
        key: `${place}-${word}`,
        down: only.down,
        marked: marked.includes(word),
        copies,
      });
    }),
  );
}

/**
 * Equal words that stand together, with their number.
 * @param {string[]} words
 * @returns {[string, number][]}
 */
function runs(words) {
  /** @type {[string, number][]} */
  const found = [];
  for (const word of words) {
    const before = found.at(-1);
    if (before?.[0] === word) before[1] += 1;
    else found.push([word, 1]);
  }
  return found;
}
