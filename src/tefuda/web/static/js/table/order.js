// In which order the reader holds their cards: sorted as they like it, or as they have laid them. No game is
// known here: the usual order is the server's, ranks and combinations come with the page, what wins with the
// moment.

import { find, hide } from "../dom.js";
import { forget, keep, recall } from "../storage.js";
import { announce, hasText, say, tell } from "../texts.js";
import { cardsOf } from "./plays.js";
import { apart, hasForms } from "./forms.js";
import { cardName, game } from "./game.js";
import { layFrom } from "./laying.js";
import { handOf } from "./store.js";

/** @typedef {import("../messages.js").Group} Group */
/** @typedef {import("./store.js").Known} Known */
/** @typedef {import("./hand.js").Use} Use */
/** @typedef {"usual" | "rank" | "sets" | "wins"} Sort */
/** @typedef {Map<string, Use> | null} Uses what each slot is good for */

/** Where it is kept; js/table/main.js looks there whether anything is. */
const SORT = `tefuda.hand.sort.${game?.name}`;
const LAID = "tefuda.hand.laid";
/** What comes first where one sorts by what cards are good for. @type {Use[]} */
const USES = ["wins", "legal", "throws", "barred"];

const hasRanks = Object.values(game?.cards ?? {}).some(({ rank }) => rank);
/**
 * What there is to choose from: where suits are not compared and nothing is formed, the usual order alone.
 * @type {Sort[]}
 */
const SORTS = ["usual"];
if (hasRanks) SORTS.push("rank");
if (hasForms) SORTS.push("sets");
if (SORTS.length > 1) SORTS.push("wins");

/**
 * How the cards of a deal lie.
 * @typedef {object} Arranged
 * @property {Sort} sort
 * @property {string[][]} laid cards as they lie, those that lie together in one list; also such as have been
 *   played
 * @property {boolean} isOwn whether the reader has laid them
 * @property {string} deal
 */

/** @type {Arranged} */
const FIRST = {
  sort: SORTS.find((sort) => sort === recall(SORT)) ?? "usual",
  laid: [],
  isOwn: false,
  deal: "",
};

// What follows from what the table knows

/** @param {Known} known */
function orderOf({ order }) {
  return order ?? FIRST;
}

/** How the cards lie, in words. @param {Known} known */
export function called(known) {
  const { isOwn, sort } = orderOf(known);
  if (isOwn) return say("table.sort_own");
  return sort === "usual" && hasText("scene.sorted") ? tell("scene.sorted") : say(`table.sort_${sort}`);
}

/** As the server lays them. @param {Known} known @returns {Group[]} */
function groupsOf({ state }) {
  return state?.deal?.scene.hand ?? [];
}

/** The hand, as its cards lie. @param {Known} known */
function inOrder(known) {
  const hand = groupsOf(known);
  return orderOf(known)
    .laid.map((cards) => taken(hand, cards))
    .filter((group) => group.cards.length);
}

// Steps

/** Sort in the next way; cards that the reader has laid are first sorted as before. @param {Known} known */
function sortNext(known) {
  const { sort, isOwn, deal } = orderOf(known);
  const next = SORTS[(SORTS.indexOf(sort) + 1) % SORTS.length] ?? "usual";
  return { order: { sort: isOwn ? sort : next, laid: [], isOwn: false, deal } };
}

/**
 * Of another deal the cards lie as they were laid, if they were.
 * @param {Known} known @param {{deal: string, laid: string[][]}} kept
 */
function begin(known, { deal, laid }) {
  return { order: { ...orderOf(known), deal, laid, isOwn: laid.length > 0 } };
}

/**
 * The cards are sorted, unless the reader has laid them, or holds one: none jumps then.
 * @param {Known} known
 * @param {{uses: Uses, holds: boolean}} what of each slot, and whether a card is picked or dragged
 */
function arrange(known, { uses, holds }) {
  const order = orderOf(known);
  const hand = distinct(groupsOf(known));
  const stays = order.isOwn || (holds && order.laid.length);
  const laid = stays ? order.laid : sorted(known, hand, uses);
  const lies = new Set(laid.flat());
  // Of a new card, or of no form
  const others = hand.map((cards) => cards.filter((card) => !lies.has(card)));
  return { order: { ...order, laid: [...laid, ...others].filter((cards) => cards.length) } };
}

/**
 * The reader lays cards beside another one; nothing, if they lie there.
 * @param {Known} known
 * @param {{cards: string[], near: string, after: boolean}} what
 */
function put(known, { cards, near, after }) {
  const order = orderOf(known);
  const moved = order.laid.flat().filter((card) => cards.includes(card));
  const beside = (/** @type {string} */ card) =>
    card !== near ? [card] : after ? [card, ...moved] : [...moved, card];
  const laid = order.laid
    .map((list) => list.filter((card) => !cards.includes(card)).flatMap(beside))
    .filter((list) => list.length);
  const stays = cards.includes(near) || JSON.stringify(laid) === JSON.stringify(order.laid);
  return stays ? {} : { order: { ...order, laid, isOwn: true } };
}

