"""State records: fixed-size NumPy structured scalars whose every field says who may see it.

A game lists its ``Field``s once; the dtype, what ``observe`` blanks, what one deal hands to the next and how a view is
written as JSON all follow from that list."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]  #: card numbers, actions, amounts: what kernels count in

States = NDArray[np.void]  #: records of one game

AnyState = Any
"""A record of whichever game. The functions of a game take the class that its ``state.py`` declares, and nothing less:
so one type of such functions, for all games, can say no more of it."""

Word = Any  #: ``np.int64``, with which compiled code counts; to type checkers it is no ``int``

Rng = NDArray[np.uint64]  #: a generator of random numbers (``rng``), or several as the rows of an array


class Row(Protocol):
    """Numbers in a row that may be changed: an array with one axis, or a field of a record."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> int: ...
    def __setitem__(self, place: int, number: int, /) -> None: ...
    def copy(self) -> Ints: ...


class Visible(Enum):
    """Visibility of a field of a state."""

    PUBLIC = "everybody"
    OWNER = "each seat its own entry; what others may know of it (a count) stands in a public field"
    NOBODY = "nobody"


class Holds(Enum):
    """Meaning of a field's numbers, for text and observations."""

    NUMBER = "a number"
    KIND = "one of a few kinds, numbered from 0, or −1"
    BITS = "a set of a few small things, as bits"
    SEAT = "a seat, or −1"
    SEATS = "a set of seats, as bits"
    CARD = "a card number, or −1"
    CARDS = "a set of cards, as bits"
    COUNTS = "along the last axis, how many copies of each card; for packs in which a card exists several times"
    ACTION = "a kernel action, or −1"


@dataclass(frozen=True)
class Field:
    """One field of a state record."""

    name: str  #: of the record's field
    type: str  #: NumPy's code of the element type, such as ``"i1"``
    comment: str  #: what it means, with unit and range
    shape: tuple[int, ...] = ()  #: ``()`` for one number, ``(seats,)`` for one a seat
    visible: Visible = Visible.PUBLIC  #: who may see it; ``OWNER`` needs one entry a seat along the first axis
    holds: Holds = Holds.NUMBER  #: what its numbers mean
    of: int = 0  #: how many kinds there are (KIND), or small things (BITS)
    scale: int = 1  #: of a NUMBER that may grow large, the amount that observations count as one
    in_order: bool = False  #: the first axis has as many places as there are seats, but is filled in order of play
    carried: bool = False  #: it survives from deal to deal (``next_deal`` fills it): records of deals begin with it
    past: bool = False  #: it tells of what is over and perhaps in sight no more, so that players may forget it
    #: its value before the cards are dealt; of a carried field before the first deal, and then perhaps the name of the
    #: option that gives it
    start: int | str = 0
    #: what its kinds, the members of its sets or its values are called; false and true for a switch; none for numbers
    names: tuple[str | bool, ...] = ()

    @property
    def of_session(self) -> bool:
        """True for an amount of the session, such as totals: no play changes it, only the end of a deal."""
        return self.carried and self.holds is Holds.NUMBER


EVERYTHING = -2  #: ``viewer`` of a full state
SPECTATOR = -1  #: ``viewer`` of a view that shows only what is public

COMMON = (
    Field("viewer", "i1", "the seat whose view this is; SPECTATOR −1; EVERYTHING −2 for a full state"),
    Field("seats", "i1", "players at the table"),
    Field("chance", "i8", "a random number from 0, drawn for each deal, for what the deck does not decide",
          visible=Visible.NOBODY),
)  # fmt: skip
"""The fields that every record begins with."""


if TYPE_CHECKING:

    class _Void:
        """The part of ``np.void`` that is used here; NumPy's stubs mark that as final."""

        dtype: np.dtype[np.void]

        def __getitem__(self, name: str) -> Any: ...
        def __setitem__(self, name: str, value: object) -> None: ...
        def item(self) -> tuple[object, ...]: ...
        def tobytes(self) -> bytes: ...

else:
    _Void = np.void


