// What screen readers say of what happens. Each sentence is added below the last in the one polite region: so each is
// said once and in order, also where several come at the same moment, or the same one twice.

import { find, make } from "./dom.js";
import { say } from "./texts.js";

/** Sentences that stay; those before them have been said. */
const KEPT = 12;

/** After what is drawn in this moment: neither waits for the other. @param {HTMLElement} root @param {string[]} sentences */
export function announce(root, sentences) {
  const said = sentences.filter(Boolean);
  if (said.length) window.setTimeout(() => add(find(".live", root), said));
}

/** @param {HTMLElement} live @param {string[]} sentences */
function add(live, sentences) {
  live.append(...sentences.map((sentence) => make("p", null, sentence)));
  while (live.children.length > KEPT) live.firstElementChild?.remove();
}

/**
 * The lines of a part of the page, each as it is read: names instead of drawings, nothing that is hidden.
 * @param {HTMLElement} part
 */
export function lines(part) {
  return [...part.querySelectorAll("li, dl > div, tr, caption, p")].map(spoken);
}

/** @param {Node} node @returns {string} */
function spoken(node) {
  if (!(node instanceof Element)) return node.textContent?.trim() ?? "";
  if (node.getAttribute("aria-hidden") === "true") return "";
  return node.getAttribute("aria-label") ?? [...node.childNodes].map(spoken).filter(Boolean).join(say("wording.comma"));
}
