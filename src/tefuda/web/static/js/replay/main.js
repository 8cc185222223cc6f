// A replay: the moments of a finished deal come at once, and the reader goes among them.

import { copy } from "../copy.js";
import { find, make, render } from "../dom.js";
import { check } from "../proofs.js";
import { receiptFile, receiptOf } from "../receipts.js";
import { say, sentences } from "../texts.js";
import { drawFelt } from "../table/felt.js";
import { game, parse } from "../table/game.js";
import { roomOf } from "../table/hand.js";
import { keyOf } from "../table/keys.js";
import { LONGEST } from "../table/layout.js";
import { Tip } from "../table/tip.js";
import { Review } from "./review.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").Group} Group */
/** @typedef {import("../messages.js").Trick} Trick */
/** @typedef {import("../proofs.js").Shown} Proof */

/**
 * @typedef {object} Moment
 * @property {number | null} seat who has played
 * @property {string | null} play
 * @property {string[]} lines
 * @property {Trick | null} trick that has just ended
 * @property {State["deal"]} deal
 * @property {Group[][]} hands
 * @property {string[]} played
 */

/** @typedef {{names: string[], moments: Moment[], proof: Proof | null}} Told */

const PACE = 1200; // milliseconds a step while it plays by itself

class Replay {
  root = find("#replay");
  slider = /** @type {HTMLInputElement} */ (find("input[type=range]", this.root));
  at = 0;
  seat = 0;
  /** @type {number | undefined} */ timer;

