// Motion that tells what has happened: cards fly from the hand, or from who held them, to the middle. The page is drawn at
// once; copies of the cards fly over it, moved by the browser's compositor, and the cards themselves are seen when those land.

import { make } from "../dom.js";

/** @typedef {{seat: number, cards: string[], mine: boolean}} Move */

/** Milliseconds of a flight. */
const FLIES = 260;
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
  const from = moves.map((move) => move.cards.map((card) => source(root, move, card)?.getBoundingClientRect()));
  draw();
  requestAnimationFrame(() => { // the page is laid out once, for what flies and for what is painted
    root.querySelectorAll(".flight").forEach((earlier) => earlier.remove());
    const flights = moves.flatMap((move, number) => [...root.querySelectorAll(`[data-played="${move.seat}"] > .playing-card`)].flatMap((card, place) => {
      const start = from[number]?.[place];
      return start?.width ? [{ card: /** @type {HTMLElement} */ (card), start, end: card.getBoundingClientRect() }] : [];
    }));
    flights.forEach(({ card, start, end }) => fly(root, card, start, end));
  });
}

/** @param {HTMLElement} root @param {HTMLElement} card @param {DOMRect} start @param {DOMRect} end */
function fly(root, card, start, end) {
  const copy = /** @type {HTMLElement} */ (card.cloneNode(true));
  const flight = make("div", { class: "flight", "aria-hidden": "true", style: { left: `${end.left}px`, top: `${end.top}px`, "--w": `${end.width}px`, "--shown": String(end.width / end.height) } }, copy);
  root.append(flight);
  const timing = { duration: FLIES, easing: EASING };
  card.style.visibility = "hidden"; // as a style: an animation of it would have the page styled in each frame
  const away = `translate(${start.left - end.left}px, ${start.top - end.top}px) scale(${start.width / end.width})`;
  const land = () => {
    flight.remove();
    card.style.visibility = "";
  };
  flight.animate({ transform: [away, "none"] }, timing).finished.then(land, land);
}

/** Where a card comes from. @param {HTMLElement} root @param {Move} move @param {string} card */
function source(root, move, card) {
  const place = move.mine ? `.hand [data-card="${CSS.escape(card)}"] .playing-card` : `[data-seat="${move.seat}"] .held .back`;
  return root.querySelector(place);
}
