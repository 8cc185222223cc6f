// In which order the reader holds their cards: sorted as they like it, or as they have laid them. No game is known here:
// suits are as the server lays them, ranks and suits stand in the codes of cards, combinations in plays.

import { find } from "../dom.js";
import { announce } from "../live.js";
import { forget, keep, recall } from "../storage.js";
import { say } from "../texts.js";
import { cardsOf } from "./choice.js";
import { game } from "./game.js";
import { Gap } from "./laying.js";

/** @typedef {import("../messages.js").Scene} Scene */
/** @typedef {import("../messages.js").Group} Group */
/** @typedef {import("./notation.js").Play} Play */
/** @typedef {import("./hand.js").Use} Use */
/** @typedef {"suit" | "rank" | "wins" | "sets"} Sort */

/** Where it is kept; js/table/main.js looks there whether anything is. */
const SORT = `tefuda.hand.sort.${game?.name}`;
const LAID = "tefuda.hand.laid";
/** What comes first where one sorts by what cards are good for. @type {Use[]} */
const USES = ["wins", "legal", "throws", "barred"];

/** A pack that begins with two cards of one suit is told suit by suit; a code that begins with a letter names its suit. */
const [first = "", second = ""] = game?.pack ?? [];
const hasSuits = /^[A-Z]/.test(first);
/** As the server lays a hand. @type {Sort} */
const USUAL = hasSuits && first[0] !== second[0] ? "rank" : "suit";
/** The place of each card in its suit, from the top. */
const places = new Map((game?.pack ?? []).map((card, at, pack) => [card, pack.slice(at + 1).filter((each) => each[0] === card[0]).length]));

/**
 * What the order of a hand depends on.
 * @typedef {object} Held
 * @property {string} deal
 * @property {Play[]} plays that are legal
 * @property {Map<string, Use> | null} uses of each slot
 * @property {boolean} holds whether a card is picked or dragged: none jumps then
 */

export class Order {
  /** @type {Sort} */ #sort = /** @type {Sort} */ (recall(SORT) ?? USUAL);
  /** Cards as they lie, those that lie together in one list; also such as have been played. @type {string[][]} */ #laid = [];
  /** Whether the reader has laid them. */
  #isOwn = false;
  #deal = "";
  #knowsSets = this.#sort === "sets";

  /** @param {import("./main.js").Table} table */
  constructor(table) {
    this.table = table;
  }

