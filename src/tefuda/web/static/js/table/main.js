// The table: takes what the server tells, keeps what the reader has picked and opened, and draws both.

import { Drawing, find, make, render } from "../dom.js";
import { announce } from "../live.js";
import { onChoice, setting } from "../settings.js";
import { say } from "../texts.js";
import { away, bar, clock, comeBack, isLate, marksOf, notices, passing, questionOf, secondsLeft, statusOf } from "./bar.js";
import { cardsOf, complete, matching, tap, usesOf } from "./choice.js";
import { drawFelt } from "./felt.js";
import { cardName, game, isCard } from "./game.js";
import { beside, drawHand, low, narrow, Rooms, slotsOf, stacksOf } from "./hand.js";
import { House } from "./house.js";
import { focusOf, listen, refocus } from "./keys.js";
import { LONGEST } from "./layout.js";
import { Menu } from "./menu.js";
import { read } from "./notation.js";
import { isAlone, Side } from "./side.js";
import { connections, namesIn, Story } from "./story.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").SocketAnswer} Answer */
/** @typedef {import("./notation.js").Play} Play */

/**
 * Where orders and questions go, and what comes from there.
 * @typedef {object} Line
 * @property {(message: {type: string, play?: string, deal?: number, entropy?: string}) => Promise<Answer>} ask
 */

export class Table {
  root = find("#table");
  /** @type {State | null} */ state = null;
  /** @type {string[]} ids of slots */ picked = [];
  /** @type {string[]} ids of slots that are played as soon as that is legal */ queued = [];
  current = "";
  /** @type {string | null} the play on its way */ sent = null;
  /** @type {{text: string, rule: string} | null} */ notice = null;
  warnings = { alarm: "", doubt: "" };
  /** Whether the reader passes until they lead. */
  passes = false;
  looking = false;
  line = "open";
  title = document.title;
  /** @type {import("./company.js").Company | null} */ company = null;
  /** How many cards lay in the hand of this deal at most, equal ones counted once. */
  #most = { deal: "", cards: 0 };
  #warned = "";
  /** Whether cards have been dealt that are not drawn yet. */
  #dealt = false;
  /** @type {import("./tip.js").Tip | null} */ #tip = null;
  /** @type {typeof import("./motion.js") | null} */ #motion = null;
  /** @type {typeof import("./waiting.js") | null} */ #waiting = null;
  /** @type {typeof import("./sheet.js") | null} once a deal has ended */ #results = null;
  #rooms = new Rooms(this.root, () => this.draw());
  #drawing = new Drawing(() => this.#drawFelt(), () => this.#drawRest());

