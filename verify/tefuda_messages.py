"""Receipts made from the messages of a server, as they came: what was shown of each shuffle, and what may not be."""

import json

MOST = 2**53  #: the largest number that every reader of JSON keeps exactly


def is_digest(value):
    return isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef")


def is_shown(shown, seats):
    """Whether a message shows a shuffle as protocol 2 has it."""
    deal, attempt, seals, named = (shown.get(key) for key in ("deal", "attempt", "seals", "unrevealed"))
    lists = [shown.get("ready"), shown.get("revealed")]
    return (
        all(type(number) is int and 1 <= number <= MOST for number in (deal, attempt))
        and all(isinstance(each, list) and [type(one) for one in each] == [bool] * seats for each in lists)
        and is_digest(shown.get("commitment"))
        and is_digest(shown.get("link"))
        and isinstance(named, list)
        and all(type(seat) is int and 0 <= seat < seats for seat in named)
        and len(set(named)) == len(named)
        and "seals" in shown
        and (seals is None or (isinstance(seals, list) and len(seals) == seats))
        and all(seal == "" or is_digest(seal) for seal in seals or [])
    )


def follow(messages):
    """Receipts of the deals of one seat, from all that the server sent to it and, of the types ``ready`` and
    ``reveal``, what was sent to the server. A receipt of deal 0 has what makes everything worthless."""
    receipts, now, last = {}, {"seq": None}, None
    for message in messages:
        if message["type"] in ("ready", "reveal") and last is not None:
            last["seal"] = message.get("seal", last["seal"])
            last["entropy"], last["sent"] = message.get("entropy", last["entropy"]), message["type"] == "reveal"
        elif message["type"] in ("state", "plays", "shuffle"):
            before, now = now["seq"], {**now, **message}
            told = [event["seq"] for event in message["events"]]
            is_whole = before is not None and told == list(range(before + 1, now["seq"] + 1))
            last = hear(receipts, last, now, is_whole)
    return list(receipts.values())


def hear(receipts, last, now, is_whole):
    """Note what a state of the table shows; return the receipt of the shuffle that is pending, or was last."""
    seat, shown, table = now["you"]["seat"], now.get("shuffle"), f"{now['table']}/{now['session']}"
    deal, events = now.get("deal") or {}, now["events"]
    if any(event["kind"] == "given" for event in events):  # another table was faster to shuffle the deal of the day
        receipts.pop((table, 1), None)
    if seat is None or any(event["kind"] == "left" and event.get("seat") == seat for event in events):
        return None
    if shown is None:
        own = receipts.get((table, deal.get("number")))
        if own is not None and own["added"] is None:
            deal_out(own, deal, events, is_whole)
        return last
    is_same = last is not None and (last["table"], last["seat"]) == (table, seat)
    if not is_shown(shown, len(now["seats"])):
        receipts[0] = {"deal": 0, "seat": seat, "faults": ["malformed"]}
        return last
    if is_same and last["added"] is None and last["deal"] != shown["deal"]:
        receipts[0] = {"deal": 0, "seat": seat, "faults": ["rules"]}
        return last
    facts = [table, shown["deal"], now["game"], now["rules"], len(now["seats"]), now["options"]]
    if not is_same or last["deal"] != shown["deal"]:
        last, is_whole = begun(facts, seat, shown), False
    if last["context"] != written(facts):
        last["faults"].append("rules")
    receipts[table, shown["deal"]] = last
    step(last, shown, is_whole)
    return last


def written(facts):
    return json.dumps(facts, sort_keys=True, separators=(",", ":"))


def begun(facts, seat, shown):
    """A receipt before anything was sealed for it."""
    own = {"table": facts[0], "deal": facts[1], "context": written(facts), "seat": seat, "entropy": "", "seal": ""}
    own |= {"commitment": shown["commitment"], "attempt": shown["attempt"], "named": shown["unrevealed"], "seals": None}
    faults = ["steps"] if shown["attempt"] > len(shown["unrevealed"]) + 1 else []
    return own | {"opened": [], "faults": faults, "hand": None, "added": None, "sent": False, "ready": False}


def step(own, shown, is_whole):
    """Note what of a message may not follow the one before; ``is_whole`` if none between them was missed."""
    seat, closed, faults = own["seat"], own["seals"], set()
    gained, steps = set(shown["unrevealed"]) - set(own["named"]), shown["attempt"] - own["attempt"]
    if shown["commitment"] != own["commitment"]:
        faults.add("commitment")
    most = min(1, len(gained)) if is_whole else len(gained)
    if not set(own["named"]) <= set(shown["unrevealed"]) or not min(1, len(gained)) <= steps <= most:
        faults.add("steps")
    if seat in gained and seat in own["opened"]:
        faults.add("named")
    if is_whole and not all(closed and closed[each] and each not in own["opened"] for each in gained):
        faults.add("wrongly")
    if steps:
        own.update(attempt=shown["attempt"], entropy="", seal="", opened=[], sent=False, ready=False)
        closed = None
    faults |= close(own, closed, shown)
    own.update(named=sorted(shown["unrevealed"]), seals=shown["seals"], link=shown["link"])
    own["ready"] = own["ready"] or shown["ready"][seat]
    own["faults"] += sorted(faults - set(own["faults"]))


def close(own, closed, shown):
    """Whether the list of seals is closed once for all, and those reveal who have sealed: the faults."""
    faults, seals = set(), shown["seals"]
    if closed is not None and closed != seals:
        faults.add("seals")
    if seals is None:
        return faults
    if closed is None and own["ready"] and own["seal"] not in ("", seals[own["seat"]]):
        faults.add("left_out")
    opened = {each for each, is_so in enumerate(shown["revealed"]) if is_so}
    is_grown = set(own["opened"]) <= opened <= {each for each, seal in enumerate(seals) if seal}
    if any(seals[each] for each in shown["unrevealed"]) or not is_grown:
        faults.add("steps")
    own["opened"] = sorted(opened)
    return faults


def deal_out(own, deal, events, is_whole):
    """Note the first cards of a deal, and whether what was sealed is in it."""
    is_in = bool(own["seal"]) and (own["seals"][own["seat"]] == own["seal"] if own["seals"] else own["ready"])
    own["added"] = is_in and own["sent"]
    if events and events[-1]["kind"] == "dealt" and "scene" in deal:
        own["hand"] = [card for group in deal["scene"]["hand"] for card in group["cards"]]
    elif is_whole:
        own["faults"].append("unseen")
    if is_whole and is_in and not own["sent"]:
        own["faults"].append("unasked")
