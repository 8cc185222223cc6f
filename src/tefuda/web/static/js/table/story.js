// What has happened, in order: the log, the last trick, and how long a play or a finished trick is seen before the next
// thing is shown. Who is behind is not kept waiting.

import { keep, recall } from "../storage.js";
import { say } from "../texts.js";
import { playedInWords } from "./cards.js";
import { game, isCard } from "./game.js";
import { isWord, lying, read } from "./notation.js";
import { muted, phrase } from "./talk.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").EventReport} Told */
/** @typedef {import("../messages.js").Trick} Trick */
/** @typedef {import("./motion.js").Move} Move */

const PLAY_STAYS = 450;
const TRICK_STAYS = 1300;
const PHRASE_STAYS = 4500;
const LETTER_STAYS = 40;
/** An answer that was given for the reader is looked at before what follows, and is told at their place. */
const FORCED_STAYS = { rest: 800, said: 3000 };
/** So do the words of somebody else, who has passed or exposed a card, say, and of whoever has won what counts. */
const CAPTION_STAYS = { rest: 600, said: 2600 };
/** A moment that players wait for, such as that the pig falls, is looked at for so long. */
const MOMENT_STAYS = 1900;
/** In the first deals of a game its table goes slower than usual, by this factor. */
const FIRST = { deals: 2, slower: 1.5, kept: "tefuda.deals-" };
/** How long things stay at each speed, as a part of the usual time. @type {Record<string, number>} */
const PACES = { slow: 1.8, normal: 1, fast: 0.45, instant: 0 };
/** With so many states waiting the reader is behind: they are shown at once. */
const BEHIND = 3;
const MOST_LINES = 400;

export class Story {
  /** @type {import("./panels.js").Line[]} */ lines = [];
  /** @type {Trick | null} */ last = null;
  /** @type {Map<number, string>} what stands at a place */ said = new Map();
  /** The reader's plays of this deal: what was said of each that was the only answer, given for them. @type {string[]} */ forced = [];
  /** Where those stand among the deal's plays, and how many of these there are. @type {number[]} */ #places = [];
  #made = 0;
  /** @type {Trick | null} the trick that still lies there */ #lingering = null;
  /** @type {State[]} */ #queue = [];
  /** @type {number | undefined} */ #timer;
  /** Whether something is being looked at: what comes meanwhile waits. */
  #rests = false;
  /** Whether the reader has stopped the table. */
  #paused = false;
  /** What was told of the last play: why a deal ended. @type {string[]} */ ending = [];
  #begun = false;
  /** Whether the deal that was told last is over. */
  #over = false;

  /**
   * @param {(state: State, moves: Move[], isBegun: boolean) => void} show a state, and whether one was shown before it
   * @param {() => void} redraw called when a trick is put away and nothing new has come
   * @param {(seat: number) => void} taken called before a trick is put away that this seat has won
   */
  constructor(show, redraw, taken) {
    this.show = show;
    this.redraw = redraw;
    this.taken = taken;
  }

  /** Whether a finished trick is being looked at. */
  get lingers() {
    return this.#lingering !== null;
  }

  /** Whose that trick is. @returns {number | null} */
  get taker() {
    return this.#lingering?.seat ?? null;
  }