export class Order {
  /** @param {import("./acts.js").Acts} acts */
  constructor(acts) {
    this.root = acts.root;
    this.store = acts.store;
  }

  next() {
    const { isOwn } = orderOf(this.store.now);
    this.store.take(sortNext, null);
    if (!isOwn) keep(SORT, orderOf(this.store.now).sort);
    forget(LAID);
    announce(this.root, [called(this.store.now)]);
  }

  /** The hand in its order, as it is drawn now. @param {Uses} uses of each slot */
  lay(uses) {
    const { root, store } = this;
    const { state, picked, queued } = store.now;
    const deal = `${state?.session} ${state?.deal?.number}`;
    if (deal !== orderOf(store.now).deal) store.note(begin(store.now, { deal, laid: kept(deal) }));
    const holds = picked.length + queued.length > 0 || root.querySelector(".drag") !== null;
    store.note(arrange(store.now, { uses, holds }));
    const [button, name] = [find("[data-act=sort]", root), called(store.now)];
    hide(button, SORTS.length === 1 && !orderOf(store.now).isOwn);
    const label = find("span", button);
    if (label.textContent !== name) label.textContent = name;
    return inOrder(store.now);
  }

  /** These cards are dragged: within the hand they may be laid elsewhere. @param {string[]} slots */
  drag(slots) {
    layFrom(this.root, slots, (near, after) => this.move(slots, near, after));
  }

  /**
   * The reader lays cards beside another one.
   * @param {string[]} slots
   * @param {string} beside the slot of that one
   * @param {boolean} after
   */
  move(slots, beside, after) {
    const { root, store } = this;
    const [hand, before] = [handOf(store.now), store.now.order];
    const [cards, [near = ""]] = [cardsOf(hand, slots), cardsOf(hand, [beside])];
    store.take(put, { cards, near, after });
    const { order } = store.now;
    if (!order || order === before) return;
    const { deal, laid } = order;
    keep(LAID, JSON.stringify({ table: game.table, deal, laid }));
    const seen = laid.flat().filter((card) => hand.some((slot) => slot.card === card));
    const first = seen.find((card) => cards.includes(card)) ?? "";
    announce(root, [
      say("table.laid", { card: cardName(first), place: seen.indexOf(first) + 1, count: seen.length }),
    ]);
  }
}

/** As the cards of this deal were laid. @param {string} deal @returns {string[][]} */
function kept(deal) {
  try {
    const found = JSON.parse(recall(LAID) ?? "{}");
    return found.table === game.table && found.deal === deal ? found.laid : [];
  } catch {
    return [];
  }
}

/** @param {Known} known @param {string[][]} usual @param {Uses} uses @returns {string[][]} */
function sorted(known, usual, uses) {
  const { sort, laid } = orderOf(known);
  if (sort === "rank") return byRank(usual.flat());
  if (sort === "sets") return inForms(known, usual);
  if (sort === "wins") {
    if (uses)
      return USES.flatMap((use) =>
        usual.map((cards) => cards.filter((card) => uses.get(`${card}.0`) === use)),
      );
    if (laid.length) return laid; // before one is asked they lie as they did
  }
  return usual;
}

/**
 * Cards in their forms; those in none come after them, as in the usual order.
 * @param {Known} known @param {string[][]} usual
 */
function inForms(known, usual) {
  const copies = handOf(known).map(({ card }) => card);
  const order = new Map(usual.flat().map((card, place) => [card, place]));
  const ordered = copies.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  return apart(ordered).map((cards) => [...new Set(cards)]);
}

/** The cards of each group, equal ones once. @param {Group[]} hand */
function distinct(hand) {
  return hand.map((group) => [...new Set(group.cards)]);
}

/**
 * Those of the cards that are in the hand, each as often as it is there.
 * @param {Group[]} hand
 * @param {string[]} cards
 * @returns {Group}
 */
function taken(hand, cards) {
  const among = (/** @type {string[]} */ held) =>
    cards.flatMap((card) => held.filter((each) => each === card));
  return {
    label: "",
    cards: among(hand.flatMap((group) => group.cards)),
    marked: among([...new Set(hand.flatMap((group) => group.marked))]),
  };
}

/** Cards of one rank together, the best first. @param {string[]} cards */
function byRank(cards) {
  const rank = (/** @type {string} */ card) => game.cards[card]?.rank ?? 0;
  return [...new Set(cards.map(rank))]
    .sort((one, other) => one - other)
    .map((each) => cards.filter((card) => rank(card) === each));
}
