// The felt: who sits where, what lies before them, and the trick in the middle. It is seen from your seat, or
// from the first where you have none. The next player sits at your right; where play goes clockwise, at your
// left.

import { make, part, render } from "../dom.js";
import { setting } from "../storage.js";
import { say, signed, tell } from "../texts.js";
import { row } from "./cards.js";
import { game } from "./game.js";
import { asNote, isAtPlaces, lain, middle, stock } from "./middle.js";
import { isReader, portrait } from "./people.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").SeatScene} SeatScene */

/**
 * @typedef {object} FeltView
 * @property {State} state
 * @property {string[]} names
 * @property {string[]} played what lies before each seat in the middle
 * @property {Record<string, string>} [named] texts of those plays that have a name
 * @property {Map<number, string>} [said] what somebody has just said
 * @property {number | null} taker whose the finished trick is that still lies there
 * @property {import("./layout.js").Room} room that the middle has
 * @property {import("../messages.js").Group[][]} [hands] of all seats, where they lie open
 */

/** What is counted further is a bar and no dots. */
const MOST_DOTS = 12;
/** So many notes stand at a place; the rest when it is tapped. */
const MOST_NOTES = 2;

/** How many of the others sit at the right, opposite and at the left, by their number. */
const SIDES = [
  [0, 0, 0],
  [0, 1, 0],
  [1, 0, 1],
  [1, 1, 1],
  [1, 2, 1],
  [1, 3, 1],
  [2, 2, 2],
  [2, 3, 2],
];

/**
 * Draw the felt. What its grid depends on is said by classes: where styles ask what is within, browsers look
 * again at each change.
 * @param {HTMLElement} place @param {FeltView} view
 */
export function drawFelt(place, view) {
  const [, top] = sidesOf(view.state.seats.length - 1);
  place.classList.toggle("few", top === 0);
  place.classList.toggle("many", top > 2);
  place.classList.toggle("at-places", isAtPlaces(view));
  render(place, felt(view));
}

/** How many sit at the right, opposite and at the left. @param {number} others @returns {[number, number]} */
function sidesOf(others) {
  const [right = 1, top = others - 2] = SIDES[others] ?? [];
  return [right, top];
}

/** @param {FeltView} view */
export function felt(view) {
  const seats = view.state.seats.length;
  const mine = view.state.you.seat ?? 0;
  const others = Array.from({ length: seats - 1 }, (_, k) => (mine + k + 1) % seats);
  // Before the first deal the options tell.
  if (view.state.deal?.scene.clockwise ?? view.state.options.clockwise) others.reverse();
  const [right, top] = sidesOf(others.length);
  const place = (/** @type {number} */ seat) => seatPlace(view, seat);
  return [
    make("div", { class: "side right", key: "right" }, others.slice(0, right).map(place)),
    make("div", { class: "side top", key: "top" }, others.slice(right, right + top).map(place)),
    make("div", { class: "side left", key: "left" }, others.slice(right + top).map(place)),
    make("div", { class: "middle", key: "middle" }, middle(view, mine)),
    make(
      "div",
      { class: "side mine", key: "mine" },
      place(mine),
      stock(view),
      view.said?.has(mine) ? bubble(view.said.get(mine) ?? "") : null,
    ),
  ];
}

/** A place, made anew when something there has changed. @param {FeltView} view @param {number} seat */
function seatPlace(view, seat) {
  const { state, names, played, named, said, taker, hands } = view;
  const { mover, scene } = state.deal ?? {};
  const isOne = [mover, scene?.lead, scene?.winning, taker].map((each) => each === seat);
  const shown = [
    state.seats,
    state.you.seat,
    Boolean(state.deal),
    names,
    isOne,
    taker === null,
    Boolean(scene),
    scene?.seats[seat],
    scene?.seats.map((each) => each.side),
    isAtPlaces(view),
    isAtPlaces(view) && [played[seat], named?.[played[seat] ?? ""]],
    said?.get(seat),
    hands?.[seat],
    setting("suits"),
  ];
  return part("section", `seat${seat}`, shown, () => drawPlace(view, seat));
}

