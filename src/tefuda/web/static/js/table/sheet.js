// What stands on the felt while no deal is played: who sits where before the first, the score sheet after each.

import { make } from "../dom.js";
import { say, signed } from "../texts.js";
import { game } from "./game.js";

/** @typedef {import("../messages.js").StateMessage} State */

/**
 * The score sheet of the finished deal, and how to go on.
 * @param {State} state
 * @param {string[]} names
 */
export function sheet(state, names) {
  const deal = state.deal;
  if (!deal?.over || !deal.payoff) return [];
  const over = state.phase === "over" || state.phase === "closed";
  const best = Math.max(...(deal.totals ?? []));
  return [
    make("h2", { key: "title", id: "sheet-title", tabindex: -1 }, over ? say("table.game_over") : say("table.sheet", { number: deal.number })),
    deal.settlement?.length ? make("section", { class: "settlement", key: "settlement" }, make("h3", null, say("table.settlement")),
      make("ul", null, deal.settlement.map(([payer, receiver, amount]) =>
        make("li", null, say("table.pays", { payer: names[payer] ?? "", receiver: names[receiver] ?? "", amount }))))) : null,
    make("ul", { class: "results", key: "results" }, deal.payoff.map((points, seat) => make("li", { key: `seat${seat}`, class: over && deal.totals?.[seat] === best ? "winner" : null },
      make("div", { class: "line" },
        make("span", { class: "name" }, names[seat] ?? ""),
        make("span", { class: "points" }, signed(points)),
        make("span", { class: "total" }, say("table.sheet_total", { points: signed(deal.totals?.[seat] ?? 0) }))),
      make("ul", { class: "how" }, (deal.sheet?.[seat] ?? []).map((line) => make("li", null, line)))))),
    make("div", { class: "row", key: "next" }, next(state)),
  ];
}

/** @param {State} state */
function next(state) {
  const seat = state.you.seat;
  const links = state.table ? [make("a", { class: "button quiet", href: `/r/${state.table}?deal=${state.deal?.number ?? 1}` }, say("table.replay"))] : [];
  if (state.phase === "over" && seat !== null) links.unshift(make("button", { type: "button", "data-act": "rematch" }, say("table.rematch")));
  if (state.shuffle && seat !== null) {
    links.unshift(state.shuffle.ready[seat]
      ? make("span", { class: "hint-text" }, say("table.waiting_others"))
      : make("button", { type: "button", "data-act": "ready" }, say("table.next_deal")));
  }
  return [...links, make("button", { type: "button", class: "quiet", "data-act": "look" }, say("table.look"))];
}

/**
 * Before the first deal: seats, the link for friends, bots. The host finds first what they may do.
 * @param {State} state
 * @param {string[]} names
 */
export function waiting(state, names) {
  const free = state.seats.some((seat) => seat.open);
  const link = free ? make("div", { class: "invite", key: "invite" },
    make("label", { class: "field" }, say("table.invite"), make("input", { id: "invite", readonly: true, value: invitation(state) })),
    make("button", { type: "button", class: "quiet", "data-act": "copy" }, say("table.copy"))) : null;
  const bots = free && state.you.host ? make("div", { class: "invite", key: "host" },
    make("label", { class: "field" }, say("table.which_bot"), make("select", { id: "bot" }, Object.entries(game.bots).map(([bot, called]) => make("option", { value: bot, key: bot, selected: bot === "easy" }, called)))),
    make("button", { type: "button", "data-act": "fill" }, say("table.fill"))) : null;
  const name = free && state.you.seat === null ? make("label", { class: "field", key: "name" }, say("table.your_name"),
    make("input", { id: "name", name: "name", maxlength: 24, autocomplete: "nickname" })) : null;
  const seats = make("ul", { class: "chairs", key: "chairs" }, state.seats.map((_, number) => chair(state, number, names[number] ?? "")));
  return [
    make("h2", { key: "title" }, state.phase === "closed" ? say("table.phase_closed") : free ? say("table.waiting") : say("table.shuffling")),
    name, ...(state.you.host ? [link, bots, seats] : [seats, link]),
  ];
}

/** Who sits at a place, and what may be done about it. @param {State} state @param {number} number @param {string} name */
function chair(state, number, name) {
  const { seat, host } = state.you;
  const { open, bot } = state.seats[number] ?? {};
  return make("li", { key: `chair${number}`, class: open ? "open" : null },
    make("span", { class: "name" }, open ? say("table.free_seat") : name),
    number === seat ? make("span", { class: "badge" }, say("table.you")) : null,
    bot ? make("span", { class: "badge" }, say("table.bot")) : null,
    open && seat === null ? make("button", { type: "button", class: "quiet", "data-sit": number }, say("table.sit")) : null,
    open && host ? make("button", { type: "button", class: "quiet", "data-seat-bot": number }, say("table.seat_bot")) : null,
    bot && host ? make("button", { type: "button", class: "quiet", "data-remove-bot": number }, say("table.remove_bot")) : null);
}

/** The link with which friends come here. @param {State} state */
export function invitation(state) {
  const query = game.invite ? `?invite=${game.invite}` : "";
  return `${location.origin}/t/${state.table}${query}`;
}
