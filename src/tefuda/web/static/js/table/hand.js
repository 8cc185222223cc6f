// The hand: every card a button, equal cards in one stack, all as large as the window allows.

import { find, make, part, render } from "../dom.js";
import { setting } from "../storage.js";
import { say, tell } from "../texts.js";
import { face } from "./cards.js";
import { cardName, cardText, game } from "./game.js";
import { handPlaces, handSize, LONGEST } from "./layout.js";

/** @typedef {import("../messages.js").Group} Group */
/** @typedef {import("./layout.js").Room} Room */
/** @typedef {import("./plays.js").Slot & {marked: boolean, group: number, copy: number}} HandSlot */

/**
 * Equal cards of one group: they lie on each other, and are picked one after the other.
 * @typedef {object} Stack
 * @property {string} card
 * @property {number} group
 * @property {boolean} marked
 * @property {string[]} slots
 */

export const narrow = window.matchMedia("(max-width: 700px)");

export const low = window.matchMedia("(max-height: 520px) and (min-width: 481px)");

/** Whether panels lie over the table and not beside it. */
export const covered = window.matchMedia("(max-width: 1050px)");

/** How high the line is that says what is at stake, in the text's own size. */
const STAKE = 1.35;
/** How far the crown of a play that is ahead stands above its cards, in the same; css/table.css draws it. */
const CROWN = 0.6;
/** How large a card may be: of the hand, and of a trick. */
const MOST = { hand: 150, trick: 170 };
/** A card that rises by more pixels comes behind what is written above the hand. */
const DEEP = 24;
/** What the reader has chosen of that. @type {Record<string, number>} */
const SIZES = { small: 0.78, usual: 1, large: 1.2 };

/**
 * The room that there is for hand and trick; none of it for what has not been drawn yet.
 * @param {HTMLElement} root
 * @returns {{hand: Room, middle: Room}}
 */
export function roomOf(root) {
  const ratio = game.size[0] / game.size[1];
  const scale = SIZES[setting("size")] ?? 1;
  const grown = Math.max(1, window.innerHeight / 900);
  const box = (/** @type {Element | null} */ place) => ({
    width: place?.clientWidth ?? 0,
    height: place?.clientHeight ?? 0,
  });
  const [held, middle] = [box(root.querySelector(".hand")), box(root.querySelector(".middle"))];
  const letters = parseFloat(getComputedStyle(root).fontSize);
  const lift = Math.min(26, held.height * 0.16);
  // A long card is told by its upper part
  const cuts = ratio < LONGEST ? [22 / 60, 22 / 44].filter((each) => each > ratio) : [];
  return {
    hand: { width: held.width - 12, height: held.height - lift, ratio, most: MOST.hand * grown * scale },
    middle: {
      width: middle.width,
      height: middle.height,
      ratio,
      cuts,
      most: MOST.trick * grown * scale,
      foot: STAKE * letters,
      head: CROWN * letters,
    },
  };
}

/**
 * The room that there is, until something changes it. Asking for sizes while the page is drawn would make the
 * browser lay all of it out once more.
 */
export class Rooms {
  /** @type {ReturnType<typeof roomOf> | null} */ #known = null;
  /** @type {Element | null} */ #middle = null;

  /** @param {HTMLElement} root @param {() => void} changed draws with the new sizes */
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
    this.sizes = new ResizeObserver(() => {
      const drawn = this.#known?.middle.width;
      this.#known = roomOf(root);
      if (drawn !== this.#known.middle.width) requestAnimationFrame(changed);
    });
    this.sizes.observe(find(".hand", root));
  }

