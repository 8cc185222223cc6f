// Where in the hand cards are laid that are dragged there: between two others, and a mark shows where.

import { find, make } from "../dom.js";

/**
 * @typedef {{slot: string, left: number, top: number, wide: number}} Seen a card that is not dragged, and
 *   what is seen of it
 */

/**
 * While cards are dragged.
 * @param {HTMLElement} root
 * @param {string[]} slots of them
 * @param {(near: string, after: boolean) => void} lay
 */
export function layFrom(root, slots, lay) {
  const mark = make("div", { class: "drop-mark", hidden: true, "aria-hidden": "true" });
  const others = seen(root, slots);
  const ends = new AbortController();
  /** @type {ReturnType<typeof nearest>} the card beside which they would lie */
  let near = null;

  const show = (/** @type {PointerEvent} */ event) => {
    if (!event.isPrimary) return;
    near = nearest(find(".hand", root).getBoundingClientRect(), others, event);
    mark.hidden = !near;
    if (!near) return;
    mark.style.setProperty("left", `${near.after ? near.left + near.wide : near.left}px`);
    mark.style.setProperty("top", `${near.top}px`);
  };
  const end = () => {
    mark.remove();
    ends.abort();
  };
  const drop = (/** @type {PointerEvent} */ event) => {
    if (!event.isPrimary) return;
    show(event);
    end();
    if (!near) return;
    // They are where they belong: the way back to the hand is left out.
    for (const ghost of root.querySelectorAll(".drag")) ghost.getAnimations().forEach((way) => way.finish());
    lay(near.slot, near.after);
  };
  root.append(mark);
  root.addEventListener("pointermove", show, ends);
  root.addEventListener("pointerup", drop, ends);
  // A press that goes down was not seen to go up
  for (const left of ["pointercancel", "pointerdown"]) root.addEventListener(left, end, ends);
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(), ends);
}

/** @param {HTMLElement} root @param {string[]} dragged @returns {Seen[]} */
function seen(root, dragged) {
  const all = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".hand [data-slot]")]);
  const others = all.filter((each) => !each.dataset.slots?.split(" ").some((id) => dragged.includes(id)));
  return others.map((each, at) => {
    const [{ left, top, width }, next] = [each.getBoundingClientRect(), others[at + 1]];
    const wide =
      next?.parentElement === each.parentElement
        ? Math.min(width, next.getBoundingClientRect().left - left)
        : width;
    return { slot: each.dataset.slot ?? "", left, top, wide };
  });
}

/** @param {DOMRect} hand @param {Seen[]} others @param {PointerEvent} event */
function nearest({ top, left, right }, others, { clientX: x, clientY: y }) {
  if (y < top || x < left || x > right) return null;
  const rows = others.map((each) => each.top).sort((one, other) => one - other);
  const row = rows.findLast((each) => each <= y) ?? rows[0];
  const middle = (/** @type {Seen} */ each) => each.left + each.wide / 2;
  const [near] = others
    .filter((each) => each.top === row)
    .sort((one, other) => Math.abs(middle(one) - x) - Math.abs(middle(other) - x));
  return near ? { ...near, after: x > middle(near) } : null;
}
