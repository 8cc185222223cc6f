// At the head of the table: take back, pause, settings, and the way out; and when the table makes itself
// heard.

import { make, render } from "../dom.js";
import { setting } from "../storage.js";
import { say } from "../texts.js";
import { isAlone } from "./store.js";
import { others } from "./people.js";

/** @typedef {import("../messages.js").StateMessage} State */

/** @typedef {"take_back" | "pause" | "go_on" | "talk" | "settings" | "menu"} Icon as the page brings them */

/** @param {Icon} name */
function icon(name) {
  return make(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    make("use", { href: `#icon-${name}` }),
  );
}

export class Menu {
  #drawn = "";
  #place = document.querySelector(".table-tools");
  /** @type {Promise<typeof import("./sound.js")> | null} once the reader has touched the page */ #sounds =
    null;
  /** @type {AudioContext | null} */ #audio = null;

  /**
   * @param {HTMLElement} root
   * @param {import("./house.js").House} house
   * @param {import("./story.js").Story} story
   */
  constructor(root, house, story) {
    this.root = root;
    this.house = house;
    this.story = story;
    this.#place?.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target.closest("[data-act]") : null;
      if (!(target instanceof HTMLElement)) return;
      this.#place?.querySelector("details")?.removeAttribute("open");
      if (!this.act(target.dataset.act ?? "")) this.house.act(target.dataset, this.root);
      this.story.redraw();
    });
    const gesture = () => setting("sound") === "on" && this.#listen();
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, gesture);
    const idly = window.requestIdleCallback ?? window.setTimeout;
    root.addEventListener("drawn", () => idly(() => setting("sound") === "on" && this.#hearing()), {
      once: true,
    });
  }

  get #known() {
    return this.story.store.now;
  }

  /** @param {State} state */
  draw(state) {
    if (!this.#place) return;
    const { paused } = this.#known;
    const alone = isAlone(state);
    const talks = others(state).length > 0;
    const asks = talks && state.among_friends && state.deal !== null && !state.given?.day;
    const drawn = JSON.stringify([
      alone,
      talks,
      asks,
      Boolean(state.deal),
      state.given?.day,
      state.phase,
      paused,
      state.you,
    ]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const isOff = state.phase !== "playing"; // a tool keeps its place while it is of no use
    const isOpen = this.#place.querySelector("details")?.open ?? false;
    render(
      this.#place,
      asks || (alone && state.deal && !state.given?.day)
        ? tool("take_back", "take_back", say(asks ? "table.ask_back" : "table.take_back"), { isOff })
        : null,
      alone && state.deal
        ? tool("pause", paused ? "go_on" : "pause", say(paused ? "table.go_on" : "table.pause"), {
            isOff,
            pressed: paused,
          })
        : null,
      talks ? tool("talk", "talk", say("table.say")) : null,
      tool("settings", "settings", say("table.settings")),
      make(
        "details",
        { class: "menu", key: "menu", open: isOpen },
        make("summary", { "aria-label": say("table.menu") }, icon("menu")),
        make(
          "ul",
          null,
          make("li", null, make("a", { href: "/" }, say("table.home"))),
          state.you.seat !== null && state.phase !== "closed" ? item("leave", say("table.leave")) : null,
          state.you.host && state.phase !== "closed" ? item("shut", say("table.shut")) : null,
        ),
      ),
    );
  }

  /** Whether this was for the menu. @param {string} act */
  act(act) {
    const { state, paused } = this.#known;
    if (act === "pause" && state && isAlone(state)) this.story.pause(!paused);
    else if (act === "settings") this.#openSettings();
    else if (act === "talk") this.#openTalk();
    else if (act === "leave")
      ask(say(state && isAlone(state) ? "table.leave_alone" : "table.leave_ask"), say("table.leave"), () =>
        this.house.leave(),
      );
    else if (act === "shut")
      ask(say("table.shut_ask"), say("table.shut"), () => this.house.act({ act: "close" }, this.root));
    else return act === "pause";
    return true;
  }

  async #openSettings() {
    const { open } = await import("./settings_dialog.js");
    const { state } = this.#known;
    if (state) open(state, this.house);
  }

  async #openTalk() {
    const { open } = await import("./talk_dialog.js");
    const { state } = this.#known;
    if (state && others(state).length) open(state, this.house, this.story.store, this.story.redraw);
  }

  // What is heard

  /** What sounds go through: browsers need long to make it, so it is there before anybody plays. */
  #hearing() {
    return (this.#audio ??= new AudioContext());
  }

  /** The reader has touched the page: from now on they may hear something. */
  #listen() {
    this.#sounds ??= import("./sound.js");
    const audio = this.#hearing();
    if (audio.state === "suspended") audio.resume().catch(() => {});
  }

  /** @param {State} state @param {State | null} before @param {import("./motion.js").Move[]} moves */
  sound(state, before, moves) {
    const asks = (/** @type {State | null} */ each) =>
      Boolean(each?.deal?.legal.length && !each.deal.answered);
    const tune = state.events.find((event) => event.moment)?.moment?.tune;
    if (tune) this.#play(tune);
    else if (state.phase === "over" && before?.phase !== "over") this.#play("end");
    else if (moves.length) this.#play("card");
    if (tune || (asks(state) && !asks(before))) this.#shake(tune ? MOMENT : TURN);
    if (asks(state) && !asks(before) && !tune) this.#play("turn");
  }

  warn() {
    this.#play("warning");
  }

  /**
   * A telephone is felt in the hand, where sounds are on and motion is wanted.
   * @param {number[]} pattern milliseconds
   */
  #shake(pattern) {
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (setting("sound") === "on" && !isStill && navigator.userActivation?.hasBeenActive)
      navigator.vibrate?.(pattern);
  }

  /**
   * After the page has been drawn, so that neither waits for the other.
   * @param {import("./sound.js").Sound} what
   */
  #play(what) {
    if (setting("sound") === "on")
      this.#sounds?.then((sounds) => window.setTimeout(() => sounds.play(what, this.#hearing())));
  }
}

/** How a telephone shakes for a moment of the game, and when it is the reader's turn. */
const [MOMENT, TURN] = [[60, 60, 120], [30]];

/**
 * @param {string} act
 * @param {Icon} picture
 * @param {string} name
 * @param {{isOff?: boolean, pressed?: boolean}} [how]
 */
function tool(act, picture, name, { isOff = false, pressed } = {}) {
  return make(
    "button",
    {
      type: "button",
      class: `quiet tool${isOff ? " off" : ""}`,
      key: act,
      "data-act": act,
      "aria-label": name,
      title: name,
      "aria-pressed": pressed === undefined ? null : String(pressed),
    },
    icon(picture),
  );
}

/** @param {string} act @param {string} name */
function item(act, name) {
  return make("li", { key: act }, make("button", { type: "button", class: "quiet", "data-act": act }, name));
}

/**
 * Ask before something that cannot be undone.
 * @param {string} question
 * @param {string} yes
 * @param {() => void} go
 */
async function ask(question, yes, go) {
  (await import("../dialog.js")).ask(question, yes, go);
}
