// What may be done now: the plays that the picked cards make, cards that would go with them, and the plays that are words.

import { make } from "../dom.js";
import { setting } from "../settings.js";
import { hasText, say, tell } from "../texts.js";
import { cardName, cardText, game, ruleAddress } from "./game.js";
import { isWord } from "./notation.js";

/** @typedef {import("./notation.js").Play} Play */
/** @typedef {import("./choice.js").Found} Found */

const MOST_OFFERED = 6;

/**
 * A play in words, as a button says it.
 * @param {Play} play
 */
export function nameOf(play) {
  if (isWord(play)) return hasText(`plays.${play.word}`) ? tell(`plays.${play.word}`) : play.word;
  const cards = cardsInWords(play);
  if (play.said) return hasText(`plays.${play.said}`) ? tell(`plays.${play.said}`, { cards }) : `${play.said}${cards}`;
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
  return [...counts].map(([word, count]) => (count > 1 ? say("table.stack", { card: word, count }) : word)).join(say("wording.comma"));
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
 * @property {string} question what the game asks in this phase, which the status says; else empty, where cards are played
 */

/** @param {BarView} view */
export function bar({ plays, found, picked, busy, wish, marks, question }) {
  const any = plays.find((play) => play.any);
  const words = plays.filter(isWord);
  const offered = found.wider.filter((play) => !play.any).slice(0, MOST_OFFERED);
  const waits = plays.some((play) => !isWord(play));
  const counts = any && !found.exact.length ? { count: any.any - picked.length } : null;
  const passes = words.some((play) => play.word === "pass") && hasText("plays.pass_on");
  const crowd = `${words.length ? " with-words" : ""}${marks.length > 1 ? " with-marks" : ""}`;
  const word = `${waits ? "quiet" : ""}${picked.length && found.exact.length ? " spare" : ""}`; // what has to do with the picked card comes first
  return [
    counts ? make("span", { class: "hint-text", key: "any" }, say("table.choose_any", counts)) : null,
    !picked.length && waits && !any && !question ? make("span", { class: `hint-text pick${crowd}`, key: `pick-${marks.length}-${words.length}` }, say(`table.pick_${setting("taps")}`)) : null,
    ...(picked.length ? [] : marks.map(({ kind, text }) => make("span", { class: `legend ${kind}`, key: `legend-${kind}-${marks.length}-${words.length}` }, text))),
    ...found.exact.map((play, place) => action(play, place === 0 ? "" : "second", busy)),
    ...words.map((play) => action(play, word, busy)),
    passes && !picked.length ? make("button", { type: "button", class: "quiet", key: "pass_on", "data-act": "pass_on" }, tell("plays.pass_on")) : null,
    offered.length ? make("span", { class: "offers", key: "offers", role: "group", "aria-label": say("table.or") },
      offered.map((play) => make("button", { type: "button", class: "quiet offer", key: `offer-${play.word}`, "data-offer": play.word },
        offer(play, rest(play, picked))))) : null,
    picked.length ? make("button", { type: "button", class: "quiet", key: "clear", "data-act": "clear" }, say("table.clear")) : null,
    plays.length ? null : wished(wish, busy),
  ];
}

/** What the game asks in a phase in which nothing is played; empty where it asks nothing. @param {import("../messages.js").Scene | undefined} scene */
export function questionOf(scene) {
  const key = `ask${scene?.phase.slice("phase".length)}`;
  return hasText(key) ? tell(key) : "";
}

/** While the reader passes until they lead. */
export function passing() {
  return [make("span", { class: "hint-text", key: "passing" }, tell("plays.passing")),
    make("button", { type: "button", class: "act", key: "stop", "data-act": "stop_passing" }, say("table.stop_passing"))];
}

/**
 * What the reader may say before they are asked; pressed again, it is taken back.
 * @param {import("../messages.js").WishState | null} wish
 * @param {boolean} busy whether it is on its way
 */
function wished(wish, busy) {
  if (!wish) return null;
  const name = hasText(`plays.${wish.play}`) ? tell(`plays.${wish.play}`) : wish.play;
  return make("button", { type: "button", class: "act quiet", key: "wish", "data-play": wish.said ? wish.otherwise : wish.play,
    "aria-pressed": String(wish.said), "aria-disabled": busy ? "true" : null }, wish.said ? `✓ ${name}` : name);
}

/** While a bot plays for the reader. */
export function away() {
  return [make("span", { class: "hint-text", key: "away" }, say("table.bot_plays")),
    make("button", { type: "button", class: "act", key: "here", "data-act": "here" }, say("table.here"))];
}

/** For who watches: the seats that are free in the middle of a game. @param {import("../messages.js").StateMessage} state */
export function comeBack(state) {
  const free = state.phase === "closed" ? [] : game.may_sit.filter((number) => state.seats[number]?.open);
  return [make("span", { class: "hint-text", key: "watching" }, say("table.watching")),
    ...free.map((number) => make("button", { type: "button", class: "act", key: `sit${number}`, "data-sit": number }, say("table.sit")))];
}

/** @param {Play} play @param {string} kind @param {boolean} busy */
function action(play, kind, busy) {
  return make("button", { type: "button", class: `act ${kind}`, key: `play-${play.word}`, "data-play": play.word, "aria-disabled": busy ? "true" : null },
    nameOf(play));
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
  return others.map(cardText).join(say("wording.comma"));
}

/** Why a card may not be played, and what must not be overlooked. @param {{text: string, rule: string} | null} notice @param {{alarm: string, doubt: string}} warnings */
export function notices(notice, { alarm, doubt }) {
  return [
    alarm ? make("p", { class: "why alarm", key: "alarm" }, alarm) : null,
    doubt ? make("div", { class: "why doubt", key: "doubt" }, make("p", null, doubt),
      make("button", { type: "button", class: "quiet", "data-act": "dismiss_doubt", "aria-label": say("table.dismiss") }, "×")) : null,
    notice ? make("div", { class: "why", key: "notice" },
      make("p", null, notice.text, " ", notice.rule ? make("a", { href: ruleAddress(notice.rule), target: "_blank", rel: "noopener" }, notice.rule) : null),
      make("button", { type: "button", class: "quiet", "data-act": "dismiss", "aria-label": say("table.dismiss") }, "×")) : null,
  ];
}

/**
 * Whose turn it is, in words; as long as a finished trick lies there, whose that is.
 * @param {import("../messages.js").StateMessage} state
 * @param {string[]} names
 * @param {number | null} taker
 * @param {boolean} asks whether the reader may play
 */
export function statusOf(state, names, taker, asks) {
  const deal = state.deal;
  if (state.phase === "closed") return say("table.phase_closed");
  if (taker !== null && deal?.scene.number) {
    const takes = taker === state.you.seat ? say("table.you_take") : say("table.takes", { name: names[taker] ?? "" });
    return asks ? `${takes} · ${say("table.your_turn")}` : takes;
  }
  if (!deal || deal.over || deal.mover === null) return tell(deal?.scene.phase ?? "") || say(`table.phase_${state.phase}`);
  const trick = deal.scene.number ? say("table.trick", { number: deal.scene.number, tricks: deal.scene.tricks }) : tell(deal.scene.phase);
  if (deal.mover === state.you.seat && deal.answered) return trick; // nothing is to be done
  if (asks && questionOf(deal.scene) && deal.scene.hand.length) return questionOf(deal.scene); // else the question stands with the unseen cards
  const turn = deal.mover === state.you.seat ? say("table.your_turn") : say("table.turn_of", { name: names[deal.mover] ?? "" });
  return `${turn} · ${trick}`;
}

/**
 * What the marks in the hand say, while one chooses.
 * @param {import("../messages.js").Scene | undefined} scene
 * @param {Map<string, string> | null} uses
 */
export function marksOf(scene, uses) {
  const found = new Set(uses?.values());
  const isMarked = scene?.mark && !found.has("wins") && !found.has("throws") && scene.hand.some((group) => group.marked.length);
  return [
    ...["wins", "throws"].filter((use) => found.has(use)).map((use) => ({ kind: use, text: say(`table.use_${use}`) })),
    ...(uses && isMarked ? [{ kind: "marked", text: tell(scene.mark) }] : []),
  ];
}

// The clock

/** Seconds before the end from which the clock warns. */
const WARNS = 10;

/** @type {{key: string, began: number}} */
let turn = { key: "", began: 0 };

/** Seconds that are left to whoever is to play; null where nobody's time is counted. @param {import("../messages.js").StateMessage | null} state */
export function secondsLeft(state) {
  const deal = state?.deal;
  if (!state?.timed || !state.table || !state.clock || !deal || deal.over || deal.mover === null || deal.answered) return null;
  const seat = state.seats[deal.mover];
  if (!seat || seat.bot || seat.absent || seat.open) return null;
  const key = `${deal.number} ${deal.since}`;
  if (turn.key !== key) turn = { key, began: performance.now() }; // counted here: clocks need not agree, and may be set while one plays
  return Math.max(0, Math.ceil(state.clock - (performance.now() - turn.began) / 1000));
}

/** @param {number | null} left */
export function isLate(left) {
  return left !== null && left <= WARNS;
}

/** The time of whoever is to play, where time is counted; near its end it is marked. @param {import("../messages.js").StateMessage | null} state */
export function clock(state) {
  const left = secondsLeft(state);
  if (left === null) return [];
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return [make("span", { role: "timer", class: isLate(left) ? "late" : null, "aria-label": say("table.clock", { seconds: left }) }, text)];
}
