// Was a game of Tefuda shuffled fairly? Written from docs/explanation/shuffle.md; shares nothing with the server.
//
//     node verify/tefuda-verify.mjs RECORD.tfd --receipt FILE --chain FILE --heads FILE --kept FILE
//
// A bundle (.json) has all in one: record, receipts, messages, chain, heads, kept. Rules of play are not checked, but
// `tefuda verify` does. Exit status: 0 fair; 1 a lie was found; 2 nothing shows it, or something cannot be read.
// A page imports `verify` and gives it a bundle and what packs.json holds.

import { bytes, hashed, sha256, text } from "./tefuda-bytes.mjs";
import { checkHeads, isLogged } from "./tefuda-heads.mjs";
import { follow } from "./tefuda-messages.mjs";

const LIES = /* each is the server's lie, or that of whoever wrote the record */ {
  secret: "the secret is not what the commitment was made from",
  opened: "the entropy of a seat is not what its seal was made from",
  pack: "the deck is not made of the pack of this game",
  deck: "the deck is not the one that follows from the secret and the entropy",
  steps: "the shuffle went back, or began again without a further seat being named for it",
  malformed: "what was shown of the shuffle is not written as the protocol has it",
  commitment: "the commitment is not the one shown before the deal",
  rules: "the deal is one of another table, number or rules than was shown",
  wrongly: "a seat was named that had sealed nothing, had revealed, or could not reveal yet",
  named: "seat {seat} revealed its entropy, and was said not to have done so",
  left_out: "seat {seat} sealed its entropy in time, and was left out",
  seals: "the seals are not those that were closed before anybody revealed",
  unasked: "the cards were dealt without waiting for the entropy that seat {seat} had sealed",
  unseen: "the deal began without its cards being shown to seat {seat}",
  attempt: "the deal was shuffled in another attempt than the one that was shown",
  entropy: "the entropy of seat {seat} is not what its player added",
  hand: "the cards that seat {seat} was shown are not those that follow from the deck",
  plays: "the record has other plays than those that seat {seat} was shown",
  chain: "the table's chain of commitments is broken, or not the one that was shown",
  heads: "the log of all tables is broken, or its head is not signed by the server's key",
  cut: "the log of all tables is not the one whose head was kept: something was changed or taken out",
  vanished: "the log of all tables lacks the deal of seat {seat}, which it must have",
};

const isEqual = (one, other) => text(one ?? null) === text(other ?? null);
const lines = (source) =>
  source
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line));

/** The deck and the deal's random number. */
async function shuffled(pack, round, secret, entropy) {
  const added = entropy.flatMap((part) => [part.length, ...part]);
  const key = bytes(await hashed("shuffle/1/key", round, "\n", secret, added));
  let [words, block] = [[], 0];
  const next = async () => {
    if (!words.length) {
      const number = new Uint8Array(8);
      new DataView(number.buffer).setBigUint64(0, BigInt(block++));
      words = (await hashed("shuffle/1/stream", key, number))
        .match(/.{8}/g)
        .map((word) => parseInt(word, 16));
    }
    return words.shift();
  };
  const deck = [...pack];
  for (let last = deck.length - 1; last > 0; last--) {
    const limit = 2 ** 32 - (2 ** 32 % (last + 1));
    let word = await next();
    while (word >= limit) word = await next();
    [deck[last], deck[word % (last + 1)]] = [deck[word % (last + 1)], deck[last]];
  }
  return { deck, chance: (await next()) >>> 2 };
}

/** The deals of a record, each with its context and plays; a last line that was cut short is left out. */
function readRecord(source) {
  const [head, ...rows] = lines(source.slice(0, source.lastIndexOf("\n")));
  const deals = [];
  for (const row of rows) {
    const { game, rules, seats, options } = head;
    if ("deal" in row)
      deals.push({
        ...head,
        ...row,
        plays: [],
        context: [row.proof.table, row.deal, game, rules, seats, options],
      });
    else if ("play" in row) deals.at(-1).plays.push(row.play);
  }
  if (!deals.length || deals.some((deal, k) => deal.deal !== k + 1))
    throw new Error("the record has no deal, or its deals are not numbered from 1");
  return deals;
}

