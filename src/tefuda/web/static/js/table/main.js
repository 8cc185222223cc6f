// The table: takes what the server tells, keeps what the reader has picked and opened, and draws both.

import { find, make, render } from "../dom.js";
import { announce, lines } from "../live.js";
import { say, tell } from "../texts.js";
import { away, bar } from "./bar.js";
import { isMarked, setMarked } from "./cards.js";
import { cardsOf, complete, matching, playable, tap } from "./choice.js";
import { clock } from "./clock.js";
import { felt } from "./felt.js";
import { cardName, game, isCard, ruleAddress } from "./game.js";
import { makeDraggable } from "./drag.js";
import { beside, covered, hand, low, narrow, slotsOf } from "./hand.js";
import { House } from "./house.js";
import { listen } from "./keys.js";
import { drawWithMotion } from "./motion.js";
import { read } from "./notation.js";
import * as panels from "./panels.js";
import { sheet, waiting } from "./sheet.js";
import { nameOfSeat, Story } from "./story.js";
import { Tip } from "./tip.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").SocketAnswer} Answer */
/** @typedef {import("./notation.js").Play} Play */

/**
 * Where orders and questions go, and what comes from there.
 * @typedef {object} Line
 * @property {(message: {type: string, play?: string, deal?: number, entropy?: string}) => Promise<Answer>} ask
 */

/** So much of the log is read aloud when it is asked for. */
const LAST_LINES = 5;

export class Table {
  root = find("#table");
  /** @type {State | null} */ state = null;
  /** @type {string[]} ids of slots */ picked = [];
  current = "";
  /** @type {string | null} the play on its way */ sent = null;
  /** @type {{text: string, rule: string} | null} */ notice = null;
  alarm = "";
  panel = covered.matches ? "" : "log";
  /** @type {Parameters<typeof panels.hint>[0]} */ found = null;
  looking = false;
  line = "open";
  title = document.title;