  get now() {
    return (this.#known ??= roomOf(this.root));
  }

  /** Something has changed that sizes depend on. */
  forget() {
    this.#known = null;
    this.changed();
  }

  /** Watch the middle of the felt, which has been drawn; whether it has just been made and has a size. */
  watch() {
    const middle = this.root.querySelector(".middle");
    if (middle === this.#middle) return false;
    this.#middle = middle;
    if (middle) this.sizes.observe(middle);
    this.#known = null;
    return this.now.middle.width > 0;
  }
}

/** @param {Group[]} groups @returns {HandSlot[]} */
export function slotsOf(groups) {
  /** @type {Map<string, number>} */
  const copies = new Map();
  return groups.flatMap((group, number) =>
    group.cards.map((card) => {
      const copy = copies.get(card) ?? 0;
      copies.set(card, copy + 1);
      return { id: `${card}.${copy}`, card, copy, group: number, marked: group.marked.includes(card) };
    }),
  );
}

/** @param {HandSlot[]} slots @returns {Stack[]} */
export function stacksOf(slots) {
  /** @type {Map<string, Stack>} */
  const found = new Map();
  for (const { id, card, group, marked } of slots) {
    const stack = found.get(`${group} ${card}`) ?? { card, group, marked, slots: [] };
    stack.slots.push(id);
    found.set(`${group} ${card}`, stack);
  }
  return [...found.values()];
}

/**
 * @typedef {object} HandView
 * @property {Group[]} groups
 * @property {HandSlot[]} slots
 * @property {string[]} picked ids
 * @property {string[]} queued ids of cards that are to be played as soon as that is possible
 * @property {string[]} advised cards of the play that a hint has advised
 * @property {Map<string, Use> | null} uses by id; null while nothing has to be told apart
 * @property {string} current id of the card that the keyboard is on
 * @property {string} mark key of the text that says what marked cards are
 * @property {Room} room
 * @property {number} most how many cards, equal ones counted once, lay here in this deal: their size stays
 *   the same
 * @property {number} unseen how many cards lie face down before the reader, who has not looked yet
 * @property {string} question what is asked of who has not looked; else empty
 */

/**
 * What a card is good for now: it wins the trick so far, it is legal, it can only be thrown away, or it may
 * not be played.
 * @typedef {"wins" | "legal" | "throws" | "barred"} Use
 */

/** What each hand shows. @type {WeakMap<HTMLElement, string>} */
const drawn = new WeakMap();

/** Draw the hand, if it has changed. @param {HTMLElement} place @param {HandView} view */
export function drawHand(place, view) {
  const uses = [...(view.uses?.values() ?? [])];
  const shown = JSON.stringify([view, uses, setting("suits")]);
  if (drawn.get(place) === shown) return;
  drawn.set(place, shown);
  // That is marked then, and nothing else
  place.classList.toggle("judged", uses.includes("wins") || uses.includes("throws"));
  render(place, hand(view));
}

/** @param {HandView} view */
export function hand(view) {
  if (view.unseen) return unseen(view);
  const stacks = stacksOf(view.slots);
  const size = handSize(Math.max(view.most, stacks.length), view.room);
  const places = handPlaces(
    view.groups.map((_, group) => stacks.filter((stack) => stack.group === group).length).filter(Boolean),
    size,
    view.room,
  );
  /** @type {HTMLElement[][]} */
  const rows = [[]]; // one row at least, also before the cards are seen
  stacks.forEach((stack, number) => {
    const place = places[number] ?? { x: 0, y: 0, row: 0 };
    (rows[place.row] ??= []).push(
      button(view, stack, place, { w: size.w, ...seen(view.room, places, number, size.w) }),
    );
  });
  const isDeep = places.some((_, number) => seen(view.room, places, number, size.w).rise > DEEP);
  return rows.map((row, number) =>
    make("div", { class: isDeep ? "hand-row deep" : "hand-row", key: `row${number}` }, row),
  );
}

/**
 * How much is seen of a card, and how far it rises until the row below it, or the edge of the hand, hides
 * none of it.
 * @param {Room} room @param {import("./layout.js").Place[]} places @param {number} number @param {number} w
 */
function seen(room, places, number, w) {
  const [here, next] = [places[number] ?? { x: 0, y: 0, row: 0 }, places[number + 1]];
  const below = places.find((each) => each.row > here.row)?.y ?? room.height;
  const high = Math.min(w / room.ratio, below - here.y);
  return {
    wide: next?.row === here.row ? Math.min(w, next.x - here.x) : w,
    high,
    rise: Math.ceil(w / room.ratio - high),
  };
}

/** The backs of cards that nobody has looked at, and what is asked about them. @param {HandView} view */
function unseen({ unseen: count, question, room }) {
  const size = handSize(count, room);
  const backs = handPlaces([count], size, room).map(({ x, y }, number) =>
    make("span", {
      key: `back${number}`,
      class: "playing-card backed",
      style: { translate: `${x + 6}px ${y + 4}px`, "--w": `${size.w}px` },
    }),
  );
  return [
    make(
      "div",
      { class: "unseen", key: "unseen", role: "img", "aria-label": say("table.unseen", { count }) },
      backs,
    ),
    question ? make("p", { class: "question", key: "question" }, question) : null,
  ];
}

/**
 * What a player wants to see beside the hand: groups of cards with their names, those in the hand marked.
 * @param {Group[]} groups
 */
export function beside(groups) {
  return groups.map((group) =>
    make(
      "div",
      { key: group.label },
      make("dt", null, tell(group.label)),
      make(
        "dd",
        null,
        group.cards.map((word) =>
          make(
            "span",
            { class: group.marked.includes(word) ? "held" : null, title: cardName(word) },
            cardText(word),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {HandView} view
 * @param {Stack} stack
 * @param {{x: number, y: number}} place
 * @param {{w: number, wide: number, high: number, rise: number}} size
 */
function button(view, stack, place, { w, wide, high, rise }) {
  const count = stack.slots.length;
  const picked = stack.slots.filter((id) => view.picked.includes(id)).length;
  const id = stack.slots.find((each) => !view.picked.includes(each)) ?? stack.slots[0] ?? "";
  const use = view.uses?.get(id) ?? null;
  const kinds = [
    "slot",
    picked && "picked",
    use && (use === "barred" ? "barred" : "legal"),
    use,
    stack.marked && "marked",
    count > 1 && "stack",
    stack.slots.some((each) => view.queued.includes(each)) && "queued",
    view.advised.includes(stack.card) && "advised",
  ];
  const attributes = {
    type: "button",
    class: kinds.filter(Boolean).join(" "),
    "data-slot": id,
    "data-slots": stack.slots.join(" "),
    "data-card": stack.card,
    "data-count": count,
    "aria-label": called(view, stack, use, picked),
    "aria-pressed": picked ? (picked < count ? "mixed" : "true") : "false",
    "aria-disabled": use === "barred" ? "true" : null,
    tabindex: stack.slots.includes(view.current) ? 0 : -1,
    style: {
      translate: `${place.x + 6}px ${place.y + lift(view)}px`,
      "--w": `${w}px`,
      "--wide": `${wide}px`,
      "--high": `${high}px`,
      "--rise": `${rise}px`,
    },
  };
  const times = count > 1 ? (picked ? `${picked}/${count}` : `×${count}`) : "";
  const drawn = [stack.card, times, setting("suits")];
  const whole = () =>
    make(
      "span",
      { class: "playing-card", key: "card" },
      face(stack.card),
      times ? make("b", { class: "times", "aria-hidden": "true" }, times) : null,
    );
  const draw = () =>
    make("button", { key: stack.slots[0], ...attributes }, part("span", "card", drawn, whole));
  return part("button", stack.slots[0] ?? "", [attributes, drawn], draw);
}

/** The room over the hand, for cards that rise. @param {HandView} view */
function lift(view) {
  return Math.round(Math.min(26, view.room.height * 0.19));
}

/** @param {HandView} view @param {Stack} stack @param {Use | null} use @param {number} picked */
function called(view, stack, use, picked) {
  const count = stack.slots.length;
  let name = cardName(stack.card);
  if (count > 1)
    name = picked
      ? say("table.stack_picked", { card: name, picked, count })
      : say("table.stack", { card: name, count });
  if (stack.marked && view.mark) name = say("table.marked", { card: name, mark: tell(view.mark) });
  if (view.advised.includes(stack.card))
    name = say("table.marked", { card: name, mark: say("table.use_advised") });
  return use === "wins" || use === "throws"
    ? say("table.marked", { card: name, mark: say(`table.use_${use}`) })
    : name;
}
