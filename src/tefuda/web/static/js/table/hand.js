// The hand: every card a button, in rows that overlap as much as the window asks for.

import { make } from "../dom.js";
import { say, tell } from "../texts.js";
import { face } from "./cards.js";
import { cardName, cardText } from "./game.js";

/** @typedef {import("../messages.js").Group} Group */
/** @typedef {import("./choice.js").Slot & {marked: boolean, group: number, copy: number}} HandSlot */

/** So many cards share a row on a narrow window, on a wide one, and on one with no height for two rows. */
const ROOM = { narrow: 14, wide: 18, low: 28 };

export const narrow = window.matchMedia("(max-width: 700px)");

export const low = window.matchMedia("(max-height: 520px) and (min-width: 481px)");

/** Whether panels lie over the table and not beside it. */
export const covered = window.matchMedia("(max-width: 1050px)");

/** @param {Group[]} groups @returns {HandSlot[]} */
export function slotsOf(groups) {
  /** @type {Map<string, number>} */
  const copies = new Map();
  return groups.flatMap((group, number) => group.cards.map((card) => {
    const copy = copies.get(card) ?? 0;
    copies.set(card, copy + 1);
    return { id: `${card}.${copy}`, card, copy, group: number, marked: group.marked.includes(card) };
  }));
}

/**
 * @typedef {object} HandView
 * @property {Group[]} groups
 * @property {HandSlot[]} slots
 * @property {string[]} picked ids
 * @property {Set<string> | null} playable ids; null while somebody else is to act
 * @property {string} current id of the card that the keyboard is on
 * @property {string} mark key of the text that says what marked cards are
 */

/** @param {HandView} view */
export function hand(view) {
  return rows(view.groups).map((numbers, place) =>
    make("div", { class: "hand-row", key: `row${place}` }, numbers.map((number) => handGroup(view, number))));
}

/**
 * What a player wants to see beside the hand: groups of cards with their names, those in the hand marked.
 * @param {Group[]} groups
 */
export function beside(groups) {
  return groups.map((group) => make("div", { key: group.label }, make("dt", null, tell(group.label)),
    make("dd", null, group.cards.map((word) =>
      make("span", { class: group.marked.includes(word) ? "held" : null, title: cardName(word) }, cardText(word))))));
}

/** @param {HandView} view @param {number} number */
function handGroup(view, number) {
  const group = /** @type {Group} */ (view.groups[number]);
  const slots = view.slots.filter((slot) => slot.group === number);
  return make("div", {
    key: `group-${group.label}`, class: "hand-group", role: "group", "aria-label": tell(group.label), style: { "--cards": slots.length },
  }, slots.map((slot) => button(view, slot)));
}

/** @param {HandView} view @param {HandSlot} slot */
function button(view, slot) {
  const [isPicked, isLegal] = [view.picked.includes(slot.id), view.playable?.has(slot.id) ?? false];
  const kinds = ["slot", isPicked && "picked", view.playable && (isLegal ? "legal" : "barred"), slot.marked && "marked", slot.copy > 0 && "copy"];
  const name = slot.marked && view.mark ? say("table.marked", { card: cardName(slot.card), mark: tell(view.mark) }) : cardName(slot.card);
  return make("button", {
    key: slot.id, type: "button", class: kinds.filter(Boolean).join(" "), "data-slot": slot.id, "data-card": slot.card,
    "aria-label": name, "aria-pressed": isPicked ? "true" : "false", "aria-disabled": view.playable && !isLegal ? "true" : null,
    tabindex: slot.id === view.current ? 0 : -1,
  }, make("span", { class: "playing-card" }, face(slot.card)));
}

/**
 * Which groups share a row: as few rows as have room, about equally full.
 * @param {Group[]} groups
 * @returns {number[][]}
 */
function rows(groups) {
  const total = groups.reduce((sum, group) => sum + group.cards.length, 0);
  const room = low.matches ? ROOM.low : narrow.matches ? ROOM.narrow : ROOM.wide;
  const wanted = Math.ceil(total / room) || 1;
  /** @type {number[][]} */
  const found = [[]];
  let filled = 0;
  groups.forEach((group, number) => {
    const row = /** @type {number[]} */ (found.at(-1));
    const fair = total / wanted;
    if (row.length && found.length < wanted && filled + group.cards.length / 2 > fair * found.length) found.push([number]);
    else row.push(number);
    filled += group.cards.length;
  });
  return found;
}
