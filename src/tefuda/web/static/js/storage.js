// What this browser keeps for its reader. Where it may keep nothing, or has no room, all goes on for as long as the page
// is open.

/** @type {Map<string, string>} what could not be kept */
const kept = new Map();

/** @param {string} key @returns {string | null} */
export function recall(key) {
  if (kept.has(key)) return kept.get(key) ?? null;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Whether it is kept beyond this page. @param {string} key @param {string} value */
export function keep(key, value) {
  kept.delete(key);
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    kept.set(key, value);
    return false;
  }
}

/** Keep which deck a game is shown with: in a cookie, since the server names the cards. @param {string} game @param {string} deck */
export function keepDeck(game, deck) {
  document.cookie = `deck-${game}=${deck}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
}

/** What is kept under names that begin so. @param {string} prefix @returns {string[]} */
export function keysOf(prefix) {
  /** @type {string[]} */
  let found = [...kept.keys()];
  try {
    found = [...Object.keys(localStorage), ...found];
  } catch {
    // nothing is kept beyond this page
  }
  return found.filter((key) => key.startsWith(prefix));
}

/** @param {string} key */
export function forget(key) {
  kept.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // it was not kept
  }
}
