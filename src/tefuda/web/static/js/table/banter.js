// What bots say now and then, each in its own manner: about a moment that everybody has just seen, or about
// the deal before. It follows from the table alone, so all who sit there see the same. They know no cards,
// and judge no play; and in the first deal of a game, in which whoever is new has enough to look at, they are
// silent.

import { find } from "../dom.js";
import { setting } from "../storage.js";
import { announce, say } from "../texts.js";
import { isMuted, namesIn } from "./people.js";
import { write } from "./store.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").EventReport} Told */
/** @typedef {import("../messages.js").DecisiveMoment} Moment */
/** @typedef {{seat: number, mood: string}} Word what a bot could say: its mood names a text */

/** Out of a hundred such occasions, at so many somebody speaks. */
const OFTEN = { moment: 70, dealt: 40 };
/** So many texts there are for each mood between two deals. */
const VARIANTS = 2;
/** Bots are called by flowers; each has a character. */
const CHARACTERS = 8;
/**
 * So many milliseconds a bot takes to find words, after what is told at its place; and so long they stand
 * there.
 */
const [ANSWERS, AFTER_CAPTIONS, STAYS] = [700, 2600, 4500];

/**
 * A bot may have something to say; nobody waits for it.
 * @param {Pick<import("./story.js").Story, "store" | "speak" | "redraw">} story
 * @param {Told} event
 * @param {State} state
 */
export function chat(story, event, state) {
  const word = banter(event, state);
  if (!word || isMuted(word, state)) return;
  const { seat, text } = word;
  window.setTimeout(
    () => {
      const line = say("table.said", { name: namesIn(state)[seat] ?? "", text });
      story.store.take(write, { kind: "banter", seat, seq: event.seq, texts: [line] });
      story.speak(seat, text, STAYS);
      announce(find("#table"), [line]);
      story.redraw();
    },
    event.captions?.length ? AFTER_CAPTIONS : ANSWERS,
  );
}

/**
 * What a bot says at an event, if one speaks.
 * @param {Told} event
 * @param {State} state
 * @returns {{seat: number, text: string} | null}
 */
export function banter({ moment, seq }, state) {
  if (!state.results.length || !state.table || setting("banter") === "off") return null;
  const number = drawn(`${state.table} ${state.session} ${state.deal?.number} ${seq}`);
  const all = moment ? atMoment(moment, state) : afterDeal(state, number);
  const words = all.filter(({ seat }) => state.seats[seat]?.bot);
  const word = words[Math.floor(number / 100) % words.length];
  if (!word || number % 100 >= OFTEN[moment ? "moment" : "dealt"]) return null;
  return { seat: word.seat, text: say(`banter.${word.seat % CHARACTERS}.${word.mood}`) };
}

/** @param {Moment} moment @param {State} state @returns {Word[]} */
function atMoment({ seat: whose, lucky }, { seats }) {
  const [own, others] = lucky ? ["luck", "awe"] : ["bad_luck", "relief"];
  return seats.map((_, seat) => ({ seat, mood: seat === whose ? own : others }));
}

/**
 * Whoever has gained or lost most in the deal before.
 * @param {State} state
 * @param {number} number
 * @returns {Word[]}
 */
function afterDeal({ results }, number) {
  const paid = results.at(-1) ?? [];
  const variant = Math.floor(number / 1000) % VARIANTS;
  return [
    [Math.max(...paid), "won"],
    [Math.min(...paid), "lost"],
  ].flatMap(([most, mood]) =>
    paid.filter((points) => points === most).length === 1
      ? [{ seat: paid.indexOf(Number(most)), mood: `${mood}_${variant}` }]
      : [],
  );
}

/** A number that follows from a text (FNV-1a). @param {string} text */
function drawn(text) {
  let number = 0x811c9dc5;
  for (const character of text) number = Math.imul(number ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return number;
}
