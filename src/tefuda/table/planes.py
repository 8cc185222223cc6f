"""Views as numbers for learners: named planes of a fixed size, made from a seat's view and nothing else.

Every field of a view becomes one plane, or one for each of its places: a set of cards a bit for each card, a seat a bit
for each seat, and so on; ``Field.holds`` decides (``WRITINGS``). The options of the game, which a table never changes,
and fields that no seat may see are left out. Seats are turned so that the observer is seat 0 and the others follow in
the order of their numbers: ``won[1]`` is what the next seat has won, and ``turn`` begins with the observer's bit. A
field that shows each seat its own entry only has one plane, the observer's. Options that are asked for come last.

A series of cards, such as those face up on a table, has a plane for every place. A learner that does not care for their
order may read one plane instead, ``table as a set`` (``Observation.reading``)."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.record import COMMON, Field, Holds, States, Visible
from tefuda.table import plane_kernels as kernel
from tefuda.table.game import Game
from tefuda.table.plane_kernels import Numbers

MOST_INT8 = 127
Number = TypeVar("Number", np.int8, np.float32)

AS_A_SET = "{} as a set"

NOTHING: tuple[None, Sequence[int]] = (None, ())

WRITINGS = {
    Holds.NUMBER: (kernel.NUMBER, "the number"),
    Holds.COUNTS: (kernel.COUNTS, "for each card, how many copies"),
    Holds.KIND: (kernel.ONE_OF, "one 1, at the kind's place"),
    Holds.CARD: (kernel.ONE_OF, "one 1, at the card's number; none where there is no card"),
    Holds.CARDS: (kernel.BITS, "a 1 for each card of the set, at its number"),
    Holds.BITS: (kernel.BITS, "a 1 for each member of the set"),
    Holds.SEAT: (kernel.A_SEAT, "one 1, at the seat counted from the observer; none for nobody"),
    Holds.SEATS: (kernel.SEATS, "a 1 for each seat of the set, counted from the observer"),
    Holds.ACTION: (kernel.BINARY, "the action's number + 1 in binary, lowest bit first; all 0 for none"),
}
"""The way in which the kernel writes what a field holds, and the meaning of the numbers."""


@dataclass(frozen=True)
class Plane:
    """A named slice of an observation: a field's, with its place where it has several: ``won[1]``, ``rows[2][0]``.

    ``meaning`` says for people what it tells, and in which numbers."""

    name: str
    start: int
    size: int
    meaning: str

    @property
    def place(self) -> slice:
        """Its slice of an observation."""
        return slice(self.start, self.start + self.size)


class Observation:
    """The reading of a game's views as arrays of numbers.

    Numbers are small integers, the same in every dtype: 0 and 1, or counts. Amounts that may grow large (totals) are
    divided by their field's ``scale``; in int8 they are then rounded and kept within ±127. ``TefudaError`` if a field
    of the game does not say what an observation needs, or there is no such option.

    Args:
        game: with its seats and options.
        options: names of options that have planes too, for learners that meet several values of them.

    Attributes:
        planes: the planes, in the order in which they stand.
        size: numbers in an observation.
        layout: int64 of shape (planes, 8) for the kernel ``encode_all``.
    """

    def __init__(self, game: Game, options: Sequence[str] = ()) -> None:
        if isinstance(options, str):
            raise TefudaError(f"options: {options!r}; write a list of names, [{options!r}]")
        self.game = game
        description = game.description
        settings = description.rules.settings.values()
        hidden = {field.name for field in COMMON} | {each.field or each.name for each in settings}
        shown = [field for field in description.fields if field.name not in hidden]
        made: list[Plane] = []
        rows: list[list[int]] = []
        self._sets = dict(_sets(game, shown))
        for field in [*shown, *(_option_field(description, name) for name in options)]:
            if field.visible is not Visible.NOBODY:
                for name, row in _rows(game, field):
                    row[kernel.START] = made[-1].start + made[-1].size if made else 0
                    rows.append(row)
                    scaled = f", divided by {field.scale}" if field.scale > 1 else ""
                    meaning = f"{field.comment}: {WRITINGS[field.holds][1]}{scaled}"
                    made.append(Plane(name, row[kernel.START], row[kernel.SIZE], meaning))
        self.planes = tuple(made)
        self.size = made[-1].start + made[-1].size
        self.layout: NDArray[np.int64] = np.array(rows, np.int64)

    def __getitem__(self, name: str) -> slice:
        """Slice of the plane of this name: ``observations[:, planes["hands"]]``."""
        places = {plane.name: plane.place for plane in self.planes}
        if name not in places:
            raise TefudaError(f"{self.game.name} has no plane {name!r}; there are: {', '.join(places)}")
        return places[name]

    def reading(self, planes: Sequence[tuple[str, int]]) -> "Observation":
        """Make an observation of these planes alone, by name and size, in this order.

        There is one more for every series of cards, ``AS_A_SET.format(field)``, for each card whether it is among them.
        A plane may have become wider since, where it tells one of several kinds: an option that has got another value.
        ``TefudaError`` if a plane is not there, or has another size."""
        found = copy(self)
        now = {plane.name: k for k, plane in enumerate(self.planes)}
        made, rows, start = [], [], 0
        for name, size in planes:
            known = (self.planes[now[name]], self.layout[now[name]]) if name in now else self._sets.get(name)
            plane, row = known or NOTHING
            if plane is None or (size != plane.size and not (size < plane.size and row[kernel.HOW] == kernel.ONE_OF)):
                raise TefudaError(f"{self.game.name} has no plane {name!r} of {size} numbers")
            made.append(replace(plane, start=start, size=size))
            rows.append([*row[: kernel.START], start, size, *row[kernel.SIZE + 1 :]])
            start += size
        found.planes, found.size = tuple(made), start
        found.layout = np.array(rows, np.int64).reshape(-1, kernel.SCALE + 1)
        return found

    def without(self, fields: Sequence[str]) -> "Observation":
        """Make an observation without the planes of some fields; a series of cards among them is read as a set."""
        read = [plane for plane in self.planes if plane.name.partition("[")[0] not in fields]
        sets = [self._sets[name][0] for name in map(AS_A_SET.format, fields) if name in self._sets]
        return self.reading([(plane.name, plane.size) for plane in (*read, *sets)])

    def packed(self) -> "Observation":
        """Make the observation of the same planes in the order of packed rows: those of numbers and counts first."""
        numbers = [row[kernel.HOW] in (kernel.NUMBER, kernel.COUNTS) for row in self.layout]
        ordered = sorted(zip(numbers, self.planes, strict=True), key=lambda each: not each[0])
        return self.reading([(plane.name, plane.size) for _, plane in ordered])

    @property
    def whole_bytes(self) -> int:
        """Number of those at the beginning of a packed row that have a byte each; every other number has a bit."""
        return sum(int(row[kernel.SIZE]) for row in self.layout if row[kernel.HOW] in (kernel.NUMBER, kernel.COUNTS))

    def packed_layout(self) -> tuple[NDArray[np.int64], int]:
        """Make the layout for the kernel ``pack_all``, and count the words of its rows; for a ``packed`` one."""
        layout, ahead = self.layout.copy(), self.whole_bytes
        starts = layout[:, kernel.START]
        starts += 7 * np.minimum(starts, ahead)
        return layout, -(-(7 * ahead + self.size) // 64)

    def changing(self) -> NDArray[np.bool_]:
        """Which planes are not 0 throughout the first deal of a session; bool of shape (planes,)."""
        session = [field.name for field in self.game.description.fields if field.of_session]
        blank = {name for name in session if not self.game.template[name].any()}
        return np.array([plane.name.partition("[")[0] not in blank for plane in self.planes])

    def unpack(self, rows: NDArray[np.uint8]) -> NDArray[np.int8]:
        """Write packed rows, uint8 of shape (n, bytes), as observations, a new int8 array of shape (n, size)."""
        ahead, bits = self.whole_bytes, self.size - self.whole_bytes
        packed = np.unpackbits(rows[:, ahead:], axis=1, count=bits, bitorder="little")
        return np.concatenate([rows[:, :ahead], packed], axis=1).view(np.int8)

    @overload
    def encode(self, views: States) -> NDArray[np.int8]: ...
    @overload
    def encode(self, views: States, out: NDArray[Number]) -> NDArray[Number]: ...
    def encode(self, views: States, out: Numbers | None = None) -> Numbers:
        """Write views, records of shape (n,) as ``observe`` makes them, as observations, and return these.

        They are written into ``out``, int8 or float32 of shape (n, size), by default a new int8 array. ``TefudaError``
        if the views are of another game, or ``out`` is something else."""
        if views.dtype.names != self.game.description.record.names:
            raise TefudaError(f"views: they are no records of {self.game.name}")
        shape = len(views), self.size
        out = np.empty(shape, np.int8) if out is None else out
        if out.shape != shape or out.dtype not in (np.int8, np.float32):
            raise TefudaError(f"out: {out.dtype} of shape {out.shape}; int8 or float32 of shape {shape} is wanted")
        kernel.encode_all(words_of(views), self.layout, self.game.seats, most(out), out)
        return out


def words_of(views: NDArray[np.void]) -> NDArray[np.int64]:
    """View the bytes of records as int64 of shape (n, words): the same memory where they lie side by side."""
    return np.ascontiguousarray(views).view(np.int64).reshape(len(views), views.dtype.itemsize // 8)


def most(out: kernel.Numbers) -> int:
    """Largest number that an array of observations takes; 0 where there is no limit."""
    return MOST_INT8 if out.dtype == np.int8 else 0


def _size(game: Game, field: Field) -> int:
    """Count the numbers of a field's planes."""
    match field.holds:
        case Holds.NUMBER:
            return 1
        case Holds.KIND | Holds.BITS:
            return field.of
        case Holds.SEAT | Holds.SEATS:
            return game.seats
        case Holds.ACTION:
            return game.description.actions.bit_length()
        case Holds.COUNTS | Holds.CARD | Holds.CARDS:
            return len(game.description.cards)


