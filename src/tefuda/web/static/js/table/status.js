// What stands over the felt: whose turn it is, and how much time they have.

import { make } from "../dom.js";
import { hasText, say, tell } from "../texts.js";
import { game } from "./game.js";

/**
 * What the game asks in a phase in which nothing is played; empty where it asks nothing.
 * @param {import("../messages.js").Scene | undefined} scene
 */
export function questionOf(scene) {
  const key = `ask${scene?.phase.slice("phase".length)}`;
  return hasText(key) ? tell(key) : "";
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
    const takes =
      taker === state.you.seat ? say("table.you_take") : say("table.takes", { name: names[taker] ?? "" });
    return asks ? `${takes} · ${say("table.your_turn")}` : takes;
  }
  if (!deal || deal.over || deal.mover === null)
    return tell(deal?.scene.phase ?? "") || say(`table.phase_${state.phase}`);
  const trick = deal.scene.number
    ? say("table.trick", { number: deal.scene.number, tricks: deal.scene.tricks })
    : tell(deal.scene.phase);
  if (deal.mover === state.you.seat && deal.answered) return trick; // nothing is to be done
  // Else the question stands with the unseen cards
  if (asks && questionOf(deal.scene) && deal.scene.hand.length) return questionOf(deal.scene);
  const turn =
    deal.mover === state.you.seat
      ? say("table.your_turn")
      : say("table.turn_of", { name: names[deal.mover] ?? "" });
  return `${turn} · ${trick}`;
}

// The clock

/** Seconds before the end from which the clock warns. */
const WARNS = 10;

/** @type {{key: string, began: number}} */
let turn = { key: "", began: 0 };

/**
 * Seconds that are left to whoever is to play; null where nobody's time is counted.
 * @param {import("../messages.js").StateMessage | null} state
 */
export function secondsLeft(state) {
  const deal = state?.deal;
  if (
    !state?.timed ||
    state.slow ||
    !state.table ||
    !state.clock ||
    !deal ||
    deal.over ||
    deal.mover === null ||
    deal.answered
  )
    return null;
  const seat = state.seats[deal.mover];
  if (!seat || seat.bot || seat.absent || seat.open) return null;
  const key = `${deal.number} ${deal.since}`;
  // Counted here: clocks need not agree, and may be set while one plays
  if (turn.key !== key) turn = { key, began: performance.now() };
  return Math.max(0, Math.ceil(state.clock - (performance.now() - turn.began) / 1000));
}

/** @param {number | null} left */
export function isLate(left) {
  return left !== null && left <= WARNS;
}

/**
 * When the time of whoever is to play ends, where that is days from now.
 * @param {import("../messages.js").StateMessage} state
 */
function deadline({ deal, seats, clock, timed }) {
  const seat = timed && deal && !deal.over && deal.mover !== null ? seats[deal.mover] : undefined;
  if (!deal || !clock || !seat || seat.bot || seat.absent || seat.open) return [];
  const end = new Date(deal.since + 1000 * clock);
  const days = Math.round(
    (new Date(end).setHours(12, 0, 0, 0) - new Date().setHours(12, 0, 0, 0)) / 86_400_000,
  );
  const day =
    days === 0
      ? ""
      : days === 1
        ? new Intl.RelativeTimeFormat(game.language, { numeric: "auto" }).format(1, "day")
        : new Intl.DateTimeFormat(game.language, { weekday: "long" }).format(end);
  const hour = new Intl.DateTimeFormat(game.language, {
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(end);
  return [
    make("time", { datetime: end.toISOString() }, say("table.until", { time: `${day} ${hour}`.trim() })),
  ];
}

/**
 * The time of whoever is to play, where time is counted; near its end it is marked.
 * @param {import("../messages.js").StateMessage | null} state
 */
export function clock(state) {
  if (state?.slow) return deadline(state);
  const left = secondsLeft(state);
  if (left === null) return [];
  const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return [
    make(
      "span",
      {
        role: "timer",
        class: isLate(left) ? "late" : null,
        "aria-label": say("table.clock", { seconds: left }),
      },
      text,
    ),
  ];
}
