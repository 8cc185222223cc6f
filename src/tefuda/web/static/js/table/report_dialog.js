// Somebody is reported to whoever runs this server: by their name, or by what they have said. Loaded when
// somebody opens it.

import { head, makeDialog, show } from "../dialog.js";
import { make, render } from "../dom.js";
import { say } from "../texts.js";
import { others } from "./people.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("./side.js").Line} Line */
/** @typedef {{value: string, text: string}} Reported whose it is, and the event's number if it was said */

/** Characters of a note, and how much of what was said can be chosen from: the latest. */
const [MOST_NOTE, MOST_LINES] = [300, 8];

/** @param {State} state @param {import("./house.js").House} house @param {Line[]} lines of the log */
export function open(state, house, lines) {
  const dialog = makeDialog("report");
  dialog.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method === "dialog") return;
    event.preventDefault();
    const given = new FormData(form);
    const [seat, said] = String(given.get("what")).split(" ").map(Number);
    const isDone = await house.post("report", { seat: seat ?? 0, said, note: String(given.get("note")) });
    if (isDone)
      render(dialog, head("report", say("report.title")), make("p", { role: "status" }, say("report.sent")));
    else dialog.close(); // the table says why not
  });
  render(
    dialog,
    head("report", say("report.title")),
    make("p", { class: "muted" }, say("report.about")),
    make(
      "form",
      null,
      make("fieldset", null, make("legend", null, say("report.what")), what(state, lines).map(choice)),
      make(
        "label",
        { class: "note" },
        say("report.note"),
        make("textarea", { name: "note", maxlength: MOST_NOTE, rows: 3 }),
      ),
      make("button", null, say("report.send")),
    ),
  );
  show(dialog, "dialogs");
}

/** @param {Reported} reported @param {number} place */
function choice({ value, text }, place) {
  return make(
    "label",
    null,
    make("input", { type: "radio", name: "what", value, required: true, checked: !place }),
    text,
  );
}

/**
 * What may be reported: the latest words first.
 * @param {State} state
 * @param {Line[]} lines
 * @returns {Reported[]}
 */
function what(state, lines) {
  const said = lines
    .filter(({ kind, seat }) => kind === "said" && seat !== state.you.seat)
    .slice(-MOST_LINES);
  return [
    ...said.reverse().map(({ seat, seq, text }) => ({ value: `${seat} ${seq}`, text })),
    ...others(state).map(({ seat, name }) => ({ value: `${seat}`, text: say("report.name", { name }) })),
  ];
}
