// The review of one's own deal while some hands are still hidden and there is no replay. Loaded when somebody
// opens it.

import { head, makeDialog, show } from "../dialog.js";
import { make } from "../dom.js";
import { Review } from "../replay/review.js";
import { say } from "../texts.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** @param {State} state after a deal, somebody being seated @param {string[]} names */
export async function open(state, names) {
  const seat = state.you.seat ?? 0;
  const root = make("div", {
    class: "review",
    role: "region",
    "aria-labelledby": "reviews-title",
    tabindex: 0,
  });
  const dialog = makeDialog("reviews");
  dialog.append(head("reviews", say("review.show")), root);
  root.addEventListener(
    "click",
    (event) => event.target instanceof Element && event.target.closest("[data-review]") && review.open(seat),
  );
  const review = new Review(
    root,
    `/api/v1/tables/${state.table}/review?deal=${state.deal?.number ?? 1}&session=${state.session}`,
    names,
    seat,
    false,
  );
  await show(dialog, "review");
  review.open(seat);
}
