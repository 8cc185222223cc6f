// Cards that move. What has happened: the page is drawn at once; copies of cards fly over it, and the cards
// themselves are seen when those land. And cards that the reader drags.

import { find, make } from "../dom.js";

/** @typedef {{seat: number, cards: string[], mine: boolean}} Move */

/** Milliseconds of a flight, of a trick to its winner, of a dealt card and to the next one. */
const FLIES = 260;
const SWEEPS = 320;
const DEALT = { takes: 260, next: 28 };
const EASING = "cubic-bezier(.2, .7, .3, 1)";

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Whether moves are to be seen. @param {Move[]} moves */
export function isMoving(moves) {
  return moves.length > 0 && !document.hidden && !still.matches;
}

/**
 * Draw, and move what has moved.
 * @param {HTMLElement} root
 * @param {Move[]} moves
 * @param {() => void} draw
 */
export function drawWithMotion(root, moves, draw) {
  const from = moves.map((move) =>
    move.cards.map((card) => source(root, move, card)?.getBoundingClientRect()),
  );
  draw();
  requestAnimationFrame(() => {
    // the page is laid out once, for what flies and for what is painted
    root.querySelectorAll(".flight:not(.swept)").forEach((earlier) => earlier.remove());
    const flights = moves.flatMap((move, number) =>
      [...root.querySelectorAll(`[data-played="${move.seat}"] > .playing-card`)].flatMap((card, place) => {
        const start = from[number]?.[place];
        return start?.width
          ? [{ card: /** @type {HTMLElement} */ (card), start, end: card.getBoundingClientRect() }]
          : [];
      }),
    );
    flights.forEach(({ card, start, end }) => fly(root, card, start, end));
  });
}

/** A copy of a card, over all else. @param {HTMLElement} card @param {DOMRect} place */
function flightOf(card, place) {
  const style = {
    left: `${place.left}px`,
    top: `${place.top}px`,
    "--w": `${place.width}px`,
    "--shown": String(place.width / place.height),
  };
  return make(
    "div",
    { class: "flight", "aria-hidden": "true", style },
    /** @type {HTMLElement} */ (card.cloneNode(true)),
  );
}

/** @param {HTMLElement} root @param {HTMLElement} card @param {DOMRect} start @param {DOMRect} end */
function fly(root, card, start, end) {
  const flight = flightOf(card, end);
  root.append(flight);
  const timing = { duration: FLIES, easing: EASING };
  card.style.visibility = "hidden"; // as a style: an animation of it would have the page styled in each frame
  const [x, y] = [start.left - end.left, start.top - end.top];
  const away = `translate(${x}px, ${y}px) scale(${start.width / end.width})`;
  const land = () => {
    flight.remove();
    card.style.visibility = "";
  };
  flight.animate({ transform: [away, "none"] }, timing).finished.then(land, land);
}

/** Move a trick to its winner. @param {HTMLElement} root @param {number} seat */
export function sweep(root, seat) {
  const place = root.querySelector(`[data-seat="${seat}"] .portrait`)?.getBoundingClientRect();
  if (!place?.width || still.matches || document.hidden) return;
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (
    root.querySelectorAll(".middle .play > .playing-card")
  )) {
    const from = card.getBoundingClientRect();
    const flight = flightOf(card, from);
    flight.classList.add("swept");
    root.append(flight);
    flight.animate(
      { transform: ["none", `${toMiddleOf(place, from)} scale(.25)`], opacity: [1, 0.2] },
      SWEEPS,
    ).onfinish = () => flight.remove();
  }
}

/** Deal the hand from the middle of the felt. @param {HTMLElement} root */
export function dealHand(root) {
  const pack = root.querySelector(".middle")?.getBoundingClientRect();
  if (!pack?.width || still.matches || document.hidden) return;
  const pointerEvents = ["none", "none"]; // nobody presses what flies by
  root.querySelectorAll(".hand .slot > .playing-card").forEach((card, number) =>
    card.animate(
      {
        transform: [toMiddleOf(pack, card.getBoundingClientRect()), "none"],
        opacity: [0, 1],
        pointerEvents,
      },
      { duration: DEALT.takes, delay: number * DEALT.next, easing: EASING, fill: "backwards" },
    ),
  );
}

/** From the middle of a place to that of another. @param {DOMRect} to @param {DOMRect} from */
function toMiddleOf(to, from) {
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  return `translate(${x}px, ${y}px)`;
}

