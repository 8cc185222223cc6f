// Saying something: the phrases of this game and of all tables, a text where the host allows it, and whom the
// reader hears. Loaded when somebody opens it.

import { head, makeDialog, show } from "../dialog.js";
import { make, render } from "../dom.js";
import { setting } from "../storage.js";
import { say } from "../texts.js";
import { game } from "./game.js";
import { mute, muted, namesIn, others, phrase } from "./people.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** @typedef {import("./house.js").House} House */

/** Characters that one may write at once. */
const MOST_TEXT = 120;

/**
 * @param {State} state
 * @param {import("./house.js").House} house
 * @param {import("./store.js").Store} store of what has been said
 * @param {() => void} redraw
 */
export function open(state, house, store, redraw) {
  const dialog = makeDialog("talk", redraw);
  const draw = () =>
    render(
      dialog,
      head("talk", say("table.say")),
      state.chat ? writing() : null,
      phrases(),
      hearing(state),
      state.you.host ? speaking(state) : null,
    );
  dialog.addEventListener("click", (event) => {
    const pressed = event.target instanceof Element ? event.target.closest("button") : null;
    if (pressed?.dataset.phrase) house.post("say", { phrase: pressed.dataset.phrase });
    if (pressed?.dataset.mute) mute(pressed.dataset.mute);
    if (pressed?.dataset.silence) silence(pressed, house);
    else if (pressed?.dataset.phrase || pressed?.dataset.report) dialog.close();
    else draw();
    if (pressed?.dataset.report)
      import("./report_dialog.js").then((report) => report.open(state, house, store.now.log));
  });
  dialog.addEventListener("submit", (event) => {
    const field = event.target instanceof Element ? event.target.querySelector("[name=text]") : null;
    if (!(field instanceof HTMLInputElement)) return; // it is closed
    event.preventDefault();
    if (field.value.trim()) house.post("say", { text: field.value });
    dialog.close();
  });
  draw();
  show(dialog, "dialogs");
}

/** For who has keys before them it is ready; on a phone the keyboard would cover the phrases. */
function writing() {
  const [name, isReady] = [say("table.write"), matchMedia("(pointer: fine)").matches];
  return make(
    "form",
    { class: "writing", key: "writing" },
    make("input", {
      name: "text",
      maxlength: MOST_TEXT,
      autocomplete: "off",
      autofocus: isReady,
      placeholder: name,
      "aria-label": name,
    }),
    make("button", null, say("table.send")),
  );
}

function phrases() {
  return make(
    "div",
    { class: "phrases", key: "phrases" },
    game.phrases.map((name) =>
      make("button", { type: "button", class: "quiet", key: name, "data-phrase": name }, phrase(name)),
    ),
  );
}

/** @param {State} state */
function hearing(state) {
  const now = muted();
  const bots = state.seats.map(({ name, bot }, seat) => ({ seat, name, bot })).filter(({ bot }) => bot);
  return make(
    "div",
    { class: "muting", key: "muting", role: "group", "aria-label": say("table.hearing") },
    make("span", { class: "muted" }, say("table.hearing")),
    [...others(state), ...(setting("banter") === "on" ? bots : [])].map(({ seat, name }) =>
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          key: `mute ${name}`,
          "data-mute": name,
          "aria-pressed": String(!now.includes(name)),
        },
        namesIn(state)[seat] ?? name,
      ),
    ),
    make(
      "button",
      { type: "button", class: "quiet report-link", key: "report", "data-report": "yes" },
      say("report.open"),
    ),
  );
}

/** Whom everybody at this table hears, as its host decides. @param {State} state */
function speaking(state) {
  return make(
    "div",
    { class: "muting", key: "speaking", role: "group", "aria-label": say("table.speaking") },
    make("span", { class: "muted" }, say("table.speaking")),
    others(state).map(({ seat, name }) =>
      make(
        "button",
        {
          type: "button",
          class: "quiet",
          key: `silence ${name}`,
          "data-silence": String(seat),
          "aria-pressed": String(!state.seats[seat]?.muted),
        },
        name,
      ),
    ),
  );
}

/** Mute somebody for everybody, or let them speak again. @param {HTMLElement} button @param {House} house */
async function silence(button, house) {
  const muted = button.getAttribute("aria-pressed") === "true";
  if (await house.post("mute", { seat: Number(button.dataset.silence), muted }))
    button.setAttribute("aria-pressed", String(!muted));
}
