"""Receipts: what a player's own program keeps of a shuffle before the cards are dealt, and checks after the deal.

A record proves that its deck follows from its secret and the entropy. Only what somebody kept beforehand can show that
these are the ones the deal began with: the commitment, the closed list of seals, and the player's own entropy.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.engine.errors import TefudaError
from tefuda.table import shuffle
from tefuda.table.shuffle import Proof

FAULTS = {
    "commitment": "the commitment is not the one shown before the deal",
    "rules": "the commitment is bound to another table, deal or rules",
    "entropy": "the entropy of seat {seat} is not what its player added",
    "seals": "the seals are not those that were closed before anybody revealed",
    "attempt": "the deal was shuffled in another attempt than the one that was shown",
    "left_out": "seat {seat} sealed its entropy in time, and was left out",
    "named": "seat {seat} revealed its entropy, and was said not to have done so",
    "hand": "the cards that seat {seat} was dealt are not those that follow from the deck",
}
"""What can be wrong, by code."""


class ReceiptError(TefudaError):
    """A file of receipts that cannot be read."""


@dataclass
class Receipt:
    """What one seat keeps of one deal.

    Attributes:
        table: its name in proofs, with the number of the session.
        deal: its number.
        context: what the commitment is bound to, as this seat's program has worked it out.
        commitment: shown before the seat sealed its entropy; bytes are in hexadecimal.
        seat: its number.
        attempt: the latest that the seat has been shown.
        entropy, seal: of the seat in that attempt; empty if it takes no part. By protocol 1 there is no seal.
        seals: the closed list of that attempt; None before it is closed.
        named: the seats that did not reveal, in all attempts.
        hand: the cards dealt to the seat; None if its program did not see the deal begin.
        faults: codes of ``FAULTS``: what the program has seen go wrong before the deal.
    """

    table: str
    deal: int
    context: str
    commitment: str
    seat: int
    attempt: int = 1
    entropy: str = ""
    seal: str = ""
    seals: list[str] | None = None
    named: list[int] = field(default_factory=list)
    hand: list[str] | None = None
    faults: list[str] = field(default_factory=list)

    def note(self, fault: str) -> None:
        """Note something that has gone wrong."""
        if fault not in self.faults:
            self.faults.append(fault)

    def check(self, proof: Proof, context: str, dealt: Sequence[str] | None = None) -> list[str]:
        """What contradicts this receipt, in words; nothing if the deal was fair as far as this seat can know.

        Args:
            proof: of the deal, shown after it; that the deck follows from it is for ``shuffle.check_proof`` to say.
            context: what the proof's commitment is bound to.
            dealt: the cards that the seat gets from the proof's deck by the rules, if that has been computed.
        """
        found = list(self.faults)
        entropy = proof.entropy[self.seat].hex() if self.seat < len(proof.entropy) else ""
        takes_part = self.seals is None or bool(self.seals[self.seat])
        seals = None if proof.seals is None else [part.hex() for part in proof.seals]
        checks = {
            "rules": (context, proof.table, proof.deal) == (self.context, self.table, self.deal),
            "commitment": proof.commitment.hex() == self.commitment,
            "attempt": seals is None or proof.attempt == self.attempt,
            "seals": seals == self.seals if self.seals is not None else seals is not None or not self.seal,
            "entropy": entropy == (self.entropy if takes_part else ""),
            "hand": self.hand is None or dealt is None or sorted(self.hand) == sorted(dealt),
        }
        found += [code for code, holds in checks.items() if not holds and code not in found]
        return [FAULTS[code].format(seat=self.seat) for code in found]


class ReceiptBook:
    """The receipts of one player, and what their program sends for the shuffles that they are about.

    Args:
        path: of a file that keeps them (JSON lines); without it they are kept in memory alone.

    Attributes:
        receipts: by table and deal, the oldest first.

    Raises:
        ReceiptError: the file cannot be read.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        known = read_receipts(self.path) if self.path is not None and self.path.exists() else []
        self.receipts = {(each.table, each.deal): each for each in known}

    def hear(self, state: Mapping[str, Any]) -> None:
        """Note what a state of the table shows of a shuffle or of the cards dealt."""
        pending, deal, table = state["shuffle"], state["deal"], f"{state['table']}/{state['session']}"
        if pending is not None and (table, pending["deal"]) in self.receipts:
            _note_shuffle(self.receipts[table, pending["deal"]], pending)
            self.keep()
        kinds = [event["kind"] for event in state["events"]]
        receipt = None if deal is None else self.receipts.get((table, deal["number"]))
        if receipt is not None and receipt.hand is None and kinds and kinds[-1] == "dealt":
            receipt.hand = [card for group in deal["scene"]["hand"] for card in group["cards"]]
            self.keep()

    def answer(self, state: Mapping[str, Any]) -> dict[str, Any] | None:
        """The order with which the player's seat takes part in the shuffle, ``ready`` or ``reveal``; None if it is not
        asked for anything."""
        pending, seat = state["shuffle"], state["you"]["seat"]
        if pending is None or seat is None:
            return None
        receipt = self.receipts.get((f"{state['table']}/{state['session']}", pending["deal"]))
        if not pending["ready"][seat]:
            return self._ready(state, seat)
        closed = pending.get("seals")
        if receipt is None or receipt.faults or not closed or pending["revealed"][seat] or closed[seat] != receipt.seal:
            return None
        return {"type": "reveal", "deal": receipt.deal, "entropy": receipt.entropy} if receipt.seal else None

    def check(self, proof: Mapping[str, Any]) -> list[str] | None:
        """What contradicts the receipt of a deal; None if there is no receipt of it.

        Args:
            proof: as ``GET /api/v1/tables/{table}/replay`` gives it: with context, pack, deck and the cards dealt.
        """
        shown = Proof.from_json({key: value for key, value in proof.items() if key in PROOF_KEYS})
        receipt = self.receipts.get((shown.table, shown.deal))
        if receipt is None:
            return None
        hands = proof.get("hands")
        found = receipt.check(shown, proof["context"], None if hands is None else hands[receipt.seat])
        return found or _recompute(shown, proof)

    def _ready(self, state: Mapping[str, Any], seat: int) -> dict[str, Any]:
        """Draw entropy, keep it, and seal it."""
        pending, table = state["shuffle"], f"{state['table']}/{state['session']}"
        facts = (table, pending["deal"], state["game"], state["rules"], len(state["seats"]), state["options"])
        entropy, commitment = secrets.token_bytes(shuffle.MOST_ENTROPY), bytes.fromhex(pending["commitment"])
        receipt = self.receipts.get((table, pending["deal"]))
        if receipt is None:
            bound_to = shuffle.write_context(*facts).decode("ascii")
            receipt = Receipt(table, pending["deal"], bound_to, pending["commitment"], seat)
            self.receipts[table, pending["deal"]] = receipt
        receipt.seat, receipt.entropy = seat, entropy.hex()
        if "attempt" not in pending:  # protocol 1, of a server that has not been brought up to date
            self.keep()
            return {"type": "ready", "deal": receipt.deal, "entropy": receipt.entropy}
        receipt.attempt, receipt.seals = pending["attempt"], None
        this_round = shuffle.round_of(shuffle.write_context(*facts), pending["attempt"])
        receipt.seal = shuffle.seal(this_round, commitment, seat, entropy).hex()
        self.keep()
        return {"type": "ready", "deal": receipt.deal, "seal": receipt.seal}

    def keep(self) -> None:
        """Write the file, if there is one."""
        if self.path is not None:
            lines = [json.dumps(asdict(receipt)) for receipt in self.receipts.values()]
            self.path.write_text("\n".join(lines) + "\n", "utf-8")


