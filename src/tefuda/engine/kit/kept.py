"""Ways to keep the numbers of a state: annotations for the fields that a game declares (``state``)."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple, Protocol, TypeVar, overload

from tefuda.engine.record import Holds, Ints

Number = TypeVar("Number", bound=int, covariant=True)
Entry = TypeVar("Entry", covariant=True)


class Stored(NamedTuple):
    """The way an annotated number is kept in a record."""

    type: str
    holds: Holds


Small = Annotated[int, Stored("i1", Holds.NUMBER)]  #: from −128 to 127; a larger number is an ``int``, of 32 bits
Short = Annotated[int, Stored("i2", Holds.NUMBER)]  #: from −32 768 to 32 767
Kind = Annotated[int, Stored("i1", Holds.KIND)]  #: one of a few kinds, or −1; ``field(…, of="A23456789")`` names them
CardSet = Annotated[int, Stored("i8", Holds.CARDS)]  #: a set of cards, as bits
CardNumber = Annotated[int, Stored("i1", Holds.CARD)]  #: a card number, or −1
Copies = Annotated[int, Stored("i1", Holds.COUNTS)]  #: number of copies of each card, along the last axis
SeatNumber = Annotated[int, Stored("i1", Holds.SEAT)]  #: a seat, or ``NOBODY``
SeatSet = Annotated[int, Stored("i2", Holds.SEATS)]  #: a set of seats, as bits
BitSet = Annotated[int, Stored("i2", Holds.BITS)]  #: a set of a few kinds, as bits; ``of=4`` says how many there are
ActionNumber = Annotated[int, Stored("i2", Holds.ACTION)]  #: a kernel action, or −1


class PerSeat(Protocol[Entry]):
    """One entry for each seat that a table may have: a number, or a ``Series`` of them."""

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: tuple[int, int]) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> Ints: ...
    def __setitem__(self, place: int | slice | tuple[int, int], value: object) -> None: ...
    def __iter__(self) -> Iterator[Entry]: ...
    def __len__(self) -> int: ...
    def any(self) -> bool: ...
    def sum(self) -> int: ...
    def copy(self) -> Ints: ...


class Series(PerSeat[Number], Protocol[Number]):
    """Numbers in a row: ``field(…, length=12)``."""

    def tolist(self) -> list[int]: ...
    def tobytes(self) -> bytes: ...
