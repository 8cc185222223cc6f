// What a card is called and how it is typed, where it ranks and what it counts: a note above the card that
// the mouse rests on, the keyboard is on, or a finger stays on. It takes no taps, and goes with Escape.

import { hide, make, render } from "../dom.js";
import { game } from "./game.js";

const RESTS = 450; // milliseconds until it is shown
const STRAYS = 10; // pixels that a resting finger may move
const GAP = 10; // pixels between card and note
const CARDS = ".hand [data-card], .playing-card[data-word]";

export class Tip {
  /** @type {HTMLElement | null} the card that it is about, or will be */ #card = null;
  /** @type {number | undefined} */ #timer;
  /** @type {{x: number, y: number} | null} where a finger came down */ #finger = null;
  /** Whether the finger has stayed: what it does next is no tap. */
  #stayed = false;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.element = make("div", { class: "tip", role: "tooltip", hidden: true });
    root.append(this.element);
    root.addEventListener(
      "pointerover",
      (event) => event.pointerType !== "touch" && !event.buttons && this.#rest(cardAt(event)),
    );
    root.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.hide());
    root.addEventListener("focusin", (event) => {
      const card = cardAt(event);
      if (card?.matches(":focus-visible") && !root.querySelector(".why")) this.#rest(card);
    });
    // A finger moves the focus as it is lifted
    root.addEventListener("focusout", () => !this.#stayed && this.hide());
    root.addEventListener("pointerdown", (event) => this.#down(event), true);
    root.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, () => this.#lift());
    root.addEventListener("click", (event) => this.#click(event), true);
    root.addEventListener("contextmenu", (event) => this.#finger && cardAt(event) && event.preventDefault());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    window.addEventListener("resize", () => this.hide()); // its card lies elsewhere then
  }

  /** After the page has been drawn anew: a card that is gone needs no note. */
  settle() {
    if (this.#card && !this.#card.isConnected) this.hide();
  }

  hide() {
    window.clearTimeout(this.#timer);
    this.#card = null;
    hide(this.element, true);
  }

  /** @param {HTMLElement | null} card */
  #rest(card) {
    if (card === this.#card) return;
    this.hide();
    this.#card = card;
    if (card) this.#timer = window.setTimeout(() => this.#show(card), RESTS);
  }

  /** @param {HTMLElement} card */
  #show(card) {
    if (!card.isConnected || document.querySelector(".why")) return; // why it may not be played says more
    const word = card.dataset.card ?? card.dataset.word ?? "";
    const { about = [], reading = "" } = game.cards[word] ?? {};
    render(
      this.element,
      make("b", null, card.getAttribute("aria-label")),
      " ",
      reading && make("span", { class: "muted" }, `${reading} `),
      make("kbd", null, word),
      about.length
        ? make(
            "ul",
            null,
            about.map((line) => make("li", null, line)),
          )
        : null,
    );
    this.element.hidden = false;
    const at = (card.querySelector(".playing-card") ?? card).getBoundingClientRect();
    const { width, height } = this.element.getBoundingClientRect();
    const left = Math.max(4, Math.min(at.left + at.width / 2 - width / 2, window.innerWidth - width - 4));
    // What may be done stands between felt and hand: the note leaves it free.
    const edge =
      card.closest(".hand")?.closest(".board")?.querySelector(".controls")?.getBoundingClientRect().top ??
      at.top;
    const above = Math.min(at.top, edge) - height - GAP;
    this.element.style.setProperty("left", `${left}px`);
    this.element.style.setProperty("top", `${above < 4 ? at.bottom + GAP : above}px`);
  }

  // A finger that stays

  /** @param {PointerEvent} event */
  #down(event) {
    this.hide();
    this.#stayed = false;
    this.#finger = event.pointerType === "touch" ? { x: event.clientX, y: event.clientY } : null;
    const card = this.#finger && cardAt(event);
    if (!card) return;
    this.#card = card;
    this.#timer = window.setTimeout(() => {
      this.#stayed = true;
      this.#show(card);
    }, RESTS);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const from = this.#finger;
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > STRAYS) this.#lift(true);
  }

  /** @param {boolean} [strays] */
  #lift(strays = false) {
    if (this.#finger && (strays || !this.#stayed)) this.hide();
    this.#finger = null;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (!this.#stayed) return;
    this.#stayed = false;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {Event} event */
function cardAt(event) {
  const found = event.target instanceof Element ? event.target.closest(CARDS) : null;
  return found instanceof HTMLElement ? found : null;
}
