// What stands on the felt while no deal is played: who sits where before the first, the score sheet after each.

import { find, hide, make, render } from "../dom.js";
import { recall } from "../storage.js";
import { hasText, say, sentences, signed, tell } from "../texts.js";
import { game } from "./game.js";
import { nameOfSeat, purpose } from "./story.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** Under this key the browser keeps what the reader has called themselves. */
export const NAME = "tefuda.name";

/** Cards that fall for whoever has won. */
const FALLING = 14;

/** Lines of the reader's own score that the sentence at the top has; all of them stand below. */
const MOST_LINES = 3;

/**
 * Draw what stands on the felt, if no deal is played there.
 * @param {HTMLElement} root @param {State} state @param {string[]} names @param {import("./story.js").Story} story
 * @param {boolean} looking whether the reader looks at the table
 */
export function drawOverlay(root, state, names, story, looking) {
  const isOver = state.deal?.over && !looking && !story.lingers;
  const shown = isOver ? sheet(state, names, story) : state.deal || looking ? [] : waiting(state);
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
 * The score sheet of the finished deal, or the end of the game; and how to go on.
 * @param {State} state
 * @param {string[]} names
 * @param {Pick<import("./story.js").Story, "ending" | "forced">} story what was told of the last play, and what was answered for the reader
 */
export function sheet(state, names, { ending, forced }) {
  const deal = state.deal;
  if (!deal?.over || !deal.payoff) return [];
  const isEnd = state.phase === "over" || state.phase === "closed";
  return [
    ...(isEnd ? end(state, names) : [make("h2", { key: "title", id: "sheet-title", tabindex: -1 }, say("table.sheet", { number: deal.number }))]),
    make("p", { class: "ending", key: "ending" }, sentences([...(deal.outcome ? [deal.outcome] : ending), ownPart(state)])),
    make("div", { class: "row", key: "next" }, next(state)),
    forced.includes(true) ? make("p", { class: "muted", key: "forced" }, answered(forced)) : null,
    deal.settlement?.length ? make("section", { class: "settlement", key: "settlement" }, make("h3", null, say("table.settlement")),
      make("ul", null, deal.settlement.map(([payer, receiver, amount]) =>
        make("li", null, say(payer === state.you.seat ? "table.you_pay" : receiver === state.you.seat ? "table.pays_you" : "table.pays",
          { payer: names[payer] ?? "", receiver: names[receiver] ?? "", amount }))))) : null,
    isEnd ? make("h3", { key: "last" }, say("table.sheet_last", { number: deal.number })) : null,
    make("ul", { class: "results", key: "results" }, deal.payoff.map((points, seat) => make("li", { key: `seat${seat}`, class: seat === state.you.seat ? "mine" : null },
      make("div", { class: "line" },
        make("span", { class: "name" }, names[seat] ?? ""),
        make("span", { class: "points" }, signed(points)),
        isEnd ? null : make("span", { class: "total" }, say("table.sheet_total", { points: signed(deal.totals?.[seat] ?? 0) }))),
      make("ul", { class: "how" }, (deal.sheet?.[seat] ?? []).map((line) => make("li", null, line)))))),
  ];
}

/** How often the only answer was given for the reader. @param {boolean[]} forced */
function answered(forced) {
  return say(forced.includes(false) ? "table.answered_for" : "table.never_asked", { count: forced.filter(Boolean).length });
}

/** What the deal has brought the reader, from their own lines. @param {State} state */
function ownPart({ deal, you: { seat } }) {
  const all = (seat === null ? undefined : deal?.sheet?.[seat]) ?? [];
  if (seat === null || !all.length) return "";
  const points = signed(deal?.payoff?.[seat] ?? 0);
  const lines = all.length > 1 && all.at(-1)?.endsWith(points) ? all.slice(0, -1) : all; // the sum is said already
  const told = lines.slice(0, MOST_LINES).join(" · ");
  return say("table.own_part", { points, lines: lines.length > MOST_LINES ? `${told} …` : told });
}

/**
 * Who has won, the ranking, and in a sentence for each how that came.
 * @param {State} state
 * @param {string[]} names
 */
function end(state, names) {
  const totals = state.deal?.totals ?? [];
  const ranking = totals.map((total, seat) => ({ seat, total })).sort((a, b) => b.total - a.total);
  const [best, worst] = [ranking[0]?.total ?? 0, ranking.at(-1)?.total ?? 0];
  const winners = ranking.filter(({ total }) => total === best);
  const isMine = winners.some(({ seat }) => seat === state.you.seat);
  const title = isMine ? say(winners.length > 1 ? "table.you_win_with" : "table.you_win") : winning(winners.map(({ seat }) => names[seat] ?? ""));
  const loser = ranking.filter(({ total }) => total === worst);
  const last = loser.length === 1 && worst < best && hasText("end.last") ? tell(loser[0]?.seat === state.you.seat ? "end.you_last" : "end.last", { name: names[loser[0]?.seat ?? 0] ?? "" }) : "";
  return [
    make("div", { class: "falling", key: "falling", "aria-hidden": "true" }, Array.from({ length: FALLING }, (_, place) =>
      make("span", { class: "playing-card backed", style: { "--place": place, "--of": FALLING, "--at": (place * 5) % FALLING } }))),
    make("header", { class: "winner-line", key: "title" }, make("span", { class: "laurel", "aria-hidden": "true" }),
      make("h2", { id: "sheet-title", tabindex: -1 }, title), state.given ? make("p", { class: "last-line" }, sentences([purpose(state), compared(state)])) : null, last ? make("p", { class: "last-line" }, last) : null),
    make("ol", { class: "ranking", key: "ranking" }, ranking.map(({ seat, total }) => {
      const place = 1 + ranking.filter((each) => each.total > total).length;
      return make("li", { key: `rank${seat}`, class: total === best ? "winner" : null, value: place },
        make("span", { class: "place" }, place), make("span", { class: "name" }, names[seat] ?? ""), make("span", { class: "total" }, signed(total)),
        make("span", { class: "told" }, story(state.results, seat)));
    })),
  ];
}

/** What a deal that is tried again has brought, beside what it brought before. @param {State} state */
function compared({ given, deal }) {
  if (given?.kind !== "again" || given.seat === undefined) return "";
  return say("table.given_paid", { now: signed(deal?.payoff?.[given.seat] ?? 0), before: signed(given.paid?.[given.seat] ?? 0) });
}

/** Who has won, where that is somebody else. @param {string[]} winners */
function winning(winners) {
  const list = new Intl.ListFormat(document.documentElement.lang);
  return winners.length > 1 ? say("table.win_together", { names: list.format(winners) }) : say("table.wins", { name: winners[0] ?? "" });
}

/** How somebody's total came about, in a sentence. @param {State["results"]} results @param {number} seat */
function story(results, seat) {
  const own = results.map((row) => row[seat] ?? 0);
  if (own.length < 2) return "";
  const [best, worst] = [Math.max(...own), Math.min(...own)];
  const gains = own.filter((points) => points > 0).length;
  return say("table.how_it_came", {
    gains, deals: own.length, best: signed(best), best_deal: own.indexOf(best) + 1, worst: signed(worst), worst_deal: own.indexOf(worst) + 1,
  });
}

/** @param {State} state */
function next(state) {
  const seat = state.you.seat;
  const isShown = state.phase === "over" || state.phase === "closed" || state.deal?.replay; // a deal with unseen cards is shown when the game is over
  const replay = `/r/${state.table}?deal=${state.deal?.number ?? 1}&session=${state.session}`;
  const links = state.table && isShown ? [make("a", { key: "replay", class: "button quiet", href: replay }, say("table.replay"))] : [];
  if (state.table && seat !== null) links.push(isShown
    ? make("a", { key: "review", class: "button quiet", href: `${replay}&review=${seat}` }, say("table.review"))
    : make("button", { key: "own-review", type: "button", class: "quiet", "data-act": "review" }, say("table.review")));
  if (state.table && state.phase === "over" && !state.given) links.push(make("button", { key: "share", type: "button", class: "quiet", "data-act": "share" }, say("table.share")));
  if (state.phase === "over" && seat !== null) links.unshift(onceMore(state));
  if (state.shuffle && seat !== null) {
    links.unshift(state.shuffle.ready[seat]
      ? make("span", { key: "others", class: "hint-text" }, say("table.waiting_others"))
      : make("button", { key: "ready", type: "button", "data-act": "ready" }, say("table.next_deal")));
  }
  if (state.table && !isShown) links.push(make("span", { key: "later", class: "hint-text" }, say("table.replay_later")));
  return [...links, make("button", { key: "look", type: "button", class: "quiet", "data-act": "look" }, say("table.look"))];
}

/** @param {State} state of a game that is over */
function onceMore({ given }) {
  if (given?.kind === "day") return make("a", { key: "compare", class: "button", href: `/games/${game.name}/day/${given.day}` }, say("table.compare"));
  return make("button", { key: "rematch", type: "button", "data-act": "rematch" }, say(given ? "table.once_more" : "table.rematch"));
}

/** What the reader has called themselves before at a table, else what the site calls them. */
export function usualName() {
  return recall(NAME) ?? game.called;
}

/**
 * Before the first deal: seats, the link for friends, bots. The host finds first what they may do.
 * @param {State} state
 */
export function waiting(state) {
  const free = state.seats.some((seat) => seat.open);
  const link = free && game.may_sit.length ? make("div", { class: "invite", key: "invite" },
    make("label", { class: "field" }, say("table.invite"), make("input", { id: "invite", readonly: true, value: invitation(state) })),
    make("button", { type: "button", class: "quiet", "data-act": "copy" }, say("table.copy"))) : null;
  const bots = free && state.you.host ? make("div", { class: "invite", key: "host" },
    make("label", { class: "field" }, say("table.which_bot"), make("select", { id: "bot" }, Object.entries(game.bots).map(([bot, called]) => make("option", { value: bot, key: bot, selected: bot === "easy" }, called)))),
    make("button", { type: "button", "data-act": "fill" }, say("table.fill"))) : null;
  const isFree = (/** @type {number} */ seat) => Boolean(state.seats[seat]?.open);
  const comes = state.you.seat === null && free && state.phase !== "closed";
  const name = comes && game.may_sit.some(isFree) ? make("label", { class: "field", key: "name" }, say("table.your_name"),
    make("input", { id: "name", name: "name", maxlength: 24, autocomplete: "nickname", value: usualName() })) : null;
  const about = comes ? make("p", { key: "about" }, sentences([game.host && game.invite && game.may_sit.length ? say("table.invited", { host: game.host, title: game.title }) : "", tell("summary")])) : null;
  const closed = comes && !game.may_sit.length ? make("p", { class: "muted", key: "closed" }, say("table.by_invitation")) : null;
  const seats = make("ul", { class: "chairs", key: "chairs" }, state.seats.map((sitter, number) => chair(sitter, number, state.you)));
  return [
    make("h2", { key: "title" }, state.phase === "closed" ? say("table.phase_closed") : free ? say("table.waiting") : say("table.shuffling")),
    about, closed, name, ...(state.you.host ? [link, bots, seats] : [seats, link]),
  ];
}

/** Who sits at a place, the reader too by their name, and what may be done about it. @param {State["seats"][number]} sitter @param {number} number @param {State["you"]} you */
function chair(sitter, number, { seat, host }) {
  const { open, bot } = sitter;
  return make("li", { key: `chair${number}`, class: open ? "open" : null },
    make("span", { class: "name" }, open ? say("table.free_seat") : nameOfSeat(sitter, number)),
    number === seat ? make("span", { class: "badge" }, say("table.you")) : null,
    bot ? make("span", { class: "badge" }, say("table.bot")) : null,
    open && seat === null && game.may_sit.includes(number) ? make("button", { type: "button", class: "quiet", "data-sit": number }, say("table.sit")) : null,
    open && host ? make("button", { type: "button", class: "quiet", "data-seat-bot": number }, say("table.seat_bot")) : null,
    bot && host ? make("button", { type: "button", class: "quiet", "data-remove-bot": number }, say("table.remove_bot")) : null);
}

/** The link with which friends come here. @param {State} state */
export function invitation(state) {
  const query = game.invite ? `?invite=${game.invite}` : "";
  return `${location.origin}/t/${state.table}${query}`;
}
