// The settings: how the table looks and sounds, how cards are played, how fast. Loaded when somebody opens them.

import { head, makeDialog, show } from "../dialog.js";
import { make, render } from "../dom.js";
import { CHOICES, choose, setting } from "../settings.js";
import { keepDeck } from "../storage.js";
import { say } from "../texts.js";
import { game } from "./game.js";
import { isAlone } from "./side.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../settings.js").Setting} Setting */

/** In the order in which they are shown, under their headings. @type {[string, Setting[]][]} */
const PARTS = [["play", ["taps", "premove", "sound"]], ["look", ["theme", "felt", "size", "back", "suits"]]];
const SPEEDS = ["slow", "normal", "fast", "instant"];
/** Seconds for an answer among people. @type {Record<string, number | null>} */
const CLOCKS = { none: null, relaxed: 120, quick: 30 };

/** @param {State} state @param {import("./house.js").House} house */
export function open(state, house) {
  let notKept = false;
  let deck = game.decks[0]?.name ?? "";
  const dialog = makeDialog("settings", () => deck !== (game.decks[0]?.name ?? "") && showDeck(deck));
  const draw = () => render(dialog,
    head("settings", say("settings.title")),
    notKept ? make("p", { class: "notice", role: "status" }, say("settings.not_kept")) : null,
    state.you.host ? pace(state) : null,
    ...PARTS.map(([part, names]) => make("section", { key: part }, make("h3", null, say(`settings.${part}`)),
      names.map((name) => choices(name, say(`settings.${name}`), CHOICES[name].map((value) => ({ value, text: say(`settings.${name}_${value}`) })), setting(name))), part === "look" ? decks(deck) : null)));
  dialog.addEventListener("change", (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement)) return;
    if (field.name === "speed") house.pace({ speed: field.value });
    else if (field.name === "clock") house.pace({ clock: CLOCKS[field.value] ?? null });
    else if (field.name === "deck") deck = field.value;
    else notKept = !choose(/** @type {Setting} */ (field.name), field.value);
    draw();
    dialog.querySelectorAll("input").forEach((each) => (each.checked = each.defaultChecked || each === field || (each.checked && each.name !== field.name)));
  });
  draw();
  show(dialog, "dialogs");
}

/** What the host decides for all. @param {State} state */
function pace(state) {
  const clock = Object.entries(CLOCKS).find(([, seconds]) => seconds === state.clock)?.[0] ?? "";
  return make("section", { key: "pace" }, make("h3", null, say("settings.pace")),
    choices("speed", say("settings.speed"), SPEEDS.map((value) => ({ value, text: say(`settings.speed_${value}`) })), state.speed),
    isAlone(state) ? null : choices("clock", say("settings.clock"), Object.keys(CLOCKS).map((value) => ({ value, text: say(`settings.clock_${value}`) })), clock));
}

/** Which deck the game is played with, where there are several. @param {string} chosen */
function decks(chosen) {
  const known = [...game.decks].sort((a, b) => a.title.localeCompare(b.title, game.language));
  return known.length ? choices("deck", say("settings.deck"), known.map(({ name, title }) => ({ value: name, text: title })), chosen) : null;
}

/** The page comes anew with the faces and the names of another deck; a table goes on where it was. @param {string} name */
function showDeck(name) {
  keepDeck(game.name, name);
  location.reload();
}

/** @param {string} name @param {string} label @param {{value: string, text: string}[]} values @param {string} chosen */
function choices(name, label, values, chosen) {
  return make("fieldset", { key: name, class: `choice ${name}` }, make("legend", null, label), make("div", { class: "choices" }, values.map(({ value, text }) =>
    make("label", { key: value, "data-value": value }, make("input", { type: "radio", name, value, checked: value === chosen }), make("span", null, text)))));
}
