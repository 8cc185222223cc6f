// What may be done now: plays of the picked cards, cards that would go with them, and plays that are words.

import { make } from "../dom.js";
import { recall, setting } from "../storage.js";
import { hasText, say, tell } from "../texts.js";
import { cardName, cardText, game, ruleAddress } from "./game.js";
import { isWord } from "./plays.js";

/** @typedef {import("./plays.js").Play} Play */
/** @typedef {import("./plays.js").Found} Found */
/** @typedef {{text: string, rule: string, act?: {act: string, text: string}}} Notice */

const MOST_OFFERED = 6;

/**
 * A play in words, as a button says it.
 * @param {Play} play
 */
export function nameOf(play) {
  if (isWord(play)) return hasText(`plays.${play.word}`) ? tell(`plays.${play.word}`) : play.word;
  const cards = cardsInWords(play);
  if (play.said)
    return hasText(`plays.${play.said}`) ? tell(`plays.${play.said}`, { cards }) : `${play.said}${cards}`;
  if (play.name) return say("table.play_named", { name: tell(play.name), cards });
  return say(play.down ? "table.throw" : "table.play", { cards });
}

/** @param {Play} play */
function cardsInWords(play) {
  const one = play.cards.length === 1;
  const words = play.cards.map((card, place) => {
    const word = one ? cardName(card) : cardText(card);
    return play.as[place] ? say("table.stands_for", { card: word, rank: play.as[place] ?? "" }) : word;
  });
  const counts = new Map(words.map((word) => [word, words.filter((each) => each === word).length]));
  return [...counts]
    .map(([word, count]) => (count > 1 ? say("table.stack", { card: word, count }) : word))
    .join(say("wording.comma"));
}

/**
 * What the bar is made of.
 * @typedef {object} BarView
 * @property {Play[]} plays that are legal; none while somebody else is to act
 * @property {Found} found
 * @property {string[]} picked cards
 * @property {boolean} busy whether a play is on its way
 * @property {import("../messages.js").WishState | null} wish what may be said before one is asked
 * @property {{kind: string, text: string}[]} marks what is marked in the hand
 * @property {HTMLElement | null} next the way to the next table, for who is not asked here
 * @property {string} question what the game asks in this phase, which the status says; else empty, where
 *   cards are played
 */

/** @param {BarView} view */
export function bar({ plays, found, picked, busy, wish, marks, next, question }) {
  const any = plays.find((play) => play.any);
  const words = plays.filter(isWord);
  const offered = inOrder(found.wider.filter((play) => !play.any)).slice(0, MOST_OFFERED);
  const waits = plays.some((play) => !isWord(play));
  const counts = any && !found.exact.length ? { count: any.any - picked.length } : null;
  const passes =
    recall("tefuda.told.passing") && words.some((play) => play.word === "pass") && hasText("plays.pass_on");
  const crowd = `${words.length ? " with-words" : ""}${marks.length > 1 ? " with-marks" : ""}`;
  // What has to do with the picked card comes first
  const word = `${waits ? "quiet" : ""}${picked.length && found.exact.length ? " spare" : ""}`;
  return [
    counts ? make("span", { class: "hint-text", key: "any" }, say("table.choose_any", counts)) : null,
    !picked.length && waits && !any && !question
      ? make(
          "span",
          { class: `hint-text pick${crowd}`, key: `pick-${marks.length}-${words.length}` },
          say(`table.pick_${setting("taps")}`),
        )
      : null,
    ...(picked.length
      ? []
      : marks.map(({ kind, text }) =>
          make(
            "span",
            { class: `legend ${kind}`, key: `legend-${kind}-${marks.length}-${words.length}` },
            text,
          ),
        )),
    ...found.exact.map((play, place) => action(play, place === 0 ? "" : "second", busy)),
    ...words.map((play) => action(play, word, busy)),
    passes && !picked.length
      ? make(
          "button",
          { type: "button", class: "quiet", key: "pass_on", "data-act": "pass_on" },
          tell("plays.pass_on"),
        )
      : null,
    offered.length
      ? make(
          "span",
          { class: "offers", key: "offers", role: "group", "aria-label": say("table.or") },
          offered.map((play) =>
            make(
              "button",
              { type: "button", class: "quiet offer", key: `offer-${play.word}`, "data-offer": play.word },
              offer(play, rest(play, picked)),
            ),
          ),
        )
      : null,
    picked.length
      ? make(
          "button",
          { type: "button", class: "quiet", key: "clear", "data-act": "clear" },
          say("table.clear"),
        )
      : null,
    ...(plays.length ? [] : [wished(wish, busy), next]),
  ];
}

/** Larger plays, the shortest first; before them the largest of each name. @param {Play[]} wider */
function inOrder(wider) {
  const largest = new Map(wider.filter((play) => play.name).map((play) => [play.name, play]));
  return [...new Set([...largest.values(), ...wider])];
}

