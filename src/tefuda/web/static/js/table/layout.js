// Where cards lie: as large as the room allows, and each with its index in sight. No game is known here, and
// nothing is read from the page.

/**
 * @typedef {object} Room
 * @property {number} width in pixels
 * @property {number} height
 * @property {number} ratio of a card, its width by its height
 * @property {number[]} [cuts] of cards of a trick that are not shown down to their lower edge, the least cut
 *   first
 * @property {number} most the width of the largest card
 * @property {number} [foot] so much of the height, at the lower edge, is for a line of text
 * @property {number} [head] so much above each play is for the crown of whoever is ahead
 */

/** @typedef {{x: number, y: number, row: number}} Place */

/** Pixels of a card that a finger needs. */
const FINGER = 25;
/** Between two suits, as a part of a card's width. */
const GAP = 0.28;
const MOST_ROWS = 3;
/**
 * What has to be seen of a card, in parts of its width: from left to right the index, in height what a row
 * shows that another covers, and the last row at least. A long card has its index along its whole upper edge.
 */
const LONG = { index: 0.8, covered: 1.2, least: 1.75 };
const SHORT = { index: 0.34, covered: 0.58, least: 1.12 };
/**
 * Widths of cards in pixels: below the first a trick lies in a row, and a hand of long cards is cut; from
 * the second on a trick of long cards is whole.
 */
const LEGIBLE = { round: 56, whole: 64 };
/** Long cards are narrower than this part of their height. */
export const LONGEST = 0.45;

/** @param {number} ratio */
function shape(ratio) {
  return ratio < LONGEST ? LONG : SHORT;
}

/**
 * How large the cards of a hand may be, and in how many rows they lie.
 * @param {number} count of cards, equal ones lying on each other
 * @param {Room} room
 */
export function handSize(count, room) {
  const { index, covered, least } = shape(room.ratio);
  let best = { rows: 1, w: 0 };
  for (let rows = 1; rows <= MOST_ROWS; rows += 1) {
    const further = Math.max(0, Math.ceil(count / rows) - 1);
    const broad = Math.min(room.width - further * FINGER, room.width / (1 + further * index));
    const w = Math.floor(Math.min(broad, room.height / ((rows - 1) * covered + least), room.most));
    if (w > best.w * 1.1) best = { rows, w };
  }
  const whole = Math.floor(
    Math.min(room.height * room.ratio, room.most, room.width / (1 + (count - 1) * index)),
  );
  return whole >= (room.ratio < LONGEST ? LEGIBLE.round : 0.7 * best.w) ? { rows: 1, w: whole } : best;
}

/**
 * Where each card of a hand lies, from the upper left corner of the hand.
 * @param {number[]} groups how many cards each suit has
 * @param {{rows: number, w: number}} size
 * @param {Room} room
 * @returns {Place[]}
 */
export function handPlaces(groups, size, room) {
  const count = groups.reduce((sum, cards) => sum + cards, 0);
  const rows = split(groups, Math.min(size.rows, needed(count, size, room)));
  const high = size.w / room.ratio;
  const last = Math.min(high, room.height - (rows.length - 1) * shape(room.ratio).covered * size.w);
  const between = rows.length > 1 ? Math.min((room.height - last) / (rows.length - 1), high * 1.04) : 0;
  const top = room.height - last - between * (rows.length - 1);
  return rows.flatMap((row, number) =>
    across(row, size.w, room).map((x) => ({ x, y: Math.round(top + number * between), row: number })),
  );
}

/**
 * Rows that so many cards need, once there are fewer.
 * @param {number} count
 * @param {{w: number}} size
 * @param {Room} room
 */
function needed(count, { w }, room) {
  const step = Math.max(FINGER, w * shape(room.ratio).index) * (room.ratio < LONGEST ? 1.1 : 1.5);
  const each = Math.max(1, Math.floor((room.width - w) / step) + 1);
  return Math.ceil(count / each);
}

/**
 * Suits in rows that are about equally full; where that is possible a row ends with a suit.
 * @param {number[]} groups
 * @param {number} rows
 * @returns {number[][]}
 */
