"""The shuffle of a deal that the server has committed to and not dealt yet."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tefuda.table.shuffle import Proof


@dataclass
class PendingShuffle:
    """A shuffle, after the events applied so far; ``tefuda.table.shuffle`` describes the protocol.

    Attributes:
        number: of the deal.
        commitment, secret: of the server.
        at: when the time of those who are waited for began, milliseconds.
        attempt: from 1.
        seals, entropy: by seat, of this attempt.
        closed: whether the list of seals is closed.
        unrevealed: the seats that did not reveal in an earlier attempt.
    """

    number: int
    commitment: bytes
    secret: bytes
    at: int
    attempt: int = 1
    seals: dict[int, bytes] = field(default_factory=dict)
    entropy: dict[int, bytes] = field(default_factory=dict)
    closed: bool = False
    unrevealed: list[int] = field(default_factory=list)

    def copy(self) -> "PendingShuffle":
        """The same shuffle at the same moment."""
        return replace(self, seals=dict(self.seals), entropy=dict(self.entropy), unrevealed=list(self.unrevealed))

    def is_ready(self, seat: int) -> bool:
        """Whether a seat has said that the deal may come, or may not take part any more."""
        return self.closed or seat in self.seals or seat in self.unrevealed

    @property
    def unopened(self) -> list[int]:
        """The seats that have sealed entropy and not revealed it."""
        return [seat for seat in sorted(self.seals) if self.seals[seat] and seat not in self.entropy]

    def list_seals(self, seats: int) -> tuple[bytes, ...]:
        """The seals by seat, empty for those that take no part."""
        return tuple(self.seals.get(seat, b"") for seat in range(seats))

    def leave(self, seat: int) -> None:
        """Somebody leaves. A list that is closed stays as it is: nobody may choose what counts by leaving."""
        if not self.closed:
            self.seals.pop(seat, None)
            self.entropy.pop(seat, None)

    def close(self, at: int) -> None:
        """Take no more seals; what was shown without one, to an older version, does not count."""
        self.closed, self.at = True, at
        self.entropy = {seat: part for seat, part in self.entropy.items() if self.seals.get(seat)}

    def begin_again(self, seats: Sequence[int], at: int) -> None:
        """Shuffle again without these seats."""
        self.unrevealed = sorted({*self.unrevealed, *seats})
        self.attempt, self.at, self.closed = self.attempt + 1, at, False
        self.seals, self.entropy = {}, {}

    def prove(self, table: str, seats: int) -> Proof:
        """The proof of the deal that follows; of a list that was never closed, as in older logs, by protocol 1."""
        entropy = tuple(self.entropy.get(seat, b"") for seat in range(seats))
        if not self.closed:
            return Proof(table, self.number, self.commitment, self.secret, entropy)
        return Proof(
            table, self.number, self.commitment, self.secret, entropy, self.list_seals(seats), self.attempt
        )  # fmt: skip
