"""The fair shuffle: an order of the pack that nobody chose, and a proof of it that anybody can check.

A server's *secret*, to which it is bound by a *commitment*, and the *entropy* of the seats, bound by their *seals*,
give the order together. ``docs/explanation/shuffle.md`` has the steps of protocol 2, by which every deal is shuffled,
and all bytes, for implementations in other languages. Protocol 1, in old records, has no seals: the server together
with the last seat could choose."""

import hmac
import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from typing import Any

import numpy as np

from tefuda.engine.errors import TefudaError
from tefuda.engine.files import JsonObject
from tefuda.engine.option import Value
from tefuda.engine.record import Ints
from tefuda.table.table_rules import TableRules

SECRET_BYTES = 32
MOST_ENTROPY = 32  #: bytes that one seat may add
PROTOCOL = 2  #: the version of the protocol by which new deals are shuffled

_DOMAIN = b"tefuda/shuffle/1/"
_SEAL = b"tefuda/shuffle/2/seal\n"
_LINK = b"tefuda/shuffle/2/link\n"
_WORDS = 1 << 32

START = bytes(32)  #: stands for the link before the first of a chain

_KEYS = {"table", "deal", "commitment", "secret", "entropy"}


class ProofError(TefudaError):
    """A proof that does not hold, or a text that is none; the message says what is wrong."""


@dataclass(frozen=True)
class Proof:
    """The proof that a deal was shuffled fairly."""

    table: str  #: its name, which makes every commitment one of its own, as does
    deal: int  #: the number, from 1
    commitment: bytes  #: of the server, 32 bytes, shown before the deal
    secret: bytes  #: of the server, 32 bytes
    entropy: tuple[bytes, ...]  #: what each seat added, 0 to 32 bytes each
    seals: tuple[bytes, ...] | None = None  #: of the entropy, empty for a seat that took no part; None in protocol 1
    attempt: int | None = None  #: the one after which the deal was dealt, from 1; None in protocol 1

    def to_json(self) -> JsonObject:
        """Convert to what a record holds; bytes in hexadecimal."""
        row: JsonObject = {
            "table": self.table,
            "deal": self.deal,
            "commitment": self.commitment.hex(),
            "secret": self.secret.hex(),
            "entropy": [part.hex() for part in self.entropy],
        }
        if self.seals is None:
            return row
        return {**row, "seals": [part.hex() for part in self.seals], "attempt": self.attempt}

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> "Proof":
        """Read what a record holds; ``ProofError`` if it is not written as a proof."""
        table, deal, entropy = data.get("table"), data.get("deal"), data.get("entropy")
        if not isinstance(table, str) or type(deal) is not int or not isinstance(entropy, list):
            raise ProofError("a proof has table, deal, commitment, secret and entropy")
        if not (table.isascii() and table.isprintable()):
            raise ProofError(f"table: {table[:80]!r} is not written in ASCII")
        if set(data) not in (_KEYS, _KEYS | {"seals", "attempt"}):
            raise ProofError("a proof has table, deal, commitment, secret and entropy, and nothing else")
        parts = tuple(read_hex(part, "entropy", range(MOST_ENTROPY + 1)) for part in entropy)
        commitment = read_hex(data.get("commitment"), "commitment", range(32, 33))
        secret = read_hex(data.get("secret"), "secret", range(SECRET_BYTES, SECRET_BYTES + 1))
        if "seals" not in data:
            return cls(table, deal, commitment, secret, parts)
        seals, attempt = data["seals"], data["attempt"]
        if not isinstance(seals, list) or type(attempt) is not int or attempt < 1:
            raise ProofError("a proof has seals of all seats, and attempts from 1")
        return cls(table, deal, commitment, secret, parts, tuple(map(read_seal, seals)), attempt)


def read_hex(text: object, what: str, lengths: range) -> bytes:
    """Read so many bytes from lower-case hexadecimal digits; ``ProofError`` if it is something else."""
    try:
        found = bytes.fromhex(str(text))
    except ValueError:
        found = b""
    if found.hex() != text or len(found) not in lengths:
        size = f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
        raise ProofError(f"{what}: {str(text)[:80]!r} is not {size} bytes in lower-case hexadecimal")
    return found


def read_seal(text: object) -> bytes:
    """Read a seal from hexadecimal digits (``ProofError`` if it is none), or nothing from an empty text."""
    return b"" if text == "" else read_hex(text, "seal", range(32, 33))


def context(game: TableRules, table: str, deal: int, attempt: int | None = None) -> bytes:
    """Write a deal's context, by which its commitment is bound to it and to its rules; with an attempt, the round."""
    rules = game.description.rules_version
    return round_of(write_context(table, deal, game.name, rules, game.seats, game.changed_options()), attempt)


def write_context(table: str, deal: int, game: str, rules: int, seats: int, options: Mapping[str, Value]) -> bytes:
    """Write a context from facts that a client knows too."""
    facts = [table, deal, game, rules, seats, dict(options)]
    return json.dumps(facts, sort_keys=True, separators=(",", ":")).encode("ascii")


def round_of(bound_to: bytes, attempt: int | None) -> bytes:
    """Write the round of a context's attempt; the context itself in protocol 1."""
    return bound_to if attempt is None else b"%s,%d]" % (bound_to[:-1], attempt)


def pack_hash(game: TableRules) -> str:
    """SHA-256 of the pack as the shuffle begins with it: the JSON text of its cards' words, no blanks; hexadecimal."""
    words = [game.description.cards[card] for card in sorted(game.pack.tolist())]
    return sha256(json.dumps(words, separators=(",", ":")).encode("ascii")).hexdigest()


def seal(this_round: bytes, commitment: bytes, seat: int, entropy: bytes) -> bytes:
    """Seal a seat's entropy."""
    return sha256(_SEAL + this_round + b"\n" + commitment + bytes([seat]) + entropy).digest()