  /** @param {Told} told */
  constructor(told) {
    this.told = told;
    this.seats = told.names.map((name) => ({ name, bot: null, absent: false, open: false }));
    const [width, height] = game.size;
    this.root.dataset.shape = width / height < LONGEST ? "long" : "wide";
    this.tip = new Tip(this.root);
    const { table, deal, session, own } = this.root.dataset;
    this.review = new Review(
      find("#review", this.root),
      `/api/v1/tables/${table}/review?deal=${deal}&session=${session}`,
      told.names,
      own ? Number(own) : null,
    );
    this.root.addEventListener("click", (event) => this.#click(event));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    document.addEventListener("keydown", (event) => this.#key(event));
    this.review.root.addEventListener("change", (event) =>
      this.#openReview(Number(/** @type {HTMLSelectElement} */ (event.target).value)),
    );
    for (const hidden of this.root.querySelectorAll(".screen, [data-go], .keys, .views"))
      /** @type {HTMLElement} */ (hidden).hidden = false;
    find("#story", this.root).hidden = true; // its button says the same
    this.#offerReceipts();
    new ResizeObserver(() => this.draw()).observe(find(".felt", this.root));
    const asked = new URLSearchParams(location.search);
    this.go(Number(asked.get("at")) || 0);
    const seat = Number(asked.get("review") ?? NaN);
    if (seat in told.names) this.#openReview(seat);
  }

  get last() {
    return this.told.moments.length - 1;
  }

  /** @param {number} at */
  go(at) {
    this.at = Math.max(0, Math.min(this.last, at));
    if (this.at === this.last) this.#stop();
    this.draw();
    const address = new URL(location.href);
    address.searchParams.set("deal", this.root.dataset.deal ?? "1");
    address.searchParams.set("session", this.root.dataset.session ?? "1");
    address.searchParams.set("at", String(this.at));
    if (this.root.dataset.view === "review") address.searchParams.set("review", String(this.review.seat));
    else address.searchParams.delete("review");
    history.replaceState(null, "", address);
  }

  draw() {
    const moment = /** @type {Moment} */ (this.told.moments[this.at]);
    const state = /** @type {State} */ (
      /** @type {unknown} */ ({
        seats: this.seats,
        you: { seat: this.seat, host: false },
        deal: moment.deal,
        events: [],
      })
    );
    const { plays, named, seat } = moment.trick ?? {
      plays: moment.played,
      named: moment.deal?.named,
      seat: null,
    };
    const { middle } = roomOf(this.root);
    drawFelt(find(".felt", this.root), {
      state,
      names: this.told.names,
      played: plays,
      named,
      taker: seat,
      room: middle,
      hands: moment.hands,
    });
    render(
      find(".hands", this.root),
      this.told.names.map((name, number) => this.#chair(name, number)),
    );
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", say("replay.step", { step: this.at, steps: this.last }));
    find(".told", this.root).textContent = this.at
      ? `${this.at} · ${sentences(moment.lines)}`
      : say("replay.begins");
    find("[data-go=play]", this.root).textContent = say(
      this.timer === undefined ? "replay.play" : "replay.pause",
    );
    for (const link of this.root.querySelectorAll("[aria-current=step]"))
      link.removeAttribute("aria-current");
    const link = this.root.querySelector(`.story [data-at="${this.at}"]`);
    link?.setAttribute("aria-current", "step");
    const list = find(".story ol", this.root);
    if (link instanceof HTMLElement) list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
    else list.scrollTop = 0;
    this.review.mark(this.at);
    this.#offerAgain();
    this.tip.settle();
    this.root.dataset.ready = String(this.at);
    if (roomOf(this.root).middle.width !== middle.width) this.draw(); // the felt has just been laid out
  }

  /**
   * The form by which the deal is tried again from this moment; there is none of a deal that was broken
   * off.
   */
  #offerAgain() {
    const form = this.root.querySelector("form.again");
    if (!(form instanceof HTMLFormElement)) return;
    form.hidden = this.at === this.last;
    /** @type {HTMLInputElement} */ (find("[name=plays]", form)).value = String(this.at);
  }

  /** From whose place the table is seen. @param {string} name @param {number} seat */
  #chair(name, seat) {
    return make(
      "button",
      {
        key: `from${seat}`,
        type: "button",
        class: "quiet",
        "data-seat": seat,
        "aria-pressed": String(seat === this.seat),
      },
      name,
    );
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target =
      event.target instanceof Element
        ? event.target.closest("[data-go], [data-at], [data-view], [data-review], .hands [data-seat]")
        : null;
    if (!(target instanceof HTMLElement)) return;
    const { go, at, seat, view, review } = target.dataset;
    if (at) {
      event.preventDefault();
      this.#stop();
      this.go(Number(at));
      if (this.root.dataset.view === "review") find(".felt", this.root).scrollIntoView({ block: "nearest" });
    } else if (view === "review" || review) {
      this.#openReview(
        Number(review ?? (this.review.asked ? this.review.seat : (this.review.own ?? this.seat))),
      );
    } else if (view) {
      this.#show(view);
    } else if (seat) {
      this.seat = Number(seat);
      this.draw();
    } else if (go === "share") {
      this.#share(target);
    } else if (go === "check") {
      this.#check();
    } else if (go) {
      this.#step(go);
    }
  }

  /** Show what was played, or the review. @param {string} view */
  #show(view) {
    this.root.dataset.view = view;
    for (const button of this.root.querySelectorAll(".views button"))
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.view === view));
    find(".story ol", this.root).hidden = view !== "story";
    this.review.root.hidden = view !== "review";
    this.go(this.at);
  }

  /** The review of a seat's deal, the table seen from that seat. @param {number} seat */
  #openReview(seat) {
    const isShown = this.review.shown && this.review.seat === seat;
    this.seat = this.review.seat = seat;
    this.#show("review");
    this.review.root.scrollIntoView({ block: "nearest" });
    if (!isShown) this.review.open(seat).then(() => this.review.mark(this.at));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };
    const key = keyOf(event);
    const step = steps[/** @type {keyof typeof steps} */ (key)];
    const isButton = event.target instanceof Element && event.target.closest("button, a, summary");
    const hasOwnKeys = event.target === this.slider || event.target instanceof HTMLSelectElement;
    if (!step || (key === " " && isButton) || hasOwnKeys) return;
    event.preventDefault();
    this.#step(step);
  }

  /** @param {string} step */
  #step(step) {
    if (step === "play") this.#play();
    else {
      this.#stop();
      this.go({ first: 0, back: this.at - 1, forward: this.at + 1, last: this.last }[step] ?? this.at);
    }
  }

  #play() {
    if (this.timer !== undefined) this.#stop();
    else {
      if (this.at === this.last) this.at = 0;
      this.timer = window.setInterval(() => this.go(this.at + 1), PACE);
    }
    this.draw();
  }

  #stop() {
    window.clearInterval(this.timer);
    this.timer = undefined;
  }

  /** @param {HTMLElement} button */
  async #share(button) {
    if (await copy(location.href)) button.textContent = button.dataset.said ?? "";
  }

  /** Compute the deck again, compare the proof with what this browser kept, and say what that shows. */
  async #check() {
    if (!this.told.proof) return;
    const chain = await (await fetch(`/api/v1/tables/${table}/commitments`)).json().catch(() => []);
    const { faults, verdict, named } = await check(this.told.proof, chain);
    const reasons = faults.map((code) => say(`shuffle.${code}`)).join("; ");
    const again = named.length
      ? ` ${say("shuffle.again", { seats: named.map((seat) => this.told.names[seat] ?? seat).join(", ") })}`
      : "";
    find(".verdict", this.root).textContent =
      (faults.length ? say("shuffle.unfair", { faults: reasons }) : say(`shuffle.${verdict}`)) + again;
  }

  /** Offer the receipts of this game as a file, for `tefuda verify`. */
  #offerReceipts() {
    if (!this.told.proof) return;
    const { table: name, deal: number } = this.told.proof;
    if (!receiptOf(name, number)) return;
    const link = make(
      "a",
      {
        class: "button quiet",
        href: URL.createObjectURL(new Blob([receiptFile(name)])),
        download: `${name.replace("/", "-")}.receipts`,
      },
      say("shuffle.save"),
    );
    find(".verdict", this.root).before(link, " ");
  }
}

const { table, deal, session } = find("#replay").dataset;
const answer = await fetch(
  `/api/v1/tables/${table}/replay?deal=${deal}&session=${session}&lang=${game.language}`,
);
if (answer.ok) new Replay(parse(await answer.text()));
