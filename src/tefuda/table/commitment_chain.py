"""The chain of a table's commitments: all that was fixed before its deals, each entry hashed onto the last.

Whoever has kept one link can tell later whether anything before it was changed, left out or put in.

link = SHA-256(``tefuda/shuffle/2/link`` LF link before, entry), where the link before the first is 32 zero bytes and an
entry is JSON text, ASCII, no blanks, keys sorted: ``{"kind": "committed", "table", "deal", "commitment"}``,
``{"kind": "sealed", "table", "deal", "attempt", "seals"}`` (the closed list) or ``{"kind": "unrevealed", "table",
"deal", "attempt", "seats"}``.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from tefuda.engine.errors import TefudaError
from tefuda.table.shuffle import Proof

_LINK = b"tefuda/shuffle/2/link\n"

START = bytes(32)
"""In place of the link before the first."""


class ChainError(TefudaError):
    """A chain that is broken, or that a proof contradicts; the message says where."""


def link(before: bytes, entry: Mapping[str, Any]) -> bytes:
    """The link of an entry."""
    return sha256(_LINK + before + json.dumps(entry, sort_keys=True, separators=(",", ":")).encode("ascii")).digest()


class CommitmentChain:
    """A chain as it grows.

    Attributes:
        entries: with their links (``link``, hexadecimal), the oldest first.
        head: the latest link.
    """

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.head = START

    def copy(self) -> "CommitmentChain":
        """The same chain, to go on elsewhere."""
        twin = CommitmentChain()
        twin.entries, twin.head = list(self.entries), self.head
        return twin

    def add(self, kind: str, **facts: Any) -> None:
        """Append an entry."""
        entry = {"kind": kind, **facts}
        self.head = link(self.head, entry)
        self.entries.append({**entry, "link": self.head.hex()})


def read_chain(entries: Any) -> list[dict[str, Any]]:
    """Check the links of a chain that somebody has kept.

    Args:
        entries: from JSON: the entries with their links.

    Raises:
        ChainError: it is no chain, or a link does not follow from what stands before it.
    """
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ChainError("a chain is a list of entries")
    before = START
    for number, entry in enumerate(entries, 1):
        before = link(before, {key: value for key, value in entry.items() if key != "link"})
        if entry.get("link") != before.hex():
            raise ChainError(f"entry {number} of the chain does not follow from those before it")
    return entries


def contradiction(entries: Sequence[Mapping[str, Any]], proof: Proof, shown: str = "") -> str | None:
    """How a chain contradicts a proof, as one line; None if it holds the same commitment and the same seals, and every
    attempt but the last was stopped by seats that had sealed something and took no further part.

    Args:
        entries: of a chain whose links are right (``read_chain``).
        proof: of a deal.
        shown: a link that somebody was shown while the deal was being shuffled, if they have kept it.
    """
    own = [entry for entry in entries if (entry.get("table"), entry.get("deal")) == (proof.table, proof.deal)]
    if shown and all(entry["link"] != shown for entry in own):
        return "the chain is not the one that was shown before the deal"
    commitments = [entry.get("commitment") for entry in own if entry.get("kind") == "committed"]
    if commitments != [proof.commitment.hex()]:
        return "the chain has another commitment" if commitments else "the chain has no commitment to this deal"
    if proof.seals is None:
        return None
    steps = [entry for entry in own if entry.get("kind") != "committed"]
    if not _follow_each_other(steps, len(proof.seals)):
        return "the chain has an attempt that nobody is said to have stopped, or that nobody could have stopped"
    last = steps[-1] if steps else {}
    if (last.get("seals"), last.get("attempt")) != ([part.hex() for part in proof.seals], proof.attempt):
        return "the chain has other seals"
    return None


def _follow_each_other(steps: Sequence[Mapping[str, Any]], seats: int) -> bool:
    """Whether closed lists and the seats that were named after them may follow each other like this."""
    out, seals = set[int](), list[Any]()
    for number, entry in enumerate(steps):
        attempt, kind = number // 2 + 1, ("sealed", "unrevealed")[number % 2]
        if (entry.get("kind"), entry.get("attempt")) != (kind, attempt):
            return False
        if kind == "sealed":
            seals = entry["seals"] if isinstance(entry.get("seals"), list) else []
            if len(seals) != seats or any(seals[seat] for seat in out):
                return False
        else:
            named = entry["seats"] if isinstance(entry.get("seats"), list) else []
            could = {seat for seat in range(seats) if seals[seat]} - out
            is_list = all(type(seat) is int and seat in could for seat in named)
            if not named or not is_list or len(set(named)) < len(named):
                return False
            out |= set(named)
    return len(steps) % 2 == 1


def named_seats(entries: Sequence[Mapping[str, Any]], proof: Proof) -> list[int]:
    """The seats that did not reveal their entropy, so that this deal was shuffled again."""
    own = [entry for entry in entries if (entry.get("table"), entry.get("deal")) == (proof.table, proof.deal)]
    return [seat for entry in own if entry.get("kind") == "unrevealed" for seat in entry["seats"]]
