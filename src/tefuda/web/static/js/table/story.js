// What has happened is told in order: a play or a finished trick is seen for a while before the next thing is
// shown. Who is behind is not kept waiting.

import { keep, recall } from "../storage.js";
import { say } from "../texts.js";
import { playedInWords } from "./cards.js";
import { game, isCard } from "./game.js";
import { isWord, lying, read } from "./plays.js";
import { botName, isMuted, namesIn, phrase } from "./people.js";
import { happen, hush, speak } from "./store.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").EventReport} Told */
/** @typedef {import("./motion.js").Move} Move */

const PLAY_STAYS = 450;
const TRICK_STAYS = 1300;
const PHRASE_STAYS = 4500;
const LETTER_STAYS = 40;
/** An answer that was given for the reader is looked at before what follows, and is told at their place. */
const FORCED_STAYS = { rest: 800, said: 3000 };
/**
 * So do the words of somebody else, who has passed or exposed a card, say, and of whoever has won what
 * counts.
 */
const CAPTION_STAYS = { rest: 600, said: 2600 };
/** A moment that players wait for, such as that the pig falls, is looked at for so long. */
const MOMENT_STAYS = 1900;
/** In the first deals of a game its table goes slower than usual, by this factor. */
const FIRST = { deals: 2, slower: 1.5, kept: "tefuda.deals-" };
/** How long things stay at each speed, as a part of the usual time. @type {Record<string, number>} */
const PACES = { slow: 1.8, normal: 1, fast: 0.45, instant: 0 };
/** With so many states waiting the reader is behind: they are shown at once. */
const BEHIND = 3;

export class Story {
  /** @type {State[]} that are not shown yet */ #queue = [];
  /** @type {number | undefined} */ #timer;
  /** Whether something is being looked at: what comes meanwhile waits. */
  #rests = false;
  #begun = false;

  /**
   * @param {import("./store.js").Store} store
   * @param {(state: State, moves: Move[], isBegun: boolean) => void} show a state, and whether one was shown
   *   before it
   * @param {() => void} redraw called when a trick is put away and nothing new has come
   * @param {(seat: number) => void} taken called before a trick is put away that this seat has won
   */
  constructor(store, show, redraw, taken) {
    this.store = store;
    this.show = show;
    this.redraw = redraw;
    this.taken = taken;
  }

