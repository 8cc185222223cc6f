// Who sits at a table: what they are called and look like, who may say something, and whom the reader does
// not hear.

import { make } from "../dom.js";
import { keep, recall } from "../storage.js";
import { hasText, say, tell } from "../texts.js";
import { game } from "./game.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** Under this key the browser keeps whom the reader does not hear at this table. */
const MUTED = `tefuda.muted.${game.table}`;

/** A stock phrase, in the game's own words if it is the game's. @param {string} name */
export function phrase(name) {
  return hasText(`phrases.${name}`) ? tell(`phrases.${name}`) : say(`phrases.${name}`);
}

/** The others who can hear the reader, or be heard. @param {State} state */
export function others({ seats, you, table }) {
  if (!table || you.seat === null) return [];
  const people = seats.map(({ name, bot }, seat) => ({ seat, name, isPerson: Boolean(name && !bot) }));
  return people.filter(({ seat, isPerson }) => isPerson && seat !== you.seat);
}

/** Those whom the reader does not hear. @returns {string[]} */
export function muted() {
  return (recall(MUTED) ?? "").split("\n").filter(Boolean);
}

/** Hear somebody no more, or again. @param {string} name */
export function mute(name) {
  const now = muted();
  keep(MUTED, (now.includes(name) ? now.filter((each) => each !== name) : [...now, name]).join("\n"));
}

/**
 * Whether somebody speaks whom the reader does not hear.
 * @param {{seat?: number}} event
 * @param {State} state
 */
export function isMuted({ seat = -1 }, state) {
  return muted().includes(state.seats[seat]?.name ?? "");
}

/** Whose connection is lost, or is back. @param {State} before @param {State} now @param {string[]} names */
export function connections(before, now, names) {
  return now.seats.flatMap(({ connected, name }, seat) =>
    connected === before.seats[seat]?.connected || name !== before.seats[seat]?.name || seat === now.you.seat
      ? []
      : [say(connected === false ? "table.log_gone" : "table.log_connected", { name: names[seat] ?? "" })],
  );
}

/** What the seats are called; the reader's is "You". @param {State} state */
export function namesIn(state) {
  return state.seats.map((seat, number) =>
    number === state.you.seat ? say("table.you_name") : nameOfSeat(seat, number),
  );
}

/**
 * What a seat is called: where nobody sits, a bot plays.
 * @param {State["seats"][number]} seat
 * @param {number} number
 */
export function nameOfSeat(seat, number) {
  return seat.bot || !seat.name ? botName(number) : seat.name;
}

/** Bots are called by flowers, as in the sentences that the server writes. */
const FLOWERS = 8;

/** What a bot is called. @param {number} seat */
export function botName(seat) {
  const again = Math.floor(seat / FLOWERS);
  const name = say(`table.flower_${seat % FLOWERS}`);
  return again ? `${name} ${again + 1}` : name;
}

/** Whether a seat is called as the reader is. @param {string | undefined} name */
export function isReader(name) {
  return name === say("table.you_name");
}

/**
 * What somebody looks like. All faces of a table come as one drawing, in a row.
 * @param {State} state
 * @param {number} seat
 */
export function portrait(state, seat) {
  const seen = [...new Set(state.seats.map((each) => each.face).filter(Boolean))];
  const at = seen.indexOf(state.seats[seat]?.face ?? "");
  if (at < 0) return null;
  const style = {
    "--faces": `url("/faces/${seen.join("+")}.svg")`,
    "--count": String(seen.length),
    "--at": `${(100 * at) / Math.max(1, seen.length - 1)}%`,
  };
  return make("span", {
    class: `portrait${state.seats[seat]?.connected === false ? " gone" : ""}`,
    "aria-hidden": "true",
    style,
  });
}
