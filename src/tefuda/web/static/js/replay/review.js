// The review of a deal: what it was the sum of, a line of what it was worth, the dearest moments.

import { make, render } from "../dom.js";
import { say, signed } from "../texts.js";
import { game, parse } from "../table/game.js";

/** @typedef {import("../messages.js").Review} Shown */
/** @typedef {import("../messages.js").ReviewProgress} Progress */

const [WIDTH, HEIGHT, EDGE] = [320, 110, 6]; // of the line's picture, in its own units

export class Review {
  /** @type {Shown | null} */ shown = null;
  /** @type {Progress | null} */ progress = null;
  fault = "";
  seat = 0;
  asked = 0; // counts questions: the answer to an earlier one comes too late

  /**
   * @param {HTMLElement} root where it is shown
   * @param {string} address of the deal's reviews
   * @param {string[]} names
   * @param {number | null} own the reader's seat, if they had one
   * @param {boolean} isOpen whether every hand may be shown: then there is a replay, and everybody's review
   */
  constructor(root, address, names, own, isOpen = true) {
    this.root = root;
    this.address = address;
    this.names = names;
    this.own = own;
    this.isOpen = isOpen;
  }

  /** Ask for the review of a seat's deal, and show how far it is until it is there. @param {number} seat */
  async open(seat) {
    const asked = ++this.asked;
    Object.assign(this, { seat, shown: null, progress: null, fault: "" });
    this.draw();
    while (asked === this.asked && !this.shown && !this.fault) {
      const found = await this.#ask(seat);
      if (asked === this.asked) Object.assign(this, found);
      this.draw();
    }
  }

  /** @param {number} seat @returns {Promise<{shown?: Shown, progress?: Progress, fault?: string}>} */
  async #ask(seat) {
    try {
      const answer = await fetch(
        `${this.address}&seat=${seat}&wait=${this.progress ? 1 : 0}&lang=${game.language}`,
      );
      const told = parse(await answer.text());
      if (answer.status === 202) return { progress: told };
      return answer.ok ? { shown: told } : { fault: told.error.text };
    } catch {
      return { fault: say("review.failed") };
    }
  }

  /** Mark where the replay is. @param {number} at */
  mark(at) {
    const line = this.root.querySelector(".worth .now");
    const x = String(this.#x(at));
    line?.setAttribute("x1", x);
    line?.setAttribute("x2", x);
    for (const moment of this.root.querySelectorAll(".moments [data-at]")) {
      if (Number(/** @type {HTMLElement} */ (moment).dataset.at) === at)
        moment.setAttribute("aria-current", "step");
      else moment.removeAttribute("aria-current");
    }
  }

  draw() {
    this.root.ariaBusy = String(!this.shown && !this.fault);
    render(
      this.root,
      this.isOpen ? this.#whose() : null,
      make(
        "p",
        { class: "far small", key: "far", role: "status" },
        this.shown ? this.shown.summary : this.fault || this.#far(),
      ),
      this.fault
        ? make(
            "button",
            { type: "button", class: "quiet", key: "again", "data-review": this.seat },
            say("review.again"),
          )
        : null,
      this.shown || this.fault
        ? null
        : make("progress", {
            key: "progress",
            max: this.progress?.decisions || null,
            value: this.progress?.decisions ? this.progress.judged : null,
            "aria-label": say("review.show"),
          }),
      this.shown ? [this.#parts(this.shown), this.#worth(this.shown)] : null,
      this.#moments((this.shown ?? this.progress)?.moments ?? []),
    );
    this.root.dataset.seat = this.shown ? String(this.seat) : "";
  }

  #whose() {
    return make(
      "label",
      { class: "field", key: "whose" },
      say("review.whose"),
      make(
        "select",
        { id: "whose" },
        this.names.map((name, seat) =>
          make("option", { value: seat, key: `of${seat}`, selected: seat === this.seat }, name),
        ),
      ),
    );
  }

  #far() {
    if (!this.progress?.decisions) return say("review.preparing");
    return say("review.judging", { done: this.progress.judged, all: this.progress.decisions });
  }

  /** The parts of what the deal brought, and their sum. @param {Shown} shown */
  #parts(shown) {
    const mine =
      this.own === this.seat
        ? say("review.yours")
        : say("review.theirs", { name: this.names[this.seat] ?? "" });
    const rows = /** @type {[string, number | undefined][]} */ ([
      [say("review.luck"), shown.luck],
      [mine, shown.own],
      [say("review.others"), shown.others],
      [say("review.gain"), shown.gain],
    ]);
    return make(
      "dl",
      { class: "parts", key: "parts" },
      rows.map(([called, amount]) =>
        amount === undefined
          ? null
          : make("div", null, make("dt", null, called), make("dd", null, signed(amount))),
      ),
    );
  }

  /** What the deal was worth after each play: a line, and the same in words. @param {Shown} shown */
  #worth({ worths, moments }) {
    if (!worths) return null;
    const [best, worst, last] = [Math.max(...worths), Math.min(...worths), worths.at(-1) ?? 0];
    const [top, bottom] = [Math.max(best, 0), Math.min(worst, 0)];
    const y = (/** @type {number} */ worth) =>
      EDGE + (HEIGHT - 2 * EDGE) * (top === bottom ? 0.5 : (top - worth) / (top - bottom));
    const path = worths
      .map((worth, plays) => `${plays ? "L" : "M"}${this.#x(plays, worths)} ${y(worth).toFixed(1)}`)
      .join("");
    const words = {
      first: signed(worths[0] ?? 0),
      best: signed(best),
      best_at: worths.indexOf(best),
      worst: signed(worst),
      worst_at: worths.indexOf(worst),
      last: signed(last),
    };
    return make(
      "figure",
      { class: "worth", key: "worth" },
      make(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
        make("line", { class: "zero", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }),
        make("line", { class: "now", x1: 0, x2: 0, y1: 0, y2: HEIGHT }),
        make("path", { class: "line", d: path }),
        moments.map(({ plays }) =>
          make("circle", { cx: this.#x(plays + 1, worths), cy: y(worths[plays + 1] ?? 0), r: 4 }),
        ),
      ),
      make("figcaption", null, best === worst ? say("review.even", words) : say("review.line", words)),
    );
  }

  /** How far to the right so many plays are. @param {number} plays @param {number[]} [worths] */
  #x(plays, worths = this.shown?.worths ?? []) {
    return Number((EDGE + (WIDTH - 2 * EDGE) * (plays / Math.max(1, worths.length - 1))).toFixed(1));
  }

  /** The dearest moments in words; each leads to the table as it stood. @param {Shown["moments"]} moments */
  #moments(moments) {
    if (!this.shown && !moments.length) return null;
    return make(
      "section",
      { class: "dear", key: "dear", "aria-labelledby": "dear" },
      moments.length ? make("h2", { id: "dear" }, say("review.moments")) : null,
      make(
        "ol",
        { class: "moments" },
        moments.map(({ plays, text, reason }) =>
          make(
            "li",
            { key: `after${plays}` },
            this.isOpen ? make("button", { type: "button", class: "quiet", "data-at": plays }, text) : text,
            reason ? make("p", { class: "small" }, reason) : null,
          ),
        ),
      ),
      make("p", { class: "small muted" }, say("review.sure")),
      this.isOpen ? null : make("p", { class: "small muted" }, say("review.hidden")),
    );
  }
}