function split(groups, rows) {
  const count = groups.reduce((sum, cards) => sum + cards, 0);
  const most = Math.ceil(count / Math.max(1, rows));
  /** @type {number[][]} */
  const found = [];
  let left = [...groups];
  for (let row = rows; row > 0 && left.length; row -= 1) {
    const rest = left.reduce((sum, cards) => sum + cards, 0);
    const fair = row === 1 ? rest : Math.ceil(rest / row);
    const ends = left.map((_, place) => left.slice(0, place + 1).reduce((sum, cards) => sum + cards, 0));
    const end =
      ends.find((cards) => cards >= fair - 1 && cards <= most && rest - cards <= most * (row - 1)) ?? fair;
    /** @type {number[]} */
    const taken = [];
    let wanted = end;
    while (wanted > 0 && left.length) {
      const part = Math.min(wanted, left[0] ?? 0);
      taken.push(part);
      wanted -= part;
      left = part === left[0] ? left.slice(1) : [(left[0] ?? 0) - part, ...left.slice(1)];
    }
    found.push(taken);
  }
  return found.length ? found : [[]];
}

/** The cards of a row, from its middle. @param {number[]} groups @param {number} w @param {Room} room */
function across(groups, w, { width, ratio }) {
  const count = groups.reduce((sum, cards) => sum + cards, 0);
  const gaps = groups.length - 1;
  const tight = count > 1 ? (width - w) / (count - 1) : 0;
  const gap = gaps
    ? Math.min(
        w * GAP,
        Math.max(0, (width - w - (count - 1) * Math.max(FINGER, w * shape(ratio).index)) / gaps),
      )
    : 0;
  const step = count > 1 ? Math.min(gaps ? (width - w - gaps * gap) / (count - 1) : tight, w * 1.05) : 0;
  const whole = w + (count - 1) * step + gaps * gap;
  let x = (width - whole) / 2;
  return groups.flatMap((cards, group) => {
    x += group ? gap : 0;
    return Array.from({ length: cards }, () => {
      const here = Math.round(x);
      x += step;
      return here;
    });
  });
}

/** Between two plays of a trick, in pixels. */
const APART = 5;
/** The width of the smallest card of a trick, in pixels. */
const LEAST = 16;
/**
 * So far to the right, as a part of a card's width, lie the further cards of a play: of two cards, of many
 * together, and at least.
 */
const FURTHER = { two: 0.4, all: 0.72, least: 0.24 };

/**
 * How far the next card of a play lies to the right, so that on a phone three plays of four cards have
 * room.
 * @param {number} cards most of one play
 */
export function further(cards) {
  return Math.max(FURTHER.least, Math.min(FURTHER.two, FURTHER.all / Math.max(1, cards - 1)));
}

/**
 * So much lower than the farthest play lies one's own in a ring, as a part of its height: else the ring
 * would be a row.
 */
const LOWER = 0.6;

/**
 * How a trick lies.
 * @typedef {object} Laid
 * @property {number} w of a card
 * @property {number} shown of a card, its width by the height that is seen
 * @property {boolean} inRow whether the plays lie beside each other, and so in front of nobody
 * @property {{x: number, y: number}[]} places the middle of each play, from that of the room; one's own first
 */

/** The room of the latest trick, and how it lay: most often the next one lies there too. */
let latest = { of: "", laid: /** @type {Laid | null} */ (null) };

/**
 * How large the cards of a trick may be, and where each seat's play lies: before its player where there is
 * room.
 * @param {number} seats
 * @param {Room} room
 * @param {number} cards most of one play
 * @returns {Laid}
 */
export function spread(seats, { foot = 0, head = 0, ...whole }, cards = 1) {
  const above = Math.max(APART, head);
  const room = { ...whole, height: whole.height - foot, head: above };
  const of = JSON.stringify([seats, room, cards]);
  if (latest.of !== of) latest = { of, laid: null };
  const laid = (latest.laid ??= lie(seats, room, cards));
  return { ...laid, places: laid.places.map(({ x, y }) => ({ x, y: y + (above - foot) / 2 })) };
}