  /** Nothing has been told: what comes next is the beginning. */
  forget() {
    window.clearTimeout(this.#timer);
    this.lines = [];
    this.#rests = false;
    this.last = this.#lingering = null;
    this.#queue = [];
    this.#begun = false;
  }

  /** @param {State} state */
  hear(state) {
    this.#queue.push(state);
    if (this.#paused) return;
    if (state.speed === "instant" || this.#queue.length > BEHIND || !this.#rests) this.hurry();
  }

  get paused() {
    return this.#paused;
  }

  /** Show nothing new until the reader goes on: alone with bots, nobody waits for them. @param {boolean} paused */
  pause(paused) {
    this.#paused = paused;
    if (paused) {
      window.clearTimeout(this.#timer);
      this.#rests = false;
    } else if (this.#queue.length) this.#goOn();
    else if (this.#lingering) this.hurry();
    this.redraw();
  }

  /** Do not wait any longer. */
  hurry() {
    const changes = this.#paused || this.#lingering !== null;
    this.#paused = false;
    window.clearTimeout(this.#timer);
    this.#rests = false;
    this.#lingering = null;
    for (const state of this.#queue.splice(0, this.#queue.length - 1)) this.#tell(state, true);
    if (this.#queue.length) this.#goOn();
    else if (changes) this.redraw();
  }

  /** Tell what waits, up to the next thing to be looked at. */
  #goOn() {
    while (this.#queue.length && !this.#rests && !this.#paused) this.#tell(/** @type {State} */ (this.#queue.shift()), false);
  }

  /** @param {State} state @param {boolean} isBehind */
  #tell(state, isBehind) {
    const names = namesIn(state);
    let [isForced, isTold] = [false, false];
    for (const event of state.events) {
      if (event.trick) this.last = event.trick;
      if (event.kind === "dealt" || event.kind === "given") this.last = null;
      this.#count(event, state.you.seat);
      if (event.kind === "played" && event.lines?.length) this.ending = event.lines;
      if (event.kind === "said" && this.#begun && !isMuted(event, state)) {
        this.#speak(event.seat, spoken(event), PHRASE_STAYS + LETTER_STAYS * spoken(event).length);
      }
      if (event.forced && this.#begun && !isBehind) {
        this.#speak(event.seat, event.lines?.[0] ?? "", FORCED_STAYS.said);
        isForced = Boolean(state.deal?.scene.number); // what nobody plays against is no surprise
      }
      for (const [seat, text] of event.captions ?? []) {
        if (!this.#begun || isBehind || seat === state.you.seat) continue;
        this.#speak(seat, text, CAPTION_STAYS.said);
        isTold = true;
      }
      for (const text of this.words(event, names, state)) this.lines.push({ key: `${event.seq}-${this.lines.length}`, text, kind: event.kind });
    }
    this.lines = this.lines.slice(-MOST_LINES);
    const ended = state.events.find((event) => event.trick)?.trick;
    const isBegun = this.#begun;
    const moves = isBegun && !isBehind ? movesOf(state) : [];
    if (isBegun && !isBehind && !document.hidden) {
      const pace = (PACES[state.speed] ?? 1) * (state.speed === "normal" && isNew() ? FIRST.slower : 1);
      const isMoment = state.events.some((event) => event.tune);
      if (ended && pace) this.#rest((isMoment ? MOMENT_STAYS : TRICK_STAYS) * pace, ended);
      else if (pace && isMoment) this.#rest(MOMENT_STAYS * pace, null);
      else if (pace && isForced) this.#rest(FORCED_STAYS.rest * pace, null);
      else if (pace && isTold) this.#rest(CAPTION_STAYS.rest * pace, null);
      else if (pace && moves.some((move) => !move.mine)) this.#rest(PLAY_STAYS * pace, null);
    }
    if (isBegun && state.deal?.over && !this.#over) keep(FIRST.kept + game.name, String(dealsSeen() + 1));
    this.#over = Boolean(state.deal?.over);
    this.#begun = true;
    this.show(state, moves, isBegun);
  }

  /** What somebody says stands at their place for a while. @param {number | undefined} seat @param {string} text @param {number} stays milliseconds */
  #speak(seat = -1, text, stays) {
    this.said.set(seat, text);
    window.setTimeout(() => {
      if (this.said.get(seat) !== text) return; // they have said something else since
      this.said.delete(seat);
      this.redraw();
    }, stays);
  }

  /** Count the reader's own answers, and those given for them. @param {Told} event @param {number | null} own the reader's seat */
  #count({ kind, seat, forced, lines, plays = 0 }, own) {
    if (kind === "dealt" || kind === "given") [this.forced, this.#places, this.#made] = [[], [], 0];
    else if (kind === "played") {
      if (seat === own) [this.forced, this.#places] = [[...this.forced, forced ? lines?.[0] ?? "" : ""], [...this.#places, this.#made]];
      this.#made += 1;
    } else if (kind === "taken_back") {
      const kept = seat === own ? this.forced.lastIndexOf("") : this.#places.filter((place) => place < plays).length;
      this.forced = this.forced.slice(0, Math.max(0, kept));
      [this.#places, this.#made] = [this.#places.slice(0, this.forced.length), plays];
    }
  }

  /** @param {number} milliseconds @param {Trick | null} trick that stays on the table meanwhile */
  #rest(milliseconds, trick) {
    this.#rests = true;
    this.#lingering = trick;
    this.#timer = window.setTimeout(() => {
      if (trick) this.taken(trick.seat);
      this.#rests = false;
      this.#lingering = null;
      if (trick) this.redraw();
      this.#goOn();
    }, milliseconds);
  }

  /**
   * What lies before each seat in the middle: the finished trick as long as it is looked at, else the one in progress.
   * @param {State} state
   * @returns {{played: string[], named: Record<string, string>, taker: number | null}}
   */
  lying(state) {
    if (this.#lingering) return { played: this.#lingering.plays, named: this.#lingering.named, taker: this.#lingering.seat };
    return { played: state.deal?.scene.seats.map((place) => place.played) ?? [], named: state.deal?.named ?? {}, taker: null };
  }

  /**
   * What is to be heard of an event: its sentences, or somebody else's play of which nothing is told before the trick ends.
   * @param {Told} event @param {State} state @param {string[]} names
   */
  heard(event, state, names) {
    const told = this.words(event, names, state);
    if (told.length || event.kind !== "played" || event.seat === undefined || event.seat === null || event.seat === state.you.seat) return told;
    const played = event.play ?? state.deal?.scene.seats[event.seat]?.played;
    return played ? [say("table.said", { name: names[event.seat] ?? "", text: playedInWords(played) })] : [];
  }

  /** An event in sentences. @param {Told} event @param {string[]} names @param {State} state @returns {string[]} */
  words(event, names, state) {
    if (event.lines) return event.lines;
    if (event.kind === "given") return [purpose(state)];
    if (event.kind === "said" && isMuted(event, state)) return [];
    if (event.kind === "said") return [say("table.said", { name: names[event.seat ?? -1] ?? "", text: spoken(event) })];
    if (event.kind === "left" && event.name) return [left(event, state)];
    if (event.kind === "absent" && event.by !== undefined) return [stoodIn(event, state, names)];
    const fields = { name: names[event.seat ?? -1] ?? "", number: event.deal ?? "" };
    const kind = event.kind === "answered_back" ? `${event.agreed ? "agreed" : "refused"}_back` : event.kind;
    const whose = event.seat === state.you.seat && event.seat !== undefined && PERSONAL.has(kind) ? "you_" : "";
    return LOGGED.has(kind) ? [say(`table.log_${whose}${kind}`, fields)] : [];
  }
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

/** Whether somebody speaks whom the reader does not hear. @param {Told} event @param {State} state */
function isMuted({ seat = -1 }, state) {
  return muted().includes(state.seats[seat]?.name ?? "");
}

/** Who lets a bot play for somebody who is not connected. @param {Told} event @param {State} state @param {string[]} names */
function stoodIn({ seat = -1, by = -1 }, { you }, names) {
  const key = by === you.seat ? "log_you_stand_in" : seat === you.seat ? "log_stand_in_you" : "log_stand_in";
  return say(`table.${key}`, { name: names[seat] ?? "", by: names[by] ?? "" });
}

/** Whose connection is lost, or is back. @param {State} before @param {State} now @param {string[]} names */
export function connections(before, now, names) {
  return now.seats.flatMap(({ connected, name }, seat) => connected === before.seats[seat]?.connected || name !== before.seats[seat]?.name || seat === now.you.seat ? []
    : [say(connected === false ? "table.log_gone" : "table.log_connected", { name: names[seat] ?? "" })]);
}

/** What a table is for that was opened for one deal. @param {State} state */
export function purpose({ given }) {
  if (!given) return "";
  return given.kind === "day" ? say("table.given_day", { day: given.day ?? "" }) : say("table.given_again", { play: (given.plays ?? 0) + 1 });
}

/** What the seats are called; the reader's is "You". @param {State} state */
export function namesIn(state) {
  return state.seats.map((seat, number) => (number === state.you.seat ? say("table.you_name") : nameOfSeat(seat, number)));
}

/** What a seat is called: where nobody sits, a bot plays. @param {State["seats"][number]} seat @param {number} number */
export function nameOfSeat(seat, number) {
  return seat.bot || !seat.name ? botName(number) : seat.name;
}

/** Bots are called by flowers, as in the sentences that the server writes. */
const FLOWERS = 8;

/** What a bot is called. @param {number} seat */
function botName(seat) {
  const again = Math.floor(seat / FLOWERS);
  const name = say(`table.flower_${seat % FLOWERS}`);
  return again ? `${name} ${again + 1}` : name;
}

const LOGGED = new Set(["seated", "left", "hosted", "absent", "returned", "dealt", "asked_back", "agreed_back", "refused_back", "taken_back", "paced", "restarted", "closed"]);

/** Those that somebody has done. */
const PERSONAL = new Set(["seated", "left", "hosted", "absent", "returned", "asked_back", "agreed_back", "refused_back", "taken_back"]);

/** What the events of a state have moved. @param {State} state @returns {Move[]} */
function movesOf(state) {
  return state.events.flatMap((event) => {
    if (event.kind !== "played" || event.seat === undefined || event.seat === null) return [];
    const played = event.trick?.plays[event.seat] ?? state.deal?.scene.seats[event.seat]?.played ?? "";
    const word = event.play ?? played;
    if (!word || isWord(read(word, isCard)) || word.includes(":")) return [];
    return [{ seat: event.seat, cards: lying(word, isCard).map(({ card }) => card), mine: event.seat === state.you.seat }];
  });
}
