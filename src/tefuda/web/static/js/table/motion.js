// Motion that tells what has happened. The page is drawn at once; copies of cards fly over it,
// and the cards themselves are seen when those land.

import { make } from "../dom.js";

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
  const from = moves.map((move) => move.cards.map((card) => source(root, move, card)?.getBoundingClientRect()));
  draw();
  requestAnimationFrame(() => { // the page is laid out once, for what flies and for what is painted
    root.querySelectorAll(".flight:not(.swept)").forEach((earlier) => earlier.remove());
    const flights = moves.flatMap((move, number) => [...root.querySelectorAll(`[data-played="${move.seat}"] > .playing-card`)].flatMap((card, place) => {
      const start = from[number]?.[place];
      return start?.width ? [{ card: /** @type {HTMLElement} */ (card), start, end: card.getBoundingClientRect() }] : [];
    }));
    flights.forEach(({ card, start, end }) => fly(root, card, start, end));
  });
}

/** A copy of a card, over all else. @param {HTMLElement} card @param {DOMRect} place */
function flightOf(card, place) {
  const style = { left: `${place.left}px`, top: `${place.top}px`, "--w": `${place.width}px`, "--shown": String(place.width / place.height) };
  return make("div", { class: "flight", "aria-hidden": "true", style }, /** @type {HTMLElement} */ (card.cloneNode(true)));
}

/** @param {HTMLElement} root @param {HTMLElement} card @param {DOMRect} start @param {DOMRect} end */
function fly(root, card, start, end) {
  const flight = flightOf(card, end);
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

/** Move a trick to its winner. @param {HTMLElement} root @param {number} seat */
export function sweep(root, seat) {
  const place = root.querySelector(`[data-seat="${seat}"] .portrait`)?.getBoundingClientRect();
  if (!place?.width || still.matches || document.hidden) return;
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".middle .play > .playing-card"))) {
    const from = card.getBoundingClientRect();
    const flight = flightOf(card, from);
    flight.classList.add("swept");
    root.append(flight);
    flight.animate({ transform: ["none", `${toMiddleOf(place, from)} scale(.25)`], opacity: [1, 0.2] }, SWEEPS).onfinish = () => flight.remove();
  }
}

/** Deal the hand from the middle of the felt. @param {HTMLElement} root */
export function dealHand(root) {
  const pack = root.querySelector(".middle")?.getBoundingClientRect();
  if (!pack?.width || still.matches || document.hidden) return;
  const pointerEvents = ["none", "none"]; // nobody presses what flies by
  root.querySelectorAll(".hand .slot > .playing-card").forEach((card, number) => card.animate({ transform: [toMiddleOf(pack, card.getBoundingClientRect()), "none"], opacity: [0, 1], pointerEvents },
    { duration: DEALT.takes, delay: number * DEALT.next, easing: EASING, fill: "backwards" }));
}

/** From the middle of a place to that of another. @param {DOMRect} to @param {DOMRect} from */
function toMiddleOf(to, from) {
  return `translate(${to.left + to.width / 2 - from.left - from.width / 2}px, ${to.top + to.height / 2 - from.top - from.height / 2}px)`;
}

/** Where a card comes from. @param {HTMLElement} root @param {Move} move @param {string} card */
function source(root, move, card) {
  const place = move.mine ? `.hand [data-card="${CSS.escape(card)}"] .playing-card` : `[data-seat="${move.seat}"] .portrait`;
  return root.querySelector(place);
}
