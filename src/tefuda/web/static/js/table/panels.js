// What a reader may look up beside the table: ranks and combinations, the last trick, scores, a hint, the
// keys.

import { make } from "../dom.js";
import { say, signed, tell } from "../texts.js";
import { card, cardsOfPlay, row } from "./cards.js";
import { game } from "./game.js";
import { beside, covered } from "./hand.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").Hint} Hint */
/** @typedef {import("../messages.js").Trick} Trick */

/** @param {State} state */
export function ranks(state) {
  const scene = state.deal?.scene;
  if (!scene?.reference.length) return [make("p", { class: "muted" }, say("table.no_ranks"))];
  // Where a panel lies over the table there is no room beside the hand
  const board = covered.matches ? beside(scene.beside) : [];
  return [
    board.length ? make("dl", { class: "beside-hand", key: "beside" }, board) : null,
    make(
      "dl",
      { class: "ranks", key: "ranks" },
      scene.reference.map((group) =>
        make(
          "div",
          { key: group.label },
          make("dt", null, tell(group.label)),
          make("dd", null, row(group.cards, group.marked)),
        ),
      ),
    ),
    ...values(),
  ];
}

/** What single cards count or do: cards of which the same is told share a line. */
function values() {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [word, { about }] of Object.entries(game.cards)) {
    for (const line of about.slice(1)) found.set(line, [...(found.get(line) ?? []), word]);
  }
  if (!found.size) return [];
  return [
    make("h2", { class: "values-title", key: "values-title" }, say("table.values")),
    make(
      "ul",
      { class: "values", key: "values" },
      [...found].map(([line, words]) =>
        make(
          "li",
          { key: line },
          make(
            "span",
            { class: "card-row" },
            words.map((word, place) => card(word, { key: `${place}` })),
          ),
          make("span", null, line),
        ),
      ),
    ),
  ];
}

/** @param {Trick | null} trick @param {string[]} names */
export function last(trick, names) {
  if (!trick) return [make("p", { class: "muted" }, say("table.no_trick"))];
  return [
    make(
      "dl",
      { class: "last", key: "last" },
      trick.plays.map((played, seat) =>
        played
          ? make(
              "div",
              { key: `seat${seat}`, class: seat === trick.seat ? "taker" : null },
              make("dt", null, names[seat] ?? ""),
              make(
                "dd",
                null,
                make("span", { class: "card-row" }, cardsOfPlay(played)),
                trick.named[played] ? tell(trick.named[played] ?? "") : null,
                seat === trick.seat ? make("span", { class: "badge" }, say("table.taken")) : null,
              ),
            )
          : null,
      ),
    ),
  ];
}

/** Points deal by deal. @param {State} state @param {string[]} names */
export function score(state, names) {
  if (!state.results.length) return [make("p", { class: "muted" }, say("table.no_score"))];
  const sums = names.map((_, seat) => state.results.reduce((sum, row) => sum + (row[seat] ?? 0), 0));
  return [
    make(
      "div",
      {
        class: "scroller",
        key: "score",
        tabindex: 0,
        role: "region",
        "aria-label": say("table.panel_score"),
      },
      make(
        "table",
        { class: "score" },
        make(
          "thead",
          null,
          make(
            "tr",
            null,
            make("th", { scope: "col" }, say("table.deal")),
            names.map((name) => make("th", { scope: "col" }, name)),
          ),
        ),
        make(
          "tbody",
          null,
          state.results.map((row, number) =>
            make(
              "tr",
              { key: `deal${number}` },
              make("th", { scope: "row" }, number + 1),
              row.map((points) => make("td", null, signed(points))),
            ),
          ),
        ),
        make(
          "tfoot",
          null,
          make(
            "tr",
            null,
            make("th", { scope: "row" }, say("table.sum")),
            sums.map((sum) => make("td", null, signed(sum))),
          ),
        ),
      ),
    ),
  ];
}

/**
 * What to play and why, and what is expected of each play.
 * @param {(Hint & {refining: boolean}) | "thinking" | {refused: string} | null} found
 */
export function hint(found) {
  const ask = make(
    "button",
    { type: "button", class: "quiet", key: "ask", "data-act": "hint" },
    say("table.hint_ask"),
  );
  if (found === "thinking") return [make("p", { class: "muted" }, say("table.hint_thinking"))];
  if (!found) return [make("p", { class: "muted" }, say("table.hint_about")), ask];
  if ("refused" in found) return [make("p", null, found.refused), ask];
  const [advice, ...figures] = found.text;
  return [
    make("p", { class: "advice", key: "advice" }, advice),
    found.refining ? make("p", { class: "muted", key: "refining" }, say("table.hint_refining")) : null,
    figures.length
      ? make(
          "details",
          { key: "figures" },
          make("summary", null, say("table.hint_figures")),
          figures.map((sentence, place) => make("p", { key: `text${place}` }, sentence)),
          found.ideas.length ? ideas(found) : null,
        )
      : null,
    ask,
  ];
}

/** What is expected of each play. @param {Hint} found */
function ideas(found) {
  return make(
    "table",
    { class: "score ideas", key: "ideas" },
    make("caption", null, say("table.hint_search")),
    make(
      "thead",
      null,
      make(
        "tr",
        null,
        ["play", "worth", "error"].map((name) => make("th", { scope: "col" }, say(`table.idea_${name}`))),
      ),
    ),
    make(
      "tbody",
      null,
      found.ideas.map((idea) =>
        make(
          "tr",
          { key: idea.play },
          make("th", { scope: "row" }, idea.name),
          make("td", null, signed(Number(idea.worth.toFixed(1)))),
          make("td", null, `± ${idea.error.toFixed(1)}`),
        ),
      ),
    ),
  );
}

const KEYS = [
  ["← →", "move"],
  ["Shift ← →", "lay"],
  ["S Q · 3 4", "type"],
  ["Enter", "pick"],
  ["Esc", "clear"],
  ["?", "why"],
  ["a", "actions"],
  ["l", "last"],
  ["r", "ranks"],
  ["s", "score"],
  ["g", "log"],
  ["h", "hint"],
  ["i", "rules"],
  ["u", "take_back"],
  ["p", "pause"],
  ["t", "talk"],
  ["f", "sort"],
  ["o", "settings"],
  ["k", "keys"],
];

export function keys() {
  return [
    make(
      "dl",
      { class: "keys", key: "keys" },
      KEYS.map(([key, what]) =>
        make(
          "div",
          { key: what },
          make("dt", null, make("kbd", null, key)),
          make("dd", null, say(`keys.${what}`)),
        ),
      ),
    ),
  ];
}