  /** @param {(hearers: import("../connection.js").Hearers) => Line} connect */
  constructor(connect) {
    this.story = new Story((state, moves, isBegun) => this.show(state, moves, isBegun), () => this.draw());
    this.connection = connect({
      state: (state) => [this.house, this.story].forEach((hearer) => hearer?.hear(state)), // a tour begins before there is a house
      line: (line) => {
        this.line = line;
        this.draw();
      },
      refused: (answer) => this.#refuse(answer),
    });
    const [width, height] = game.size;
    this.root.style.setProperty("--ratio", String(width / height));
    this.root.dataset.shape = width / height < 0.4 ? "long" : "wide";
    this.house = new House(this.connection, (text) => this.#notify(text), (text) => this.#alarm(text));
    this.tip = new Tip(this.root);
    makeDraggable(this.root, { taken: (slot) => this.#taken(slot), drop: (slots) => this.#drop(slots) });
    this.root.addEventListener("click", (event) => this.#click(event));
    listen(this.root, {
      enter: (slot) => this.#enter(slot), why: (slot) => this.why(slot), panel: (name) => this.#toggle(name, true),
      clear: () => this.#clear(), current: (slot) => this.#moveTo(slot),
    });
    for (const shape of [narrow, low]) shape.addEventListener("change", () => this.draw());
    new ResizeObserver(() => this.#measure()).observe(find(".felt", this.root));
    covered.addEventListener("change", () => {
      this.panel = covered.matches ? "" : this.panel || "log";
      this.draw();
    });
    window.setInterval(() => render(find(".clock", this.root), clock(this.state)), 1000);
  }

  /** Where the felt is: a panel that lies over the table covers no more than that, so that hand, buttons and tabs stay in sight. */
  #measure() {
    const { top, bottom, right } = find(".felt", this.root).getBoundingClientRect();
    this.root.style.setProperty("--felt-side", `${document.documentElement.clientWidth - right}px`);
    this.root.style.setProperty("--felt-start", `${top}px`);
    this.root.style.setProperty("--felt-end", `${bottom}px`);
  }

  // What is known now

  get slots() {
    return slotsOf(this.state?.deal?.scene.hand ?? []);
  }

  get equal() {
    return this.state?.deal?.equal ?? {};
  }

  /** The plays that may be made now. @returns {Play[]} */
  get plays() {
    const deal = this.state?.deal;
    return deal && !deal.answered ? deal.legal.map((word) => read(word, isCard, deal.named)) : [];
  }

  get pickedCards() {
    return cardsOf(this.slots, this.picked);
  }

  /** What the seats are called. */
  get names() {
    return (this.state?.seats ?? []).map((seat, number) => nameOfSeat(seat, number));
  }

  /** @param {State} state @param {import("./motion.js").Move[]} moves @param {boolean} isBegun */
  show(state, moves, isBegun) {
    const before = this.state;
    this.state = state;
    if (before?.deal?.number !== state.deal?.number || state.deal?.over !== before?.deal?.over) this.looking = false;
    if (before?.deal?.mover !== state.deal?.mover || before?.seq !== state.seq) {
      this.sent = null;
      if (before) this.notice = null; // it was about a moment that has passed
      this.found = this.found === "thinking" ? this.found : null;
    }
    const held = new Set(this.slots.map((slot) => slot.id));
    this.picked = this.picked.filter((id) => held.has(id));
    drawWithMotion(this.root, moves, () => this.draw());
    this.house.look();
    this.#announce(state, isBegun);
  }

  draw() {
    const state = this.state;
    this.root.dataset.line = this.line;
    render(find(".line-state", this.root), this.line === "open" ? null : make("p", null, say(`table.line_${this.line}`)));
    if (!state) return;
    const scene = state.deal?.scene;
    const plays = this.plays;
    this.root.dataset.ready = String(state.seq);
    this.root.dataset.phase = state.phase;
    this.root.dataset.turn = plays.length && this.sent === null ? "mine" : ""; // whether the page waits for the reader
    document.title = plays.length ? `${say("table.your_turn")} · ${this.title}` : this.title; // for who looks at another page
    this.root.style.setProperty("--seats", String(state.seats.length));
    const focused = document.activeElement?.closest(".hand, .bar") ?? null;
    render(find(".felt", this.root), felt({ state, names: this.names, said: this.story.said, ...this.story.lying(state) }));
    render(find(".status", this.root), make("span", null, this.#status(state)));
    render(find(".clock", this.root), clock(state));
    const cards = this.pickedCards;
    const isAway = state.you.seat !== null && state.seats[state.you.seat]?.absent;
    render(find(".bar", this.root), isAway ? away()
      : bar(plays, matching(plays, cards, this.equal), cards, this.sent !== null, state.deal?.wish ?? null));
    this.#drawHand(scene?.hand ?? [], scene?.mark ?? "", plays);
    render(find(".beside-hand", this.root), beside(scene?.beside ?? []));
    this.#drawNotice();
    this.#drawOverlay(state);
    this.#drawPanel(state);
    this.tip.settle();
    // With a keyboard, focus stays in the hand when the card or the button that had it is gone.
    if (focused && document.activeElement === document.body) focusOn(this.root.querySelector(".hand [tabindex='0']"));
    this.root.dispatchEvent(new Event("drawn"));
  }

  /** @param {import("../messages.js").Group[]} groups @param {string} mark @param {Play[]} plays */
  #drawHand(groups, mark, plays) {
    const slots = this.slots;
    if (!slots.some((slot) => slot.id === this.current)) this.current = slots[0]?.id ?? "";
    const legal = plays.length ? playable(slots, plays, this.equal) : null;
    render(find(".hand", this.root), hand({ groups, slots, picked: this.picked, playable: legal, current: this.current, mark }));
  }

  #drawNotice() {
    const notice = this.notice;
    const alarm = this.alarm ? make("p", { class: "why alarm", key: "alarm" }, this.alarm) : null;
    render(find(".notice-place", this.root), alarm, notice ? make("div", { class: "why", key: "notice" },
      make("p", null, notice.text, " ", notice.rule ? make("a", { href: ruleAddress(notice.rule), target: "_blank", rel: "noopener" }, notice.rule) : null),
      make("button", { type: "button", class: "quiet", "data-act": "dismiss", "aria-label": say("table.dismiss") }, "×")) : null);
  }

  /** @param {State} state */
  #drawOverlay(state) {
    const isOver = state.deal?.over && !this.looking && !this.story.lingers;
    const shown = isOver ? sheet(state, this.names) : state.deal || this.looking ? [] : waiting(state, this.names);
    const place = find(".overlay", this.root);
    place.hidden = !shown.length;
    render(place, shown);
    find("[data-act=results]", this.root).hidden = !(state.deal?.over && this.looking);
  }

  /** @param {State} state */
  #drawPanel(state) {
    const names = this.names;
    const contents = {
      log: () => panels.log(this.story.lines, state), ranks: () => panels.ranks(state), last: () => panels.last(this.story.last, names),
      score: () => panels.score(state, names), hint: () => panels.hint(this.found, state.deal?.named), keys: () => panels.keys(),
    };
    const alone = state.seats.filter((seat) => seat.bot).length === state.seats.length - 1 && state.you.seat !== null;
    const offered = panels.PANELS.filter((name) => name !== "hint" || alone);
    const place = find(".panel", this.root);
    const opens = this.root.dataset.panel !== this.panel;
    const isAtEnd = place.scrollTop + place.clientHeight > place.scrollHeight - 8; // who reads further up stays there
    this.root.dataset.panel = this.panel;
    render(find(".tabs", this.root), panels.tabs(offered, this.panel));
    place.hidden = !this.panel;
    place.setAttribute("aria-labelledby", `tab-${this.panel}`);
    if (this.panel) render(place, contents[/** @type {keyof typeof contents} */ (this.panel)]());
    if (this.panel === "log" && (opens || isAtEnd)) place.scrollTop = place.scrollHeight;
    else if (opens) place.scrollTop = 0;
  }

  /** Whose turn it is, in words; as long as a finished trick lies there, whose that is. @param {State} state */
  #status(state) {
    const deal = state.deal;
    const taker = this.story.taker;
    if (taker !== null && deal?.scene.number) {
      const takes = say("table.takes", { name: this.names[taker] ?? "" });
      return this.plays.length ? `${takes} · ${say("table.your_turn")}` : takes;
    }
    if (!deal || deal.over || deal.mover === null) return tell(deal?.scene.phase ?? "") || say(`table.phase_${state.phase}`);
    const trick = deal.scene.number ? say("table.trick", { number: deal.scene.number, tricks: deal.scene.tricks }) : tell(deal.scene.phase);
    if (deal.mover === state.you.seat && deal.answered) return trick; // nothing is to be done
    const turn = deal.mover === state.you.seat ? say("table.your_turn") : say("table.turn_of", { name: this.names[deal.mover] ?? "" });
    return `${turn} · ${trick}`;
  }

  /** One live region says what has happened since the page was opened, and that it is your turn. @param {State} state @param {boolean} isBegun */
  #announce(state, isBegun) {
    const said = isBegun ? state.events.flatMap((event) => this.story.heard(event, state, this.names)) : [];
    if (this.plays.length && state.events.length) said.push(say("table.your_turn"));
    announce(this.root, said);
  }

