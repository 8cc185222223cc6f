// The score sheet of a deal, and the end of a game. Loaded once there are cards.

import { make, part } from "../dom.js";
import { hasText, say, sentences, signed, tell } from "../texts.js";
import { cardsOfPlay } from "./cards.js";
import { game, ruleAddress } from "./game.js";
import { purpose } from "./story.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** Cards that fall for whoever has won. */
const FALLING = 14;

/**
 * The score sheet of the finished deal, or the end of the game; and how to go on.
 * @param {State} state
 * @param {string[]} names
 * @param {Pick<import("./store.js").Known, "ending" | "answers" | "trick">} known
 */
export function sheet(state, names, { ending, answers, trick }) {
  const deal = state.deal;
  if (!deal?.over || !deal.payoff) return [];
  const own = answers.filter((answer) => answer !== null);
  const isEnd = state.phase === "over" || state.phase === "closed";
  const title = say("table.sheet", { number: deal.number });
  return [
    ...(isEnd ? end(state, names) : [make("h2", { key: "title", id: "sheet-title", tabindex: -1 }, title)]),
    make(
      "div",
      { class: "decided", key: "decided" },
      make("div", { class: "deciding", "aria-hidden": "true" }, deciding(deal.shown ?? "", trick)),
      make("p", { class: "ending" }, sentences(deal.outcome ? [deal.outcome] : ending)),
    ),
    make("div", { class: "row", key: "next" }, next(state)),
    isEnd ? make("h3", { key: "last" }, say("table.sheet_last", { number: deal.number })) : null,
    make(
      "table",
      { class: "results", key: "results" },
      make(
        "thead",
        null,
        make(
          "tr",
          null,
          ["player", "deal", "sum"].map((column) => make("th", { scope: "col" }, say(`table.${column}`))),
        ),
      ),
      make(
        "tbody",
        null,
        ranked(deal).map((seat) => resultOf(state, seat, names[seat] ?? "")),
      ),
    ),
    own.length ? answered(own, deal.number) : null,
    deal.settlement?.length
      ? part("details", "settlement", [deal.settlement, names], () =>
          make(
            "details",
            { class: "settlement", key: "settlement" },
            make("summary", null, say("table.settlement")),
            make(
              "ul",
              null,
              (deal.settlement ?? []).map(([payer, receiver, amount]) =>
                make(
                  "li",
                  null,
                  say(
                    payer === state.you.seat
                      ? "table.you_pay"
                      : receiver === state.you.seat
                        ? "table.pays_you"
                        : "table.pays",
                    { payer: names[payer] ?? "", receiver: names[receiver] ?? "", amount },
                  ),
                ),
              ),
            ),
          ),
        )
      : null,
  ];
}

/**
 * The card that decided the deal, where the game names one; else the play that won the last trick.
 * @param {string} shown
 * @param {import("../messages.js").Trick | null} last
 */
function deciding(shown, last) {
  return cardsOfPlay(shown || last?.plays[last.seat] || "");
}

/**
 * The seats, who has most first: after all deals, then in this one.
 * @param {NonNullable<State["deal"]>} deal
 */
function ranked({ payoff = [], totals = [] }) {
  return payoff
    .map((_, seat) => seat)
    .sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0) || (payoff[b] ?? 0) - (payoff[a] ?? 0));
}

/**
 * A line of the sheet; it opens to how that came, with the rules.
 * @param {State} state
 * @param {number} seat
 * @param {string} name
 */
function resultOf({ deal, you }, seat, name) {
  const [points, total, lines = [], rules = []] = [
    deal?.payoff?.[seat] ?? 0,
    deal?.totals?.[seat] ?? 0,
    deal?.sheet?.[seat],
    deal?.rules?.[seat],
  ];
  const isMine = seat === you.seat;
  return part("tr", `seat${seat}`, [points, total, lines, name, deal?.number], () =>
    make(
      "tr",
      { key: `seat${seat}`, class: isMine ? "mine" : null },
      make(
        "th",
        { scope: "row" },
        make(
          "details",
          { open: isMine },
          make("summary", null, name),
          make(
            "ul",
            { class: "how" },
            parts(lines, rules).map(([line, rule]) => make("li", null, line, " ", ruleLink(rule))),
          ),
        ),
      ),
      make("td", { class: "points" }, signed(points)),
      make("td", { class: "total" }, signed(total)),
    ),
  );
}

/**
 * The parts of which a result is the sum, with their rules; the sum itself, which has none, stands beside
 * them already.
 * @param {string[]} lines @param {string[]} rules @returns {[string, string][]}
 */
function parts(lines, rules) {
  const all = lines.map((line, number) => /** @type {[string, string]} */ ([line, rules[number] ?? ""]));
  return rules.some(Boolean) ? all.filter(([, rule]) => rule) : all;
}

/** @param {string} rule its number; empty for none */
function ruleLink(rule) {
  return rule ? make("a", { href: ruleAddress(rule), target: "_blank" }, rule) : null;
}

/**
 * What was answered for the reader, since there was no other answer.
 * @param {string[]} forced each answer in words; empty where they were asked
 * @param {number} deal
 */
