// Beside the table: the tabs, and the panel that one of them opens.

import { find, hide, make, render } from "../dom.js";
import { announce, lines } from "../live.js";
import { game, isCard } from "./game.js";
import { covered } from "./hand.js";
import { read } from "./notation.js";
import * as panels from "./panels.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** So much of the log is read aloud when it is asked for. */
const LAST_LINES = 5;

export class Side {
  open = covered.matches ? "" : "log";
  /** @type {Parameters<typeof import("./lookup.js").hint>[0]} */ found = null;
  /** The moment that the hint is about. */ #asked = 0;
  #seq = 0;
  /** Whether the end of the panel is in sight: who reads further up stays there. */ #atEnd = true;
  /** What of the log is shown. */ #logged = "";
  /** @type {typeof import("./lookup.js") | null} what all panels but the log show, once one of them is open */ #lookup = null;
  /** @type {Promise<Node[]> | null} the rules, once somebody wants to read them */ #rules = null;

  /** @param {HTMLElement} root @param {import("./house.js").House} house @param {() => void} redraw */
  constructor(root, house, redraw) {
    this.root = root;
    this.house = house;
    this.redraw = redraw;
    new ResizeObserver(() => this.#measure()).observe(find(".felt", root));
    const panel = find(".panel", root);
    panel.addEventListener("scroll", () => {
      this.#atEnd = panel.scrollTop + panel.clientHeight > panel.scrollHeight - 8;
    }, { passive: true });
    covered.addEventListener("change", () => {
      this.open = covered.matches ? "" : this.open || "log";
      redraw();
    });
  }

  /** Where the felt is: a panel that lies over the table covers no more than that, so that hand, buttons and tabs stay in sight. */
  #measure() {
    const { top, bottom, right } = find(".felt", this.root).getBoundingClientRect();
    const style = find(".panel", this.root).style; // of nothing larger: all within would be styled anew
    style.setProperty("--felt-side", `${document.documentElement.clientWidth - right}px`);
    style.setProperty("--felt-start", `${top}px`);
    style.setProperty("--felt-end", `${bottom}px`);
  }

  /** @param {State} state @param {import("./story.js").Story} story @param {string[]} names */
  draw(state, story, names) {
    this.#seq = state.seq;
    if (this.found !== "thinking" && this.#asked !== state.seq) this.found = null;
    const look = this.#lookup;
    const contents = {
      log: () => panels.log(story.lines, state), ranks: () => look?.ranks(state), last: () => look?.last(story.last, names),
      score: () => look?.score(state, names), hint: () => look?.hint(this.found), rules: () => [make("div", { class: "rules-text", key: "rules" })],
      keys: () => look?.keys(),
    };
    if (this.open && this.open !== "log" && !look) this.#load().then(this.redraw);
    const offered = panels.PANELS.filter((name) => name !== "hint" || (isAlone(state) && !state.given?.day));
    const place = find(".panel", this.root);
    const opens = this.root.dataset.panel !== this.open;
    const logged = this.open === "log" ? `${story.lines.length} ${story.lines.at(-1)?.key} ${state.seats.map((seat) => seat.bot ?? seat.name).join()}` : "";
    this.root.dataset.panel = this.open;
    render(find(".tabs", this.root), panels.tabs(offered, this.open));
    hide(place, !this.open);
    place.setAttribute("aria-labelledby", `tab-${this.open}`);
    if (this.open === "rules") this.#showRules(place, opens);
    else if (this.open && (opens || this.open !== "log" || logged !== this.#logged)) render(place, contents[/** @type {keyof typeof contents} */ (this.open)]() ?? []);
    if (this.open === "log" && (opens || (this.#atEnd && logged !== this.#logged))) place.scrollTop = place.scrollHeight;
    else if (opens) place.scrollTop = 0;
    this.#logged = logged;
  }

  async #load() {
    return (this.#lookup ??= await import("./lookup.js"));
  }

  /** @param {string} name @param {boolean} byKey */
  async toggle(name, byKey) {
    await this.#load();
    const closes = this.open === name && covered.matches;
    this.open = closes ? "" : name;
    this.redraw();
    if (byKey && !closes && name === "hint" && this.found === null) this.ask();
    if (byKey && !closes) announce(this.root, lines(find(".panel", this.root)).slice(name === "log" ? -LAST_LINES : 0));
  }

  /** Where it lies over the table, put it away. */
  close() {
    if (covered.matches) this.open = "";
  }

  /** Ask for a hint. */
  async ask() {
    this.found = "thinking";
    this.#asked = this.#seq;
    this.redraw();
    const asked = this.#asked;
    for (const quick of [true, false]) {
      const found = await this.house.hint(quick);
      if (this.#asked !== asked) return;
      this.found = "refused" in found ? found : { ...found, refining: quick };
      this.redraw();
      if ("refused" in found) return;
    }
  }

  /** The cards of the play that has been advised at this moment. @param {State} state */
  advised(state) {
    const { found } = this;
    return found && typeof found === "object" && "play" in found && this.#asked === state.seq ? read(found.play, isCard).cards : [];
  }

  /** The page of the rules, in the panel. @param {HTMLElement} place @param {boolean} opens */
  async #showRules(place, opens) {
    if (!opens && place.querySelector(".rules-text")) return;
    render(place, make("div", { class: "rules-text", key: "rules" }));
    this.#rules ??= fetchRules();
    const parts = await this.#rules;
    place.querySelector(".rules-text")?.replaceChildren(...parts.map((part) => part.cloneNode(true)));
  }
}

/** Whether the reader plays alone with bots. @param {State} state */
export function isAlone(state) {
  return state.you.seat !== null && state.seats.every((seat, number) => number === state.you.seat || seat.bot || seat.open);
}

/** @returns {Promise<Node[]>} */
async function fetchRules() {
  const answer = await fetch(game.rules).catch(() => null);
  const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : "", "text/html");
  const isMissing = (/** @type {Element} */ style) => !document.querySelector(`link[href="${CSS.escape(style.getAttribute("href") ?? "")}"]`);
  await Promise.all([...page.querySelectorAll("link[rel=stylesheet]")].filter(isMissing).map(adoptStyle));
  return [...(page.querySelector("main")?.childNodes ?? [])].map((part) => document.adoptNode(part));
}

/** Resolves when the style is there: without it the text would jump, or lack the font that it is read in. @param {Element} style */
function adoptStyle(style) {
  const own = document.adoptNode(style);
  return new Promise((there) => {
    own.addEventListener("load", there);
    own.addEventListener("error", there);
    document.head.append(own);
  });
}