def commit(bound_to: bytes, secret: bytes) -> bytes:
    """Commit to a secret."""
    return sha256(_DOMAIN + b"commitment\n" + bound_to + b"\n" + secret).digest()


def shuffle(pack: Ints, bound_to: bytes, secret: bytes, entropy: Sequence[bytes]) -> tuple[Ints, int]:
    """Shuffle a pack of card numbers by the server's secret and the entropy of each seat: the order of the deck, and
    the deal's random number."""
    added = b"".join(bytes([len(part)]) + part for part in entropy)
    words = _stream(sha256(_DOMAIN + b"key\n" + bound_to + b"\n" + secret + added).digest())
    order = sorted(pack.tolist())
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(words, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return np.array(order, np.int64), next(words) >> 2


def _stream(key: bytes) -> Iterator[int]:
    """Yield words of 32 bits without end."""
    for block in count():
        yield from struct.unpack(">8I", sha256(_DOMAIN + b"stream\n" + key + block.to_bytes(8, "big")).digest())


def _below(words: Iterator[int], n: int) -> int:
    """Draw a number from 0 to n − 1, each as likely."""
    limit = _WORDS - _WORDS % n
    return next(word for word in words if word < limit) % n


def check_proof(game: TableRules, number: int, proof: Proof, order: Ints, chance: int) -> None:
    """Compute the deck of a record's deal again; ``ProofError`` if another was dealt, or the proof does not hold."""
    if proof.deal != number:
        raise ProofError(f"the proof is one of deal {proof.deal}")
    if len(proof.entropy) != game.seats:
        raise ProofError(f"entropy of {len(proof.entropy)} seats at a table of {game.seats}")
    bound_to = context(game, proof.table, number)
    if not hmac.compare_digest(commit(bound_to, proof.secret), proof.commitment):
        raise ProofError("the secret is not what the commitment, shown before the deal, was made from")
    if proof.seals is not None:
        bound_to = context(game, proof.table, number, proof.attempt)
        _check_seals(proof, proof.seals, bound_to)
    deck, random_number = shuffle(game.pack, bound_to, proof.secret, proof.entropy)
    if not np.array_equal(deck, order):
        raise ProofError("the deck is not the one that follows from the secret and the entropy")
    if random_number != chance:
        raise ProofError(f"the deal's random number is {chance}; from secret and entropy follows {random_number}")


def _check_seals(proof: Proof, seals: tuple[bytes, ...], this_round: bytes) -> None:
    if len(seals) != len(proof.entropy):
        raise ProofError(f"seals of {len(seals)} seats, entropy of {len(proof.entropy)}")
    if proof.attempt is not None and proof.attempt - 1 > seals.count(b""):
        raise ProofError(f"attempt {proof.attempt}: too few seats took no part to have stopped those before it")
    for seat, (sealed, entropy) in enumerate(zip(seals, proof.entropy, strict=True)):
        if not sealed and entropy:
            raise ProofError(f"seat {seat} added entropy without a seal")
        if sealed and not fits_seal(this_round, proof.commitment, seat, entropy, sealed):
            raise ProofError(f"the entropy of seat {seat} is not what its seal was made from")


def fits_seal(this_round: bytes, commitment: bytes, seat: int, entropy: bytes, sealed: bytes) -> bool:
    """Tell if a seal was made from this entropy."""
    return bool(entropy) and hmac.compare_digest(seal(this_round, commitment, seat, entropy), sealed)


# The chain of commitments


class ChainError(TefudaError):
    """A chain that is broken, or that a proof contradicts; the message says where."""


def link(before: bytes, entry: Mapping[str, object], domain: bytes = _LINK) -> bytes:
    """Compute the link of an entry."""
    return sha256(domain + before + json.dumps(entry, sort_keys=True, separators=(",", ":")).encode("ascii")).digest()


class CommitmentChain:
    """A table's chain as it grows: its entries, each with its ``link`` (hexadecimal), and the latest link, ``head``."""

    def __init__(self) -> None:
        self.entries: list[JsonObject] = []
        self.head = START

    def copy(self) -> "CommitmentChain":
        """Copy the chain, to grow by itself."""
        twin = CommitmentChain()
        twin.entries, twin.head = list(self.entries), self.head
        return twin

    def add(self, kind: str, **facts: object) -> None:
        """Append an entry."""
        entry: JsonObject = {"kind": kind, **facts}
        self.head = link(self.head, entry)
        self.entries.append({**entry, "link": self.head.hex()})


def read_chain(entries: object) -> list[JsonObject]:
    """Check a chain that a person has kept, entries from JSON with links; ``ChainError`` if one does not follow."""
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ChainError("a chain is a list of entries")
    before = START
    for number, entry in enumerate(entries, 1):
        before = link(before, {key: value for key, value in entry.items() if key != "link"})
        if entry.get("link") != before.hex():
            raise ChainError(f"entry {number} of the chain does not follow from those before it")
    return entries


def contradiction(entries: Sequence[Mapping[str, Any]], proof: Proof, shown: str = "") -> str | None:
    """Say in one line what contradicts a proof in a chain whose links are right (``read_chain``).

    None if the chain has the same commitment and seals, every attempt but the last was stopped by seats that had sealed
    something and took no further part, and it has the link that a player was ``shown`` during the shuffle, if any."""
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
    """Tell if closed lists and the seats that were named after them may follow each other like this."""
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
    """List the seats that did not reveal their entropy, so that this deal was shuffled again."""
    own = [entry for entry in entries if (entry.get("table"), entry.get("deal")) == (proof.table, proof.deal)]
    return [seat for entry in own if entry.get("kind") == "unrevealed" for seat in entry["seats"]]