/** @param {FeltView} view @param {number} seat */
function drawPlace(view, seat) {
  const { state, names } = view;
  const scene = state.deal?.scene ?? null;
  const place = scene?.seats[seat] ?? null;
  const [isMover, isLeader] = [state.deal?.mover === seat, scene?.lead === seat];
  const isMine = state.you.seat === seat;
  const isTaker = view.taker === null ? scene?.winning === seat : view.taker === seat;
  const badges = [
    isLeader && say("table.leads"),
    place &&
      new Set(scene?.seats.map((each) => each.side)).size < state.seats.length &&
      say("table.team", { letter: "AB"[place.side] ?? "" }),
    ...(place?.piles.filter((pile) => !pile.cards.length).map((pile) => tell(pile.label)) ?? []),
    state.seats[seat]?.open && state.deal && say("table.free_seat"),
    state.seats[seat]?.absent
      ? say("table.away")
      : state.seats[seat]?.connected === false && say("table.not_connected"),
  ].filter(Boolean);
  const kinds = [
    "seat",
    isMover && "mover",
    isTaker && "taker",
    isMine && "own",
    isAtPlaces(view) && "lays",
    view.said?.has(seat) && "says",
  ];
  return make(
    "section",
    {
      key: `seat${seat}`,
      class: kinds.filter(Boolean).join(" "),
      "data-seat": seat,
      "aria-label": isReader(names[seat])
        ? say("table.place_own")
        : say("table.place_of", { name: names[seat] ?? "" }),
      tabindex: place ? 0 : null, // all that is known of them shows when it is tapped
    },
    make(
      "div",
      { class: "plate", key: "plate" },
      part("p", "who", [state.seats, names[seat], isTaker, isMover, Boolean(scene)], () =>
        who(view, seat, isTaker, isMover),
      ),
      place
        ? part("p", "facts", [place.tally, place.held, place.total, scene?.tricks], () =>
            facts(place, !scene?.tricks),
          )
        : null,
      badges.length || place?.notes.length
        ? make(
            "ul",
            { class: "notes" },
            badges.map((badge) => make("li", { class: "badge" }, String(badge))),
            place?.notes.map((note, number) =>
              make("li", { class: number < MOST_NOTES ? null : "rest" }, tell(...asNote(note), names)),
            ),
          )
        : null,
    ),
    view.said?.has(seat) && !isMine ? bubble(view.said.get(seat) ?? "") : null,
    make(
      "div",
      { class: "piles", key: "piles" },
      place?.piles
        .filter((pile) => pile.cards.length)
        .map((pile) =>
          part("div", `pile-${pile.label}`, [pile, setting("suits")], () =>
            make(
              "div",
              { class: "pile", key: `pile-${pile.label}`, style: { "--cards": pile.cards.length } },
              make("span", { class: "label" }, tell(pile.label)),
              row(pile.cards, pile.marked),
            ),
          ),
        ),
    ),
    isAtPlaces(view) ? lain(view, seat, "lain card-row") : null,
    view.hands ? openHand(view.hands[seat] ?? []) : null,
  );
}

/** What somebody has said, or what was answered for the reader. @param {string} text */
function bubble(text) {
  return make("p", { class: "bubble", key: `bubble ${text}` }, text);
}

/**
 * Who sits there, and whether the trick is theirs or it is their turn.
 * @param {FeltView} view
 * @param {number} seat
 * @param {boolean} isTaker
 * @param {boolean} isMover
 */
function who(view, seat, isTaker, isMover) {
  const { state, names } = view;
  const ahead = say("table.ahead");
  return make(
    "p",
    { class: "who", key: "who" },
    portrait(state, seat),
    make(
      "span",
      { class: "name" },
      state.seats[seat]?.open && !state.deal ? say("table.free_seat") : (names[seat] ?? ""),
    ),
    state.deal
      ? make(
          "span",
          isTaker
            ? { class: "crown", role: "img", "aria-label": ahead, title: ahead }
            : { class: "crown off" },
        )
      : null,
    state.deal
      ? make(
          "span",
          { class: isMover ? "turn" : "turn off" },
          isMover ? make("span", { class: "hidden-text" }, say("table.to_play")) : null,
        )
      : null,
  );
}

/** A hand that everybody sees. @param {import("../messages.js").Group[]} groups */
function openHand(groups) {
  return make(
    "div",
    { class: "open-hand", key: "hand" },
    groups.map((group) => row(group.cards, group.marked)),
  );
}

/**
 * The figure that matters: what they have won of what is wanted, or, where cards are not played in tricks,
 * how many they hold. The rest is for who taps: cards, and points before the deal.
 * @param {SeatScene} place @param {boolean} isCounted whether it matters how many cards somebody holds
 */
function facts(place, isCounted) {
  const [won, wanted] = place.tally;
  return make(
    "p",
    { class: "facts", key: "facts" },
    make(
      "span",
      { class: isCounted && !wanted ? "held" : "held rest", title: say("table.held", { count: place.held }) },
      make("span", { class: "back" }),
      make("span", { "aria-hidden": "true" }, place.held),
      make("span", { class: "hidden-text" }, say("table.held", { count: place.held })),
    ),
    wanted ? tally(won, wanted) : null,
    place.total
      ? make(
          "span",
          { class: "total rest", title: say("table.total") },
          make("span", { class: "hidden-text" }, say("table.total")),
          signed(place.total / game.unit),
        )
      : null,
  );
}

/** @param {number} won @param {number} wanted */
function tally(won, wanted) {
  const name = say("table.tally", { won, wanted });
  if (wanted > MOST_DOTS) {
    return make("span", {
      class: "tally gauge",
      role: "img",
      "aria-label": name,
      title: name,
      style: { "--part": Math.min(1, won / wanted) },
    });
  }
  return make(
    "span",
    { class: "tally", role: "img", "aria-label": name, title: name },
    Array.from({ length: Math.max(won, wanted) }, (_, k) => make("i", { class: k < won ? "won" : null })),
  );
}
