// Elements, and bringing a tree of them up to date. The page is drawn anew from the state whenever something happens;
// what is the same stays the same element, so that focus, scrolling and transitions live on.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | Record<string, string | number>>} Attributes */

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "use", "path", "line", "circle"]);

/**
 * An element. `key` names it among its siblings, `style` holds properties; true is an empty attribute, false, null and
 * undefined are none.
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
      for (const [property, amount] of Object.entries(value)) element.style.setProperty(property, String(amount));
    } else if (name === "key") {
      element.dataset.key = String(value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  const flat = /** @type {Child[]} */ (children.flat());
  element.append(...flat.filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  return element;
}

/** @param {Child} child */
function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

/**
 * Put the drawings in: an `svg` says in `data-face` what it shows. Browsers look that up as soon as an element uses it, also
 * on elements that are made to be compared and thrown away; so it is used when they are put on the page.
 * @param {Element} made
 */
export function settle(made) {
  const faces = made.hasAttribute("data-face") ? [made] : made.querySelectorAll("svg[data-face]");
  for (const svg of faces) if (!svg.firstChild) svg.append(make("use", { href: svg.getAttribute("data-face") }));
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
  if (face !== null && live.getAttribute("data-face") !== face) live.firstElementChild?.setAttribute("href", face);
  const [has, wants] = [live.attributes, fresh.attributes];
  for (let place = has.length - 1; place >= 0; place -= 1) {
    const { name } = /** @type {Attr} */ (has[place]);
    if (name !== "style" && !fresh.hasAttribute(name)) live.removeAttribute(name);
  }
  for (let place = 0; place < wants.length; place += 1) {
    const { name, value } = /** @type {Attr} */ (wants[place]);
    if (name !== "style" && live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  if (face !== null) {
    settle(live);
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
    let found = key ? keyed.get(key) ?? null : place;
    while (!key && found && keyOf(found)) found = found.nextSibling;
    if (!found || found.nodeName !== node.nodeName) {
      if (node instanceof Element) settle(node);
      live.insertBefore(node, place);
      continue;
    }
    if (found === place) place = place.nextSibling;
    else live.insertBefore(found, place);
    if (node instanceof Element) morph(/** @type {Element} */ (found), node);
    else if (found.nodeValue !== node.nodeValue) found.nodeValue = node.nodeValue;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute("data-key") ?? "" : "";
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