  /** @param {(hearers: import("../connection.js").Hearers) => Line} connect */
  constructor(connect) {
    this.story = new Story((state, moves, isBegun) => this.show(state, moves, isBegun), () => this.draw(), (seat) => this.#motion?.sweep(this.root, seat));
    this.connection = connect({
      state: (state, resumed) => [this.house, this.story].forEach((hearer) => hearer?.hear(state, resumed)), // a tour begins before there is a house
      line: (line) => line !== this.line && (this.line = line, this.draw()),
      refused: (answer) => this.#refuse(answer),
    });
    const [width, height] = game.size;
    this.root.dataset.shape = width / height < LONGEST ? "long" : "wide";
    this.house = new House(this.connection, (text) => this.#notify(text), (text) => this.#warn("alarm", text), (text) => this.#warn("doubt", text));
    this.side = new Side(this.root, this.house, () => this.#drawing.now());
    this.menu = new Menu(this.root, this.house, this.story, () => this.draw());
    this.root.addEventListener("drawn", () => this.#furnish(), { once: true });
    this.root.addEventListener("click", (event) => this.#click(event));
    listen(this.root, {
      why: (slot) => this.why(slot), panel: (name) => this.side.toggle(name, true), act: (name) => this.#act(name),
      clear: () => this.#clear(), current: (slot) => this.#moveTo(slot),
    });
    onChoice(() => this.#rooms.forget());
    for (const shape of [narrow, low]) shape.addEventListener("change", () => this.draw());
    new ResizeObserver(() => this.#rooms.forget()).observe(find(".felt", this.root));
    window.setInterval(() => this.#tick(), 1000);
  }

  /** What nobody misses before there are cards in sight. */
  async #furnish() {
    const [{ makeDraggable }, { Tip }, motion] = await Promise.all([import(/* soon */ "./drag.js"), import(/* soon */ "./tip.js"), import(/* soon */ "./motion.js")]);
    makeDraggable(this.root, { taken: (slot) => this.#taken(slot), drop: (slots) => this.#drop(slots) });
    this.#tip = new Tip(this.root);
    this.#motion = motion;
  }

  /** What only some moments need: news of people where others sit, the waiting room, the score sheet. @param {State} state */
  async #fetch(state) {
    const isMissing = !isAlone(state) && !this.company;
    if (isMissing) this.company ??= new (await import("./company.js")).Company(() => this.draw());
    if (!this.#waiting && (!state.deal || state.deal.over)) this.#waiting = await import("./waiting.js");
    else if (!isMissing && (!state.deal?.over || this.#results)) return;
    if (state.deal?.over) this.#results ??= await import("./sheet.js");
    this.draw();
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

  /** What the seats are called, the reader's own as they call themselves. */
  get names() {
    return this.state ? namesIn(this.state) : [];
  }

  /** @param {State} state @param {import("./motion.js").Move[]} moves @param {boolean} isBegun */
  show(state, moves, isBegun) {
    const before = this.state;
    this.state = state;
    if (before?.deal?.number !== state.deal?.number || state.deal?.over !== before?.deal?.over) this.looking = false;
    if (before?.deal?.mover !== state.deal?.mover || before?.seq !== state.seq) {
      this.sent = null;
      if (before) this.notice = null; // it was about a moment that has passed
      this.side.found = this.side.found === "thinking" ? this.side.found : null;
    }
    const held = new Set(this.slots.map((slot) => slot.id));
    this.picked = this.picked.filter((id) => held.has(id));
    this.queued = this.queued.filter((id) => held.has(id));
    if (state.deal?.over) this.passes = false;
    this.#fetch(state);
    if (isBegun && state.speed !== "instant") this.#dealt ||= state.events.some(({ kind }) => kind === "dealt");
    if (this.#motion?.isMoving(moves)) this.#motion.drawWithMotion(this.root, moves, () => this.#drawing.feltNow());
    else if (isBegun) this.#drawing.inTurn();
    else this.draw();
    this.#announce(state, before, isBegun);
    if (isBegun) {
      this.company?.tell(state, this.names, this.story);
      this.menu.sound(state, before, moves);
    }
    this.#goOn();
  }

  draw() {
    this.#drawing.soon();
  }

  #drawFelt() {
    const state = this.state;
    if (!state) return;
    drawFelt(find(".felt", this.root), { state, names: this.names, said: this.story.said, room: this.#rooms.now.middle, ...this.story.lying(state) });
    const status = this.menu.paused ? say("table.paused") : statusOf(state, this.names, this.story.taker, this.plays.length > 0);
    render(find(".status", this.root), make("span", { key: status }, status));
    render(find(".clock", this.root), clock(state));
  }

  /** What follows for the reader: hand, buttons, what stands beside the table and over it. */
  #drawRest() {
    const state = this.state;
    const word = this.line === "open" ? this.company?.news ?? "" : say(`table.line_${this.line}`);
    render(find(".line-state", this.root), word ? make("p", null, word) : null);
    if (!state) return;
    const [scene, plays] = [state.deal?.scene, this.plays];
    const turn = plays.length && this.sent === null && !this.passes ? "mine" : ""; // whether the page waits for the reader
    const hand = state.you.seat === null ? "none" : ""; // who plays has its room from the first to the last moment
    Object.assign(this.root.dataset, { ready: state.seq, phase: state.phase, hand, turn });
    const [focus, rooms] = [focusOf(this.slots), this.#rooms.now];
    const cards = cardsOf(this.slots, this.picked);
    const uses = usesOf(this.slots, plays, this.equal, scene?.beating ?? []);
    const isAway = state.you.seat !== null && state.seats[state.you.seat]?.absent && !isAlone(state);
    render(find(".bar", this.root), isAway ? away() : this.passes ? passing() : state.you.seat === null && state.deal ? comeBack(state)
      : bar({ plays, found: matching(plays, cards, this.equal), picked: cards, busy: this.sent !== null, wish: state.deal?.wish ?? null, marks: marksOf(scene, uses), question: questionOf(scene) }));
    this.#drawHand(state, uses, rooms.hand);
    render(find(".beside-hand", this.root), beside(scene?.beside ?? []));
    render(find(".notice-place", this.root), ...notices(this.notice, this.warnings), ...(this.company?.notices(state, this.names) ?? []));
    this.#waiting?.drawOverlay(this.#results, this.root, state, this.names, this.story, this.looking);
    this.side.draw(state, this.story, this.names);
    this.menu.draw(state);
    if (this.#dealt && this.slots.length) {
      this.#dealt = false;
      this.#motion?.dealHand(this.root);
    }
    this.#tip?.settle();
    if (focus) refocus(this.root, focus);
    this.root.dispatchEvent(new Event("drawn"));
    if (this.#rooms.watch() && !rooms.middle.width) this.#drawing.now(); // the felt has just been made
  }

  /** @param {State} state @param {ReturnType<typeof usesOf>} uses @param {import("./layout.js").Room} room */
  #drawHand(state, uses, room) {
    const slots = this.slots;
    if (!slots.some((slot) => slot.id === this.current)) this.current = slots[0]?.id ?? "";
    const deal = `${state.session} ${state.deal?.number}`;
    if (this.#most.deal !== deal) this.#most = { deal, cards: 0 };
    this.#most.cards = Math.max(this.#most.cards, stacksOf(slots).length);
    const scene = state.deal?.scene;
    const unseen = !slots.length && !state.deal?.over ? scene?.seats[state.you.seat ?? -1]?.held ?? 0 : 0;
    drawHand(find(".hand", this.root), {
      unseen, question: unseen && this.plays.length ? questionOf(scene) : "", groups: scene?.hand ?? [], slots, picked: this.picked, queued: this.queued, advised: this.side.advised(state), uses, current: this.current, mark: state.deal?.scene.mark ?? "", room, most: this.#most.cards,
    });
  }

  /** One live region says what has happened since the page was opened, and that it is your turn. @param {State} state @param {State | null} before @param {boolean} isBegun */
  #announce(state, before, isBegun) {
    const said = isBegun ? state.events.flatMap((event) => this.story.heard(event, state, this.names)) : [];
    if (this.plays.length && state.events.length) said.push(say("table.your_turn"));
    if (before) said.push(...connections(before, state, this.names));
    announce(this.root, said);
  }

  #tick() {
    const left = secondsLeft(this.state);
    render(find(".clock", this.root), clock(this.state));
    const title = this.plays.length ? `${say("table.your_turn")} · ${this.title}` : this.title; // for who looks at another page
    if (document.title !== title) document.title = title; // browsers take long to change it: not while a card is drawn
    const turn = `${this.state?.deal?.number} ${this.state?.deal?.since}`;
    if (isLate(left) && this.plays.length && this.#warned !== turn) {
      this.#warned = turn;
      this.menu.warn();
    }
  }

  // What the reader does

  /** What has been asked for beforehand: a card, or to pass until one leads. */
  #goOn() {
    const plays = this.plays;
    if (!plays.length || this.sent !== null) return;
    if (this.passes) {
      if (plays.some((play) => play.word === "pass")) this.play("pass");
      else this.passes = false;
      this.draw();
    } else if (this.queued.length) {
      const [only, other] = matching(plays, cardsOf(this.slots, this.queued), this.equal).exact;
      this.queued = [];
      if (only && !other) this.play(only.word);
      else this.#notify(say("table.premove_void"));
    }
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target.closest("button, .overlay-close") : null;
    if (!(target instanceof HTMLElement)) return;
    const { slot, play, offer, tab, act } = target.dataset;
    if (slot) this.#tap(slot);
    else if (play) this.play(play);
    else if (offer) this.#offer(offer);
    else if (tab) this.side.toggle(tab, false);
    else if (act) this.#act(act);
    else this.house.act(target.dataset, this.root);
  }

  /** @param {string} act */
  #act(act) {
    if (act === "clear") this.#clear();
    else if (act === "dismiss") this.#notify("");
    else if (act === "dismiss_doubt") this.#warn("doubt", "");
    else if (act === "hint") this.side.ask();
    else if (act === "wait") this.company?.wait(this.state);
    else if (act === "look" || act === "results") this.looking = act === "look";
    else if (act === "pass_on" || act === "stop_passing") this.passes = act === "pass_on";
    else if (!this.menu.act(act)) this.house.act({ act }, this.root);
    this.#goOn();
    this.draw();
  }

  /** @param {string} slot */
  #tap(slot) {
    this.#moveTo(slot);
    const plays = this.plays;
    const stack = stacksOf(this.slots).find((each) => each.slots.includes(slot))?.slots ?? [slot];
    const isPicked = stack.some((id) => this.picked.includes(id));
    if (!plays.length && setting("premove") === "on" && this.#queue(stack)) return;
    const again = isPicked && setting("taps") !== "button" ? this.#only(plays) : "";
    if (again) this.play(again);
    else if (!this.#pick(stack, isPicked, plays)) this.why(slot);
    else if (setting("taps") === "one") this.play(this.#only(plays));
    this.#drawing.ownSoon();
  }

  /** The next of these equal cards is picked too, or all are put back; whether a legal play has such a card. @param {string[]} stack @param {boolean} isPicked @param {Play[]} plays */
  #pick(stack, isPicked, plays) {
    const next = stack.find((id) => !this.picked.includes(id));
    const picked = next ? tap(this.slots, this.picked, next, plays, this.equal) : null;
    if (isPicked && (!picked || picked.length <= this.picked.length)) this.picked = this.picked.filter((id) => !stack.includes(id));
    else if (picked) this.picked = picked;
    else return false;
    this.notice = null;
    return true;
  }

  /** A card that is to be played as soon as one may; tapped again, it is not. @param {string[]} stack */
  #queue(stack) {
    if (!this.state?.deal || this.state.deal.over || this.state.you.seat === null) return false;
    const isQueued = stack.some((id) => this.queued.includes(id));
    this.queued = isQueued ? [] : stack.slice(0, 1);
    announce(this.root, [say(isQueued ? "table.premove_off" : "table.premove_on")]);
    this.#drawing.ownSoon();
    return true;
  }

  /** The play that a tap on the picked card makes: where that leaves no question. @param {Play[]} plays */
  #only(plays) {
    const { exact, wider } = matching(plays, cardsOf(this.slots, this.picked), this.equal);
    return exact.length === 1 && !wider.length && this.picked.length === 1 ? exact[0]?.word ?? "" : "";
  }

  /** @param {string} word */
  #offer(word) {
    const play = this.plays.find((each) => each.word === word);
    if (play) this.picked = complete(this.slots, this.picked, play, this.equal);
    this.#drawing.ownSoon();
  }

  /** Send a play. @param {string} word */
  async play(word) {
    if (!word || this.sent !== null || !this.state) return;
    this.sent = word;
    this.notice = null;
    this.story.hurry();
    this.#drawing.ownSoon();
    const answer = await this.connection.ask({ type: "play", play: word });
    this.sent = null;
    if (answer.type === "refused") this.#refuse(answer);
    else this.picked = [];
    this.#drawing.ownSoon();
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

  #clear() {
    this.picked = this.queued = [];
    this.notice = null;
    this.side.close();
    this.#drawing.ownSoon();
  }

  /** The slots that are dragged with this one: all that are picked, if it is. @param {string} slot */
  #taken(slot) {
    this.#tip?.hide();
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
      this.#drawing.ownSoon();
    }
    return exact.length === 1;
  }

  /** @param {string} slot */
  #moveTo(slot) {
    this.current = slot;
    this.root.querySelector(`.hand [data-slot="${CSS.escape(slot)}"]`)?.setAttribute("tabindex", "0"); // before more changes: of what has the focus, browsers then style all
    this.#drawing.ownSoon();
  }

  /** @param {string} text @param {string} [rule] */
  #notify(text, rule = "") {
    this.notice = text ? { text, rule } : null;
    announce(this.root, [text]);
    this.#drawing.ownSoon();
  }

  /** A shuffle was not fair (`alarm`, which stays), or nobody can tell. @param {"alarm" | "doubt"} kind @param {string} text */
  #warn(kind, text) {
    announce(this.root, [(this.warnings[kind] = text)]);
    this.#drawing.ownSoon();
  }

  /** @param {Answer} answer */
  #refuse(answer) {
    this.#notify(answer.error?.text ?? "", answer.error?.rule ?? "");
  }
}