/** Where a card comes from. @param {HTMLElement} root @param {Move} move @param {string} card */
function source(root, move, card) {
  const place = move.mine
    ? `.hand [data-card="${CSS.escape(card)}"] .playing-card`
    : `[data-seat="${move.seat}"] .portrait`;
  return root.querySelector(place);
}

// Cards dragged from the hand onto the felt, by mouse, pen or finger: the second way to play, beside tapping

const STARTS = 12; // pixels until a press is a drag
const RETURNS = 180; // milliseconds that cards take back to the hand

/**
 * What dragging brings about.
 * @typedef {object} Dragged
 * @property {(slot: string) => string[]} taken the slots that go along with this one; none if nothing may be
 *   dragged
 * @property {(slots: string[]) => boolean} drop whether what was dropped on the felt is played
 */

class Drag {
  /** @type {HTMLElement | null} */ #ghost = null;
  /** @type {HTMLElement[]} */ #cards = [];
  /** @type {string[]} */ slots = [];

  /** @param {HTMLElement} root @param {HTMLElement} slot @param {PointerEvent} from */
  constructor(root, slot, from) {
    this.root = root;
    this.slot = slot;
    this.pointer = from.pointerId;
    this.x = from.clientX;
    this.y = from.clientY;
  }

  get begun() {
    return this.#ghost !== null;
  }

  /** @param {PointerEvent} event */
  isFar(event) {
    return Math.hypot(event.clientX - this.x, event.clientY - this.y) > STARTS;
  }

  /** @param {string[]} slots */
  begin(slots) {
    this.slots = slots;
    const found = slots.map((id) =>
      this.root.querySelector(`.hand [data-slots~="${CSS.escape(id)}"] > .playing-card`),
    );
    this.#cards = [...new Set(found)].filter((card) => card instanceof HTMLElement);
    this.#ghost = make(
      "div",
      { class: "drag", "aria-hidden": "true" },
      this.#cards.map((card) => {
        const { left, top, width } = card.getBoundingClientRect();
        const copy = /** @type {HTMLElement} */ (card.cloneNode(true));
        for (const [name, value] of Object.entries({ left, top, "--w": width }))
          copy.style.setProperty(name, `${value}px`);
        return copy;
      }),
    );
    for (const card of this.#cards) card.style.setProperty("visibility", "hidden");
    this.root.append(this.#ghost);
    this.slot.setPointerCapture(this.pointer);
  }

  /** @param {PointerEvent} event */
  move(event) {
    this.#ghost?.style.setProperty("translate", `${event.clientX - this.x}px ${event.clientY - this.y}px`);
    this.root.toggleAttribute("data-over", this.isOver(event));
  }

  /** Whether the pointer is over the felt: above the hand. @param {PointerEvent} event */
  isOver(event) {
    const { left, right, top } = find(".board", this.root).getBoundingClientRect();
    return (
      event.clientY < find(".hand", this.root).getBoundingClientRect().top &&
      event.clientY > top &&
      event.clientX > left &&
      event.clientX < right
    );
  }

  /** @param {boolean} returns whether the cards go back to the hand */
  end(returns) {
    const ghost = this.#ghost;
    const show = () => {
      for (const card of this.#cards) card.style.removeProperty("visibility");
      ghost?.remove();
    };
    this.root.removeAttribute("data-over");
    if (!returns || still.matches || !ghost) show();
    else
      ghost
        .animate({ translate: "0 0" }, { duration: RETURNS, easing: "ease-out" })
        .finished.then(show, show);
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
    if (slot instanceof HTMLElement && event.button === 0 && event.isPrimary)
      drag = new Drag(root, slot, event);
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.begun && drag.isFar(event)) {
      const slots = dragged.taken(drag.slot.dataset.slot ?? "");
      if (slots.length) drag.begin(slots);
      else drag = null;
    }
    if (drag?.begun) drag.move(event);
  });
  root.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    wasDrag = drag.begun;
    end(!(wasDrag && drag.isOver(event) && dragged.drop(drag.slots)));
  });
  root.addEventListener("pointercancel", () => end(true));
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(true));
  // The press that was a drag is no tap.
  root.addEventListener(
    "click",
    (event) => {
      if (wasDrag) event.stopPropagation();
      wasDrag = false;
    },
    true,
  );
}
