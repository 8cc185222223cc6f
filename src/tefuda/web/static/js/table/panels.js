// Beside the table: the tabs, and what has happened. What else they show is in js/table/lookup.js.

import { make, part } from "../dom.js";
import { hasText, say, tell } from "../texts.js";
import { game } from "./game.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {{key: string, text: string, kind: string}} Line */

export const PANELS = ["log", "ranks", "last", "score", "hint", "rules", "keys"];

/**
 * @param {string[]} names which there are
 * @param {string} open
 */
export function tabs(names, open) {
  const first = open || names[0];
  return names.map((name) => part("button", name, [name === open, name === first], () => make("button", {
    key: name, type: "button", class: "tab", id: `tab-${name}`, role: "tab", "aria-selected": name === open ? "true" : "false",
    "aria-controls": "panel", tabindex: name === first ? 0 : -1, "data-tab": name,
  }, name === "last" && hasText("scene.last") ? tell("scene.last") : say(`table.panel_${name}`))));
}

/** @param {Line[]} lines @param {State} state */
export function log(lines, state) {
  const others = state.table && state.seats.some((seat, number) => seat.name && !seat.bot && number !== state.you.seat);
  return [
    lines.length ? make("ol", { class: "log", key: "log" }, lines.map((line) => make("li", { key: line.key, class: line.kind }, line.text)))
      : make("p", { class: "muted", key: "empty" }, say("table.log_empty")),
    others && state.you.seat !== null ? make("div", { class: "phrases", key: "phrases", role: "group", "aria-label": say("table.say") },
      game.phrases.map((phrase) => make("button", { type: "button", class: "quiet", key: phrase, "data-phrase": phrase }, say(`table.phrase_${phrase}`)))) : null,
  ];
}
