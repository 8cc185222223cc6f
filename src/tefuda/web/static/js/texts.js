// Texts in the reader's language: the page's own, and those of the game. They come with the page, as data.

import { find, make } from "./dom.js";
import { cardText } from "./table/game.js";

/** @typedef {{page: Record<string, string>, game: Record<string, string>}} Texts */

/** @type {Texts} */
const texts = JSON.parse(document.getElementById("texts")?.textContent ?? '{"page": {}, "game": {}}');

/** @typedef {Record<string, string | number>} Fields */

/**
 * A text of the page with its {fields} filled in.
 * @param {string} key
 * @param {Fields} [fields]
 */
export function say(key, fields = {}) {
  return fill(texts.page[key] ?? key, fields);
}

/**
 * A text of the game. A field may be "@key" for another text, and hold "#2" for the name of seat 2; cards
 * stand between backquotes.
 * @param {string} key
 * @param {Fields} [fields]
 * @param {string[]} [names] of the seats
 * @returns {string}
 */
export function tell(key, fields = {}, names = []) {
  const filled = Object.entries(fields).map(([name, value]) => [
    name,
    String(value).startsWith("@") ? tell(String(value).slice(1)) : value,
  ]);
  const told = fill(texts.game[key] ?? key, Object.fromEntries(filled)).replace(/`([^`]*)`/g, (_, cards) =>
    inWords(cards),
  );
  return told.replace(
    /([a-z] )?#(\d+)/g,
    (mark, before, seat) => (before ?? "") + called(names[Number(seat)] ?? mark, before !== undefined),
  );
}

/** Cards, with what they stand for, by their names. @param {string} cards */
function inWords(cards) {
  return cards
    .split(" ")
    .map((word) => {
      const [card = "", rank] = word.split("=");
      return rank ? say("table.stands_for", { card: cardText(card), rank }) : cardText(card);
    })
    .join(say("wording.comma"));
}

/** Whether the game has this text. @param {string} key */
export function hasText(key) {
  return key in texts.game;
}

/** A name; "You" is written small within a sentence. @param {string} name @param {boolean} within */
function called(name, within) {
  return within && name === say("table.you_name") ? say("table.you") : name;
}

/** @param {string} text @param {Fields} fields */
function fill(text, fields) {
  return text.replace(/\{(\w+)\}/g, (mark, name) => String(fields[name] ?? mark));
}

/** Sentences after each other: Chinese and Japanese put no space between them. @param {string[]} told */
export function sentences(told) {
  const [first = "", ...further] = told.filter(Boolean);
  return further.reduce((before, next) => say("wording.sentences", { told: before, next }), first);
}

/** An amount with its sign, and a real minus. @param {number} amount */
export function signed(amount) {
  return amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0";
}

// What screen readers say of what happens. Each sentence is added below the last in the one polite region: so
// each is said once and in order, also where several come at the same moment, or the same one twice.

/** Sentences that stay; those before them have been said. */
const KEPT = 12;

/**
 * After what is drawn in this moment: neither waits for the other.
 * @param {HTMLElement} root
 * @param {string[]} sentences
 */
export function announce(root, sentences) {
  const said = sentences.filter(Boolean);
  if (said.length) window.setTimeout(() => add(find(".live", root), said));
}

/** @param {HTMLElement} live @param {string[]} sentences */
function add(live, sentences) {
  live.append(...sentences.map((sentence) => make("p", null, sentence)));
  while (live.children.length > KEPT) live.firstElementChild?.remove();
}

/**
 * The lines of a part of the page, each as it is read: names instead of drawings, nothing that is hidden.
 * @param {HTMLElement} part
 */
export function lines(part) {
  return [...part.querySelectorAll("li, dl > div, tr, caption, p")].map(spoken);
}

/** @param {Node} node @returns {string} */
function spoken(node) {
  if (!(node instanceof Element)) return node.textContent?.trim() ?? "";
  if (node.getAttribute("aria-hidden") === "true") return "";
  return (
    node.getAttribute("aria-label") ??
    [...node.childNodes].map(spoken).filter(Boolean).join(say("wording.comma"))
  );
}