PROOF_KEYS = ("table", "deal", "commitment", "secret", "entropy", "seals", "attempt")
"""What a proof holds, among what the server says beside it."""


def read_receipts(path: Path) -> list[Receipt]:
    """Read a file of receipts.

    Raises:
        ReceiptError: it cannot be read, or holds something else.
    """
    try:
        return [Receipt(**json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise ReceiptError(f"{path}: {error.strerror}") from error
    except (ValueError, TypeError, UnicodeDecodeError) as error:
        raise ReceiptError(f"{path}: it is not a file of receipts") from error


def _note_shuffle(receipt: Receipt, pending: Mapping[str, Any]) -> None:
    """What a pending shuffle shows, compared with what was shown before."""
    if pending["commitment"] != receipt.commitment:
        receipt.note("commitment")
    if "attempt" not in pending:
        return
    named = pending["unrevealed"]
    if receipt.seat in named and receipt.seat not in receipt.named:
        if receipt.seals is not None:
            receipt.note("named")
        receipt.entropy = receipt.seal = ""
    receipt.named = list(named)
    if pending["attempt"] != receipt.attempt:
        receipt.attempt, receipt.seals = pending["attempt"], None
    if pending["seals"] is None:
        return
    if receipt.seals is None:
        receipt.seals = list(pending["seals"])
        if receipt.seal and receipt.seals[receipt.seat] != receipt.seal:
            receipt.note("left_out")
    elif receipt.seals != pending["seals"]:
        receipt.note("seals")


def _recompute(proof: Proof, told: Mapping[str, Any]) -> list[str]:
    """What does not follow from a proof that a server has shown, in words."""
    bound_to = told["context"].encode("ascii")
    if shuffle.commit(bound_to, proof.secret) != proof.commitment:
        return ["the secret is not what the commitment was made from"]
    if proof.seals is not None:
        bound_to = shuffle.round_of(bound_to, proof.attempt)
        for seat, sealed in enumerate(proof.seals):
            if bool(sealed) != bool(proof.entropy[seat]):
                return [f"seat {seat} has entropy without a seal, or a seal without entropy"]
            if sealed and not shuffle.fits_seal(bound_to, proof.commitment, seat, proof.entropy[seat], sealed):
                return [f"the entropy of seat {seat} is not what its seal was made from"]
    places = np.arange(len(told["pack"]))
    order, chance = shuffle.shuffle(places, bound_to, proof.secret, proof.entropy)
    if [told["pack"][place] for place in order] != told["deck"] or chance != told["chance"]:
        return ["the deck does not follow from the secret and the entropy"]
    return []