class StateRecord(_Void):
    """A scalar whose fields are attributes, as ``np.record`` has them at three times the price."""

    __slots__ = ()

    if TYPE_CHECKING:
        viewer: int
        seats: int
        chance: int

    @property
    def data(self) -> "StateRecord":
        """The record itself, whose bytes Numba asks for; NumPy's own ``data`` describes all fields first."""
        return self

    if not TYPE_CHECKING:  # the fields are those that a game declares (``engine/kit/state.py``), and no others

        def __getattr__(self, name: str) -> object:
            try:
                return self[name]
            except (KeyError, ValueError):
                raise AttributeError(f"a record has no field {name!r}") from None

        def __setattr__(self, name: str, value: object) -> None:
            self[name] = value


class FrozenRecord(StateRecord):
    """A record that nobody changes any more: all fields are read at once, which takes no longer than a few of them."""

    common: Any  #: ``CommonKnowledge`` that this view shares with the others of its moment; None if it stands alone

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            read = self.__dict__
            if not read:
                read.update(values_of(self), common=None)
            if name not in read:
                value = super().__getattr__(name)
                read[name] = value.copy() if isinstance(value, np.ndarray) else value
            return read[name]


class PublicRecord(StateRecord):
    """A spectator's view that notes whether a field was asked for that not all views have in common."""

    asked: bool  #: whether it was, or compiled code was handed the record, which may read anything
    common: Any  #: a weak reference to the ``CommonKnowledge`` of the moment, which keeps this record

    @property
    def data(self) -> StateRecord:
        self.__dict__["asked"] = True
        return self

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            self.__dict__["asked"] = True
            return super().__getattr__(name)


def values_of(record: StateRecord) -> dict[str, object]:
    """All fields by name. NumPy's own arrays refer back to the record, and neither would ever be dropped: copied."""
    return {
        name: value.copy() if isinstance(value, np.ndarray) else value
        for name, value in zip(record.dtype.names or (), record.item(), strict=True)
    }


@cache
def seen_type(record: np.dtype[np.void], scalar: type[StateRecord] = FrozenRecord) -> np.dtype[np.void]:
    """The record dtype with other scalars; always the same object, since dtypes are slow to compare."""
    return np.dtype((scalar, record))


def record_type(fields: Sequence[Field], scalar: type[StateRecord] = StateRecord) -> np.dtype[np.void]:
    """The aligned record dtype of these fields, whose scalars have attributes (``state.turn``).

    A class of scalars of its own gives the first field its name as a title: games with the same fields would else have
    one dtype, and NumPy and Numba would take one for the other."""
    names = [field.name for field in fields]
    if len(set(names)) != len(names):
        raise ValueError(f"a field stands twice among {', '.join(names)}")
    titled: list[str | tuple[str, str]] = list(names)
    if scalar is not StateRecord:
        titled[0] = (f"{scalar.__module__}.{scalar.__qualname__}", names[0])
    columns = [(name, field.type, field.shape) for name, field in zip(titled, fields, strict=True)]
    plain = np.dtype(columns, align=True)
    return np.dtype((scalar, plain))


def duplicate(states: States) -> States:
    """A copy of an array of records, byte for byte (NumPy's own goes field by field, ten times slower)."""
    return records(states.view(np.uint8).copy(), states.dtype, states.shape)


def records(raw: NDArray[np.generic], record: np.dtype[np.void], shape: tuple[int, ...]) -> States:
    """The records of this dtype and shape in the memory of a contiguous array, as ``raw.view`` gives them (which
    compares all fields first, and is slow)."""
    return np.ndarray(shape, record, raw)


def view_masks(fields: Sequence[Field], record: np.dtype[np.void], seats: int) -> NDArray[np.uint8]:
    """Which bytes of a record each viewer may see.

    Returns:
        uint8 of shape (seats + 1, record.itemsize): 255 where visible, 0 where not, one row a seat; the last row, which
        is also row −1, is a spectator's. Padding between fields is 0.
    """
    masks = np.zeros((seats + 1, record.itemsize), np.uint8)
    layout = record.fields
    assert layout is not None
    for field in fields:
        element, start = layout[field.name][:2]
        if field.visible is Visible.PUBLIC:
            masks[:, start : start + element.itemsize] = 255
        elif field.visible is Visible.OWNER:
            width = element.itemsize // field.shape[0]
            for seat in range(min(seats, field.shape[0])):
                masks[seat, start + seat * width : start + (seat + 1) * width] = 255
    return masks
