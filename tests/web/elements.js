// Every element of the table in every state, drawn by the page's own scripts: run in a table's page by elements.py.
async () => {
  const load = name => import(document.querySelector(`link[href$="js/dom.js"]`).href.replace("dom", name));
  const [{bringStyle, make, settle}, {hand, slotsOf}, {felt}, {bar, notices}, {matching, read, usesOf}, {sheet}, {game, isCard}] = await Promise.all(
    ["dom", "table/hand", "table/felt", "table/bar", "table/plays", "table/sheet", "table/game"].map(load));
  await bringStyle("sheet");
  const ratio = game.size[0] / game.size[1];
  const cards = Object.keys(game.cards);
  const [one, two, three] = [cards[11], cards[20], cards[5]];
  const gallery = make("div", {class: "gallery"});
  const part = (title, ...cells) => gallery.append(make("section", null, make("h2", null, title), make("div", {class: "cells"}, cells)));
  const cell = (name, content, wide = false) => {
    const board = make("div", {class: "board table-page", style: {display: "block", padding: "10px", "border-radius": "10px", "--ratio": ratio}}, content);
    return make("figure", {class: wide ? "wide" : null}, board, make("figcaption", null, name));
  };
  const room = {width: 96, height: 120, ratio, most: 72};
  const rise = Math.max(0, room.most / ratio - 150); // of a picked card that is longer than its place
  const card = (name, {use = null, count = 1, picked = 0, queued = false, marked = false, advised = false, focus = false} = {}) => {
    const groups = [{label: "", cards: Array(count).fill(one), marked: marked ? [one] : []}];
    const slots = slotsOf(groups);
    const ids = slots.map(each => each.id);
    const drawn = make("div", {class: "hand", style: {"--tall": "150px", "block-size": "150px", "inline-size": "108px", "margin-block-start": picked ? `${rise}px` : "0"}}, hand({
      groups, slots, picked: ids.slice(0, picked), queued: queued ? ids : [], advised: advised ? [one] : [], uses: use && new Map(ids.map(id => [id, use])),
      current: focus ? ids[0] : "", mark: "", room, most: 1, unseen: 0, question: ""}));
    return cell(name, drawn);
  };
  part("A card of the hand", card("somebody else is to play"), card("may be played", {use: "legal"}), card("wins the trick so far", {use: "wins"}),
    card("can only be thrown", {use: "throws"}), card("may not be played", {use: "barred"}), card("picked", {use: "legal", picked: 1}),
    card("chosen beforehand", {queued: true}), card("marked by the game", {use: "legal", marked: true}), card("advised by a hint", {use: "legal", advised: true}), card("three equal cards", {use: "legal", count: 3}),
    card("two of three picked", {use: "legal", count: 3, picked: 2}));
  const place = more => ({held: 9, played: "", piles: [], total: 0, side: 0, notes: [], tally: [0, 0], ...more});
  const deal = (seat, more = {}) => ({number: 1, mover: 1, over: false, named: {}, scene: {phase: "", number: 3, tricks: 13, hand: [], seats: [seat, place({})],
    mark: "", reference: [], beside: [], middle: [], lead: 1, winning: 1, beating: [], stake: [], ...more}});
  const view = (seat, {mover = 1, winning = 1, lead = 1, away = false, gone = false, played = "", said = null, name = "Aiko"} = {}) => ({
    state: {options: {}, seats: [{name, face: "tiger-3", bot: null, absent: away, open: false, ...(gone ? {connected: false} : {})}, {name: "Bo", face: "ox-1", bot: null, absent: false, open: false}], you: {seat: said ? null : 0, host: true},
      deal: {...deal(seat, {winning, lead}), mover}, events: []},
    names: [name, "Bo"], played: [played, ""], taker: null, said: new Map(said ? [[0, said]] : []), room: {width: 300, height: 150, ratio, most: 80}});
  const laid = shown => {
    const whole = make("div", null, felt(shown));
    settle(whole);
    return whole;
  };
  const seat = (name, scene, how) => {
    const drawn = laid(view(place(scene), how)).querySelector(".side.mine .seat");
    return cell(name, make("div", {class: "side", style: {"min-block-size": how?.said ? "96px" : "0"}}, drawn));
  };
  part("A place at the table", seat("waits", {total: -40}), seat("is to play", {}, {mover: 0}), seat("wins so far", {}, {winning: 0}), seat("leads", {}, {lead: 0}),
    seat("has won something", {tally: [3, 6], piles: [{label: "", cards: [one, two, three], marked: []}]}), seat("is away", {}, {away: true}), seat("has lost the connection", {}, {gone: true}), seat("says something", {}, {said: "Hello!"}),
    seat("has a long name", {}, {name: "Wolfeschlegelsteinhausen"}));
  const play = (name, how) => {
    const drawn = laid(view(place({}), how)).querySelector(".play");
    drawn.style.cssText += ";position:relative;inset:0;translate:none;margin:14px";
    return cell(name, drawn);
  };
  part("A play of the trick", play("lies there", {played: one}), play("wins so far", {played: one, winning: 0}), play("face down", {played: `~${one}`}), play("several cards", {played: [one, two, three].join("+")}));
  const buttons = (name, words, picked = [], marks = [], question = "") => {
    const plays = words.map(word => read(word, isCard));
    return cell(name, make("div", {class: "controls"}, make("p", {class: "status-line"}, question || name), make("div", {class: "bar"},
      bar({plays, found: matching(plays, picked, {}), picked, busy: false, wish: null, marks, question}))), true);
  };
  part("What may be done", buttons("a card is to be picked", [one, two]), buttons("one is picked", [one, two], [one]), buttons("more cards may go with it", [one, `${one}+${two}`], [one]),
    buttons("with signs in the hand", [one, two], [], [{kind: "wins", text: "wins so far"}, {kind: "throws", text: "can only be thrown"}, {kind: "marked", text: "marked by the game"}]),
    buttons("nothing is played yet", [one, two], [], [], "Will you show a card?"), buttons("somebody else is to play", []));
  part("What is said", cell("why not", make("div", {style: {position: "relative"}}, notices({text: "You must follow suit.", rule: "GZ-12"}, {})), true),
    cell("what must not be overlooked", make("div", {style: {position: "relative"}}, notices(null, {alarm: "The shuffle of deal 2 was not fair."})), true),
    cell("time", make("p", {class: "status-line"}, make("span", {class: "clock"}, make("span", null, "0:43")), make("span", {class: "clock"}, make("span", {class: "late"}, "0:07")))));
  const over = {phase: "playing", table: "t", session: 1, results: [[12, -12], [5, -5]], seats: view(place({})).state.seats, you: {seat: 0, host: true}, shuffle: {ready: [false, true]},
    deal: {...deal(place({})), over: true, number: 2, payoff: [5, -5], totals: [17, -17], sheet: [["two tricks: +5"], ["none: −5"]], settlement: [], replay: true}};
  const overlay = (name, state) => cell(name, make("div", {class: `overlay${state.phase === "over" ? " end" : ""}`, style: {position: "relative", inset: "0"}}, sheet(state, ["You", "Bo"], {ending: ["Bo has no card left."], answers: ["You pass: nothing of yours beats it.", "", null], trick: null})), true);
  part("The end", overlay("of a deal", over), overlay("of a game", {...over, phase: "over", shuffle: null}));
  document.querySelector(".masthead").remove();
  document.body.style.cssText = "block-size:auto;overflow:visible";
  gallery.dataset.shape = document.querySelector("#table").dataset.shape;
  settle(gallery);
  document.querySelector("#table").replaceWith(gallery);
  const sheetOf = new CSSStyleSheet();
  sheetOf.replaceSync(".gallery{padding:1rem 1.5rem;display:grid;gap:1rem}.gallery h2{font-size:1rem;margin-bottom:.4rem}.cells{display:flex;flex-wrap:wrap;gap:.7rem;align-items:start}"
    + "figure{display:grid;gap:.25rem}figure.wide{inline-size:31rem}figure.wide .board{inline-size:100%}figcaption{font-size:.75rem;color:var(--muted)}.notice-place{position:static}");
  document.adoptedStyleSheets = [sheetOf];
}
