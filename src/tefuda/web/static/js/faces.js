// Drawings of cards, each a picture cut from the game's sprite: browsers would style the shapes of a `use`
// again for each card.

const SVG = "http://www.w3.org/2000/svg";

/** Sprites by their address. @type {Map<string, Promise<Document>>} */
const sprites = new Map();

/** Pictures that have been cut, by `sprite#card`. @type {Map<string, HTMLImageElement>} */
const pictures = new Map();

/**
 * Pictures that are put in before the page is drawn; the others wait for the next time, since painting
 * takes long.
 */
const AT_ONCE = 5;
let left = AT_ONCE;
/** @type {HTMLImageElement[]} */
let waiting = [];

/**
 * Show in a picture of the page what its `data-face` names: `sprite#card`.
 * @param {HTMLImageElement} place
 */
export function show(place) {
  if (left === AT_ONCE) requestAnimationFrame(() => requestAnimationFrame(goOn));
  if (left > 0) {
    left -= 1;
    put(place);
  } else {
    place.removeAttribute("src"); // what it showed before is another card
    waiting.push(place);
  }
}

function goOn() {
  left = AT_ONCE;
  const places = waiting.filter((place) => place.isConnected);
  waiting = [];
  places.forEach(show);
}

/** @param {HTMLImageElement} place */
function put(place) {
  const face = place.dataset.face ?? "";
  const ready = pictures.get(face);
  if (ready) {
    place.src = ready.src;
    return;
  }
  place.removeAttribute("src");
  const [sprite = "", card = ""] = face.split("#");
  load(sprite).then(
    (drawn) => {
      const made = picture(face, drawn, card);
      if (made && place.dataset.face === face) place.src = made.src;
    },
    () => {},
  ); // the card's name stands there
}

/** @param {string} sprite its address */
export function load(sprite) {
  const known = sprites.get(sprite);
  if (known) return known;
  const found = fetch(sprite).then(async (answer) => {
    if (!answer.ok) throw new Error(`${sprite}: ${answer.status}`);
    return new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  });
  sprites.set(sprite, found);
  found.then(
    (drawn) =>
      whenIdle(
        [...drawn.querySelectorAll("symbol")].map(
          (each) => () => picture(`${sprite}#${each.id}`, drawn, each.id),
        ),
      ),
    () => sprites.delete(sprite),
  ); // it may be there the next time
  return found;
}

/** Cut the other cards one at a time, while there is nothing else to do. @param {(() => unknown)[]} jobs */
function whenIdle(jobs) {
  if (!jobs.length || !("requestIdleCallback" in window)) return;
  requestIdleCallback(() => {
    jobs.shift()?.();
    whenIdle(jobs);
  });
}

/** @param {string} face @param {Document} drawn @param {string} card */
function picture(face, drawn, card) {
  const known = pictures.get(face);
  const symbol = drawn.getElementById(card);
  if (known || !symbol) return known;
  const whole = document.createElementNS(SVG, "svg");
  for (const { name, value } of drawn.documentElement.attributes)
    if (!name.startsWith("xmlns")) whole.setAttribute(name, value);
  const box = symbol.getAttribute("viewBox") ?? "";
  const [, , width = "", height = ""] = box.split(" ");
  for (const [name, value] of Object.entries({ viewBox: box, width, height }))
    whole.setAttribute(name, value);
  const shapes = document.createElementNS(SVG, "defs");
  shapes.append(...used(symbol, drawn, new Set()).map((each) => each.cloneNode(true)));
  whole.append(shapes, ...[...symbol.childNodes].map((each) => each.cloneNode(true)));
  const made = new Image();
  made.src = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(whole)], { type: "image/svg+xml" }),
  );
  pictures.set(face, made);
  return made;
}

/**
 * The shapes that something uses, and those that they use.
 * @param {Element} within
 * @param {Document} drawn
 * @param {Set<string>} known
 * @returns {Element[]}
 */
function used(within, drawn, known) {
  return [within, ...within.querySelectorAll("use")].flatMap((each) => {
    const id = each.getAttribute("href")?.slice(1) ?? "";
    const shape = id && !known.has(id) ? drawn.getElementById(id) : null;
    if (!shape) return [];
    known.add(id);
    return [shape, ...used(shape, drawn, known)];
  });
}
