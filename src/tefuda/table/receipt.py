"""Receipts: what a player's own program keeps of a shuffle and of the cards it is shown, to check them later.

A record proves that its deck follows from its secret and the entropy. Only what was kept beforehand can show that these
are the ones the deal began with: the commitment, the closed list of seals, and the player's own entropy."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import get_args, get_origin

from tefuda.engine import files
from tefuda.engine.errors import TefudaError
from tefuda.engine.files import read_text, whole
from tefuda.table import shuffle
from tefuda.table.deal import Deal
from tefuda.table.shuffle import ProofError, read_hex, read_seal

FAULTS = {
    "malformed": "what the server showed of the shuffle cannot be read, or is the old protocol's",
    "commitment": "the commitment is not the one shown before the deal",
    "rules": "the commitment is bound to another table, deal or rules",
    "pack": "the pack is not the one of this game",
    "steps": "the shuffle went back, or began again without a further seat being named for it",
    "wrongly": "a seat was named that had sealed nothing, had revealed, or could not reveal yet",
    "named": "seat {seat} revealed its entropy, and was said not to have done so",
    "left_out": "seat {seat} sealed its entropy in time, and was left out",
    "seals": "the seals are not those that were closed before anybody revealed",
    "unasked": "the cards were dealt without waiting for the entropy that seat {seat} had sealed",
    "attempt": "the deal was shuffled in another attempt than the one that was shown",
    "entropy": "the entropy of seat {seat} is not what its player added",
    "unseen": "the deal began without its cards being shown to seat {seat}",
    "hand": "the cards that seat {seat} was dealt are not those that follow from the deck",
    "plays": "the record has other plays than those that seat {seat} was shown",
    "chain": "the table's chain of commitments is not the one that was shown before the deal",
}
"""Everything that can be wrong, by code."""

MOST = 2**53  #: the largest number that every reader of JSON keeps exactly

_SHUFFLE_KEYS = {"deal", "commitment", "ready", "attempt", "seals", "revealed", "unrevealed", "link"}


class ReceiptError(TefudaError):
    """A file of receipts that cannot be read."""


@dataclass(frozen=True)
class ShownShuffle:
    """A pending shuffle as a message of the server shows it; bytes are in hexadecimal."""

    deal: int
    commitment: str
    attempt: int  #: from 1
    seals: tuple[str, ...] | None  #: the closed list by seat, empty for one that takes no part; None before that
    revealed: frozenset[int]  #: the seats that have revealed what they sealed
    unrevealed: frozenset[int]  #: the seats that did not, in earlier attempts
    link: str  #: the latest of the table's chain

    @classmethod
    def read(cls, pending: object, seats: int) -> "ShownShuffle":
        """Read ``shuffle`` of a message, before anything in it is believed; ``ProofError`` if it will not do."""
        if not isinstance(pending, dict) or not pending.keys() >= _SHUFFLE_KEYS:
            raise ProofError("the server does not show all of the shuffle (protocol 2)")
        deal, attempt, seals, named = (pending[key] for key in ("deal", "attempt", "seals", "unrevealed"))
        if any(type(number) is not int or not 1 <= number <= MOST for number in (deal, attempt)):
            raise ProofError(f"deal {deal!r}, attempt {attempt!r}: not numbers from 1")
        if seals is not None and (not isinstance(seals, list) or len(seals) != seats):
            raise ProofError("the list of seals has not one entry for each seat")
        for key in ("ready", "revealed"):
            if not isinstance(pending[key], list) or [type(each) for each in pending[key]] != [bool] * seats:
                raise ProofError(f"{key}: not one true or false for each seat")
        if not isinstance(named, list) or any(type(seat) is not int or not 0 <= seat < seats for seat in named):
            raise ProofError("unrevealed: not a list of seats")
        if len(set(named)) != len(named):
            raise ProofError("unrevealed: a seat stands twice")
        return cls(
            deal=deal,
            commitment=read_hex(pending["commitment"], "commitment", range(32, 33)).hex(),
            attempt=attempt,
            seals=None if seals is None else tuple(read_seal(seal).hex() for seal in seals),
            revealed=frozenset(seat for seat, is_so in enumerate(pending["revealed"]) if is_so),
            unrevealed=frozenset(named),
            link=read_hex(pending["link"], "link", range(32, 33)).hex(),
        )


@dataclass
class Receipt:
    """One seat's receipt of one deal; bytes are in hexadecimal."""

    table: str  #: its name in proofs, with the number of the session
    deal: int
    context: str  #: what the commitment, shown before the seat sealed, is bound to by this seat's own program
    commitment: str
    seat: int
    attempt: int = 1  #: the latest that the seat has been shown
    entropy: str = ""  #: of the seat in that attempt; empty if it takes no part
    seal: str = ""  #: of that entropy; none by protocol 1
    sealed: bool = False  #: whether the server has said that it took the seal
    sent: bool = False  #: whether the entropy was sent
    revealed: bool = False  #: whether the server has said that it took the entropy
    seals: list[str] | None = None  #: the closed list of that attempt; None before it is closed
    opened: list[int] = field(default_factory=list)  #: the seats shown to have revealed in that attempt
    named: list[int] = field(default_factory=list)  #: who did not, in all attempts
    link: str = ""  #: the latest of the table's chain before the deal
    seq: int = 0  #: of the latest message that was noted
    pack: str = ""  #: SHA-256 of the pack in its order, as a browser was told before the deal; a program has the rules
    added: bool | None = None  #: whether the seat's entropy is in the deal as far as it was shown; None before it
    hand: list[str] | None = None  #: the cards dealt to the seat; None if its program did not see the deal begin
    #: the seat's hands after that, one after the other; ``plays``: all plays that it was told of, as ``seat:play``, or
    #: ``seat:`` where it is not told which. Empty or None where it does not know them all.
    seen: list[str] = field(default_factory=list)
    plays: list[str] | None = None
    log: int | None = None  #: number of the head of the server's log of all tables before the deal; None: it had none
    logged: bool = False  #: whether the deal was found in that log
    faults: list[str] = field(default_factory=list)  #: codes of ``FAULTS`` that the program saw before the deal

    def note(self, fault: str) -> None:
        """Note something that has gone wrong."""
        if fault not in self.faults:
            self.faults.append(fault)

    def told(self, faults: Sequence[str]) -> list[str]:
        """Faults in words."""
        return [FAULTS.get(code, code).format(seat=self.seat) for code in faults]

    # Before the deal

    def follow(self, shown: ShownShuffle, *, resumed: bool) -> None:
        """Note what a message shows of the shuffle, and what of it may not follow what was shown before.

        ``resumed`` is true if the program may have missed messages before this one."""
        if shown.commitment != self.commitment:
            self.note("commitment")
        gained, steps = shown.unrevealed - set(self.named), shown.attempt - self.attempt
        if not shown.unrevealed >= set(self.named) or not (1 if gained else 0) <= steps <= len(gained):
            self.note("steps")
        if gained:
            self._follow_named(gained, steps, resumed=resumed)
        self.named, self.link = sorted(shown.unrevealed), shown.link
        if steps:
            self.attempt = shown.attempt
            self.begin_anew(self.seat)
        self._follow_list(shown)

    def begin_anew(self, seat: int) -> None:
        """Forget what was sealed: it belongs to another attempt, or to another seat."""
        self.seat, self.entropy, self.seal, self.seals, self.opened = seat, "", "", None, []
        self.sealed = self.sent = self.revealed = False

    def _follow_named(self, gained: frozenset[int], steps: int, *, resumed: bool) -> None:
        """Note it if these seats cannot be named now: each must have sealed something, and not have revealed it."""
        if self.seat in gained and self.revealed:
            self.note("named")
        if steps > 1 and not resumed:
            self.note("steps")
        if self.seals is None:
            is_early = not resumed
        else:  # of several attempts since, only the first is known
            could = {seat for seat, seal in enumerate(self.seals) if seal and seat not in self.opened}
            is_early = not gained & could or (steps == 1 and not gained <= could)
        if is_early:
            self.note("wrongly")

    def _follow_list(self, shown: ShownShuffle) -> None:
        """Note it if the list of seals is not closed once for all, or a seat revealed that had sealed nothing."""
        if self.seals is None and shown.seals is not None:
            self.seals = list(shown.seals)
            own = self.seals[self.seat]
            if self.sealed and own != self.seal:
                self.note("left_out")
            if any(self.seals[seat] for seat in self.named):
                self.note("steps")
        elif self.seals != (None if shown.seals is None else list(shown.seals)):
            self.note("seals")
        if self.seals is not None:
            could = {seat for seat, seal in enumerate(self.seals) if seal}
            if not set(self.opened) <= shown.revealed or not shown.revealed <= could:
                self.note("steps")
            self.opened = sorted(shown.revealed)

    @property
    def is_in(self) -> bool:
        """True if what the seat has sealed stands in the closed list."""
        return bool(self.seals and self.seal and self.seals[self.seat] == self.seal)

    def settle(self, *, resumed: bool) -> None:
        """Note that the deal has been dealt."""
        is_promised = self.is_in or (self.sealed and self.seals is None)
        if is_promised and not self.sent and not resumed:
            self.note("unasked")
        self.added = self.is_in and (self.revealed if resumed else self.sent)

    def take(self, kind: str) -> None:
        """Note that the server has said it took what was sent, ``ready`` or ``reveal``: it must use it."""
        self.sealed, self.revealed = True, self.revealed or kind == "reveal"
        if self.added is not None:  # the answer was late
            self.added = self.added or (self.is_in and self.revealed)

    # After it

    def check(self, deal: Deal) -> list[str]:
        """List what contradicts this receipt, in words; nothing if the deal was fair as far as this seat can know.

        ``deal`` is as this installation has replayed it, with a proof that holds (``shuffle.check_proof``)."""
        proof = deal.proof
        assert proof is not None
        context = shuffle.context(deal.game, proof.table, proof.deal).decode("ascii")
        seals = None if proof.seals is None else [part.hex() for part in proof.seals]
        takes_part = self.seals is None or bool(self.seals[self.seat])
        holds = {
            "rules": (context, proof.table, proof.deal) == (self.context, self.table, self.deal),
            "commitment": proof.commitment.hex() == self.commitment,
            "pack": self.pack in ("", shuffle.pack_hash(deal.game)),
        }
        if self.added is not False and len(proof.entropy) > self.seat:  # else nothing of its own is in the deal
            holds |= {
                "attempt": seals is None or proof.attempt == self.attempt,
                "seals": seals == self.seals if self.seals is not None else seals is not None or not self.seal,
                "entropy": proof.entropy[self.seat].hex() == (self.entropy if takes_part else ""),
            }
        if holds["rules"] and self.seat < deal.game.seats:
            holds |= self._check_cards(deal)
        found = [*self.faults, *(code for code, is_so in holds.items() if not is_so and code not in self.faults)]
        return self.told(found)

    def _check_cards(self, deal: Deal) -> dict[str, bool]:
        """Compare the cards and plays that the seat was shown with those of this deal."""
        again = deal.at(0)
        hands = [_hand(again, self.seat)]
        for seat, word in deal.history:
            again.play(word, seat)
            hands.append(_hand(again, self.seat))
        coming = iter(hands)
        is_seen = all(hand in coming for hand in self.seen)  # each after the one before
        told, made = self.plays or [], deal.history[: len(self.plays or [])]
        return {
            "hand": (self.hand is None or " ".join(sorted(self.hand)) == hands[0]) and is_seen,
            "plays": len(told) == len(made)
            and all(each in (f"{seat}:{word}", f"{seat}:") for each, (seat, word) in zip(told, made, strict=True)),
        }


