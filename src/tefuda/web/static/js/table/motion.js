// Motion that tells what has happened: cards fly from the hand, or from who held them, to the middle. The page is drawn at
// once; copies of the cards fly over it, moved by the browser's compositor, and the cards themselves are seen when those land.

import { make } from "../dom.js";

/** @typedef {{seat: number, cards: string[], mine: boolean}} Move */

/** Milliseconds of a flight. */
const FLIES = 260;
/** As long takes a trick to its winner, a dealt card to the hand, and the next card to follow it. */
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

/** A copy of a card that can fly over all else. @param {HTMLElement} card @param {DOMRect} place */
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

/** Move the trick that lies there to who has won it; its cards are drawn no more when this is seen. @param {HTMLElement} root @param {number} seat */
export function sweep(root, seat) {
  const place = root.querySelector(`[data-seat="${seat}"] .portrait`)?.getBoundingClientRect();
  if (!place?.width || still.matches || document.hidden) return;
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".middle .play > .playing-card"))) {
    const from = card.getBoundingClientRect();
    const flight = flightOf(card, from);
    flight.classList.add("swept");
    root.append(flight);
    const end = () => flight.remove();
    const moves = { transform: ["none", `${toMiddleOf(place, from)} scale(.25)`], opacity: [1, 0.2] };
    flight.animate(moves, { duration: SWEEPS, easing: "ease-in" }).finished.then(end, end);
  }
}

/** Deal the hand from the middle of the felt. @param {HTMLElement} root */
export function dealHand(root) {
  const hand = root.querySelector(".hand");
  const pack = root.querySelector(".middle")?.getBoundingClientRect();
  if (!hand || !pack?.width || still.matches || document.hidden) return;
  const dealt = [...hand.querySelectorAll(".slot > .playing-card")].map((card, number) => {
    const from = `${toMiddleOf(pack, card.getBoundingClientRect())} scale(.5)`;
    const timing = { duration: DEALT.takes, delay: number * DEALT.next, easing: EASING, fill: /** @type {FillMode} */ ("backwards") };
    return card.animate({ transform: [from, "none"], opacity: [0, 1] }, timing).finished;
  });
  hand.classList.add("dealing"); // what flies over a card is not pressed in its stead
  Promise.allSettled(dealt).then(() => hand.classList.remove("dealing"));
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
