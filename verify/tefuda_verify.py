#!/usr/bin/env python3
"""Was a game of Tefuda shuffled fairly? Written from docs/explanation/shuffle.md; shares nothing with the server.

    python verify/tefuda_verify.py RECORD.tfd --receipt FILE --chain FILE --heads FILE --kept FILE

A bundle (.json) has all in one: record, receipts, messages, chain, heads, kept. Rules of play are not checked, but
`tefuda verify` does. Exit status: 0 fair; 1 a lie was found; 2 nothing shows it, or something cannot be read."""

import argparse
import json
import sys
from hashlib import sha256
from pathlib import Path

from tefuda_heads import check_heads, is_logged
from tefuda_messages import follow

LIES = {
    "secret": "the secret is not what the commitment was made from",
    "opened": "the entropy of a seat is not what its seal was made from",
    "pack": "the deck is not made of the pack of this game",
    "deck": "the deck is not the one that follows from the secret and the entropy",
    "steps": "the shuffle went back, or began again without a further seat being named for it",
    "malformed": "what was shown of the shuffle is not written as the protocol has it",
    "commitment": "the commitment is not the one shown before the deal",
    "rules": "the deal is one of another table, number or rules than was shown",
    "wrongly": "a seat was named that had sealed nothing, had revealed, or could not reveal yet",
    "named": "seat {seat} revealed its entropy, and was said not to have done so",
    "left_out": "seat {seat} sealed its entropy in time, and was left out",
    "seals": "the seals are not those that were closed before anybody revealed",
    "unasked": "the cards were dealt without waiting for the entropy that seat {seat} had sealed",
    "unseen": "the deal began without its cards being shown to seat {seat}",
    "attempt": "the deal was shuffled in another attempt than the one that was shown",
    "entropy": "the entropy of seat {seat} is not what its player added",
    "hand": "the cards that seat {seat} was shown are not those that follow from the deck",
    "plays": "the record has other plays than those that seat {seat} was shown",
    "chain": "the table's chain of commitments is broken, or not the one that was shown",
    "heads": "the log of all tables is broken, or its head is not signed by the server's key",
    "cut": "the log of all tables is not the one whose head was kept: something was changed or taken out",
    "vanished": "the log of all tables lacks the deal of seat {seat}, which it must have",
}  # each is the server's lie, or that of whoever wrote the record
ZERO = bytes(32)


def hashed(domain, *parts):
    return sha256(b"tefuda/" + domain.encode() + b"\n" + b"".join(parts)).digest()