def _hand(deal: Deal, seat: int) -> str:
    return " ".join(sorted(card for group in deal.view(seat).scene.hand for card in group.cards))


def read_receipts(path: Path) -> list[Receipt]:
    """Read a file of receipts; ``ReceiptError`` if it holds something else."""
    lines = read_text(path, ReceiptError).splitlines()
    try:
        return [_read(files.load_json(line)) for line in lines if line.strip()]
    except (ValueError, TypeError, RecursionError) as error:
        raise ReceiptError(f"{path}: it is not a file of receipts ({error})") from error


def write_receipts(path: Path, receipts: Sequence[Receipt]) -> None:
    """Write a file of receipts, whole: what it proves can never be shown again."""
    with whole(path) as fresh:
        fresh.write_text("".join(json.dumps(asdict(receipt)) + "\n" for receipt in receipts), "utf-8")


def _read(row: object) -> Receipt:
    if not isinstance(row, dict):
        raise TypeError("not an object")
    receipt = Receipt(**row)
    for each in fields(Receipt):
        if not _fits(getattr(receipt, each.name), each.type):
            raise TypeError(f"{each.name}: {getattr(receipt, each.name)!r} will not do")
    if receipt.seat < 0 or (receipt.seals is not None and len(receipt.seals) <= receipt.seat):
        raise TypeError(f"seat: {receipt.seat} is none of this table")
    return receipt


def _fits(value: object, kind: object) -> bool:
    """Tell if a value from JSON has the type of a receipt's field."""
    if get_origin(kind) is list:
        return type(value) is list and all(_fits(each, get_args(kind)[0]) for each in value)
    if get_args(kind):
        return any(_fits(value, each) for each in get_args(kind))
    return value is None if kind is type(None) else type(value) is kind
