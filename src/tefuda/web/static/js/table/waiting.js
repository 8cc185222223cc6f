// What stands on the felt while no deal is played: who sits where before the first, the score sheet after
// each.

import { find, hide, make, render } from "../dom.js";
import { say, sentences, tell } from "../texts.js";
import { game } from "./game.js";
import { invitation, usualName } from "./house.js";
import { nameOfSeat } from "./people.js";

/** @typedef {import("../messages.js").StateMessage} State */

/**
 * Draw what stands on the felt, if no deal is played there.
 * @param {typeof import("./sheet.js") | null} results which draw the score sheet; null until they are loaded
 * @param {HTMLElement} root @param {State} state @param {string[]} names
 * @param {import("./store.js").Known} known
 */
export function drawOverlay(results, root, state, names, known) {
  const { looking, lingering } = known;
  const isOver = state.deal?.over && !looking && !lingering;
  const shown = isOver
    ? (results?.sheet(state, names, known) ?? [])
    : state.deal || looking
      ? []
      : waiting(state);
  const place = find(".overlay", root);
  hide(place, !shown.length);
  find(".board", root).classList.toggle("overlaid", shown.length > 0);
  const hand = find(".below", root);
  if (hand.inert !== shown.length > 0) hand.inert = shown.length > 0; // nobody gets lost behind it
  place.classList.toggle("end", Boolean(isOver) && (state.phase === "over" || state.phase === "closed"));
  render(place, shown);
  hide(find("[data-act=results]", root), !(state.deal?.over && looking));
}

/**
 * Before the first deal: seats, the link for friends, bots. The host finds first what they may do.
 * @param {State} state
 */
export function waiting(state) {
  const { seats, you, phase } = state;
  const free = seats.some((seat) => seat.open);
  const comes = you.seat === null && free && phase !== "closed";
  const link = free && game.may_sit.length ? offer("invite", "table.invite", address(state), COPY) : null;
  const bots = free && you.host ? offer("host", "table.which_bot", levels(), FILL) : null;
  const chairs = make(
    "ul",
    { class: "chairs", key: "chairs" },
    seats.map((sitter, number) => chair(sitter, number, you)),
  );
  return [
    make("h2", { key: "title" }, say(titleOf(phase, free))),
    comes ? make("p", { key: "about" }, about()) : null,
    comes && !game.may_sit.length ? remark("by_invitation") : null,
    comes && game.may_sit.some((seat) => seats[seat]?.open) ? ownName() : null,
    ...(you.host ? [link, bots, chairs] : [chairs, link]),
    state.slow && phase !== "closed" ? remark("slow") : null,
    free && phase !== "closed" ? meanwhile() : null,
  ];
}

/** @param {State["phase"]} phase @param {boolean} free whether a seat is */
function titleOf(phase, free) {
  return phase === "closed" ? "table.phase_closed" : free ? "table.waiting" : "table.shuffling";
}

/** What a friend is invited to, and for how long. */
function about() {
  const { host, title, minutes } = game;
  return sentences([
    host && game.invite && game.may_sit.length ? say("table.invited", { host, title }) : "",
    tell("summary"),
    minutes ? say("table.deal_takes", { minutes }) : "",
  ]);
}

/** @param {string} key of its text, and its own */
function remark(key) {
  return make("p", { class: "muted", key }, say(`table.${key}`));
}

const COPY = { "data-act": "copy", class: "quiet", text: "table.copy" };
const FILL = { "data-act": "fill", text: "table.fill" };

/**
 * A field with a button that does something with it.
 * @param {string} key @param {string} label @param {HTMLElement} field
 * @param {{text: string, [name: string]: string}} act
 */
function offer(key, label, field, { text, ...act }) {
  return make(
    "div",
    { class: "invite", key },
    make("label", { class: "field" }, say(label), field),
    make("button", { type: "button", ...act }, say(text ?? "")),
  );
}

/** @param {State} state */
function address(state) {
  return make("input", { id: "invite", readonly: true, value: invitation(state) });
}

function levels() {
  const all = Object.entries(game.bots).map(([bot, called]) =>
    make("option", { value: bot, key: bot, selected: bot === "easy" }, called),
  );
  return make("select", { id: "bot" }, all);
}

function ownName() {
  const field = { id: "name", name: "name", maxlength: 24, autocomplete: "nickname", value: usualName() };
  return make("label", { class: "field", key: "name" }, say("table.your_name"), make("input", field));
}

/**
 * What to do until the others have come; it opens beside the table, whose title says when the reader is to
 * play.
 */
function meanwhile() {
  const look = { class: "button quiet", href: game.tour, target: "_blank" };
  const tour = game.tour ? make("a", look, say("table.meanwhile_tour")) : null;
  return make(
    "form",
    { class: "row", key: "meanwhile", method: "post", action: `/games/${game.name}`, target: "_blank" },
    tour,
    make("button", { class: "quiet", name: "with", value: "bots" }, say("table.meanwhile_bots")),
  );
}

/**
 * Who sits at a place, the reader too by their name, and what may be done about it.
 * @param {State["seats"][number]} sitter
 * @param {number} number
 * @param {State["you"]} you
 */
function chair(sitter, number, { seat, host }) {
  const { open, bot } = sitter;
  const act = (/** @type {string} */ name, /** @type {string} */ text) =>
    make("button", { type: "button", class: "quiet", [`data-${name}`]: number }, say(`table.${text}`));
  return make(
    "li",
    { key: `chair${number}`, class: open ? "open" : null },
    make("span", { class: "name" }, open ? say("table.free_seat") : nameOfSeat(sitter, number)),
    number === seat ? make("span", { class: "badge" }, say("table.you")) : null,
    bot ? make("span", { class: "badge" }, say("table.bot")) : null,
    open && seat === null && game.may_sit.includes(number) ? act("sit", "sit") : null,
    host && number !== seat ? (open ? act("seat-bot", "seat_bot") : act("remove-bot", "remove_bot")) : null,
  );
}
