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
  const free = state.seats.some((seat) => seat.open);
  const link =
    free && game.may_sit.length
      ? make(
          "div",
          { class: "invite", key: "invite" },
          make(
            "label",
            { class: "field" },
            say("table.invite"),
            make("input", { id: "invite", readonly: true, value: invitation(state) }),
          ),
          make("button", { type: "button", class: "quiet", "data-act": "copy" }, say("table.copy")),
        )
      : null;
  const bots =
    free && state.you.host
      ? make(
          "div",
          { class: "invite", key: "host" },
          make(
            "label",
            { class: "field" },
            say("table.which_bot"),
            make(
              "select",
              { id: "bot" },
              Object.entries(game.bots).map(([bot, called]) =>
                make("option", { value: bot, key: bot, selected: bot === "easy" }, called),
              ),
            ),
          ),
          make("button", { type: "button", "data-act": "fill" }, say("table.fill")),
        )
      : null;
  const isFree = (/** @type {number} */ seat) => Boolean(state.seats[seat]?.open);
  const comes = state.you.seat === null && free && state.phase !== "closed";
  const name =
    comes && game.may_sit.some(isFree)
      ? make(
          "label",
          { class: "field", key: "name" },
          say("table.your_name"),
          make("input", {
            id: "name",
            name: "name",
            maxlength: 24,
            autocomplete: "nickname",
            value: usualName(),
          }),
        )
      : null;
  const about = comes
    ? make(
        "p",
        { key: "about" },
        sentences([
          game.host && game.invite && game.may_sit.length
            ? say("table.invited", { host: game.host, title: game.title })
            : "",
          tell("summary"),
          game.minutes ? say("table.deal_takes", { minutes: game.minutes }) : "",
        ]),
      )
    : null;
  const closed =
    comes && !game.may_sit.length
      ? make("p", { class: "muted", key: "closed" }, say("table.by_invitation"))
      : null;
  const seats = make(
    "ul",
    { class: "chairs", key: "chairs" },
    state.seats.map((sitter, number) => chair(sitter, number, state.you)),
  );
  return [
    make(
      "h2",
      { key: "title" },
      state.phase === "closed"
        ? say("table.phase_closed")
        : free
          ? say("table.waiting")
          : say("table.shuffling"),
    ),
    about,
    closed,
    name,
    ...(state.you.host ? [link, bots, seats] : [seats, link]),
    state.slow && state.phase !== "closed"
      ? make("p", { class: "muted", key: "slow" }, say("table.slow"))
      : null,
    free && state.phase !== "closed" ? meanwhile() : null,
  ];
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
  return make(
    "li",
    { key: `chair${number}`, class: open ? "open" : null },
    make("span", { class: "name" }, open ? say("table.free_seat") : nameOfSeat(sitter, number)),
    number === seat ? make("span", { class: "badge" }, say("table.you")) : null,
    bot ? make("span", { class: "badge" }, say("table.bot")) : null,
    open && seat === null && game.may_sit.includes(number)
      ? make("button", { type: "button", class: "quiet", "data-sit": number }, say("table.sit"))
      : null,
    open && host
      ? make("button", { type: "button", class: "quiet", "data-seat-bot": number }, say("table.seat_bot"))
      : null,
    bot && host
      ? make("button", { type: "button", class: "quiet", "data-remove-bot": number }, say("table.remove_bot"))
      : null,
  );
}