  /** What may be chosen. @returns {Sort[]} */
  get sorts() {
    return [USUAL, ...(hasSuits ? [/** @type {Sort} */ (USUAL === "suit" ? "rank" : "suit")] : []), "wins", ...(this.#knowsSets ? [/** @type {Sort} */ ("sets")] : [])];
  }

  /** How the cards lie. @returns {Sort | "own"} */
  get now() {
    return this.#isOwn ? "own" : this.#sort;
  }

  /** Sort in the next way; cards that the reader has laid are first sorted as before. */
  next() {
    if (!this.#isOwn) {
      this.#sort = this.sorts[(this.sorts.indexOf(this.#sort) + 1) % this.sorts.length] ?? USUAL;
      keep(SORT, this.#sort);
    }
    this.#isOwn = false;
    this.#laid = [];
    forget(LAID);
    announce(this.table.root, [say(`table.sort_${this.now}`)]);
    this.table.draw();
  }

  /** The hand in this order. @param {Scene | undefined} scene @param {Held} held @returns {Group[]} */
  lay(scene, held) {
    const hand = scene?.hand ?? [];
    if (!scene) return hand;
    if (held.deal !== this.#deal) {
      this.#deal = held.deal;
      this.#laid = this.#recall();
      this.#isOwn = this.#laid.length > 0;
    }
    this.#knowsSets ||= scene.beside.length > 0 || setsIn(held.plays).length > 0;
    if (!this.#isOwn && !(held.holds && this.#laid.length)) this.#laid = this.#sorted(scene, held);
    const known = new Set(this.#laid.flat());
    this.#laid.push(...distinct(hand).map((cards) => cards.filter((card) => !known.has(card))).filter((cards) => cards.length));
    find("[data-act=sort] > span", this.table.root).textContent = say(`table.sort_${this.now}`);
    return this.#laid.map((cards) => taken(hand, cards)).filter((group) => group.cards.length);
  }

  /** Where dragged cards may be laid. @param {string[]} slots */
  gap(slots) {
    return new Gap(this.table.root, slots, (near, after) => this.move(slots, near, after));
  }

  /**
   * The reader lays cards beside another one.
   * @param {string[]} slots @param {string} beside the slot of that one @param {boolean} after
   * @returns {boolean} whether they lay elsewhere
   */
  move(slots, beside, after) {
    const [cards, near] = [cardsOf(this.table.slots, slots), cardsOf(this.table.slots, [beside])[0] ?? ""];
    if (cards.includes(near)) return false;
    const before = JSON.stringify(this.#laid);
    const moved = this.#laid.flat().filter((card) => cards.includes(card));
    this.#laid = this.#laid.map((list) => list.filter((card) => !cards.includes(card)).flatMap((card) => {
      if (card !== near) return [card];
      return after ? [card, ...moved] : [...moved, card];
    })).filter((list) => list.length);
    if (JSON.stringify(this.#laid) === before) return false;
    this.#isOwn = true;
    keep(LAID, JSON.stringify({ table: game.table, deal: this.#deal, laid: this.#laid }));
    this.table.draw();
    return true;
  }

  /** @param {Scene} scene @param {Held} held @returns {string[][]} */
  #sorted(scene, { plays, uses }) {
    const usual = distinct(scene.hand);
    if (this.#sort === "sets") {
      const sets = scene.beside.length ? scene.beside.map((group) => group.cards) : setsIn(plays);
      if (sets.length) return apart(sets, usual.flat()); // the other cards come after them
    } else if (this.#sort === "wins") {
      if (uses) return USES.map((use) => usual.flat().filter((card) => uses.get(`${card}.0`) === use));
    } else if (this.#sort !== USUAL) {
      /** @type {(card: string) => string | number} */
      const by = this.#sort === "rank" ? (card) => places.get(card) ?? 0 : (card) => card[0] ?? "";
      return together(usual.flat(), by);
    } else return usual;
    return this.#laid.length ? this.#laid : usual; // what is not known now is as it was when it was
  }

  /** @returns {string[][]} */
  #recall() {
    try {
      const found = JSON.parse(recall(LAID) ?? "{}");
      return found.table === game.table && found.deal === this.#deal ? found.laid : [];
    } catch {
      return [];
    }
  }
}

/** The cards of each group, equal ones once. @param {Group[]} hand */
function distinct(hand) {
  return hand.map((group) => [...new Set(group.cards)]);
}

/** Those of the cards that are in the hand, each as often as it is there. @param {Group[]} hand @param {string[]} cards @returns {Group} */
function taken(hand, cards) {
  const among = (/** @type {string[]} */ held) => cards.flatMap((card) => held.filter((each) => each === card));
  return { label: "", cards: among(hand.flatMap((group) => group.cards)), marked: among([...new Set(hand.flatMap((group) => group.marked))]) };
}

/** Cards that have the same of something together, the least first. @param {string[]} cards @param {(card: string) => string | number} by */
function together(cards, by) {
  const values = [...new Set(cards.map(by))];
  if (values.every((value) => typeof value === "number")) values.sort((a, b) => Number(a) - Number(b));
  return values.map((value) => cards.filter((card) => by(card) === value));
}

/** The combinations among plays, the largest first. @param {Play[]} plays */
function setsIn(plays) {
  return plays.filter((play) => play.cards.length > 1 && !play.said && !play.down).map((play) => play.cards).sort((a, b) => b.length - a.length);
}

/** What is held of each set, where that is several cards and none of them is in a set before. @param {string[][]} sets @param {string[]} held */
function apart(sets, held) {
  const left = new Set(held);
  return sets.flatMap((set) => {
    const found = [...new Set(set)].filter((card) => held.includes(card));
    if (found.length < 2 || !found.every((card) => left.has(card))) return [];
    found.forEach((card) => left.delete(card));
    return [found];
  });
}
