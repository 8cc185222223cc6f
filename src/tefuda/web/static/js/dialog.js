// A dialog that is loaded when somebody opens it: its head with a cross, and styles that the page does
// without.

import { bringStyle, find, make } from "./dom.js";
import { say } from "./texts.js";

/**
 * It closes by its cross, by Escape and by a press beside it.
 * @param {string} name its class, and with `-title` the id of its title
 * @param {() => void} [closed]
 */
export function makeDialog(name, closed) {
  const dialog = /** @type {HTMLDialogElement} */ (
    make("dialog", { class: `dialog ${name}`, "aria-labelledby": `${name}-title` })
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed?.();
  });
  return dialog;
}

/** @param {string} name as for `makeDialog` @param {string} title */
export function head(name, title) {
  return make(
    "form",
    { method: "dialog", class: "row head" },
    make("h2", { id: `${name}-title` }, title),
    make("button", { class: "quiet", "aria-label": say("table.dismiss") }, "×"),
  );
}

/**
 * Ask before something that cannot be undone.
 * @param {string} question
 * @param {string} yes
 * @param {() => void} go
 */
export function ask(question, yes, go) {
  const dialog = makeDialog("ask", () => dialog.returnValue === "yes" && go());
  dialog.append(
    make("p", { id: "ask-title" }, question),
    make(
      "form",
      { method: "dialog", class: "row" },
      make("button", { value: "yes" }, yes),
      make("button", { class: "quiet", value: "no" }, say("table.stay")),
    ),
  );
  show(dialog, "dialogs");
}

/**
 * Show it as soon as it can be shown as it should look.
 * @param {HTMLDialogElement} dialog
 * @param {string} style name of a file in css
 */
export async function show(dialog, style) {
  await bringStyle(style);
  if (document.querySelector("dialog[open]")) return; // it was asked for twice
  find("body").append(dialog);
  dialog.showModal();
}
