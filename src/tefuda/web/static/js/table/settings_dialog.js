// The settings: how the table looks and sounds, how cards are played, how fast. Loaded when somebody opens
// them.

import { head, makeDialog, show } from "../dialog.js";
import { make, render } from "../dom.js";
import * as notices from "../notices.js";
import { CHOICES, choose, setting } from "../storage.js";
import { say } from "../texts.js";
import { game } from "./game.js";
import { isAlone } from "./store.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../storage.js").Setting} Setting */

/** In the order in which they are shown, under their headings. @type {[string, Setting[]][]} */
const PARTS = [
  ["play", ["taps", "premove", "sound", "banter"]],
  ["look", ["theme", "felt", "size", "back", "suits"]],
];
const SPEEDS = ["slow", "normal", "fast", "instant"];
/** Seconds for an answer among people. @type {Record<string, number | null>} */
const CLOCKS = { none: null, relaxed: 120, quick: 30, day: 86400, days: 3 * 86400 };

/** @param {State} state @param {import("./house.js").House} house */
export function open(state, house) {
  let fault = "";
  let told = false;
  let deck = game.decks[0]?.name ?? "";
  const dialog = makeDialog("settings", () => deck !== (game.decks[0]?.name ?? "") && showDeck(deck));
  const draw = () =>
    render(
      dialog,
      head("settings", say("settings.title")),
      fault ? make("p", { class: "notice", role: "status" }, fault) : null,
      state.you.host ? pace(state) : null,
      notices.isPossible()
        ? make(
            "section",
            { key: "notices" },
            choices(
              "notices",
              say("settings.notices"),
              ["off", "on"].map((value) => ({ value, text: say(`settings.notices_${value}`) })),
              told ? "on" : "off",
            ),
          )
        : null,
      game.mail ? make("a", { href: "/me#mail", key: "mail" }, say("settings.mail")) : null,
      ...PARTS.map(([part, names]) =>
        make(
          "section",
          { key: part },
          make("h3", null, say(`settings.${part}`)),
          names.map((name) =>
            choices(
              name,
              say(`settings.${name}`),
              CHOICES[name].map((value) => ({ value, text: say(`settings.${name}_${value}`) })),
              setting(name),
            ),
          ),
          part === "look" ? decks(deck) : null,
        ),
      ),
    );
  dialog.addEventListener("change", (event) => {
    const field = event.target;
    if (!(field instanceof HTMLInputElement)) return;
    if (field.name === "speed") house.post("pace", { speed: field.value });
    else if (field.name === "clock") house.post("pace", { clock: CLOCKS[field.value] ?? null });
    else if (field.name === "deck") deck = field.value;
    else if (field.name === "notices") return void change(field.value === "on");
    else fault = choose(/** @type {Setting} */ (field.name), field.value) ? "" : say("settings.not_kept");
    draw();
    dialog
      .querySelectorAll("input")
      .forEach(
        (each) =>
          (each.checked =
            each.defaultChecked || each === field || (each.checked && each.name !== field.name)),
      );
  });
  const change = async (/** @type {boolean} */ on) => {
    fault = on ? await notices.turnOn() : await notices.turnOff();
    showWhetherOn();
  };
  const showWhetherOn = async () => {
    told = await notices.isOn();
    draw();
    dialog
      .querySelectorAll("[name=notices]")
      .forEach((each) => each instanceof HTMLInputElement && (each.checked = (each.value === "on") === told));
  };
  draw();
  if (notices.isPossible()) showWhetherOn();
  show(dialog, "dialogs");
}

/** What the host decides for all. @param {State} state */
function pace(state) {
  const clock = Object.entries(CLOCKS).find(([, seconds]) => seconds === state.clock)?.[0] ?? "";
  return make(
    "section",
    { key: "pace" },
    make("h3", null, say("settings.pace")),
    choices(
      "speed",
      say("settings.speed"),
      SPEEDS.map((value) => ({ value, text: say(`settings.speed_${value}`) })),
      state.speed,
    ),
    isAlone(state)
      ? null
      : choices(
          "clock",
          say("settings.clock"),
          Object.keys(CLOCKS).map((value) => ({ value, text: say(`settings.clock_${value}`) })),
          clock,
        ),
  );
}

/** Which deck the game is played with, where there are several. @param {string} chosen */
function decks(chosen) {
  const known = [...game.decks].sort((a, b) => a.title.localeCompare(b.title, game.language));
  return known.length
    ? choices(
        "deck",
        say("settings.deck"),
        known.map(({ name, title }) => ({ value: name, text: title })),
        chosen,
      )
    : null;
}

/**
 * The page comes anew with the faces and the names of another deck; a table goes on where it was.
 * @param {string} name
 */
function showDeck(name) {
  keepDeck(game.name, name);
  location.reload();
}

/**
 * @param {string} name
 * @param {string} label
 * @param {{value: string, text: string}[]} values
 * @param {string} chosen
 */
function choices(name, label, values, chosen) {
  return make(
    "fieldset",
    { key: name, class: `choice ${name}` },
    make("legend", null, label),
    make(
      "div",
      { class: "choices" },
      values.map(({ value, text }) =>
        make(
          "label",
          { key: value, "data-value": value },
          make("input", { type: "radio", name, value, checked: value === chosen }),
          make("span", null, text),
        ),
      ),
    ),
  );
}

/**
 * Keep which deck a game is shown with: in a cookie, since the server names the cards.
 * @param {string} game
 * @param {string} deck
 */
function keepDeck(game, deck) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `deck-${game}=${deck}; path=/; max-age=31536000; samesite=lax${secure}`;
}
