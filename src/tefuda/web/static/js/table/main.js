// The table: takes what the server tells, and draws what is known.

import { bringStyle, Drawing, find, make, render } from "../dom.js";
import { announce, say } from "../texts.js";
import { keysOf, onChoice } from "../storage.js";
import { Acts } from "./acts.js";
import { away, bar, comeBack, marksOf, notices, passing } from "./bar.js";
import { cardsOf, matching, usesOf } from "./plays.js";
import { drawFelt } from "./felt.js";
import { game } from "./game.js";
import { beside, drawHand, low, narrow, Rooms, slotsOf } from "./hand.js";
import { House } from "./house.js";
import { focusOf, listen, refocus } from "./keys.js";
import { LONGEST } from "./layout.js";
import { Menu } from "./menu.js";
import { connections, namesIn } from "./people.js";
import { Side } from "./side.js";
import { clock, isLate, questionOf, secondsLeft, statusOf } from "./status.js";
import { advised, equalOf, handOf, isAlone, lyingOf, playsOf, Store, told } from "./store.js";
import { heard, Story } from "./story.js";

/** @typedef {import("../messages.js").StateMessage} State */
/** @typedef {import("../messages.js").SocketAnswer} Answer */

/**
 * Where orders and questions go, and what comes from there.
 * @typedef {object} Line
 * @property {(message: {type: string, play?: string, deal?: number, entropy?: string}) => Promise<Answer>}
 *   ask
 */

