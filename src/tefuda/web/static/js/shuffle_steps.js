// The steps of a shuffle as the server shows them, and which may follow which. The same as
// tefuda/table/receipt.py (`ShownShuffle`, `Receipt.follow`).

/** @typedef {import("./receipts.js").Receipt} Receipt */
/** @typedef {import("./messages.js").ShuffleState} Pending */

const DIGEST = /^[0-9a-f]{64}$/;

/**
 * Whether a shuffle is written as protocol 2 has it; protocol 1 lacks the attempt.
 * @param {any} pending
 * @param {number} seats
 */
export function isShuffle(pending, seats) {
  const { deal, attempt, commitment, seals, ready, revealed, unrevealed, link } = pending ?? {};
  const isDigest = (/** @type {unknown} */ text) => typeof text === "string" && DIGEST.test(text);
  const isOfSeats = (/** @type {any} */ list, /** @type {(entry: any) => boolean} */ fits) =>
    Array.isArray(list) && list.length === seats && list.every(fits);
  const isYesOrNo = (/** @type {unknown} */ entry) => typeof entry === "boolean";
  return (
    Number.isSafeInteger(deal) &&
    deal > 0 &&
    Number.isSafeInteger(attempt) &&
    attempt > 0 &&
    isDigest(commitment) &&
    isDigest(link) &&
    (seals === null || isOfSeats(seals, (seal) => seal === "" || isDigest(seal))) &&
    isOfSeats(ready, isYesOrNo) &&
    isOfSeats(revealed, isYesOrNo) &&
    Array.isArray(unrevealed) &&
    unrevealed.every((seat) => Number.isInteger(seat) && seat >= 0 && seat < seats) &&
    new Set(unrevealed).size === unrevealed.length
  );
}

/**
 * Note what a message shows of the shuffle, and what of it may not follow what was shown before.
 * @param {Receipt} receipt @param {Pending} shown
 * @param {boolean} resumed whether messages before this one may have been missed
 */
export function follow(receipt, shown, resumed) {
  if (shown.commitment !== receipt.commitment) note(receipt, "commitment");
  const gained = shown.unrevealed.filter((seat) => !receipt.named.includes(seat));
  const steps = shown.attempt - receipt.attempt;
  const isGrown = receipt.named.every((seat) => shown.unrevealed.includes(seat));
  if (!isGrown || steps < (gained.length ? 1 : 0) || steps > gained.length) note(receipt, "steps");
  if (gained.length) followNamed(receipt, gained, steps, resumed);
  receipt.named = [...shown.unrevealed].sort((one, other) => one - other);
  receipt.link = shown.link;
  if (steps) {
    receipt.attempt = shown.attempt;
    beginAnew(receipt, receipt.seat);
  }
  followList(receipt, shown);
}

/**
 * Forget what was sealed: it belongs to another attempt, or to another seat.
 * @param {Receipt} receipt
 * @param {number} seat
 */
export function beginAnew(receipt, seat) {
  Object.assign(receipt, {
    seat,
    entropy: "",
    seal: "",
    seals: null,
    opened: [],
    sealed: false,
    sent: false,
    revealed: false,
  });
}

/** @param {Receipt} receipt @param {string} fault */
export function note(receipt, fault) {
  if (!receipt.faults.includes(fault)) receipt.faults.push(fault);
}

/** Whether what we have sealed stands in the closed list. @param {Receipt} receipt */
export function isIn({ seals, seal, seat }) {
  return seal !== "" && seals?.[seat] === seal;
}

/**
 * Each that is named had sealed something, and nobody was told that it revealed it.
 * @param {Receipt} receipt
 * @param {number[]} gained
 * @param {number} steps
 * @param {boolean} resumed
 */
function followNamed(receipt, gained, steps, resumed) {
  const { seals, opened, seat: own } = receipt;
  if (gained.includes(own) && receipt.revealed) note(receipt, "named");
  if (steps > 1 && !resumed) note(receipt, "steps");
  // Of several attempts since, only the first is known
  const could = gained.filter((seat) => seals?.[seat] && !opened.includes(seat)).length;
  if (seals ? !could || (steps === 1 && could < gained.length) : !resumed) note(receipt, "wrongly");
}

/**
 * The list of seals is closed once, and stays; and revealed is what was sealed.
 * @param {Receipt} receipt
 * @param {Pending} shown
 */
function followList(receipt, shown) {
  if (!receipt.seals && shown.seals) {
    receipt.seals = shown.seals;
    if (receipt.sealed && !isIn(receipt)) note(receipt, "left_out");
    if (receipt.named.some((seat) => shown.seals?.[seat])) note(receipt, "steps");
  } else if (receipt.seals?.join() !== shown.seals?.join()) note(receipt, "seals");
  if (!receipt.seals) return;
  const opened = shown.revealed.flatMap((isSo, seat) => (isSo ? [seat] : []));
  if (!receipt.opened.every((seat) => opened.includes(seat)) || opened.some((seat) => !receipt.seals?.[seat]))
    note(receipt, "steps");
  receipt.opened = opened;
}
