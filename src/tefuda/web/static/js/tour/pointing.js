// What a step points at: parts of the table get a mark each time it has been drawn.

/** @type {Record<string, string>} */
const AREAS = {
  hand: ".hand",
  middle: ".middle",
  bar: ".bar",
  status: ".status-line",
  log: ".panel",
  ranks: ".panel",
  last: ".panel",
};

/**
 * @param {HTMLElement} root
 * @param {string[]} what areas, cards, and seats as "seat:2"
 * @param {string} ask a card beside them
 */
export function point(root, what, ask) {
  for (const element of root.querySelectorAll("[data-pointed]")) element.removeAttribute("data-pointed");
  for (const each of [...what, ask].filter(Boolean)) {
    for (const element of root.querySelectorAll(selector(each))) {
      // Nothing is to be seen in an empty hand
      if (!element.matches(".hand") || element.childElementCount) element.setAttribute("data-pointed", "");
    }
  }
}

/** @param {string} what */
function selector(what) {
  if (what.startsWith("seat:")) return `[data-seat="${what.slice(5)}"]`;
  return AREAS[what] ?? `.hand [data-card="${CSS.escape(what)}"]`;
}
