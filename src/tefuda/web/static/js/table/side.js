// Beside the table: the tabs, and the panel that one of them opens; first the log of what has happened.

import { adoptStyle, find, hide, make, part, render } from "../dom.js";
import { announce, hasText, lines, say, tell } from "../texts.js";
import { game } from "./game.js";
import { covered } from "./hand.js";
import { hintOf, isAlone, think } from "./store.js";
import { others } from "./people.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {{key: string, text: string, kind: string, seat?: number, seq: number}} Line */

const PANELS = ["log", "ranks", "last", "score", "hint", "rules", "keys"];

/** So much of the log is read aloud when it is asked for. */
const LAST_LINES = 5;

export class Side {
  /** Whether the end of the panel is in sight: who reads further up stays there. */ #atEnd = true;
  /** @type {typeof import("./panels.js") | null} */ #panels = null;
  /** What of the log is shown. */ #logged = "";
  /** @type {Promise<Node[]> | null} the rules, once somebody wants to read them */ #rules = null;

  /**
   * @param {HTMLElement} root
   * @param {import("./store.js").Store} store
   * @param {import("./house.js").House} house
   * @param {() => void} redraw at once
   */
  constructor(root, store, house, redraw) {
    this.root = root;
    this.store = store;
    this.house = house;
    this.redraw = redraw;
    new ResizeObserver(() => this.#measure()).observe(find(".felt", root));
    const panel = find(".panel", root);
    panel.addEventListener(
      "scroll",
      () => {
        this.#atEnd = panel.scrollTop + panel.clientHeight > panel.scrollHeight - 8;
      },
      { passive: true },
    );
    covered.addEventListener("change", () => {
      store.set({ panel: covered.matches ? "" : store.now.panel || "log" });
    });
  }

  /**
   * Where the felt is: a panel that lies over the table covers no more than that, so that hand, buttons
   * and tabs stay in sight.
   */
  #measure() {
    const { top, bottom, right } = find(".felt", this.root).getBoundingClientRect();
    const style = find(".panel", this.root).style; // of nothing larger: all within would be styled anew
    style.setProperty("--felt-side", `${document.documentElement.clientWidth - right}px`);
    style.setProperty("--felt-start", `${top}px`);
    style.setProperty("--felt-end", `${bottom}px`);
  }

  /** @param {State} state @param {string[]} names */
  draw(state, names) {
    const { panel, log } = this.store.now;
    const offered = PANELS.filter((name) => name !== "hint" || (isAlone(state) && !state.given?.day));
    const place = find(".panel", this.root);
    const opens = this.root.dataset.panel !== panel;
    const called = state.seats.map((seat) => seat.bot ?? seat.name).join();
    const logged = panel === "log" ? `${log.length} ${log.at(-1)?.key} ${called}` : "";
    this.root.dataset.panel = panel;
    render(find(".tabs", this.root), tabs(offered, panel));
    hide(place, !panel);
    place.setAttribute("aria-labelledby", `tab-${panel}`);
    if (panel === "rules") this.#showRules(place, opens);
    else if (panel && (opens || panel !== "log" || logged !== this.#logged))
      render(place, this.#contents(state, names));
    if (panel === "log" && (opens || (this.#atEnd && logged !== this.#logged)))
      place.scrollTop = place.scrollHeight;
    else if (opens) place.scrollTop = 0;
    this.#logged = logged;
  }

  /**
   * What the open panel shows.
   * @param {State} state
   * @param {string[]} names
   */
  #contents(state, names) {
    const { panel, log: lines, trick } = this.store.now;
    if (panel === "log") return log(lines, state);
    if (!this.#panels) {
      this.#fetch().then(this.redraw);
      return [];
    }
    const { ranks, last, score, hint, keys } = this.#panels;
    if (panel === "ranks") return ranks(state);
    if (panel === "last") return last(trick, names);
    if (panel === "score") return score(state, names);
    return panel === "hint" ? hint(hintOf(this.store.now)) : keys();
  }

  /** What panels but the log show comes when somebody opens one. */
  async #fetch() {
    this.#panels ??= await import("./panels.js");
  }

  /** @param {string} name @param {boolean} byKey */
  async toggle(name, byKey) {
    const closes = this.store.now.panel === name && covered.matches;
    this.store.set({ panel: closes ? "" : name });
    this.redraw();
    const asks =
      name === "hint" && (byKey || this.root.dataset.turn === "mine") && hintOf(this.store.now) === null;
    if (closes) return;
    if (asks) this.ask();
    if (!byKey) return;
    if (!this.#panels && name !== "log" && name !== "rules") {
      await this.#fetch();
      this.redraw();
    }
    announce(this.root, lines(find(".panel", this.root)).slice(name === "log" ? -LAST_LINES : 0));
  }

  /** Ask for a hint: what rules of thumb say, then what looking ahead finds. */
  async ask() {
    this.store.take(think, null);
    const asked = this.store.now.hint;
    this.redraw();
    for (const quick of [true, false]) {
      const found = await this.house.hint(quick);
      const { hint } = this.store.now;
      if (hint.about !== asked.about) return;
      this.store.set({
        hint: { ...hint, found: "refused" in found ? found : { ...found, refining: quick } },
      });
      if ("refused" in found) return;
    }
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

/**
 * @param {string[]} names which there are
 * @param {string} open
 */
function tabs(names, open) {
  const first = open || names[0];
  return names.map((name) =>
    part("button", name, [name === open, name === first], () =>
      make(
        "button",
        {
          key: name,
          type: "button",
          class: "tab",
          id: `tab-${name}`,
          role: "tab",
          "aria-selected": name === open ? "true" : "false",
          "aria-controls": "panel",
          tabindex: name === first ? 0 : -1,
          "data-tab": name,
        },
        name === "last" && hasText("scene.last") ? tell("scene.last") : say(`table.panel_${name}`),
      ),
    ),
  );
}

/** @param {Line[]} lines @param {State} state */
function log(lines, state) {
  return [
    lines.length
      ? make(
          "ol",
          { class: "log", key: "log" },
          lines.map((line) => make("li", { key: line.key, class: line.kind }, line.text)),
        )
      : make("p", { class: "muted", key: "empty" }, say("table.log_empty")),
    others(state).length
      ? make("button", { type: "button", class: "quiet", key: "talk", "data-act": "talk" }, say("table.say"))
      : null,
  ];
}

/** @returns {Promise<Node[]>} */
async function fetchRules() {
  const answer = await fetch(game.rules).catch(() => null);
  const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : "", "text/html");
  const isMissing = (/** @type {Element} */ style) =>
    !document.querySelector(`link[href="${CSS.escape(style.getAttribute("href") ?? "")}"]`);
  await Promise.all(
    [...page.querySelectorAll("link[rel=stylesheet]")]
      .filter(isMissing)
      .map((style) => adoptStyle(document.adoptNode(style))),
  );
  return [...(page.querySelector("main")?.childNodes ?? [])].map((part) => document.adoptNode(part));
}