/** @param {number} seats @param {Room} whole @param {number} cards @returns {Laid} */
function lie(seats, whole, cards) {
  let inRow = null;
  for (const shown of [whole.ratio, ...(whole.cuts ?? [])]) {
    const room = { ...whole, ratio: shown };
    const round = largest(
      room,
      (w) => room.height >= (1 + LOWER) * tall(w, room) && fits(ring(seats, room, w, cards), w, room, cards),
    );
    const line = largest(room, (w) => fits(row(seats, room, w, cards), w, room, cards));
    const isLast = shown === (whole.cuts?.at(-1) ?? whole.ratio);
    if (round && (round >= (isLast ? LEGIBLE.round : LEGIBLE.whole) || (isLast && line <= round * 1.12))) {
      return { w: round, shown, inRow: false, places: ring(seats, room, round, cards) };
    }
    const w = Math.max(LEAST, line); // where even these have no room they lie beside each other at least
    if (line >= LEGIBLE.whole || isLast)
      inRow ??= { w, shown, inRow: true, places: row(seats, room, w, cards) };
  }
  return /** @type {Laid} */ (inRow);
}

/**
 * The width of the largest cards that have room; 0 if none have.
 * @param {Room} room
 * @param {(w: number) => boolean} isRoom
 */
function largest(room, isRoom) {
  let w = Math.floor(room.most);
  while (w >= LEAST && !isRoom(w)) w -= 1;
  return w < LEAST ? 0 : w;
}

/** @param {number} w @param {number} cards */
const wide = (w, cards) => w * (1 + further(cards) * (cards - 1));

/** A play and what is above it. @param {number} w @param {Room} room */
const tall = (w, { ratio, head = 0 }) => w / ratio + head;

/**
 * Round the middle, each towards its player.
 * @param {number} seats
 * @param {Room} room
 * @param {number} w
 * @param {number} cards
 */
function ring(seats, room, w, cards) {
  const [broad, high] = [wide(w, cards), tall(w, room)];
  const few = seats < 5; // more need all the room
  const rx = Math.min((room.width - broad) / 2, few ? Math.max(broad * 1.25, room.width * 0.22) : room.width);
  const around = turns(seats).map((turn) => ({ x: Math.sin(turn), y: Math.cos(turn) }));
  // Of those opposite; of three players not as far as oneself
  const farthest = Math.min(...around.map(({ y }) => y));
  const apart = Math.min(
    room.height - high,
    (few ? high * (seats > 3 ? 1.24 : LOWER * 1.2) : 2.4 * high) + APART,
  );
  return around.map(({ x, y }) => ({ x: x * rx, y: ((y - (1 + farthest) / 2) / (1 - farthest)) * apart }));
}

/**
 * Beside each other, from left to right as the players sit: where there is little height.
 * @param {number} seats
 * @param {Room} room
 * @param {number} w
 * @param {number} cards
 */
function row(seats, room, w, cards) {
  const around = turns(seats);
  const order = around
    .map((_, seat) => seat)
    .sort(
      (a, b) =>
        Math.sin(around[a] ?? 0) - Math.sin(around[b] ?? 0) ||
        Math.cos(around[a] ?? 0) - Math.cos(around[b] ?? 0),
    );
  const step = Math.min(
    Math.max(wide(w, cards) * 1.2, wide(w, cards) + APART),
    (room.width - wide(w, cards)) / Math.max(1, seats - 1),
  );
  const rise = Math.min((room.height - tall(w, room)) / 2, w * 0.25);
  return around.map((turn, seat) => ({
    x: (order.indexOf(seat) - (seats - 1) / 2) * step,
    y: Math.cos(turn) * rise,
  }));
}

/** Where players sit, the reader first and at the lower side. @param {number} seats */
function turns(seats) {
  return Array.from({ length: seats }, (_, seat) => (2 * Math.PI * seat) / seats);
}

/**
 * Whether plays lie apart, and none beyond the edge.
 * @param {{x: number, y: number}[]} places
 * @param {number} w
 * @param {Room} room
 * @param {number} cards
 */
function fits(places, w, room, cards) {
  const [broad, high] = [wide(w, cards), tall(w, room)];
  if (broad > room.width || high > room.height) return false;
  return places.every((one, place) =>
    places
      .slice(place + 1)
      .every((other) => Math.abs(one.x - other.x) >= broad + APART || Math.abs(one.y - other.y) >= high),
  );
}