export class Table {
  root = find("#table");
  #drawing = new Drawing(
    () => this.#drawFelt(),
    () => this.#drawRest(),
  );
  store = new Store(() => this.#drawing.ownSoon());
  title = document.title;
  /** @type {import("./company.js").Company | null} */ company = null;
  #warned = "";
  /** Whether cards have been dealt that are not drawn yet. */
  #dealt = false;
  /** @type {import("./tip.js").Tip | null} */ #tip = null;
  /** @type {typeof import("./motion.js") | null} */ #motion = null;
  /** @type {typeof import("./waiting.js") | null} */ #waiting = null;
  /** @type {typeof import("./sheet.js") | null} once a deal has ended */ #results = null;
  #rooms = new Rooms(this.root, () => this.draw());

  /** @param {(hearers: import("../connection.js").Hearers) => Line} connect */
  constructor(connect) {
    this.story = new Story(
      this.store,
      (state, moves, isBegun) => this.show(state, moves, isBegun),
      () => this.draw(),
      (seat) => this.#motion?.sweep(this.root, seat),
    );
    this.connection = connect({
      // A tour begins before there is a house.
      state: (state, resumed) => [this.house, this.story].forEach((hearer) => hearer?.hear(state, resumed)),
      line: (line) => line !== this.store.now.line && this.store.set({ line }),
      refused: (answer) => this.acts.refuse(answer),
    });
    const [width, height] = game.size;
    this.root.dataset.shape = width / height < LONGEST ? "long" : "wide";
    this.acts = new Acts(this.root, this.store, (message) => this.connection.ask(message), {
      sending: () => this.story.hurry(),
      redraw: () => this.#drawing.now(),
    });
    this.house = new House(this.connection, this.acts);
    this.side = new Side(this.root, this.store, this.house, () => this.#drawing.now());
    this.menu = new Menu(this.root, this.house, this.story);
    this.#listen();
  }

  #listen() {
    this.root.addEventListener("drawn", () => this.#furnish(), { once: true });
    this.root.addEventListener("click", (event) => this.#click(event));
    listen(this.root, {
      why: (slot) => this.acts.why(slot),
      panel: (name) => this.side.toggle(name, true),
      act: (name) => this.#act(name),
      clear: () => this.acts.clear(),
      current: (slot) => this.acts.moveTo(slot),
      lay: (slot, near, after) => this.acts.wish(({ order }) => order.move([slot], near, after)),
    });
    if (keysOf("tefuda.hand").length) this.acts.wish(() => {});
    onChoice(() => this.#rooms.forget());
    for (const shape of [narrow, low]) shape.addEventListener("change", () => this.draw());
    new ResizeObserver(() => this.#rooms.forget()).observe(find(".felt", this.root));
    window.setInterval(() => this.#tick(), 1000);
  }

  /** What nobody misses before there are cards in sight. */
  async #furnish() {
    const [{ Tip }, motion] = await Promise.all([
      import(/* soon */ "./tip.js"),
      import(/* soon */ "./motion.js"),
    ]);
    motion.makeDraggable(this.root, {
      taken: (slot) => (this.#tip?.hide(), this.acts.taken(slot)),
      drop: (slots) => this.acts.drop(slots),
    });
    this.#tip = new Tip(this.root);
    this.#motion = motion;
  }

  /**
   * What only some moments need: news of people where others sit, the waiting room, the score sheet.
   * @param {State} state
   */
  async #fetch(state) {
    const isMissing = !isAlone(state) && !this.company;
    if (isMissing) this.company ??= new (await import("./company.js")).Company(this.acts);
    // Bots are there at once
    const waits = !state.deal && !(isAlone(state) && state.seats.every(({ open }) => !open));
    if (!this.#waiting && (waits || state.deal?.over)) this.#waiting = await import("./waiting.js");
    else if (!isMissing && (!state.deal?.over || this.#results)) return;
    if (state.deal?.over)
      this.#results ??= (await Promise.all([import("./sheet.js"), bringStyle("sheet")]))[0];
    this.draw();
  }

  /** What the seats are called, the reader's own as they call themselves. */
  get names() {
    return this.store.now.state ? namesIn(this.store.now.state) : [];
  }

  /** @param {State} state @param {import("./motion.js").Move[]} moves @param {boolean} isBegun */
  show(state, moves, isBegun) {
    const before = this.store.now.state;
    this.store.take(told, state);
    this.#fetch(state);
    if (isBegun && state.speed !== "instant")
      this.#dealt ||= state.events.some(({ kind }) => kind === "dealt");
    if (this.#motion?.isMoving(moves))
      this.#motion.drawWithMotion(this.root, moves, () => this.#drawing.feltNow());
    else if (isBegun) this.#drawing.inTurn();
    else this.draw();
    this.#announce(state, before, isBegun);
    if (isBegun) {
      this.company?.tell(state, this.names);
      this.menu.sound(state, before, moves);
    }
    this.acts.own?.ahead.hear();
  }

  draw() {
    this.#drawing.soon();
  }

  #drawFelt() {
    const { state, said, paused } = this.store.now;
    if (!state) return;
    const lying = lyingOf(this.store.now);
    drawFelt(find(".felt", this.root), {
      state,
      names: this.names,
      said,
      room: this.#rooms.now.middle,
      ...lying,
    });
    const asks = playsOf(this.store.now).length > 0;
    const status = paused ? say("table.paused") : statusOf(state, this.names, lying.taker, asks);
    render(find(".status", this.root), make("span", { key: status }, status));
    render(find(".clock", this.root), clock(state));
  }

  /** What follows for the reader: hand, buttons, what stands beside the table and over it. */
  #drawRest() {
    const known = this.store.now;
    const { state, line, notice, warnings, company } = known;
    const word = line === "open" ? (company?.news ?? "") : say(`table.line_${line}`);
    render(find(".line-state", this.root), word ? make("p", null, word) : null);
    if (!state) return;
    const [scene, plays, slots] = [state.deal?.scene, playsOf(known), handOf(known)];
    // Whether the page waits for the reader
    const turn = plays.length && known.sent === null && !known.passes ? "mine" : "";
    // Who plays has its room from the first to the last moment
    const hand = state.you.seat === null ? "none" : "";
    Object.assign(this.root.dataset, { ready: state.seq, phase: state.phase, hand, turn });
    const [focus, rooms] = [focusOf(slots), this.#rooms.now];
    const uses = usesOf(slots, plays, equalOf(known), scene?.beating ?? []);
    render(find(".bar", this.root), this.#buttons(state, marksOf(scene, uses)));
    this.#drawHand(state, uses, rooms.hand);
    render(find(".beside-hand", this.root), beside(scene?.beside ?? []));
    render(
      find(".notice-place", this.root),
      ...notices(notice, warnings),
      ...(this.company?.notices(state, this.names) ?? []),
    );
    this.#waiting?.drawOverlay(this.#results, this.root, state, this.names, known);
    this.side.draw(state, this.names);
    this.menu.draw(state);
    if (this.#dealt && slots.length) {
      this.#dealt = false;
      this.#motion?.dealHand(this.root);
    }
    this.#tip?.settle();
    if (focus) refocus(this.root, focus);
    this.root.dispatchEvent(new Event("drawn"));
    if (this.#rooms.watch() && !rooms.middle.width) this.#drawing.now(); // the felt has just been made
  }

  /** What may be done now. @param {State} state @param {ReturnType<typeof marksOf>} marks */
  #buttons(state, marks) {
    const known = this.store.now;
    const {
      deal,
      you: { seat },
      seats,
    } = state;
    if (seat !== null && seats[seat]?.absent && !isAlone(state)) return away();
    if (known.passes) return passing();
    if (seat === null && deal) return comeBack(state);
    const [plays, slots, ahead] = [playsOf(known), handOf(known), this.acts.own?.ahead];
    const picked = cardsOf(slots, plays.length ? known.picked : (ahead?.chosen ?? []));
    const { exact, wider } = matching(
      plays.length || !picked.length ? plays : (ahead?.forms ?? []),
      picked,
      equalOf(known),
    );
    return bar({
      plays,
      found: { exact: plays.length ? exact : [], wider },
      picked,
      busy: known.sent !== null,
      wish: deal?.wish ?? null,
      marks,
      question: questionOf(deal?.scene),
      next: this.company?.between.next() ?? null,
    });
  }

  /** @param {State} state @param {ReturnType<typeof usesOf>} uses @param {import("./layout.js").Room} room */
  #drawHand({ deal, you }, uses, room) {
    const known = this.store.now;
    const { picked, queued, most } = known;
    const scene = deal?.scene;
    const groups = this.acts.own?.order.lay(uses) ?? scene?.hand ?? [];
    const slots = slotsOf(groups);
    const current = slots.some(({ id }) => id === known.current) ? known.current : (slots[0]?.id ?? "");
    const unseen = !slots.length && !deal?.over ? (scene?.seats[you.seat ?? -1]?.held ?? 0) : 0;
    drawHand(find(".hand", this.root), {
      unseen,
      question: unseen && playsOf(known).length ? questionOf(scene) : "",
      groups,
      slots,
      picked,
      queued,
      advised: advised(known),
      uses,
      current,
      mark: scene?.mark ?? "",
      room,
      most: most.cards,
    });
  }

  /**
   * One live region says what has happened since the page was opened, and that it is your turn.
   * @param {State} state @param {State | null} before @param {boolean} isBegun
   */
  #announce(state, before, isBegun) {
    const said = isBegun ? state.events.flatMap((event) => heard(event, state, this.names)) : [];
    if (playsOf(this.store.now).length && state.events.length) said.push(say("table.your_turn"));
    if (before) said.push(...connections(before, state, this.names));
    announce(this.root, said);
  }

  #tick() {
    const { state } = this.store.now;
    const left = secondsLeft(state);
    render(find(".clock", this.root), clock(state));
    const isMine = playsOf(this.store.now).length > 0;
    // For who looks at another page
    const title = isMine ? `${say("table.your_turn")} · ${this.title}` : this.title;
    // Browsers take long to change it: not while a card is drawn
    if (document.title !== title) document.title = title;
    const turn = `${state?.deal?.number} ${state?.deal?.since}`;
    if (isLate(left) && isMine && this.#warned !== turn) {
      this.#warned = turn;
      this.menu.warn();
    }
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target.closest("button, .overlay-close") : null;
    if (!(target instanceof HTMLElement)) return;
    const { slot, play, offer, tab, act } = target.dataset;
    if (slot) this.acts.tap(slot);
    else if (play) this.acts.play(play);
    else if (offer) this.acts.offer(offer);
    else if (tab) this.side.toggle(tab, false);
    else if (act) this.#act(act);
    else this.house.act(target.dataset, this.root);
  }

  /** @param {string} act */
  #act(act) {
    if (act === "clear") this.acts.clear();
    else if (act === "dismiss") this.acts.notify("");
    else if (act === "dismiss_doubt") this.acts.warn("doubt", "");
    else if (act === "hint") this.side.ask();
    else if (["wait", "tell_me", "not_now"].includes(act)) this.company?.act(act);
    else if (act === "look" || act === "results") this.store.set({ looking: act === "look" });
    else if (act === "sort") this.acts.wish(({ order }) => order.next());
    else if (["pass_on", "stop_passing", "premove"].includes(act))
      this.acts.wish(({ ahead }) => ahead.act(act));
    else if (!this.menu.act(act)) this.house.act({ act }, this.root);
    this.acts.own?.ahead.goOn();
    this.draw();
  }
}
