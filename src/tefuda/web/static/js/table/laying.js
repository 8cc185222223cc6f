// Where in the hand a card is laid that is dragged there: between two others, and a mark shows which.

import { find, make } from "../dom.js";

/** @typedef {{slot: string, left: number, top: number, wide: number}} Seen a card that is not dragged, and what is seen of it */

export class Gap {
  #mark = make("div", { class: "drop-mark", hidden: true, "aria-hidden": "true" });
  /** @type {Seen[]} */ #others;
  /** The card beside which they would lie. @type {(Seen & {after: boolean}) | null} */ #near = null;

  /**
   * @param {HTMLElement} root
   * @param {string[]} slots that are dragged
   * @param {(near: string, after: boolean) => boolean} lay whether they lie elsewhere then
   */
  constructor(root, slots, lay) {
    this.root = root;
    this.lay = lay;
    const all = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".hand [data-slot]")]);
    const others = all.filter((each) => !each.dataset.slots?.split(" ").some((id) => slots.includes(id)));
    this.#others = others.map((each, at) => {
      const [{ left, top, width }, next] = [each.getBoundingClientRect(), others[at + 1]];
      const wide = next?.parentElement === each.parentElement ? Math.min(width, next.getBoundingClientRect().left - left) : width;
      return { slot: each.dataset.slot ?? "", left, top, wide };
    });
    root.append(this.#mark);
  }

  /** @param {PointerEvent} event */
  move(event) {
    this.#near = this.#nearest(event);
    this.#mark.hidden = !this.#near;
    if (!this.#near) return;
    const { left, wide, top, after } = this.#near;
    this.#mark.style.setProperty("left", `${after ? left + wide : left}px`);
    this.#mark.style.setProperty("top", `${top}px`);
  }

  /** @param {PointerEvent} event */
  #nearest({ clientX: x, clientY: y }) {
    const { top, left, right } = find(".hand", this.root).getBoundingClientRect();
    if (y < top || x < left || x > right) return null;
    const rows = this.#others.map((each) => each.top).sort((a, b) => a - b);
    const row = rows.findLast((each) => each <= y) ?? rows[0];
    const middle = (/** @type {Seen} */ each) => each.left + each.wide / 2;
    const near = this.#others.filter((each) => each.top === row).sort((a, b) => Math.abs(middle(a) - x) - Math.abs(middle(b) - x))[0];
    return near ? { ...near, after: x > middle(near) } : null;
  }

  /** Lay them there; whether they lie elsewhere now. */
  drop() {
    return this.#near !== null && this.lay(this.#near.slot, this.#near.after);
  }

  end() {
    this.#mark.remove();
  }
}