  /** Nothing has been told: what comes next is the beginning. */
  forget() {
    window.clearTimeout(this.#timer);
    this.#rests = false;
    this.#queue = [];
    this.store.set({ log: [], trick: null, lingering: null });
    this.#begun = false;
  }

  /** @param {State} state */
  hear(state) {
    this.#queue.push(state);
    if (this.store.now.paused) return;
    if (state.speed === "instant" || this.#queue.length > BEHIND || !this.#rests) this.hurry();
  }

  /**
   * Show nothing new until the reader goes on: alone with bots, nobody waits for them.
   * @param {boolean} paused
   */
  pause(paused) {
    this.store.set({ paused });
    if (paused) {
      window.clearTimeout(this.#timer);
      this.#rests = false;
    } else if (this.#queue.length) this.#goOn();
    else if (this.store.now.lingering) this.hurry();
    this.redraw();
  }

  /** Do not wait any longer. */
  hurry() {
    const { paused, lingering } = this.store.now;
    this.store.set({ paused: false, lingering: null });
    window.clearTimeout(this.#timer);
    this.#rests = false;
    for (const state of this.#queue.splice(0, this.#queue.length - 1)) this.#tell(state, true);
    if (this.#queue.length) this.#goOn();
    else if (paused || lingering) this.redraw();
  }

  /** Tell what waits, up to the next thing to be looked at. */
  #goOn() {
    while (this.#queue.length && !this.#rests && !this.store.now.paused)
      this.#tell(/** @type {State} */ (this.#queue.shift()), false);
  }

  /** @param {State} state @param {boolean} isBehind */
  #tell(state, isBehind) {
    const names = namesIn(state);
    const isBegun = this.#begun;
    const isSeen = isBegun && !isBehind;
    let [isForced, isTold] = [false, false];
    for (const event of state.events) {
      this.store.take(happen, { event, own: state.you.seat, texts: words(event, names, state) });
      if (event.kind === "said" && isBegun && !isMuted(event, state)) {
        this.speak(event.seat, spoken(event), PHRASE_STAYS + LETTER_STAYS * spoken(event).length);
      }
      if (event.forced && isSeen) {
        this.speak(event.seat, event.lines?.[0] ?? "", FORCED_STAYS.said);
        isForced = Boolean(state.deal?.scene.number); // what nobody plays against is no surprise
      }
      for (const [seat, text] of event.captions ?? []) {
        if (!isSeen || seat === state.you.seat) continue;
        this.speak(seat, text, CAPTION_STAYS.said);
        isTold = true;
      }
      if ((event.moment || event.kind === "dealt") && state.results.length && isSeen) {
        // Not before a deal has been played
        import("./banter.js").then(({ chat }) => chat(this, event, state));
      }
    }
    const ended = state.events.find((event) => event.trick)?.trick;
    const moves = isSeen ? movesOf(state) : [];
    if (isSeen && !document.hidden) {
      const pace = (PACES[state.speed] ?? 1) * (state.speed === "normal" && isNew() ? FIRST.slower : 1);
      const isMoment = state.events.some((event) => event.moment);
      if (ended && pace) this.#rest((isMoment ? MOMENT_STAYS : TRICK_STAYS) * pace, ended);
      else if (pace && isMoment) this.#rest(MOMENT_STAYS * pace);
      else if (pace && isForced) this.#rest(FORCED_STAYS.rest * pace);
      else if (pace && isTold) this.#rest(CAPTION_STAYS.rest * pace);
      else if (pace && moves.some((move) => !move.mine)) this.#rest(PLAY_STAYS * pace);
    }
    if (isBegun && state.deal?.over && !this.store.now.state?.deal?.over)
      keep(FIRST.kept + game.name, String(dealsSeen() + 1));
    this.#begun = true;
    this.show(state, moves, isBegun);
  }

  /**
   * What somebody says stands at their place for a while.
   * @param {number | undefined} seat
   * @param {string} text
   * @param {number} stays milliseconds
   */
  speak(seat = -1, text, stays) {
    this.store.take(speak, [seat, text]);
    window.setTimeout(() => {
      if (this.store.now.said.get(seat) !== text) return; // they have said something else since
      this.store.take(hush, seat);
      this.redraw();
    }, stays);
  }

  /** @param {number} milliseconds @param {Told["trick"]} [trick] that stays on the table meanwhile */
  #rest(milliseconds, trick) {
    this.#rests = true;
    this.store.set({ lingering: trick ?? null });
    this.#timer = window.setTimeout(() => {
      this.#rests = false;
      if (trick) {
        this.taken(trick.seat);
        this.store.set({ lingering: null });
        this.redraw();
      }
      this.#goOn();
    }, milliseconds);
  }
}

/**
 * What is to be heard of an event: its sentences, or somebody else's play of which nothing is told before
 * the trick ends.
 * @param {Told} event @param {State} state @param {string[]} names
 */
export function heard(event, state, names) {
  const told = words(event, names, state);
  if (
    told.length ||
    event.kind !== "played" ||
    event.seat === undefined ||
    event.seat === null ||
    event.seat === state.you.seat
  )
    return told;
  const played = event.play ?? state.deal?.scene.seats[event.seat]?.played;
  return played ? [say("table.said", { name: names[event.seat] ?? "", text: playedInWords(played) })] : [];
}

/**
 * An event in sentences.
 * @param {Told} event
 * @param {string[]} names
 * @param {State} state
 * @returns {string[]}
 */
export function words(event, names, state) {
  if (event.lines) return event.lines;
  if (event.kind === "given") return [purpose(state)];
  if (event.kind === "said" && isMuted(event, state)) return [];
  if (event.kind === "said")
    return [say("table.said", { name: names[event.seat ?? -1] ?? "", text: spoken(event) })];
  if (event.kind === "left" && event.name) return [left(event, state)];
  if (event.kind === "absent" && event.by !== undefined) return [stoodIn(event, state, names)];
  const fields = { name: names[event.seat ?? -1] ?? "", number: event.deal ?? "" };
  const kind =
    event.kind === "answered_back"
      ? `${event.agreed ? "agreed" : "refused"}_back`
      : event.kind === "absent" && state.slow
        ? "missed"
        : event.kind;
  const whose = event.seat === state.you.seat && event.seat !== undefined && PERSONAL.has(kind) ? "you_" : "";
  return LOGGED.has(kind) ? [say(`table.log_${whose}${kind}`, fields)] : [];
}

/** Deals of this game that have been played to their end in this browser. */
function dealsSeen() {
  return Number(recall(FIRST.kept + game.name) ?? 0);
}

/** Whether the reader is new to the game. */
function isNew() {
  return dealsSeen() < FIRST.deals;
}

/** Who has left, and in the middle of a game who plays on. @param {Told} event @param {State} state */
function left({ seat = 0, name = "", bot }, state) {
  const isGoing = state.deal && state.phase !== "over" && state.phase !== "closed";
  const fields = { name: bot ? botName(seat) : name, bot: botName(seat) };
  return say(isGoing && !bot ? "table.log_left_on" : "table.log_left", fields);
}

/** What somebody says. @param {Told} event */
function spoken(event) {
  return event.text ?? phrase(event.phrase ?? "");
}

/**
 * Who lets a bot play for somebody who is not connected.
 * @param {Told} event
 * @param {State} state
 * @param {string[]} names
 */
function stoodIn({ seat = -1, by = -1 }, { you }, names) {
  const key = by === you.seat ? "log_you_stand_in" : seat === you.seat ? "log_stand_in_you" : "log_stand_in";
  return say(`table.${key}`, { name: names[seat] ?? "", by: names[by] ?? "" });
}

/** What a table is for that was opened for one deal. @param {State} state */
export function purpose({ given, session }) {
  if (!given) return "";
  if (given.kind === "round") return say("table.given_round", { deal: session, deals: given.deals ?? 0 });
  return given.kind === "day"
    ? say("table.given_day", { day: given.day ?? "" })
    : say("table.given_again", { play: (given.plays ?? 0) + 1 });
}

/** What somebody has done. */
const PERSONAL = new Set([
  "seated",
  "left",
  "hosted",
  "absent",
  "missed",
  "returned",
  "asked_back",
  "agreed_back",
  "refused_back",
  "taken_back",
]);

const LOGGED = new Set([...PERSONAL, "dealt", "paced", "restarted", "closed"]);

/** What the events of a state have moved. @param {State} state @returns {Move[]} */
function movesOf(state) {
  return state.events.flatMap((event) => {
    if (event.kind !== "played" || event.seat === undefined || event.seat === null) return [];
    const played = event.trick?.plays[event.seat] ?? state.deal?.scene.seats[event.seat]?.played ?? "";
    const word = event.play ?? played;
    if (!word || isWord(read(word, isCard)) || word.includes(":")) return [];
    return [
      {
        seat: event.seat,
        cards: lying(word, isCard).map(({ card }) => card),
        mine: event.seat === state.you.seat,
      },
    ];
  });
}