/** While the reader passes until they lead. */
export function passing() {
  return [
    make("span", { class: "hint-text", key: "passing" }, tell("plays.passing")),
    make(
      "button",
      { type: "button", class: "act", key: "stop", "data-act": "stop_passing" },
      say("table.stop_passing"),
    ),
  ];
}

/**
 * What the reader may say before they are asked; pressed again, it is taken back.
 * @param {import("../messages.js").WishState | null} wish
 * @param {boolean} busy whether it is on its way
 */
function wished(wish, busy) {
  if (!wish) return null;
  const name = hasText(`plays.${wish.play}`) ? tell(`plays.${wish.play}`) : wish.play;
  return make(
    "button",
    {
      type: "button",
      class: "act quiet",
      key: "wish",
      "data-play": wish.said ? wish.otherwise : wish.play,
      "aria-pressed": String(wish.said),
      "aria-disabled": busy ? "true" : null,
    },
    wish.said ? `✓ ${name}` : name,
  );
}

/** While a bot plays for the reader. */
export function away() {
  return [
    make("span", { class: "hint-text", key: "away" }, say("table.bot_plays")),
    make("button", { type: "button", class: "act", key: "here", "data-act": "here" }, say("table.here")),
  ];
}

/**
 * For who watches: the seats that are free in the middle of a game.
 * @param {import("../messages.js").StateMessage} state
 */
export function comeBack(state) {
  const free = state.phase === "closed" ? [] : game.may_sit.filter((number) => state.seats[number]?.open);
  return [
    make("span", { class: "hint-text", key: "watching" }, say("table.watching")),
    ...free.map((number) =>
      make(
        "button",
        { type: "button", class: "act", key: `sit${number}`, "data-sit": number },
        say("table.sit"),
      ),
    ),
  ];
}

/** @param {Play} play @param {string} kind @param {boolean} busy */
function action(play, kind, busy) {
  return make(
    "button",
    {
      type: "button",
      class: `act ${kind}`,
      key: `play-${play.word}`,
      "data-play": play.word,
      "aria-disabled": busy ? "true" : null,
    },
    nameOf(play),
  );
}

/** A larger play, by the cards that would be added. @param {Play} play @param {string} cards */
function offer(play, cards) {
  return play.name ? say("table.with_named", { name: tell(play.name), cards }) : say("table.with", { cards });
}

/** The cards of a play beside those that are picked. @param {Play} play @param {string[]} picked */
function rest(play, picked) {
  const left = [...picked];
  const others = play.cards.filter((card) => {
    const place = left.indexOf(card);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  const copies = (/** @type {string} */ card) => others.filter((each) => each === card).length;
  const words = [...new Set(others)].map(
    (card) => cardText(card) + (copies(card) > 1 ? ` ×${copies(card)}` : ""),
  );
  return words.join(say("wording.comma"));
}

/**
 * Why a card may not be played, and what must not be overlooked.
 * @param {Notice | null} notice
 * @param {{alarm: string, doubt: string}} warnings
 */
export function notices(notice, { alarm, doubt }) {
  return [
    alarm ? make("p", { class: "why alarm", key: "alarm" }, alarm) : null,
    doubt
      ? make(
          "div",
          { class: "why doubt", key: "doubt" },
          make("p", null, doubt),
          make(
            "button",
            {
              type: "button",
              class: "quiet",
              "data-act": "dismiss_doubt",
              "aria-label": say("table.dismiss"),
            },
            "×",
          ),
        )
      : null,
    notice
      ? make(
          "div",
          { class: notice.act ? "why asks" : "why", key: "notice" },
          make(
            "p",
            null,
            notice.text,
            " ",
            notice.rule
              ? make("a", { href: ruleAddress(notice.rule), target: "_blank", rel: "noopener" }, notice.rule)
              : null,
          ),
          notice.act
            ? make("button", { type: "button", class: "act", "data-act": notice.act.act }, notice.act.text)
            : null,
          make(
            "button",
            {
              type: "button",
              class: "quiet",
              "data-act": "dismiss",
              "aria-label": notice.act ? null : say("table.dismiss"),
            },
            notice.act ? say("table.no_thanks") : "×",
          ),
        )
      : null,
  ];
}

/**
 * What the marks in the hand say, while one chooses.
 * @param {import("../messages.js").Scene | undefined} scene
 * @param {Map<string, string> | null} uses
 */
export function marksOf(scene, uses) {
  const found = new Set(uses?.values());
  const isMarked =
    scene?.mark &&
    !found.has("wins") &&
    !found.has("throws") &&
    scene.hand.some((group) => group.marked.length);
  return [
    ...["wins", "throws"]
      .filter((use) => found.has(use))
      .map((use) => ({ kind: use, text: say(`table.use_${use}`) })),
    ...(uses && isMarked ? [{ kind: "marked", text: tell(scene.mark) }] : []),
  ];
}
