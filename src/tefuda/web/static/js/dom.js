// Elements, and bringing a tree of them up to date. The page is drawn anew from the state whenever something
// happens; what is the same stays the same element, so that focus, scrolling and transitions live on.

import { show } from "./faces.js";

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * @typedef {Record<string, string | number | boolean | null | undefined | Record<string, string | number>>}
 *   Attributes
 */

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "use", "path", "line", "circle"]);

/**
 * An element. `key` names it among its siblings, `style` holds properties; true is an empty attribute, false,
 * null and undefined are none.
 * @param {string} tag
 * @param {Attributes | null} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes, ...children) {
  const element = /** @type {HTMLElement} */ (
    SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag)
  );
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "object") {
      // Through the object model: a style attribute is not allowed by the content security policy.
      for (const [property, amount] of Object.entries(value))
        element.style.setProperty(property, String(amount));
    } else if (name === "key") {
      element.dataset.key = String(value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  const flat = /** @type {Child[]} */ (children.flat());
  element.append(
    ...flat.filter((child) => child !== null && child !== undefined && child !== false).map(asNode),
  );
  return element;
}

/**
 * Hide or show an element; said twice, browsers would style it twice.
 * @param {HTMLElement} element
 * @param {boolean} hidden
 */
export function hide(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

/** @param {Child} child */
function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

/**
 * Put the drawings in that `data-face` names. Browsers load what an `img` names at once, also where it is
 * only made to be compared; so it is named when it comes on the page.
 * @param {Element} made
 */
export function settle(made) {
  fill(made);
  const faces = made.matches("img[data-face]") ? [made] : made.querySelectorAll("img[data-face]");
  for (const face of faces) show(/** @type {HTMLImageElement} */ (face));
}

/** Put in what stubs stand for, and what stubs within that stand for. @param {Element} made */
function fill(made) {
  for (const stub of made.querySelectorAll("[data-part]")) {
    const whole = build(stub);
    fill(whole);
    stub.replaceWith(whole);
  }
}

/**
 * What stubs stand for, and what live parts were made from.
 * @type {WeakMap<Element, {of: string, draw: () => HTMLElement}>}
 */
const parts = new WeakMap();

/**
 * A part of the page that is made only if what it shows has changed: until then a stub with its key stands
 * for it.
 * @param {string} tag
 * @param {string} key
 * @param {unknown} shown everything that it is made from
 * @param {() => HTMLElement} draw
 */
export function part(tag, key, shown, draw) {
  const stub = make(tag, { key, "data-part": true });
  parts.set(stub, { of: JSON.stringify(shown), draw });
  return stub;
}

/** What a stub stands for; else the node itself. @template {Node} T @param {T} node @returns {T} */
function build(node) {
  const found = node instanceof Element && parts.get(node);
  if (!found) return node;
  const made = found.draw();
  parts.set(made, found);
  return /** @type {T} */ (/** @type {unknown} */ (made));
}

/**
 * Make the live element's children like the fresh ones.
 * @param {Element} live
 * @param {...(Child | Child[])} children
 */
export function render(live, ...children) {
  const fresh = make("div", null, ...children);
  morphChildren(live, fresh);
}

/** @param {Element} live @param {Element} fresh */
function morph(live, fresh) {
  const face = fresh.getAttribute("data-face");
  const isOther = face !== live.getAttribute("data-face");
  const [has, wants] = [live.attributes, fresh.attributes];
  for (let place = has.length - 1; place >= 0; place -= 1) {
    const { name } = /** @type {Attr} */ (has[place]);
    if (name !== "style" && !(name === "src" && face !== null) && !fresh.hasAttribute(name))
      live.removeAttribute(name);
  }
  for (let place = 0; place < wants.length; place += 1) {
    const { name, value } = /** @type {Attr} */ (wants[place]);
    if (name !== "style" && live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  if (face !== null) {
    if (isOther) settle(live);
    return;
  }
  const style = fresh.getAttribute("style") ?? "";
  if ((live.getAttribute("style") ?? "") !== style) /** @type {HTMLElement} */ (live).style.cssText = style;
  morphChildren(live, fresh);
}

/** @param {Element} live @param {Element} fresh */
function morphChildren(live, fresh) {
  const wanted = [...fresh.childNodes];
  const keys = new Set(wanted.map(keyOf).filter(Boolean));
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  for (const node of [...live.childNodes]) {
    const key = keyOf(node);
    if (!key) continue;
    if (keys.has(key) && !keyed.has(key)) keyed.set(key, node);
    else node.remove();
  }
  let place = live.firstChild;
  for (const node of wanted) {
    const key = keyOf(node);
    let found = key ? (keyed.get(key) ?? null) : place;
    while (!key && found && keyOf(found)) found = found.nextSibling;
    if (!found || found.nodeName !== node.nodeName) {
      const whole = build(node);
      if (whole instanceof Element) settle(whole);
      live.insertBefore(whole, place);
      continue;
    }
    if (found === place) place = place.nextSibling;
    else live.insertBefore(found, place);
    if (node instanceof Element) refresh(/** @type {Element} */ (found), node);
    else if (found.nodeValue !== node.nodeValue) found.nodeValue = node.nodeValue;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** @param {Element} live @param {Element} fresh or the stub of a part */
function refresh(live, fresh) {
  const wanted = parts.get(fresh);
  if (wanted && parts.get(live)?.of === wanted.of) return;
  morph(live, build(fresh));
  if (wanted) parts.set(live, wanted);
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? (node.getAttribute("data-key") ?? "") : "";
}

/**
 * A style that the page does without until now: resolves when it is there, or cannot be had.
 * @param {string} name of a file in css
 */
export async function bringStyle(name) {
  const href = new URL(`../css/${name}.css`, import.meta.url).href;
  if (!document.querySelector(`link[href="${href}"]`))
    await adoptStyle(make("link", { rel: "stylesheet", href }));
}

/** @param {Element} style a link @returns {Promise<unknown>} */
export function adoptStyle(style) {
  const settled = new Promise((settle) =>
    ["load", "error"].forEach((kind) => style.addEventListener(kind, settle)),
  );
  document.head.append(style);
  return settled;
}

/**
 * The element with this selector; it must be there.
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement}
 */
export function find(selector, within = document) {
  const found = within.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
  return found;
}

// When a table is drawn

/**
 * Milliseconds after which a frame is not waited for any more: browsers leave them out where nobody looks.
 */
const LATEST = 120;

/**
 * Once for all that happens in a moment. What comes from a table is drawn in two frames, first the felt and
 * then what follows for the reader, so that a slow processor is never busy for long.
 */
export class Drawing {
  /**
   * What has yet to be drawn: all, the felt and then the rest, the rest in the next frame, or at once.
   * @type {"" | "all" | "turn" | "rest" | "own"}
   */
  #due = "";

  /**
   * @param {() => void} felt draws who sits there and what lies there
   * @param {() => void} rest draws all else
   */
  constructor(felt, rest) {
    this.felt = felt;
    this.rest = rest;
  }

  /** All, at the end of this turn of events. */
  soon() {
    this.#want("all");
  }

  /** All but the felt, at the end of this turn of events: what the reader picks changes nothing there. */
  ownSoon() {
    this.#want("own");
  }

  /** The felt at the end of this turn of events, the rest in the next frame. */
  inTurn() {
    this.#want("turn");
  }

  /** The felt at once, the rest in the next frame. */
  feltNow() {
    this.felt();
    this.#due = "rest";
    nextFrame(() => this.#goOn());
  }

  /** All at once. */
  now() {
    this.#due = "";
    this.felt();
    this.rest();
  }

  /** @param {"all" | "turn" | "own"} what */
  #want(what) {
    const waits = this.#due !== "";
    if (!waits || (this.#due !== "all" && what !== "own")) this.#due = what;
    if (!waits) queueMicrotask(() => this.#due !== "rest" && this.#goOn());
  }

  #goOn() {
    const due = this.#due;
    if (due === "turn" && !document.hidden) this.feltNow();
    else if (due === "rest" || due === "own") {
      this.#due = "";
      this.rest();
    } else if (due) this.now();
  }
}

/** After the next frame. @param {() => void} go */
function nextFrame(go) {
  const late = window.setTimeout(go, LATEST);
  requestAnimationFrame(() => {
    window.clearTimeout(late);
    window.setTimeout(go);
  });
}