function packOf({ game, seats, options }, packs) {
  const deciding = seats === 5 && "five_deck" in options ? { five_deck: options.five_deck } : {};
  const isOwn = (each) => each.game === game && each.seats === seats && isEqual(each.options, deciding);
  const found = packs.find(isOwn);
  if (!found) throw new Error(`packs.json has no pack of ${game} for ${seats}`);
  return { ...found, pack: found.pack.split(" ") };
}

const sealOf = (round, commitment, seat, entropy) =>
  hashed("shuffle/2/seal", round, "\n", bytes(commitment), [seat], entropy);

/** What is wrong with the deal by itself. */
async function checkProof(deal, first, packs) {
  const { proof, context } = deal;
  const { pack } = packOf(deal, packs);
  const [secret, entropy, deck] = [bytes(proof.secret), proof.entropy.map(bytes), deal.deck.split(" ")];
  if (proof.table !== first.proof.table || proof.deal !== deal.deal) return ["rules"];
  if (entropy.length !== deal.seats || secret.length !== 32 || entropy.some((part) => part.length > 32))
    return ["malformed"];
  if ((await hashed("shuffle/1/commitment", text(context), "\n", secret)) !== proof.commitment)
    return ["secret"];
  const round = text(proof.seals ? [...context, proof.attempt] : context);
  if (proof.seals) {
    const { seals, attempt } = proof;
    if (seals.length !== entropy.length || !Number.isInteger(attempt)) return ["malformed"];
    if (attempt < 1 || attempt > 1 + seals.filter((seal) => !seal).length) return ["steps"];
    for (const [seat, part] of entropy.entries())
      if (seals[seat] !== (part.length ? await sealOf(round, proof.commitment, seat, part) : ""))
        return ["opened"];
  }
  if (!isEqual([...deck].sort(), [...pack].sort())) return ["pack"];
  return isEqual(await shuffled(pack, round, secret, entropy), { deck, chance: deal.chance }) ? [] : ["deck"];
}

/** The cards that a seat is dealt, sorted; null where the deck alone does not tell. */
function handOf(deal, seat, packs) {
  const [known, deck] = [packOf(deal, packs), deal.deck.split(" ")];
  const hasBefore = deal.before && Object.keys(deal.before).length > 0;
  if (known.turn === null || (known.turn && deal.deal > 1 && !hasBefore)) return null;
  const turn = known.turn ? (deal.before?.dealer ?? deal.chance) + (known.values?.[deck.at(-1)] ?? 0) : 0;
  return known.hands[turn % known.hands.length][seat].map((place) => deck[place]).sort();
}

/** What contradicts a receipt. */
async function checkReceipt(receipt, deal, packs) {
  const { proof, plays: made } = deal;
  const { seat, seals: closed = null, pack = "", hand } = receipt;
  const own = closed === null || closed[seat] ? receipt.entropy : "";
  const holds = {
    rules: receipt.context === text(deal.context),
    commitment: receipt.commitment === proof.commitment,
    pack: pack === "" || pack === (await sha256(text(packOf(deal, packs).pack))),
  };
  if (receipt.added !== false) {
    holds.attempt = !proof.seals || proof.attempt === receipt.attempt;
    holds.seals = closed !== null ? isEqual(proof.seals, closed) : Boolean(proof.seals) || !receipt.seal;
    holds.entropy = proof.entropy[seat] === own;
  }
  if (holds.rules && hand) {
    const [dealt, left] = [handOf(deal, seat, packs), deal.deck.split(" ")];
    const isLeft = (card) => left.includes(card) && left.splice(left.indexOf(card), 1);
    holds.hand = dealt === null ? hand.every(isLeft) : isEqual([...hand].sort(), dealt);
  }
  const told = receipt.plays ?? [];
  const isPlay = (word, k) => word === made[k] || word === `${made[k].split(":")[0]}:`;
  holds.plays = told.length <= made.length && told.every(isPlay);
  const found = receipt.faults ?? [];
  return [...found, ...Object.keys(holds).filter((code) => !holds[code] && !found.includes(code))];
}

