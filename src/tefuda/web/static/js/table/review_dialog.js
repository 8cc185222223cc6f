// The review of one's own deal while some hands are still hidden and there is no replay. Loaded when somebody opens it.

import { find, make } from "../dom.js";
import { Review } from "../replay/review.js";
import { say } from "../texts.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** The table's page does not bring them. */
function addStyles() {
  const href = new URL("../../css/review.css", import.meta.url).href;
  if (!document.querySelector(`link[href="${href}"]`)) document.head.append(make("link", { rel: "stylesheet", href }));
}

/** @param {State} state after a deal, somebody being seated @param {string[]} names */
export function open(state, names) {
  addStyles();
  const seat = state.you.seat ?? 0;
  const root = make("div", { class: "review", role: "region", "aria-labelledby": "review-title", tabindex: 0 });
  const dialog = /** @type {HTMLDialogElement} */ (make("dialog", { class: "dialog reviews", "aria-labelledby": "review-title" },
    make("form", { method: "dialog", class: "row head" }, make("h2", { id: "review-title" }, say("review.show")), make("button", { class: "quiet", "aria-label": say("table.dismiss") }, "×")), root));
  root.addEventListener("click", (event) => event.target instanceof Element && event.target.closest("[data-review]") && review.open(seat));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  find("body").append(dialog);
  dialog.showModal();
  const review = new Review(root, `/api/v1/tables/${state.table}/review?deal=${state.deal?.number ?? 1}&session=${state.session}`, names, seat, false);
  review.open(seat);
}
