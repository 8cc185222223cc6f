"""What a seat sees, as numbers for a learner: named planes of a fixed size, made from its view and nothing else.

Every field of a view becomes one plane, or one for each of its places: a set of cards a bit for each card, a seat a bit
for each seat, and so on; ``Field.holds`` decides (``_SIZES``). The options of the game, which a table never changes,
and what nobody may see are left out. Seats are turned so that the observer is seat 0 and the others follow in the order
of their numbers: ``won[1]`` is what the next seat has won, and ``turn`` begins with the observer's bit. A field that
shows each seat its own entry only has one plane, the observer's.

One table of numbers (``Observation.layout``) tells the compiled kernel where in the bytes of a view to look, so it is
compiled once for all games.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.record import COMMON, Field, Holds, Visible
from tefuda.engine.verbs import rule
from tefuda.table.game import Game

MOST_INT8 = 127

# Columns of a layout: how the plane is written; the byte where its value begins, or that of seat 0; bytes from one seat
# to the next (0: not one a seat); which seat, counted from the observer; bytes of a number; where the plane begins; its
# numbers; by what a number is divided.
HOW, OFFSET, STRIDE, SEAT, WIDTH, START, SIZE, SCALE = range(8)

# HOW
NUMBERS, ONE_OF, BITS, A_SEAT, SEATS, BINARY = range(6)

_HOW = {
    Holds.NUMBER: NUMBERS,
    Holds.COUNTS: NUMBERS,
    Holds.KIND: ONE_OF,
    Holds.CARD: ONE_OF,
    Holds.CARDS: BITS,
    Holds.BITS: BITS,
    Holds.SEAT: A_SEAT,
    Holds.SEATS: SEATS,
    Holds.ACTION: BINARY,
}

_SIZES: dict[Holds, Callable[[Game, Field], int]] = {
    Holds.NUMBER: lambda game, field: 1,
    Holds.COUNTS: lambda game, field: len(game.description.cards),
    Holds.KIND: lambda game, field: field.of,
    Holds.CARD: lambda game, field: len(game.description.cards),
    Holds.CARDS: lambda game, field: len(game.description.cards),
    Holds.BITS: lambda game, field: field.of,
    Holds.SEAT: lambda game, field: game.seats,
    Holds.SEATS: lambda game, field: game.seats,
    Holds.ACTION: lambda game, field: game.description.actions.bit_length(),
}

_HOW_WRITTEN = {
    Holds.NUMBER: "the number",
    Holds.COUNTS: "for each card, how many copies",
    Holds.KIND: "one 1, at the kind's place",
    Holds.CARD: "one 1, at the card's number; none where there is no card",
    Holds.CARDS: "a 1 for each card of the set, at its number",
    Holds.BITS: "a 1 for each member of the set",
    Holds.SEAT: "one 1, at the seat counted from the observer; none for nobody",
    Holds.SEATS: "a 1 for each seat of the set, counted from the observer",
    Holds.ACTION: "the action's number + 1 in binary, lowest bit first; all 0 for none",
}


@dataclass(frozen=True)
class Plane:
    """A named slice of an observation.

    Attributes:
        name: the field's, with its place where it has several: ``hands``, ``won[1]`` (the seat after the observer's),
            ``rows[2][0]``.
        start, size: of the slice.
        meaning: what it tells, and how its numbers are to be read.
    """

    name: str
    start: int
    size: int
    meaning: str

    @property
    def place(self) -> slice:
        """Where it stands in an observation."""
        return slice(self.start, self.start + self.size)


def planes(game: Game) -> tuple[Plane, ...]:
    """The planes of a game with its seats, in the order in which they stand.

    Raises:
        TefudaError: a field of the game does not say what an observation needs.
    """
    return Observation(game).planes


class Observation:
    """How views of a game become arrays of numbers.

    Numbers are small integers, the same in every dtype: 0 and 1, or counts. Amounts that may grow large (totals) are
    divided by their field's ``scale``; in int8 they are then rounded and kept within ±127.

    Args:
        game: with its seats and options.

    Attributes:
        planes: the planes, in the order in which they stand.
        size: numbers in an observation.
        layout: int64 of shape (planes, 8) for the kernel ``encode``.

    Raises:
        TefudaError: a field of the game does not say what an observation needs.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        description = game.description
        hidden = {field.name for field in COMMON} | set(description.option_by_name)
        made: list[Plane] = []
        rows: list[list[int]] = []
        for field in description.fields:
            if field.name not in hidden and field.visible is not Visible.NOBODY:
                for name, row in _rows(game, field):
                    row[START] = made[-1].start + made[-1].size if made else 0
                    rows.append(row)
                    made.append(Plane(name, row[START], row[SIZE], _meaning(field)))
        self.planes = tuple(made)
        self.size = made[-1].start + made[-1].size
        self.layout: NDArray[np.int64] = np.array(rows, np.int64)

    def __getitem__(self, name: str) -> slice:
        """Where the plane of this name stands: ``observations[:, planes["hands"]]``."""
        for plane in self.planes:
            if plane.name == name:
                return plane.place
        raise TefudaError(
            f"{self.game.name} has no plane {name!r}; there are: {', '.join(p.name for p in self.planes)}"
        )

    def encode(self, views: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The observations of views.

        Args:
            views: records of the game as ``observe`` makes them, shape (n,).
            out: int8 or float32 of shape (n, size) to write into; a new int8 array by default.

        Returns:
            ``out``.
        """
        if out is None:
            out = np.empty((len(views), self.size), np.int8)
        raw = np.ascontiguousarray(views).view(np.uint8).reshape(len(views), -1)
        encode_all(raw, self.layout, self.game.seats, most(out), out)
        return out


def most(out: NDArray[Any]) -> float:
    """The largest number that an array of observations takes."""
    return MOST_INT8 if out.dtype == np.int8 else np.inf


def _rows(game: Game, field: Field) -> Iterator[tuple[str, list[int]]]:
    """A plane's name and its row of the layout, for every place of a field."""
    element, start = game.description.record.fields[field.name][:2]  # type: ignore[index]
    base = element.base.itemsize
    shape = field.shape[:-1] if field.holds is Holds.COUNTS else field.shape
    width = base * (len(game.description.cards) if field.holds is Holds.COUNTS else 1)
    strides = [width * int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]
    size = _SIZES[field.holds](game, field)
    if size < 1:
        raise TefudaError(f"{game.name}: field {field.name!r} holds {field.holds.value} but does not say of how many")
    own = field.visible is Visible.OWNER
    by_seat = own or (bool(shape) and shape[0] == _most_seats(game.description))
    turned = own or (by_seat and not field.in_order)
    axes = [range(length) for length in shape]
    if by_seat:
        axes[0] = range(1) if own else range(game.seats)
    for place in product(*axes):
        at = start + sum(k * stride for k, stride in zip(place, strides, strict=True))
        at -= place[0] * strides[0] if turned else 0
        named = place[1:] if own else place
        name = field.name + "".join(f"[{k}]" for k in named)
        turn = (strides[0], place[0]) if turned else (0, 0)
        yield name, [_HOW[field.holds], at, *turn, base, 0, size, field.scale]


def _most_seats(description: Description) -> int:
    return max(description.seats)


def _meaning(field: Field) -> str:
    scaled = f", divided by {field.scale}" if field.scale > 1 else ""
    return f"{field.comment}: {_HOW_WRITTEN[field.holds]}{scaled}"


@rule
def encode_all(views: Any, layout: Any, seats: int, most: float, out: Any) -> None:
    """``encode`` of every view."""
    for i in range(len(views)):
        encode(views[i], layout, seats, most, out[i])


@rule
def encode(view: Any, layout: Any, seats: int, most: float, out: Any) -> None:
    """Write an observation.

    Args:
        view: uint8 of shape (bytes,), a record as ``observe`` makes it.
        layout: ``Observation.layout``.
        seats: at the table.
        most: the largest number that ``out`` takes.
        out: int8 or float32 of shape (numbers,), written.
    """
    out[:] = 0
    viewer = max(signed(view, 0, 1), 0)  # the first field; −1, a spectator, counts seats from seat 0
    for k in range(len(layout)):
        row = layout[k]
        at = row[OFFSET] + row[STRIDE] * counted_on(viewer, row[SEAT], seats)
        if row[HOW] == BITS:
            write_bits(view, at, row[START], row[SIZE], out)
        elif row[HOW] == NUMBERS:
            for n in range(row[SIZE]):
                out[row[START] + n] = scaled(signed(view, at + n * row[WIDTH], row[WIDTH]), row[SCALE], most)
        else:
            write_number(signed(view, at, row[WIDTH]), row, viewer, seats, out)


@rule
def write_number(value: int, row: Any, viewer: int, seats: int, out: Any) -> None:
    """A card, a kind, a seat, several seats, an action."""
    start = row[START]
    if row[HOW] == ONE_OF:
        if value >= 0:
            out[start + value] = 1
    elif row[HOW] == A_SEAT:
        if value >= 0:
            out[start + counted_on(value, seats - viewer, seats)] = 1
    elif row[HOW] == SEATS:
        for n in range(seats):
            out[start + n] = (value >> counted_on(viewer, n, seats)) & 1
    else:
        for n in range(row[SIZE]):
            out[start + n] = ((value + 1) >> n) & 1


@rule
def counted_on(seat: int, by: int, seats: int) -> int:
    """The seat so many, from 0 to ``seats``, after this one."""
    return seat + by - seats if seat + by >= seats else seat + by


@rule
def signed(view: Any, at: int, width: int) -> int:
    """The little-endian whole number of so many bytes."""
    value: Any = np.int64(0)
    for k in range(width):
        value |= np.int64(view[at + k]) << np.int64(8 * k)
    unused = np.int64(64 - 8 * width)
    whole: int = (value << unused) >> unused
    return whole


@rule
def scaled(value: int, scale: int, most: float) -> float:
    """A number as an observation tells it."""
    if most == np.inf:
        return value / scale
    number: float = min(max(np.rint(value / scale), -most), most)
    return number


@rule
def write_bits(view: Any, at: int, start: int, size: int, out: Any) -> None:
    """A set, byte by byte; bits beyond its size are 0."""
    for n in range(size):
        out[start + n] = (view[at + (n >> 3)] >> (n & 7)) & 1