  // What the reader does

  /** @param {MouseEvent} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target.closest("button, .overlay-close") : null;
    if (!(target instanceof HTMLElement)) return;
    const { slot, play, offer, tab, act } = target.dataset;
    if (slot) this.#tap(slot);
    else if (play) this.play(play);
    else if (offer) this.#offer(offer);
    else if (tab) this.#toggle(tab, false);
    else if (act) this.#act(act);
    else this.house.act(target.dataset, this.root);
  }

  /** @param {string} act */
  #act(act) {
    if (act === "clear") this.#clear();
    else if (act === "dismiss") this.#notify("");
    else if (act === "hint") this.#ask();
    else if (act === "look" || act === "results") this.looking = act === "look";
    else if (act === "marked") setMarked(!isMarked());
    else this.house.act({ act }, this.root);
    this.draw();
  }

  /** @param {string} slot */
  #tap(slot) {
    this.#moveTo(slot);
    const plays = this.plays;
    const picked = tap(this.slots, this.picked, slot, plays, this.equal);
    if (this.picked.includes(slot) && this.#playsAlone(plays)) this.play(this.#exact(plays)[0]?.word ?? "");
    else if (picked) {
      this.picked = picked;
      this.notice = null;
    } else this.why(slot);
    this.draw();
  }

  /** Whether a second tap plays the card: where it makes one play, and no larger one begins with it. @param {Play[]} plays */
  #playsAlone(plays) {
    const { exact, wider } = matching(plays, this.pickedCards, this.equal);
    return exact.length === 1 && !wider.length && this.picked.length === 1;
  }

  /** @param {Play[]} plays */
  #exact(plays) {
    return matching(plays, this.pickedCards, this.equal).exact;
  }

  /** Enter: pick the card, and play where that leaves no question. @param {string} slot */
  #enter(slot) {
    if (!this.picked.includes(slot)) this.#tap(slot);
    const { exact, wider } = matching(this.plays, this.pickedCards, this.equal);
    if (exact.length === 1 && (!wider.length || this.entered === slot)) this.play(exact[0]?.word ?? "");
    this.entered = slot;
  }

  /** The card that Enter was last pressed on. */
  entered = "";

  /** @param {string} word */
  #offer(word) {
    const play = this.plays.find((each) => each.word === word);
    if (play) this.picked = complete(this.slots, this.picked, play, this.equal);
    this.draw();
  }

  /** Send a play. @param {string} word */
  async play(word) {
    if (!word || this.sent !== null || !this.state) return;
    this.sent = word;
    this.notice = null;
    this.story.hurry();
    this.draw();
    const answer = await this.connection.ask({ type: "play", play: word });
    this.sent = null;
    if (answer.type === "refused") this.#refuse(answer);
    else this.picked = [];
    this.draw();
  }

  /** Why a card may not be played. @param {string} slot */
  async why(slot) {
    const card = this.slots.find((each) => each.id === slot)?.card;
    if (card && this.state?.you.seat !== null) await this.#explain(card);
  }

  /** Why a play may not be made, or that it may. @param {string} word */
  async #explain(word) {
    const answer = await this.connection.ask({ type: "why", play: word });
    if (answer.type === "refused") this.#refuse(answer);
    else this.#notify(answer.reason?.text ?? say("table.is_legal", { card: cardName(word) }), answer.reason?.rule ?? "");
  }

  async #ask() {
    this.found = "thinking";
    this.draw();
    this.found = await this.house.hint();
    this.draw();
  }

  #clear() {
    this.picked = [];
    this.notice = null;
    if (covered.matches) this.panel = "";
    this.draw();
  }

  /** The slots that are dragged with this one: all that are picked, if it is. @param {string} slot */
  #taken(slot) {
    this.tip.hide();
    if (this.sent !== null || this.state?.you.seat === null) return [];
    return this.picked.includes(slot) ? this.picked : [slot];
  }

  /** Cards dropped on the felt are played where that leaves no question; else they are picked, or it is said why not. @param {string[]} slots */
  #drop(slots) {
    const cards = cardsOf(this.slots, slots);
    const { exact, wider } = matching(this.plays, cards, this.equal);
    const [only, larger] = [exact[0], wider[0]];
    if (only && exact.length === 1) this.play(only.word);
    else if (!only && !larger) this.#explain(cards.join("+"));
    else {
      this.picked = !only && larger && wider.length === 1 && !larger.any ? complete(this.slots, slots, larger, this.equal) : slots;
      this.notice = null;
      this.draw();
    }
    return exact.length === 1;
  }

  /** @param {string} slot */
  #moveTo(slot) {
    this.current = slot;
    this.draw();
  }

  /** @param {string} name @param {boolean} byKey */
  #toggle(name, byKey) {
    const closes = this.panel === name && covered.matches;
    this.panel = closes ? "" : name;
    this.draw();
    if (byKey && !closes && name === "hint" && this.found === null) this.#act("hint");
    if (byKey && !closes) announce(this.root, lines(find(".panel", this.root)).slice(name === "log" ? -LAST_LINES : 0));
  }

  /** @param {string} text @param {string} [rule] */
  #notify(text, rule = "") {
    this.notice = text ? { text, rule } : null;
    announce(this.root, [text]);
    this.draw();
  }

  /** Something that stays in sight: a shuffle was not fair. @param {string} text */
  #alarm(text) {
    this.alarm = text;
    announce(this.root, [text]);
    this.draw();
  }

  /** @param {Answer} answer */
  #refuse(answer) {
    this.#notify(answer.error?.text ?? "", answer.error?.rule ?? "");
  }
}

/** @param {Element | null} element */
function focusOn(element) {
  if (element instanceof HTMLElement) element.focus();
}
