// Cards dragged by mouse, pen or finger: onto the felt, which is the second way to play beside tapping, or to another
// place in the hand.

import { find, make } from "../dom.js";

const STARTS = 12; // pixels until a press is a drag
const RETURNS = 180; // milliseconds that cards take back to the hand

/**
 * What dragging brings about.
 * @typedef {object} Dragged
 * @property {(slot: string) => string[]} taken the slots that go along with this one; none if nothing may be dragged
 * @property {(slots: string[]) => boolean} drop whether what was dropped on the felt is played
 * @property {(slots: string[]) => Promise<import("./laying.js").Gap>} gap where among the others they may lie
 */

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

class Drag {
  /** @type {HTMLElement | null} */ #ghost = null;
  /** @type {HTMLElement[]} */ #cards = [];
  /** @type {PointerEvent} the latest */ #at;
  /** @type {string[]} */ slots = [];
  /** @type {import("./laying.js").Gap | null} */ gap = null;

  /** @param {HTMLElement} root @param {HTMLElement} slot @param {PointerEvent} from */
  constructor(root, slot, from) {
    this.root = root;
    this.slot = slot;
    this.pointer = from.pointerId;
    this.x = from.clientX;
    this.y = from.clientY;
    this.#at = from;
  }

  get begun() {
    return this.#ghost !== null;
  }

  /** @param {PointerEvent} event */
  isFar(event) {
    return Math.hypot(event.clientX - this.x, event.clientY - this.y) > STARTS;
  }

  /** @param {string[]} slots @param {Promise<import("./laying.js").Gap>} gap */
  begin(slots, gap) {
    this.slots = slots;
    const found = slots.map((id) => this.root.querySelector(`.hand [data-slots~="${CSS.escape(id)}"] > .playing-card`));
    this.#cards = [...new Set(found)].filter((card) => card instanceof HTMLElement);
    this.#ghost = make("div", { class: "drag", "aria-hidden": "true" }, this.#cards.map((card) => {
      const { left, top, width } = card.getBoundingClientRect();
      const copy = /** @type {HTMLElement} */ (card.cloneNode(true));
      for (const [name, value] of Object.entries({ left, top, "--w": width })) copy.style.setProperty(name, `${value}px`);
      return copy;
    }));
    for (const card of this.#cards) card.style.setProperty("visibility", "hidden");
    this.root.append(this.#ghost);
    this.slot.setPointerCapture(this.pointer);
    gap.then((found) => this.begun && (this.gap = found).move(this.#at));
  }

  /** @param {PointerEvent} event */
  move(event) {
    this.#ghost?.style.setProperty("translate", `${event.clientX - this.x}px ${event.clientY - this.y}px`);
    this.root.toggleAttribute("data-over", this.isOver(event));
    this.gap?.move((this.#at = event));
  }

  /** Whether the pointer is over the felt: above the hand. @param {PointerEvent} event */
  isOver(event) {
    const { left, right, top } = find(".board", this.root).getBoundingClientRect();
    return event.clientY < find(".hand", this.root).getBoundingClientRect().top && event.clientY > top
      && event.clientX > left && event.clientX < right;
  }

  /** @param {boolean} returns whether the cards go back to the hand */
  end(returns) {
    const ghost = this.#ghost;
    const show = () => {
      for (const card of this.#cards) card.style.removeProperty("visibility");
      ghost?.remove();
    };
    this.#ghost = null;
    this.gap?.end();
    this.root.removeAttribute("data-over");
    if (!returns || still.matches || !ghost) show();
    else ghost.animate({ translate: "0 0" }, { duration: RETURNS, easing: "ease-out" }).finished.then(show, show);
  }
}

/** @param {HTMLElement} root @param {Dragged} dragged */
export function makeDraggable(root, dragged) {
  /** @type {Drag | null} */
  let drag = null;
  let wasDrag = false;

  const end = (/** @type {boolean} */ returns) => {
    drag?.end(returns);
    drag = null;
  };
  root.addEventListener("pointerdown", (event) => {
    wasDrag = false;
    const slot = event.target instanceof Element ? event.target.closest(".hand [data-slot]") : null;
    if (slot instanceof HTMLElement && event.button === 0 && event.isPrimary) drag = new Drag(root, slot, event);
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.begun && drag.isFar(event)) {
      const slots = dragged.taken(drag.slot.dataset.slot ?? "");
      if (slots.length) drag.begin(slots, dragged.gap(slots));
      else drag = null;
    }
    if (drag?.begun) drag.move(event);
  });
  root.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    wasDrag = drag.begun;
    end(!(wasDrag && (drag.gap?.drop() || (drag.isOver(event) && dragged.drop(drag.slots)))));
  });
  root.addEventListener("pointercancel", () => end(true));
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(true));
  // The press that was a drag is no tap.
  root.addEventListener("click", (event) => {
    if (wasDrag) event.stopPropagation();
    wasDrag = false;
  }, true);
}