/** Whether a table's chain holds together, has the link that was shown, and tells of a deal what its proof tells. */
async function checkChain(chain, proof, shown) {
  let before = "00".repeat(32);
  for (const { link, ...entry } of chain) {
    before = await hashed("shuffle/2/link", bytes(before), text(entry));
    if (link !== before) return false;
  }
  const own = chain.filter((entry) => entry.table === proof.table && entry.deal === proof.deal);
  const [committed, ...steps] = own;
  if (committed?.kind !== "committed" || committed.commitment !== proof.commitment) return false;
  if (shown && own.every((entry) => entry.link !== shown)) return false;
  if (steps.length % 2 === 0) return steps.length === 0 && !proof.seals;
  let [seals, attempt, out] = [[], 1, []];
  for (const [k, entry] of steps.entries()) {
    attempt = Math.floor(k / 2) + 1;
    if (entry.kind !== ["sealed", "unrevealed"][k % 2] || entry.attempt !== attempt) return false;
    if (k % 2 === 0) {
      seals = entry.seals;
      if (seals.length !== proof.entropy.length || out.some((seat) => seals[seat])) return false;
    } else {
      const could = (seat) => seals[seat] && !out.includes(seat);
      const isOnce = new Set(entry.seats).size === entry.seats.length;
      if (!entry.seats.length || !isOnce || !entry.seats.every(could)) return false;
      out = [...out, ...entry.seats];
    }
  }
  return !proof.seals || (isEqual(seals, proof.seals) && attempt === proof.attempt);
}

/** The verdict on one deal: its faults as [code, deal, seat], whether something kept from before shows that it is fair. */
async function judge(deal, first, receipts, chain, packs) {
  const { proof, deal: number } = deal;
  const own = receipts.filter((each) => !each.deal || (each.table === proof.table && each.deal === number));
  let faults = (await checkProof(deal, first, packs)).map((code) => [code, number, 0]);
  const shown = own.filter((each) => each.deal);
  const doesFollow = !faults.length;
  for (const each of own) {
    const found = each.deal && doesFollow ? await checkReceipt(each, deal, packs) : each.faults;
    faults.push(...found.map((code) => [code, number, each.seat]));
  }
  if (chain && !faults.length)
    for (const link of shown.length ? shown.map((each) => each.link ?? "") : [""])
      if (!(await checkChain(chain, proof, link))) faults = [["chain", number, 0]];
  const stopped = (chain ?? []).filter((each) => each.kind === "unrevealed" && each.deal === number);
  const named = [...shown.flatMap((each) => each.named ?? []), ...stopped.flatMap((each) => each.seats)];
  const tookPart = shown.some((each) => each.added !== false && proof.entropy[each.seat]);
  const isKept = shown.length ? tookPart : Boolean(chain) && proof.entropy.some(Boolean);
  const isFixed = Boolean(proof.seals) && isKept;
  const notes = [];
  if (isFixed && !shown.length)
    notes.push(`deal ${number}: if one of the seats that took part is not the server's own`);
  if (!isFixed && !faults.length)
    notes.push(`deal ${number}: nothing that was kept from before it shows who chose the cards`);
  if (!faults.length && shown.some((each) => handOf(deal, each.seat, packs) === null))
    notes.push(`deal ${number}: who is dealt what was not checked; \`tefuda verify --receipt\` does`);
  const out = [...new Set(named)].sort((one, other) => one - other).map((seat) => [number, seat]);
  return { faults, isFair: isFixed && !faults.length, named: out, notes };
}

