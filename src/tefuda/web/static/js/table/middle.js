// The middle of the felt: the trick before its players, and what lies on the table beside it.

import { make, part } from "../dom.js";
import { setting } from "../storage.js";
import { say, tell } from "../texts.js";
import { card, cardsOfPlay } from "./cards.js";
import { isCard } from "./game.js";
import { further, spread } from "./layout.js";
import { isReader, portrait } from "./people.js";

/** @typedef {import("./felt.js").FeltView} FeltView */
/** @typedef {[string, Record<string, string>]} Note */

/**
 * In a game without tricks, where something lies in the middle already, what somebody lays lies at their
 * place.
 * @param {FeltView} view
 */
export function isAtPlaces({ state: { deal } }) {
  return Boolean(deal?.scene.middle.length) && !deal?.scene.tricks;
}

/** Whether the middle is for tricks, up to the end of the deal. @param {FeltView} view */
function isInTricks({ state: { deal } }) {
  return Boolean(deal && (deal.scene.number || (deal.over && deal.scene.tricks)));
}

/** @param {FeltView} view @param {number} mine */
export function middle(view, mine) {
  const seats = view.state.seats.length;
  const scene = view.state.deal?.scene;
  const way = scene?.clockwise ? -1 : 1;
  const lines = isInTricks(view) ? [] : (scene?.middle.map(asNote) ?? []);
  if (isAtPlaces(view)) return [centre(lines, view.names)];
  const most = Math.max(1, ...view.played.map((played) => cardsOfPlay(played).length));
  const { w, shown, inRow, places } = spread(seats, view.room, most);
  const winning = view.taker ?? scene?.winning ?? -1;
  const stake =
    view.taker === null ? scene?.stake.map((note) => tell(...asNote(note), view.names)).join(" · ") : "";
  return [
    lines.length ? centre(lines, view.names) : null,
    isInTricks(view) && !inRow ? direction(way) : null,
    ...view.played.map((played, seat) => {
      const { x, y } = places[(way * (seat - mine) + seats) % seats] ?? { x: 0, y: 0 };
      const style = {
        "--x": `${x.toFixed(1)}px`,
        "--y": `${y.toFixed(1)}px`,
        "--w": `${w}px`,
        "--shown": shown.toFixed(3),
        "--further": String(further(most)),
      };
      const kind = `play${winning === seat ? " ahead" : ""}${inRow ? " in-row" : ""}`;
      return played ? lain(view, seat, kind, style) : null;
    }),
    stake ? make("p", { class: "stake", key: `stake ${stake}` }, stake) : null,
  ];
}

/** Which way play goes: an arrow, on the felt itself. @param {number} way -1 is clockwise */
function direction(way) {
  return make(
    "svg",
    {
      key: "direction",
      class: "direction",
      viewBox: "0 0 24 24",
      "aria-hidden": "true",
      style: { scale: `${way} 1` },
    },
    make("path", { d: "M17.7,6.3A8,8,0,1,0,20,12" }),
    make("path", { class: "head", d: "M16.6,13.2,20,9l3.4,4.2z" }),
  );
}

/**
 * What lies on the table beside a trick, such as a card of the stock: at one's own place, where it covers
 * nothing.
 * @param {FeltView} view
 */
export function stock(view) {
  const scene = view.state.deal?.scene;
  if (!scene?.middle.length || !isInTricks(view)) return null;
  return make(
    "div",
    { class: "stock", key: "stock" },
    scene.middle.map((note) => centreLine(asNote(note), view.names)),
  );
}

/**
 * What somebody has played, with its name where it has one.
 * @param {FeltView} view @param {number} seat @param {string} kind @param {Record<string, string>} [style]
 */
export function lain(view, seat, kind, style = {}) {
  const played = view.played[seat] ?? "";
  const name = view.named?.[played];
  const by = isReader(view.names[seat]) ? say("table.you") : (view.names[seat] ?? "");
  const label = [say("table.played_by", { name: by }), name && tell(name)].filter(Boolean).join(": ");
  const isTaker = view.taker === seat;
  return part(
    "div",
    `play${seat}`,
    [played, label, kind, style, isTaker, view.state.seats[seat]?.face, setting("suits")],
    () => {
      const cards = cardsOfPlay(played);
      return make(
        "div",
        {
          key: `play${seat}`,
          class: `${kind}${isTaker ? " taker" : ""}`,
          "data-played": seat,
          role: "group",
          "aria-label": label,
          style: { ...style, "--cards": cards.length },
        },
        cards,
        kind.includes("in-row") ? portrait(view.state, seat) : null,
        name ? make("span", { class: "called", "aria-hidden": "true" }, tell(name)) : null,
      );
    },
  );
}

/** What lies in the middle, in lines. @param {Note[]} lines @param {string[]} names */
function centre(lines, names) {
  const drawn = lines.map((note) => centreLine(note, names));
  return make(
    "div",
    { class: `centre${drawn.some((each) => each.matches(".drawn")) ? "" : " empty"}`, key: "centre" },
    drawn,
  );
}

/**
 * A line of what lies in the middle; a card that it names is drawn, and not written.
 * @param {Note} note
 * @param {string[]} names
 */
function centreLine([key, fields], names) {
  const [field, value = ""] =
    Object.entries(fields).find(([, each]) => isCard(each.split("=")[0] ?? "")) ?? [];
  if (!field) return line(null, tell(key, fields, names));
  const [word = "", as = ""] = value.split("=");
  const text = tell(key, { ...fields, [field]: "" }, names).trim();
  // The space was between the card and what follows
  return line(card(word, { as }), text.replace(/ (?=（)/, ""));
}

/**
 * A card, if any, and a text: anew where either is another, so that nothing seems to move.
 * @param {HTMLElement | null} drawn
 * @param {string} text
 */
function line(drawn, text) {
  return make(
    "div",
    { class: `line${drawn ? " drawn" : ""}`, key: `${drawn?.dataset.word ?? ""} ${text}` },
    drawn,
    make("p", null, text),
  );
}

/** @param {unknown} note @returns {Note} */
export function asNote(note) {
  return /** @type {Note} */ (note);
}