function answered(forced, deal) {
  const told = forced.filter(Boolean);
  const said = say(forced.includes("") ? "table.answered_for" : "table.never_asked", { count: told.length });
  if (!told.length) return null;
  return part("details", "forced", [said, deal], () =>
    make(
      "details",
      { class: "muted", key: "forced", open: !forced.includes("") },
      make("summary", null, said),
      make(
        "ul",
        { class: "how" },
        told.map((line) => make("li", null, line)),
      ),
    ),
  );
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
  const title = isMine
    ? say(winners.length > 1 ? "table.you_win_with" : "table.you_win")
    : winning(winners.map(({ seat }) => names[seat] ?? ""));
  const loser = ranking.filter(({ total }) => total === worst);
  const last =
    loser.length === 1 && worst < best && hasText("end.last")
      ? tell(loser[0]?.seat === state.you.seat ? "end.you_last" : "end.last", {
          name: names[loser[0]?.seat ?? 0] ?? "",
        })
      : "";
  return [
    make(
      "div",
      { class: "falling", key: "falling", "aria-hidden": "true" },
      Array.from({ length: FALLING }, (_, place) =>
        make("span", {
          class: "playing-card backed",
          style: { "--place": place, "--of": FALLING, "--at": (place * 5) % FALLING },
        }),
      ),
    ),
    make(
      "header",
      { class: "winner-line", key: "title" },
      make("span", { class: "laurel", "aria-hidden": "true" }),
      make("h2", { id: "sheet-title", tabindex: -1 }, title),
      state.given ? make("p", { class: "last-line" }, sentences([purpose(state), compared(state)])) : null,
      last ? make("p", { class: "last-line" }, last) : null,
    ),
    make(
      "ol",
      { class: "ranking", key: "ranking" },
      ranking.map(({ seat, total }) => {
        const place = 1 + ranking.filter((each) => each.total > total).length;
        return make(
          "li",
          { key: `rank${seat}`, class: total === best ? "winner" : null, value: place },
          make("span", { class: "place" }, place),
          make("span", { class: "name" }, names[seat] ?? ""),
          make("span", { class: "total" }, signed(total)),
          make("span", { class: "told" }, story(state.results, seat)),
        );
      }),
    ),
  ];
}

/** What a deal that is tried again has brought, beside what it brought before. @param {State} state */
function compared({ given, deal }) {
  if (given?.kind !== "again" || given.seat === undefined) return "";
  return say("table.given_paid", {
    now: signed(deal?.payoff?.[given.seat] ?? 0),
    before: signed(given.paid?.[given.seat] ?? 0),
  });
}

/** Who has won, where that is somebody else. @param {string[]} winners */
function winning(winners) {
  const list = new Intl.ListFormat(document.documentElement.lang);
  return winners.length > 1
    ? say("table.win_together", { names: list.format(winners) })
    : say("table.wins", { name: winners[0] ?? "" });
}

/** How somebody's total came about, in a sentence. @param {State["results"]} results @param {number} seat */
function story(results, seat) {
  const own = results.map((row) => row[seat] ?? 0);
  if (own.length < 2) return "";
  const [best, worst] = [Math.max(...own), Math.min(...own)];
  const gains = own.filter((points) => points > 0).length;
  return say("table.how_it_came", {
    gains,
    deals: own.length,
    best: signed(best),
    best_deal: own.indexOf(best) + 1,
    worst: signed(worst),
    worst_deal: own.indexOf(worst) + 1,
  });
}

/** @param {State} state */
function next(state) {
  const seat = state.you.seat;
  const isShown =
    (state.phase === "over" && state.given?.kind !== "round") ||
    state.phase === "closed" ||
    state.deal?.replay; // a deal with unseen cards is shown when the game is over
  const replay = `/r/${state.table}?deal=${state.deal?.number ?? 1}&session=${state.session}`;
  const links =
    state.table && isShown
      ? [make("a", { key: "replay", class: "button quiet", href: replay }, say("table.replay"))]
      : [];
  if (state.table && seat !== null)
    links.push(
      isShown
        ? make(
            "a",
            { key: "review", class: "button quiet", href: `${replay}&review=${seat}` },
            say("table.review"),
          )
        : make(
            "button",
            { key: "own-review", type: "button", class: "quiet", "data-act": "review" },
            say("table.review"),
          ),
    );
  if (state.table && state.phase === "over" && !state.given)
    links.push(
      make(
        "button",
        { key: "share", type: "button", class: "quiet", "data-act": "share" },
        say("table.share"),
      ),
    );
  if (state.phase === "over" && seat !== null) links.unshift(onceMore(state));
  if (state.shuffle && seat !== null) {
    links.unshift(
      state.shuffle.ready[seat]
        ? make("span", { key: "others", class: "hint-text" }, say("table.waiting_others"))
        : make("button", { key: "ready", type: "button", "data-act": "ready" }, say("table.next_deal")),
    );
  }
  if (state.table && !isShown)
    links.push(make("span", { key: "later", class: "hint-text" }, say("table.replay_later")));
  return [
    ...links,
    make("button", { key: "look", type: "button", class: "quiet", "data-act": "look" }, say("table.look")),
  ];
}

/** @param {State} state of a game that is over */
function onceMore({ given, session }) {
  if (given?.kind === "round" && session < (given.deals ?? 0)) {
    return make("button", { key: "rematch", type: "button", "data-act": "rematch" }, say("table.next_deal"));
  }
  if (given?.kind === "round") {
    return make(
      "a",
      { key: "compare", class: "button", href: `/clubs/${given.day?.split("/")[0]}` },
      say("table.standings"),
    );
  }
  if (given?.kind === "day")
    return make(
      "a",
      { key: "compare", class: "button", href: `/games/${game.name}/day/${given.day}` },
      say("table.compare"),
    );
  return make(
    "button",
    { key: "rematch", type: "button", "data-act": "rematch" },
    say(given ? "table.once_more" : "table.rematch"),
  );
}