/** The verdict, `fair`, `unfair` or `unknown`, and what it rests on. */
export async function verify({ record, receipts: kept, messages, chain, heads, ...more }, packs) {
  const deals = record === undefined ? [] : readRecord(record);
  const receipts = [...lines(kept ?? ""), ...follow(messages ?? [])];
  const judged = [];
  for (const deal of deals) judged.push(await judge(deal, deals[0], receipts, chain, packs));
  if (!deals.length) {
    // The table has shown no deal: what was noted before it counts all the same.
    const noted = receipts.flatMap(({ deal, seat, faults }) => faults.map((code) => [code, deal, seat]));
    judged.push({ faults: noted, isFair: false, named: [], notes: [] });
  }
  const [faults, notes] = [judged.flatMap((each) => each.faults), judged.flatMap((each) => each.notes)];
  if (heads) {
    const fault = await checkHeads(heads, more.kept ?? []);
    if (fault) faults.push([fault, 0, 0]);
    const logged = faults.length ? [] : receipts.map((each) => [each, isLogged(heads, each, chain)]);
    for (const [{ deal, seat }, is] of logged) {
      if (is === false) faults.push(["vanished", deal, seat]);
      if (is === null) notes.push(`deal ${deal}: it is not in this part of the log of all tables`);
    }
  }
  const verdict = faults.length ? "unfair" : judged.every((each) => each.isFair) ? "fair" : "unknown";
  const once = faults.filter((one, k) => faults.findIndex((other) => isEqual(one, other)) === k);
  return { verdict, faults: once, named: judged.flatMap((each) => each.named), notes };
}

/** The verdict in words. */
export function say({ verdict, faults, named, notes }) {
  const lie = ([code, deal, seat]) =>
    `The server lied${deal ? ` about deal ${deal}` : ""}: ${(LIES[code] ?? code).replace("{seat}", seat)}.`;
  const withheld = ([deal, seat]) =>
    `Deal ${deal}: seat ${seat} did not reveal what it had sealed; the others shuffled again without it.`;
  const note = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;
  const told = { fair: "Fair.", unfair: "NOT FAIR.", unknown: "Not known." }[verdict];
  return [told, ...faults.map(lie), ...named.map(withheld), ...notes.map(note)].join("\n");
}

async function main() {
  const [{ readFile }, { parseArgs }] = [await import("node:fs/promises"), await import("node:util")];
  const names = ["receipt", "messages", "chain", "heads", "kept", "server"];
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  const { values, positionals } = parseArgs({
    options: { ...options, json: { type: "boolean" } },
    allowPositionals: true,
  });
  const packs = JSON.parse(await readFile(new URL("packs.json", import.meta.url), "utf8"));
  const read = {
    receipt: (source) => source,
    messages: lines,
    chain: JSON.parse,
    heads: JSON.parse,
    kept: lines,
  };
  let worst = 0;
  for (const path of positionals.length ? positionals : [null]) {
    let found;
    try {
      const source = path && (await readFile(path, "utf8"));
      const bundle = !path ? {} : path.endsWith(".json") ? JSON.parse(source) : { record: source };
      for (const [name, parse] of Object.entries(read))
        if (values[name])
          bundle[name === "receipt" ? "receipts" : name] = parse(await readFile(values[name], "utf8"));
      const isOwn = (each) => !values.server || each.server === values.server;
      found = await verify({ ...bundle, kept: (bundle.kept ?? []).filter(isOwn) }, packs);
    } catch (error) {
      found = {
        verdict: "unknown",
        faults: [],
        named: [],
        notes: [`${path ?? "it"} cannot be read: ${error.message}`],
      };
    }
    process.stdout.write(`${values.json ? JSON.stringify(found) : say(found)}\n`);
    worst = Math.max(worst, { fair: 0, unfair: 1, unknown: 2 }[found.verdict]);
  }
  process.exitCode = worst;
}

if (globalThis.process?.argv?.[1]?.endsWith("tefuda-verify.mjs")) await main();
