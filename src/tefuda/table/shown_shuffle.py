"""A pending shuffle as a server shows it: what a client reads before it believes anything."""

from dataclasses import dataclass
from typing import Any

from tefuda.table.shuffle import ProofError, read_hex, read_seal

MOST = 2**53
"""The largest number that every reader of JSON keeps exactly."""

_KEYS = {"deal", "commitment", "ready", "attempt", "seals", "revealed", "unrevealed", "link"}


@dataclass(frozen=True)
class ShownShuffle:
    """What one message shows of the shuffle that is pending.

    Attributes:
        deal: its number.
        commitment: of the server; bytes are in hexadecimal.
        attempt: from 1.
        seals: the closed list by seat, empty where a seat takes no part; None before it is closed.
        revealed: the seats that have revealed what they sealed.
        unrevealed: the seats that did not, in earlier attempts.
        link: the latest of the table's chain.
    """

    deal: int
    commitment: str
    attempt: int
    seals: tuple[str, ...] | None
    revealed: frozenset[int]
    unrevealed: frozenset[int]
    link: str

    @classmethod
    def read(cls, pending: Any, seats: int) -> "ShownShuffle":
        """Read ``shuffle`` of a message.

        Raises:
            ProofError: it is not written as protocol 2 has it; protocol 1 lacks the attempt.
        """
        if not isinstance(pending, dict) or not pending.keys() >= _KEYS:
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