def text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def shuffled(pack, this_round, secret, entropy):
    """The deck and the deal's random number."""
    key = hashed("shuffle/1/key", this_round, b"\n", secret, *(bytes([len(part)]) + part for part in entropy))
    blocks = (hashed("shuffle/1/stream", key, k.to_bytes(8, "big")) for k in range(1 << 40))
    words = (int.from_bytes(block[k : k + 4], "big") for block in blocks for k in range(0, 32, 4))
    deck = list(pack)
    for last in range(len(deck) - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        chosen = next(word for word in words if word < limit) % (last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return deck, next(words) >> 2


def read_record(source):
    """The deals of a record, each with its context and plays; a last line that was cut short is left out."""
    lines = [json.loads(line) for line in source[: source.rindex("\n")].split("\n") if line.strip()]
    head, deals = lines[0], []
    for row in lines[1:]:
        if "deal" in row:
            proof, facts = row["proof"], [head["game"], head["rules"], head["seats"], head["options"]]
            deals.append({**head, **row, "plays": [], "context": [proof["table"], row["deal"], *facts]})
        elif "play" in row:
            deals[-1]["plays"].append(row["play"])
    if [deal["deal"] for deal in deals] != list(range(1, len(deals) + 1)) or not deals:
        raise ValueError("the record has no deal, or its deals are not numbered from 1")
    return deals


def pack_of(deal):
    packs = json.loads((Path(__file__).parent / "packs.json").read_text("utf-8"))
    for each in packs:
        options = {name: value for name, value in deal["options"].items() if name == "five_deck" and deal["seats"] == 5}
        if (each["game"], each["seats"], each["options"]) == (deal["game"], deal["seats"], options):
            return {**each, "pack": each["pack"].split()}
    raise ValueError(f"packs.json has no pack of {deal['game']} for {deal['seats']}")


def check_proof(deal, first):
    """What is wrong with the deal by itself."""
    proof, known = deal["proof"], pack_of(deal)
    secret, entropy = bytes.fromhex(proof["secret"]), [bytes.fromhex(part) for part in proof["entropy"]]
    seals, this_round = proof.get("seals"), text(deal["context"])
    if (proof["table"], proof["deal"]) != (first["proof"]["table"], deal["deal"]):
        return ["rules"]
    if len(entropy) != deal["seats"] or len(secret) != 32 or max(map(len, entropy)) > 32:
        return ["malformed"]
    if hashed("shuffle/1/commitment", this_round, b"\n", secret).hex() != proof["commitment"]:
        return ["secret"]
    if seals is not None:
        if len(seals) != len(entropy) or type(proof["attempt"]) is not int:
            return ["malformed"]
        if not 1 <= proof["attempt"] <= 1 + seals.count(""):
            return ["steps"]
        this_round = text([*deal["context"], proof["attempt"]])
        for seat, (seal, part) in enumerate(zip(seals, entropy, strict=True)):
            if seal != (seal_of(this_round, proof["commitment"], seat, part) if part else ""):
                return ["opened"]
    if sorted(deal["deck"].split()) != sorted(known["pack"]):
        return ["pack"]
    return (
        []
        if shuffled(known["pack"], this_round, secret, entropy) == (deal["deck"].split(), deal["chance"])
        else ["deck"]
    )


def seal_of(this_round, commitment, seat, entropy):
    return hashed("shuffle/2/seal", this_round, b"\n", bytes.fromhex(commitment), bytes([seat]), entropy).hex()


def hand_of(deal, seat):
    """The cards that a seat is dealt, sorted; None where the deck alone does not tell."""
    known, turn = pack_of(deal), 0
    deck = deal["deck"].split()
    if known["turn"] is None or (known["turn"] and deal["deal"] > 1 and not deal.get("before")):
        return None
    if known["turn"]:
        turn = deal["before"].get("dealer", deal["chance"]) + known.get("values", {}).get(deck[-1], 0)
    places = known["hands"][turn % len(known["hands"])][seat]
    return sorted(deck[place] for place in places)


def check_receipt(receipt, deal):
    """What contradicts a receipt."""
    proof, seat = deal["proof"], receipt["seat"]
    seals, closed, found = proof.get("seals"), receipt.get("seals"), list(receipt.get("faults", []))
    own = receipt["entropy"] if closed is None or closed[seat] else ""
    holds = {
        "rules": receipt["context"].encode() == text(deal["context"]),
        "commitment": receipt["commitment"] == proof["commitment"],
        "pack": receipt.get("pack", "") in ("", sha256(text(pack_of(deal)["pack"])).hexdigest()),
    }
    if receipt.get("added") is not False:
        holds["attempt"] = seals is None or proof["attempt"] == receipt["attempt"]
        holds["seals"] = seals == closed if closed is not None else seals is not None or not receipt["seal"]
        holds["entropy"] = proof["entropy"][seat] == own
    if holds["rules"] and receipt.get("hand") is not None:
        dealt, hand = hand_of(deal, seat), sorted(receipt["hand"])
        left = deal["deck"].split()
        is_of_deck = all(card in left and not left.remove(card) for card in hand)
        holds["hand"] = is_of_deck if dealt is None else hand == dealt
    told, made = receipt.get("plays") or [], deal["plays"]
    is_play = [word in (play, play.split(":")[0] + ":") for word, play in zip(told, made, strict=False)]
    holds["plays"] = len(told) <= len(made) and all(is_play)
    return found + [code for code, is_so in holds.items() if not is_so and code not in found]


def check_chain(chain, proof, link=""):
    """Whether a table's chain holds together, has the link that was shown, and tells of a deal what its proof tells."""
    before, named, seals, attempt = ZERO, set(), [], 1
    for entry in chain:
        before = hashed("shuffle/2/link", before, text({key: entry[key] for key in entry if key != "link"}))
        if entry["link"] != before.hex():
            return False
    own = [entry for entry in chain if (entry["table"], entry["deal"]) == (proof["table"], proof["deal"])]
    if not own or (link and link not in [entry["link"] for entry in own]):
        return False
    if own[0]["kind"] != "committed" or own[0]["commitment"] != proof["commitment"] or len(own) % 2:
        return len(own) == 1 and "seals" not in proof and own[0].get("commitment") == proof["commitment"]
    for number, entry in enumerate(own[1:]):
        attempt = number // 2 + 1
        if entry["kind"] != ("sealed", "unrevealed")[number % 2] or entry["attempt"] != attempt:
            return False
        if number % 2 == 0:
            seals = entry["seals"]
            if len(seals) != len(proof["entropy"]) or any(seals[seat] for seat in named):
                return False
        else:
            seats = entry["seats"]
            if (
                not seats
                or len(set(seats)) < len(seats)
                or not all(seals[seat] and seat not in named for seat in seats)
            ):
                return False
            named |= set(seats)
    return (seals, attempt) == (proof.get("seals", seals), proof.get("attempt", attempt))


def judge(deal, first, receipts, chain):
    """The verdict on one deal: its faults as (code, deal, seat), whether something kept from before it shows that it is
    fair, the seats that did not reveal, and what else there is to say."""
    proof, number = deal["proof"], deal["deal"]
    own = [each for each in receipts if each["deal"] == 0 or (each["table"], each["deal"]) == (proof["table"], number)]
    faults = [(code, number, 0) for code in check_proof(deal, first)]
    does_follow = not faults
    for each in own:
        found = check_receipt(each, deal) if each["deal"] and does_follow else each["faults"]
        faults += [(code, number, each["seat"]) for code in found]
    shown = [each for each in own if each["deal"]]
    links = {each.get("link") or "" for each in shown} or {""}
    if chain is not None and not faults and not all(check_chain(chain, proof, link) for link in links):
        faults = [("chain", number, 0)]
    stopped = [each for each in chain or [] if each["kind"] == "unrevealed" and each["deal"] == number]
    named = {seat for each in shown for seat in each.get("named", [])} | {
        seat for each in stopped for seat in each["seats"]
    }
    took_part = any(each.get("added") is not False and proof["entropy"][each["seat"]] for each in shown)
    is_fixed = "seals" in proof and (took_part if shown else chain is not None and any(proof["entropy"]))
    notes = []
    if is_fixed and not shown:
        notes.append(f"deal {number}: if one of the seats that took part is not the server's own")
    if not is_fixed and not faults:
        notes.append(f"deal {number}: nothing that was kept from before it shows who chose the cards")
    if shown and not faults and any(hand_of(deal, each["seat"]) is None for each in shown):
        notes.append(f"deal {number}: who is dealt what was not checked; `tefuda verify --receipt` does")
    return faults, bool(is_fixed and not faults), [(number, seat) for seat in sorted(named)], notes


def verify(bundle):
    """The verdict, ``fair``, ``unfair`` or ``unknown``, and what it rests on."""
    deals = read_record(bundle["record"]) if "record" in bundle else []
    chain, log = bundle.get("chain"), bundle.get("heads")
    receipts = [json.loads(line) for line in (bundle.get("receipts") or "").splitlines() if line.strip()]
    receipts += follow(bundle.get("messages") or [])
    judged = [judge(deal, deals[0], receipts, chain) for deal in deals]
    if not deals:  # the table has shown no deal: what was noted before it counts all the same
        judged = [([(code, each["deal"], each["seat"]) for each in receipts for code in each["faults"]], False, [], [])]
    faults, notes = [fault for each in judged for fault in each[0]], [note for each in judged for note in each[3]]
    if log is not None:
        fault = check_heads(log, bundle.get("kept") or [])
        faults += [(fault, 0, 0)] if fault else []
        for each in receipts if not faults else []:
            logged = is_logged(log, each, chain)
            faults += [("vanished", each["deal"], each["seat"])] if logged is False else []
            notes += [f"deal {each['deal']}: it is not in this part of the log of all tables"] if logged is None else []
    verdict = "unfair" if faults else "fair" if all(each[1] for each in judged) else "unknown"
    faults = list(dict.fromkeys(faults))
    return {"verdict": verdict, "faults": faults, "named": [one for each in judged for one in each[2]], "notes": notes}


def read_bundle(path, given):
    """A bundle, or a record with the other files that were given."""
    bundle = {}
    if path is not None:
        source = path.read_text("utf-8")
        bundle = json.loads(source) if path.suffix == ".json" else {"record": source}
    for name in ("receipt", "messages", "chain", "heads", "kept"):
        file = getattr(given, name)
        if file is None:
            continue
        found = file.read_text("utf-8")
        if name in ("chain", "heads"):
            bundle[name] = json.loads(found)
        elif name == "receipt":
            bundle["receipts"] = found
        else:
            bundle[name] = [json.loads(line) for line in found.splitlines() if line.strip()]
    bundle["kept"] = [each for each in bundle.get("kept") or [] if given.server in (None, each.get("server"))]
    return bundle


def say(found):
    """The verdict in words."""
    yield {"fair": "Fair.", "unfair": "NOT FAIR.", "unknown": "Not known."}[found["verdict"]]
    for code, deal, seat in found["faults"]:
        yield f"The server lied{f' about deal {deal}' if deal else ''}: {LIES.get(code, code).format(seat=seat)}."
    for deal, seat in found["named"]:
        yield f"Deal {deal}: seat {seat} did not reveal what it had sealed; the others shuffled again without it."
    for note in found["notes"]:
        yield note[:1].upper() + note[1:] + "."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="a record (.tfd), or bundles (.json)")
    for name in ("receipt", "messages", "chain", "heads", "kept"):
        parser.add_argument(f"--{name}", type=Path, metavar="FILE")
    parser.add_argument("--server", metavar="URL", help="of the heads that were kept, use this server's")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each file")
    given, worst = parser.parse_args(), 0
    for path in given.files or [None]:
        try:
            found = verify(read_bundle(path, given))
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            found = {
                "verdict": "unknown",
                "faults": [],
                "named": [],
                "notes": [f"{path or 'it'} cannot be read: {error!r}"],
            }
        sys.stdout.write((json.dumps(found) if given.json else "\n".join(say(found))) + "\n")
        worst = max(worst, {"fair": 0, "unfair": 1, "unknown": 2}[found["verdict"]])
    return worst


if __name__ == "__main__":
    sys.exit(main())
