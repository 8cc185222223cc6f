// What the table knows: what the server has told, and what the reader looks at, has picked, asked for and
// opened. It changes by steps, below and in what is loaded later, and in no other way; what is drawn follows
// from it.

import { covered, slotsOf, stacksOf } from "./hand.js";
import { isCard } from "./game.js";
import { read } from "./plays.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").Trick} Trick */
/** @typedef {import("./plays.js").Play} Play */
/** @typedef {Parameters<typeof import("./panels.js").hint>[0]} Found of a hint, if one was asked for */

const MOST_LINES = 400;

const NOTHING = {
  /** @type {State | null} */ state: null,
  /** @type {string[]} ids of slots */ picked: [],
  /** @type {string[]} ids of slots that are played as soon as that is legal */ queued: [],
  /** Id of the slot that the keyboard is on; empty if it is the first that is shown. */ current: "",
  /** @type {string | null} the play on its way */ sent: null,
  /** @type {import("./bar.js").Notice | null} */ notice: null,
  /** Of shuffles: one was not fair, or nobody can tell. */ warnings: { alarm: "", doubt: "" },
  /** Whether the reader passes until they lead. */ passes: false,
  /** Whether the reader looks at the felt and not at the score sheet. */ looking: false,
  /** How the connection is. */ line: "open",
  /** The one that is open; empty if none is. */ panel: covered.matches ? "" : "log",
  /** @type {{about: number, found: Found}} of the moment with this number */
  hint: { about: 0, found: null },
  /** How many cards lay in the hand of this deal at most, equal ones once. */ most: { deal: "", cards: 0 },
  /** @type {import("./side.js").Line[]} */ log: [],
  /** @type {Trick | null} the last one */ trick: null,
  /** @type {Trick | null} one that is finished and still looked at */ lingering: null,
  /** Whether the reader has stopped the table. */ paused: false,
  /** @type {Map<number, string>} what stands at a place */ said: new Map(),
  /**
   * Of each play of this deal: what was told, if it was given for the reader; empty if they were asked; null
   * if others were.
   * @type {(string | null)[]}
   */
  answers: [],
  /** @type {string[]} what was told of the last play */ ending: [],
  /** @type {import("./order.js").Arranged | null} */ order: null,
  /** @type {import("./between.js").Met | null} */ company: null,
};

/** @typedef {typeof NOTHING} Known */

export class Store {
  now = NOTHING;

  /** @param {() => void} changed called after each step */
  constructor(changed) {
    this.changed = changed;
  }

  /** @template T @param {(known: Known, what: T) => Partial<Known>} step @param {T} what */
  take(step, what) {
    this.set(step(this.now, what));
  }

  /** @param {Partial<Known>} part what becomes known, where nothing else follows from it */
  set(part) {
    this.note(part);
    this.changed();
  }

  /** @param {Partial<Known>} part what is drawn already */
  note(part) {
    this.now = { ...this.now, ...part };
  }
}

// What follows from it

/** The cards in the reader's hand. @param {Known} known */
export function handOf({ state }) {
  return slotsOf(state?.deal?.scene.hand ?? []);
}

/** The plays that may be made now. @param {Known} known @returns {Play[]} */
export function playsOf({ state }) {
  const deal = state?.deal;
  return deal && !deal.answered ? deal.legal.map((word) => read(word, isCard, deal.named)) : [];
}

/** For a card the one that plays name in its place. @param {Known} known */
export function equalOf({ state }) {
  return state?.deal?.equal ?? {};
}

/** The hint about this moment. @param {Known} known @returns {Found} */
export function hintOf({ state, hint: { about, found } }) {
  return found === "thinking" || about === state?.seq ? found : null;
}

/** The cards of the play that has been advised at this moment. @param {Known} known */
export function advised(known) {
  const found = hintOf(known);
  return found && typeof found === "object" && "play" in found ? read(found.play, isCard).cards : [];
}

/** What lies in the middle: the finished trick while it is looked at, else the next. @param {Known} known */
export function lyingOf({ state, lingering }) {
  return {
    played: lingering?.plays ?? state?.deal?.scene.seats.map((place) => place.played) ?? [],
    named: lingering?.named ?? state?.deal?.named,
    taker: lingering?.seat ?? null,
  };
}

/** Whether the reader plays alone with bots. @param {State} state */
export function isAlone({ seats, you }) {
  return you.seat !== null && seats.every((seat, number) => number === you.seat || seat.bot || seat.open);
}