def _rows(game: Game, field: Field) -> Iterator[tuple[str, list[int]]]:
    """Yield a plane's name and its row of the layout, for every place of a field."""
    element, start = game.description.record.fields[field.name][:2]  # type: ignore[index]
    base = element.base.itemsize
    shape = field.shape[:-1] if field.holds is Holds.COUNTS else field.shape
    width = base * (len(game.description.cards) if field.holds is Holds.COUNTS else 1)
    strides = [width * int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]
    size = _size(game, field)
    if size < 1:
        raise TefudaError(f"{game.name}: field {field.name!r} holds {field.holds.value} but does not say of how many")
    own = field.visible is Visible.OWNER
    by_seat = own or (bool(shape) and shape[0] == max(game.description.seats))
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
        yield name, [WRITINGS[field.holds][0], at, *turn, base, 0, size, field.scale]


def _sets(game: Game, fields: Sequence[Field]) -> Iterator[tuple[str, tuple[Plane, list[int]]]]:
    """Yield a plane and its row of the layout for every series of cards that everybody sees."""
    for field in fields:
        if field.holds is Holds.CARD and field.visible is Visible.PUBLIC and len(field.shape) == 1:
            rows = [row for _, row in _rows(game, field)]
            if rows[0][kernel.STRIDE] == 0:
                name, size = AS_A_SET.format(field.name), rows[0][kernel.SIZE]
                row = [kernel.MEMBERS, *rows[0][kernel.OFFSET : kernel.SCALE], len(rows)]
                yield name, (Plane(name, 0, size, f"{field.comment}: {WRITINGS[Holds.CARDS][1]}"), row)


def _option_field(description: Description, name: str) -> Field:
    """Find an option's field, as a kind if it is a choice or a switch."""
    known = description.rules.option_by_name
    option = known.get(name)
    if option is None:
        raise TefudaError(f"{description.name} has no option {name!r}{nearest(name, known)}")
    (field,) = (field for field in description.fields if field.name == name)
    kinds = max(option.numbers) + 1 if option.values else 2 if isinstance(option.default, bool) else 0
    return replace(field, holds=Holds.KIND, of=kinds) if kinds else field
