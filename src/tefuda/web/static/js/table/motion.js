// Motion that tells what has happened: cards go from the hand, or from who held them, to the middle. The browser's view
// transitions do it; only what moves is named, everything else changes at once.

/** @typedef {{seat: number, cards: string[], mine: boolean}} Move */

const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Whether moves are to be seen. @param {Move[]} moves */
export function isMoving(moves) {
  return moves.length > 0 && !document.hidden && !still.matches && "startViewTransition" in document;
}

/** @type {ViewTransition | null} */
let latest = null;

/**
 * Draw, once the browser has taken its picture of what is there, and move what has moved.
 * @param {HTMLElement} root
 * @param {Move[]} moves
 * @param {() => void} draw
 */
export function drawWithMotion(root, moves, draw) {
  /** @type {HTMLElement[]} */
  let named = [];
  const name = (/** @type {(HTMLElement | null)[]} */ elements) => {
    for (const element of named) element.style.removeProperty("view-transition-name");
    named = elements.filter((element) => element !== null);
    named.forEach((element, place) => element.style.setProperty("view-transition-name", `card-${place}`));
  };
  name(moves.flatMap((move) => move.cards.map((card, place) => source(root, move, card, place))));
  const transition = document.startViewTransition(() => {
    if (latest !== transition) return; // a later one draws
    draw();
    name(moves.flatMap((move) => move.cards.map((_, place) => root.querySelectorAll(`[data-played="${move.seat}"] > .playing-card`)[place]).map(asElement)));
  });
  latest = transition;
  const clear = () => name([]);
  transition.finished.then(clear, clear);
  transition.ready.catch(() => {}); // skipped for a later one: nothing is wrong
}

/** Where a card comes from. @param {HTMLElement} root @param {Move} move @param {string} card @param {number} place */
function source(root, move, card, place) {
  if (move.mine) return asElement(root.querySelector(`.hand [data-card="${CSS.escape(card)}"] .playing-card`));
  return place ? null : asElement(root.querySelector(`[data-seat="${move.seat}"] .held .back`));
}

/** @param {Element | null | undefined} element */
function asElement(element) {
  return element instanceof HTMLElement ? element : null;
}