// Steps

/** The server tells how things are. @param {Known} known @param {State} state */
export function told(known, state) {
  const [before, deal] = [known.state, state.deal];
  const isNext = before?.deal?.mover !== deal?.mover || before?.seq !== state.seq;
  const isOther = before?.deal?.number !== deal?.number || before?.deal?.over !== deal?.over;
  const slots = slotsOf(deal?.scene.hand ?? []);
  const isHeld = (/** @type {string} */ id) => slots.some((slot) => slot.id === id);
  return {
    state,
    picked: known.picked.filter(isHeld),
    queued: known.queued.filter(isHeld),
    current: isHeld(known.current) ? known.current : "",
    sent: isNext ? null : known.sent,
    // It was about a moment that has passed
    notice: isNext && before && !known.notice?.act ? null : known.notice,
    passes: known.passes && !deal?.over,
    looking: known.looking && !isOther,
    most: mostOf(known.most, `${state.session} ${deal?.number}`, stacksOf(slots).length),
  };
}

/** @param {Known["most"]} most @param {string} deal @param {number} cards */
function mostOf(most, deal, cards) {
  return { deal, cards: most.deal === deal ? Math.max(most.cards, cards) : cards };
}

/**
 * Something has happened.
 * @param {Known} known
 * @param {{event: State["events"][0], own: number | null, texts: string[]}} what with the reader's seat, and
 *   the log's lines
 */
export function happen(known, { event, own, texts }) {
  const { kind, seat, lines, trick, forced, plays = 0 } = event;
  const [begins, isPlay, isOwn] = [kind === "dealt" || kind === "given", kind === "played", seat === own];
  const { answers } = known;
  return {
    ...write(known, { ...event, texts }),
    trick: begins ? null : (trick ?? known.trick),
    ending: isPlay && lines?.length ? lines : known.ending,
    answers: begins
      ? []
      : isPlay
        ? [...answers, isOwn ? (forced && lines?.[0]) || "" : null]
        : kind === "taken_back"
          ? answers.slice(0, isOwn ? Math.max(0, answers.lastIndexOf("")) : plays)
          : answers,
  };
}

/**
 * Lines are added to the log.
 * @param {Known} known @param {{seq: number, kind: string, seat?: number, texts: string[]}} what
 */
export function write({ log }, { seq, kind, seat, texts }) {
  const lines = texts.map((text, place) => ({
    key: `${kind}-${seq}-${log.length + place}`,
    text,
    kind,
    seat,
    seq,
  }));
  return { log: [...log, ...lines].slice(-MOST_LINES) };
}

/** Words stand at a place. @param {Known} known @param {[number, string]} words */
export function speak({ said }, words) {
  return { said: new Map([...said, words]) };
}

/** And no more. @param {Known} known @param {number} seat */
export function hush({ said }, seat) {
  return { said: new Map([...said].filter(([each]) => each !== seat)) };
}

/**
 * Other cards are picked, and what was said of the last is done.
 * @param {Known} _known
 * @param {string[]} picked
 */
export function pick(_known, picked) {
  return { picked, notice: null };
}

/** A play goes to the server. @param {Known} _known @param {string} sent */
export function send(_known, sent) {
  return { sent, notice: null };
}

/**
 * The server has answered: what was accepted is not picked any more.
 * @param {Known} known
 * @param {boolean} accepted
 */
export function answer(known, accepted) {
  return { sent: null, picked: accepted ? [] : known.picked };
}

/**
 * Something is said to the reader; nothing, if the text is empty.
 * @param {Known} _known
 * @param {import("./bar.js").Notice} notice
 */
export function notify(_known, notice) {
  return { notice: notice.text ? notice : null };
}

/** @param {Known} known @param {Partial<Known["warnings"]>} warnings */
export function warn(known, warnings) {
  return { warnings: { ...known.warnings, ...warnings } };
}

/** A hint about this moment is looked for. @param {Known} known */
export function think({ state }) {
  return { hint: { about: state?.seq ?? 0, found: /** @type {const} */ ("thinking") } };
}

/** Nothing is picked or asked for any more. @param {Known} known */
export function clear({ panel }) {
  return { picked: [], queued: [], notice: null, panel: covered.matches ? "" : panel };
}

/** Who goes to another step of a tour begins anew. @param {Known} _known @param {string} panel */
export function begin(_known, panel) {
  return { picked: [], notice: null, looking: false, panel };
}
