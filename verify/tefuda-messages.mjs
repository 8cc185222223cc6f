// Receipts made from the messages of a server, as they came: what was shown of each shuffle, and what may not be.

import { text } from "./tefuda-bytes.mjs";

const isDigest = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isNumber = (value) => Number.isSafeInteger(value) && value >= 1;
const isSeat = (seats) => (seat) => Number.isInteger(seat) && seat >= 0 && seat < seats;

/** Whether a message shows a shuffle as protocol 2 has it. */
function isShown({ deal, attempt, commitment, link, seals, ready, revealed, unrevealed }, seats) {
  const isList = (list, fits) => Array.isArray(list) && list.length === seats && list.every(fits);
  const isYesOrNo = (value) => typeof value === "boolean";
  return (
    isNumber(deal) &&
    isNumber(attempt) &&
    isDigest(commitment) &&
    isDigest(link) &&
    isList(ready, isYesOrNo) &&
    isList(revealed, isYesOrNo) &&
    Array.isArray(unrevealed) &&
    unrevealed.every(isSeat(seats)) &&
    new Set(unrevealed).size === unrevealed.length &&
    (seals === null || isList(seals, (seal) => seal === "" || isDigest(seal)))
  );
}

/**
 * Receipts of the deals of one seat, from all that the server sent to it and, of the types `ready` and `reveal`, what
 * was sent to the server. A receipt of deal 0 has what makes everything worthless.
 */
export function follow(messages) {
  const receipts = new Map();
  let [now, last] = [{ seq: null }, null];
  for (const message of messages) {
    if (["ready", "reveal"].includes(message.type) && last) {
      last.seal = message.seal ?? last.seal;
      last.entropy = message.entropy ?? last.entropy;
      last.sent = message.type === "reveal";
    } else if (["state", "plays", "shuffle"].includes(message.type)) {
      const before = now.seq;
      now = { ...now, ...message };
      const isNext = message.events.every((event, k) => event.seq === before + 1 + k);
      const isWhole = before !== null && isNext && before + message.events.length === now.seq;
      last = hear(receipts, last, now, isWhole);
    }
  }
  return [...receipts.values()];
}

/** Note what a state of the table shows; the receipt of the shuffle that is pending, or was last. */
function hear(receipts, last, now, isWhole) {
  const [seat, shown, table] = [now.you.seat, now.shuffle ?? null, `${now.table}/${now.session}`];
  if (now.events.some(({ kind }) => kind === "given")) receipts.delete(`${table}/1`); // another table was faster
  if (seat === null || now.events.some((event) => event.kind === "left" && event.seat === seat)) return null;
  if (shown === null) {
    const own = receipts.get(`${table}/${now.deal?.number}`);
    if (own && own.added === null) dealOut(own, now.deal, now.events, isWhole);
    return last;
  }
  const isSame = last !== null && last.table === table && last.seat === seat;
  const isGood = isShown(shown, now.seats.length);
  if (!isGood || (isSame && last.added === null && last.deal !== shown.deal)) {
    receipts.set("", { deal: 0, seat, faults: [isGood ? "rules" : "malformed"] });
    return last;
  }
  const context = text([table, shown.deal, now.game, now.rules, now.seats.length, now.options]);
  if (!isSame || last.deal !== shown.deal) [last, isWhole] = [begun(table, context, seat, shown), false];
  if (last.context !== context) last.faults.push("rules");
  receipts.set(`${table}/${shown.deal}`, last);
  step(last, shown, isWhole);
  return last;
}

/** A receipt before anything was sealed for it. */
function begun(table, context, seat, { deal, commitment, attempt, unrevealed }) {
  const faults = attempt > unrevealed.length + 1 ? ["steps"] : [];
  const own = {
    table,
    deal,
    context,
    seat,
    commitment,
    attempt,
    named: unrevealed,
    faults,
    entropy: "",
    seal: "",
  };
  return { ...own, seals: null, opened: [], hand: null, added: null, sent: false, ready: false };
}

/** Note what of a message may not follow the one before; `isWhole` if none between them was missed. */
function step(own, shown, isWhole) {
  const faults = new Set();
  const gained = shown.unrevealed.filter((each) => !own.named.includes(each));
  const steps = shown.attempt - own.attempt;
  const [least, isGrown] = [
    Math.min(1, gained.length),
    own.named.every((each) => shown.unrevealed.includes(each)),
  ];
  if (shown.commitment !== own.commitment) faults.add("commitment");
  if (!isGrown || steps < least || steps > (isWhole ? least : gained.length)) faults.add("steps");
  if (gained.includes(own.seat) && own.opened.includes(own.seat)) faults.add("named");
  if (isWhole && !gained.every((each) => own.seals?.[each] && !own.opened.includes(each)))
    faults.add("wrongly");
  const closed = steps ? null : own.seals;
  if (steps) {
    const anew = { entropy: "", seal: "", opened: [], sent: false, ready: false };
    Object.assign(own, anew, { attempt: shown.attempt });
  }
  close(own, closed, shown, faults);
  own.named = [...shown.unrevealed].sort((one, other) => one - other);
  Object.assign(own, { seals: shown.seals, link: shown.link, ready: own.ready || shown.ready[own.seat] });
  own.faults.push(...[...faults].filter((code) => !own.faults.includes(code)).sort());
}

/** The list of seals is closed once for all, and those reveal who have sealed: note it if not. */
function close(own, closed, { seals, revealed, unrevealed }, faults) {
  if (closed !== null && closed.join() !== seals?.join()) faults.add("seals");
  if (seals === null) return;
  if (closed === null && own.ready && own.seal && own.seal !== seals[own.seat]) faults.add("left_out");
  const opened = revealed.flatMap((isSo, each) => (isSo ? [each] : []));
  const isGrown = own.opened.every((each) => opened.includes(each)) && opened.every((each) => seals[each]);
  if (unrevealed.some((each) => seals[each]) || !isGrown) faults.add("steps");
  own.opened = opened;
}

/** Note the first cards of a deal, and whether what was sealed is in it. */
function dealOut(own, deal, events, isWhole) {
  const isIn = own.seal !== "" && (own.seals ? own.seals[own.seat] === own.seal : own.ready);
  own.added = isIn && own.sent;
  if (events.at(-1)?.kind === "dealt" && deal.scene)
    own.hand = deal.scene.hand.flatMap((group) => group.cards);
  else if (isWhole) own.faults.push("unseen");
  if (isWhole && isIn && !own.sent) own.faults.push("unasked");
}
