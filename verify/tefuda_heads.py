"""The log of all tables of a server: whether it holds together, is signed, and has what was seen of it before."""

import json
from hashlib import sha256

from ed25519 import is_signed

ZERO = bytes(32)


def link(before, entry):
    """The link of an entry, in hexadecimal."""
    row = {key: entry[key] for key in entry if key != "link"}
    written = json.dumps(row, sort_keys=True, separators=(",", ":")).encode("ascii")
    return sha256(b"tefuda/heads/1/link\n" + bytes.fromhex(before) + written).hexdigest()


def is_head(head):
    """Whether a head is signed by the key that it names."""
    try:
        message = b"tefuda/heads/1/head\n" + head["number"].to_bytes(8, "big") + bytes.fromhex(head["link"])
        return is_signed(bytes.fromhex(head["key"]), message, bytes.fromhex(head["signature"]))
    except (ValueError, TypeError, AttributeError, OverflowError):
        return False


def check_heads(log, kept):
    """The fault of the log, or of it beside the heads that were kept; none if there is none."""
    entries, head = log["entries"], log["head"]
    start = entries[0]["number"] - 1 if entries else head["number"]
    links = {each["number"]: each["link"] for each in kept if each["number"] == start}
    links |= {0: ZERO.hex()} if start == 0 else {}
    if start not in links:
        raise ValueError(f"the log begins after entry {start}, and no head of that number was kept")
    for number, entry in enumerate(entries, start + 1):
        links[number] = link(links[number - 1], entry)
        if (entry["number"], entry["link"]) != (number, links[number]):
            return "cut" if number == start + 1 and start else "heads"
    if not is_head(head) or links.get(head["number"]) != head["link"]:
        return "heads"
    if not all(map(is_head, kept)):
        raise ValueError("a head that was kept is not signed by its key")
    for each in kept:
        is_there = each["number"] < start or links.get(each["number"]) == each["link"]
        if each["key"] != head["key"] or not is_there:
            return "cut"
    return None


def is_logged(log, receipt, chain):
    """Whether the log has the deal of a receipt, or a later one of the table's chain, which is hashed onto it. False
    if it must and has not: the program saw the log before the deal. None if that cannot be told."""
    links, own = [receipt.get("link")], [entry["link"] for entry in chain or []]
    if links[0] in own:
        links = own[own.index(links[0]) :]
    if any(entry["head"] in links for entry in log["entries"]):
        return True
    first = log["entries"][0]["number"] if log["entries"] else log["head"]["number"] + 1
    seen = receipt.get("log")
    return False if seen is not None and receipt.get("added") and first <= seen + 1 else None
