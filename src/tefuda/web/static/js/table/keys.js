// The whole game by keyboard. Small letters are commands; capitals and digits are the beginning of a card's
// code.

/**
 * What keys bring about.
 * @typedef {object} Keyed
 * @property {(slot: string) => void} why
 * @property {(name: string) => void} panel
 * @property {(name: string) => void} act
 * @property {() => void} clear
 * @property {(slot: string) => void} current the keyboard is on this card now
 * @property {(slot: string, near: string, after: boolean) => void} lay a card goes to another place in the
 *   hand
 */

const COMMANDS = new Map([
  ["l", "last"],
  ["r", "ranks"],
  ["s", "score"],
  ["g", "log"],
  ["h", "hint"],
  ["k", "keys"],
  ["i", "rules"],
]);
const ACTS = new Map([
  ["u", "take_back"],
  ["p", "pause"],
  ["t", "talk"],
  ["o", "settings"],
  ["f", "sort"],
]);
const TYPED_WITHIN = 900;

/**
 * The key that was pressed, letters and digits as a Latin keyboard has them: commands are the same keys on
 * every layout. Empty while a word is being composed.
 * @param {KeyboardEvent} event
 */
export function keyOf(event) {
  if (event.isComposing || event.key === "Process") return "";
  const key = event.key.normalize("NFKC"); // full width, as keyboards of East Asia write it
  if (/^[a-z]$/i.test(key) && event.getModifierState("CapsLock"))
    return key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase();
  if (/^[\x20-\x7e]+$/.test(key)) return key;
  const [, letter, digit] = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(event.code) ?? [];
  return digit ?? (event.shiftKey ? letter : letter?.toLowerCase()) ?? "";
}

/** @param {HTMLElement} root @param {Keyed} keyed */
export function listen(root, keyed) {
  let typed = "";
  let typedAt = 0;

  const cards = () => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".hand [data-slot]")]);
  const focus = (/** @type {HTMLElement | undefined} */ card) => {
    if (!card) return;
    keyed.current(card.dataset.slot ?? "");
    card.focus();
  };

  /** @param {string} key @param {number} at when it was pressed, which a busy machine may notice late */
  function type(key, at) {
    if (at - typedAt > TYPED_WITHIN) typed = "";
    const codes = cards().map((card) => card.dataset.card?.toUpperCase() ?? "");
    const begun = (/** @type {string} */ text) => codes.some((code) => code.startsWith(text));
    typed = [typed + key.toUpperCase(), key.toUpperCase()].find(begun) ?? "";
    typedAt = at;
    if (!typed) return;
    const whole = codes.indexOf(typed);
    focus(cards()[whole >= 0 ? whole : codes.findIndex((code) => code.startsWith(typed))]);
  }

  /** @param {string} key @param {HTMLElement} card */
  function move(key, card) {
    const all = cards();
    const here = all.indexOf(card);
    const there = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: all.length - 1 }[key];
    if (there !== undefined) focus(all[(there + all.length) % all.length]);
    else focus(nearestInRow(card, key === "ArrowDown" ? 1 : -1));
  }

  /** The card goes to the other side of its neighbour. @param {HTMLElement} card @param {number} by */
  function lay(card, by) {
    const all = cards();
    const near = all[all.indexOf(card) + by]?.dataset.slot;
    if (near) keyed.lay(card.dataset.slot ?? "", near, by > 0);
  }

  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      target.matches("input, select, textarea") ||
      target.closest("dialog")
    )
      return;
    const slot = target.dataset.slot ?? "";
    const key = keyOf(event);
    if (key === "Enter") typed = ""; // the card is chosen: what follows is a command
    const typing =
      /^[A-Z0-9]$/.test(key) || (/^[a-z]$/.test(key) && typed && event.timeStamp - typedAt < TYPED_WITHIN);
    if (slot && event.shiftKey && /^Arrow(Left|Right)$/.test(key)) lay(target, key === "ArrowRight" ? 1 : -1);
    else if (slot && /^(Arrow|Home|End)/.test(key)) move(key, target);
    else if (target.matches("[role=tab]") && /^Arrow(Left|Right)$/.test(key))
      moveTab(target, key === "ArrowRight" ? 1 : -1);
    else if (key === "?")
      keyed.why(slot || (root.querySelector(".hand [tabindex='0']")?.getAttribute("data-slot") ?? ""));
    else if (key === "Escape") keyed.clear();
    else if (typing) type(key, event.timeStamp);
    else if (COMMANDS.has(key)) keyed.panel(/** @type {string} */ (COMMANDS.get(key)));
    else if (ACTS.has(key)) keyed.act(/** @type {string} */ (ACTS.get(key)));
    else if (key === "a")
      /** @type {HTMLElement | null} */ (
        root.querySelector(".overlay:not([hidden]) [data-act], .bar button")
      )?.focus();
    else return;
    event.preventDefault();
  });
}

/** @param {HTMLElement} tab @param {number} by */
function moveTab(tab, by) {
  const tabs = /** @type {HTMLElement[]} */ ([...(tab.parentElement?.querySelectorAll("[role=tab]") ?? [])]);
  const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
  next?.click();
  next?.focus();
}

/** The card above or below. @param {HTMLElement} card @param {number} by */
function nearestInRow(card, by) {
  const rows = [...(card.closest(".hand")?.querySelectorAll(".hand-row") ?? [])];
  const row = rows[rows.findIndex((each) => each.contains(card)) + by];
  const left = card.getBoundingClientRect().left;
  const distance = (/** @type {Element} */ each) => Math.abs(each.getBoundingClientRect().left - left);
  const found = [...(row?.querySelectorAll("[data-slot]") ?? [])].sort(
    (a, b) => distance(a) - distance(b),
  )[0];
  return found instanceof HTMLElement ? found : undefined;
}

/**
 * How the focus came to a card or a button after which there was nothing to be focused.
 * @type {"keyboard" | "pointer" | null}
 */
let homeless = null;

/**
 * How somebody came to what has the focus in hand and buttons. A card that goes gives it up before anything
 * is changed, which costs less than afterwards.
 * @param {{id: string}[]} slots of the hand that will be drawn
 * @returns {"keyboard" | "pointer" | null}
 */
export function focusOf(slots) {
  const held = document.activeElement;
  if (held === document.body) return homeless;
  homeless = null;
  if (!(held instanceof HTMLElement) || !held.closest(".hand, .bar, .overlay [data-key=next]")) return null;
  const way = held.matches(":focus-visible") ? "keyboard" : "pointer";
  const own = held.dataset.slots?.split(" ");
  if (way === "pointer" && !own && !held.closest(".overlay")) held.blur(); // the button will hardly stay
  if (own && !slots.some((slot) => own.includes(slot.id))) held.blur();
  return way;
}

/**
 * Focus stays where one plays when the card or the button that had it is gone or covered: in the hand, or at
 * what comes after the deal. For a pointer it may wait until the page is laid out.
 * @param {HTMLElement} root @param {"keyboard" | "pointer"} way
 */
export function refocus(root, way) {
  const isLost = () =>
    document.activeElement === document.body ||
    Boolean(document.activeElement?.closest(".board.overlaid :is(.hand, .bar)"));
  const next = () =>
    /** @type {HTMLElement | null} */ (
      root.querySelector(".overlay:not([hidden]) [data-key=next] :is(button, a)") ??
        root.querySelector(".hand [tabindex='0']")
    );
  const go = () => isLost() && next()?.focus({ preventScroll: true });
  if (!isLost()) return;
  homeless = next() ? null : way;
  if (way === "keyboard") go();
  else window.setTimeout(go, 50);
}
