// Saying something: the phrases of all tables and of this game, and whom the reader hears. Loaded when somebody opens it.

import { find, make, render } from "../dom.js";
import { say } from "../texts.js";
import { game } from "./game.js";
import { mute, muted, others, phrase } from "./talk.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** @param {State} state @param {import("./house.js").House} house @param {() => void} redraw */
export function open(state, house, redraw) {
  const dialog = /** @type {HTMLDialogElement} */ (make("dialog", { class: "dialog talk", "aria-labelledby": "talk-title" }));
  const draw = () => render(dialog,
    make("form", { method: "dialog", class: "row head" }, make("h2", { id: "talk-title" }, say("table.say")), make("button", { class: "quiet", "aria-label": say("table.dismiss") }, "×")),
    make("div", { class: "phrases", key: "phrases" }, game.phrases.map((name) => make("button", { type: "button", class: "quiet", key: name, "data-phrase": name }, phrase(name)))),
    make("div", { class: "muting", key: "muting", role: "group", "aria-label": say("table.hearing") },
      make("span", { class: "muted" }, say("table.hearing")), others(state).map((name) => make("button", { type: "button", class: "quiet", key: `mute ${name}`, "data-mute": name, "aria-pressed": String(!muted().includes(name)) }, name))));
  dialog.addEventListener("click", (event) => {
    const pressed = event.target instanceof Element ? event.target.closest("button") : null;
    if (pressed?.dataset.phrase) house.say({ phrase: pressed.dataset.phrase });
    if (pressed?.dataset.mute) mute(pressed.dataset.mute);
    if (pressed?.dataset.phrase || event.target === dialog) dialog.close();
    else draw();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    redraw();
  });
  draw();
  find("body").append(dialog);
  dialog.showModal();
}
