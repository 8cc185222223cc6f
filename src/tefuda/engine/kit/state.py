"""A game's state, declared once as a class whose annotations are the record's fields.

From the class follow the fields with their visibility, NumPy's dtype, the options that a table may decide, and the type
of ``s`` in rules: an editor completes ``s.hands``, and mypy refuses a field that is not there.

    class State(Options, most_seats=4):
        hands: PerSeat[CardSet] = field("cards held", Visible.OWNER)
        held: PerSeat[Small] = field("how many cards each holds, 0–13")
        phase: Phase = field("what is asked")

Numba looks at the dtype only, so annotations cost nothing. A number is kept as its annotation says (``kept``)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import chain, combinations
from typing import Any, ClassVar, NamedTuple, get_args, get_origin

import numpy as np
from numba import carray, from_dtype, types
from numba.extending import overload

from tefuda.engine.kit.kept import PerSeat, Series, Stored
from tefuda.engine.option import Option
from tefuda.engine.raw import address
from tefuda.engine.record import COMMON, Field, Holds, StateRecord, States, Visible, record_type
from tefuda.engine.verbs import UNCOMPILED


class Choice(IntEnum):
    """Values of an option: members numbered from 0, each with the word that people write.

    The word is the member's name in lower case, or what is given after the number: ``DRAWN = 3, "draw"``."""

    def __new__(cls, number: int, word: str = "") -> "Choice":
        member = int.__new__(cls, number)
        member._value_ = number
        member.given = word  # type: ignore[attr-defined]
        return member

    @property
    def word(self) -> str:
        """The word that people write."""
        given: str = self.given  # type: ignore[attr-defined]
        return given or self.name.lower()


AnyType = Any  #: a ``Declared``; to type checkers a value of whatever type the field is annotated with


class Declared(NamedTuple):
    """The right side of a declaration: a field without what its name and annotation say, an option, or values."""

    field: Field
    length: int = 0
    option: Option | None = None
    values: tuple[Option, ...] = ()


def field(
    comment: str,
    visible: Visible = Visible.PUBLIC,
    *,
    length: int = 0,
    of: int | Sequence[str] = 0,
    scale: int = 1,
    in_order: bool = False,
    carried: bool = False,
    past: bool = False,
    start: int | str = 0,
) -> AnyType:
    """A field of a state: attributes of ``Field``; ``length`` is that of a ``Series``; ``of`` may give the names."""
    names = () if isinstance(of, int) else tuple(of)
    count = of if isinstance(of, int) else len(of)
    draft = Field("", "", comment, (), visible, Holds.NUMBER, count, scale, in_order, carried, past, start, names)
    return Declared(draft, length)


def option(
    default: bool | int | Choice,
    rule: str,
    *,
    least: int = 0,
    most: int = 1,
    comment: str = "",
    was_switch: bool = False,
    former: Sequence[Choice] = (),
    most_at_table: int = 0,
) -> AnyType:
    """An option, which is a field too: a switch (``bool``), a choice (``Choice``), or a number; arguments as of
    ``Option``.

    ``comment`` says what the number means, where the name does not; older versions of the rules alone offer the values
    ``former``."""
    if isinstance(default, Choice):
        every = list(type(default))
        if every != list(range(len(every))):
            raise TypeError(f"{type(default).__name__}: its members are not numbered from 0")
        values, numbers = zip(*((member.word, int(member)) for member in every if member not in former), strict=True)
        made = Option("", default.word, rule, values, was_switch=was_switch, numbers=numbers)
        return _option(made, comment or ", ".join(member.name for member in every))
    if isinstance(default, bool):
        return _option(Option("", default, rule), comment or "1: yes")
    made = Option("", default, rule, least=least, most=most, most_at_table=most_at_table)
    return _option(made, comment or f"from {least}")


def _option(made: Option, comment: str) -> Declared:
    return Declared(Field("", "", comment), option=made)


def option_of_parts(always: Sequence[str], parts: type[Choice], rule: str) -> AnyType:
    """An option that is a set, as bits: parts that no value lacks (words), and any of the others, by default none."""
    chosen = chain.from_iterable(combinations(parts, size) for size in range(len(parts) + 1))
    by_number = sorted(chosen, key=lambda some: sum(1 << part for part in some))
    values = tuple("+".join([*always, *(part.word for part in some)]) for some in by_number)
    return _option(Option("", values[0], rule, values), "as bits: " + ", ".join(part.name for part in parts))


def value(default: int | Mapping[str, int], rule: str, *, least: int, most: int) -> AnyType:
    """A number that the rules name, or a ``Series`` of them by name: experiments may change it, and no table does."""
    named = {"": default} if isinstance(default, int) else default
    made = Option("", 0, rule, least=least, most=most, at_table=False)
    values = (replace(made, name=name, default=number, place=k) for k, (name, number) in enumerate(named.items()))
    return Declared(Field("", "", f"from {least} to {most}"), len(named), values=tuple(values))


class DeclaredRecord(StateRecord):
    """A record whose fields are declared in its class and in those it derives from."""

    __slots__ = ()

    #: in the order in which records are written: what all have, options, what is carried on, the deal
    FIELDS: ClassVar[tuple[Field, ...]] = COMMON
    OPTIONS: ClassVar[tuple[Option, ...]] = ()  #: what a table may decide
    VALUES: ClassVar[tuple[Option, ...]] = ()  #: what experiments may change too
    RECORD: ClassVar[np.dtype[np.void]]  #: the dtype
    BLANK: ClassVar[States]  #: one record in which every field of the deal has its start value, shape (1,)

    _declared: ClassVar[dict[str, tuple[object, Declared]]] = {}

    def __init_subclass__(cls, most_seats: int = 0) -> None:
        """Collect what the class declares; the class of which a game's record is made gives ``most_seats``.

        ``TypeError`` for an annotation that says nothing of how to keep the number, and for a name that NumPy's records
        have a use for, so that uncompiled rules would not find the field."""
        super().__init_subclass__()
        own = {name: (kind, vars(cls)[name]) for name, kind in cls.__annotations__.items() if name in vars(cls)}
        own = {name: given for name, given in own.items() if isinstance(given[1], Declared)}
        cls._declared = {**cls._declared, **own}
        for name in own:
            if hasattr(np.record, name):
                raise TypeError(
                    f"{cls.__name__}.{name}: NumPy's records have a {name} of their own; name the field otherwise"
                )
            delattr(cls, name)  # a record's fields are found by their names only where the class has none of that name
        if most_seats:
            cls.FIELDS = (
                *COMMON,
                *sorted((_field(name, *each, most_seats) for name, each in cls._declared.items()), key=cls._place),
            )
            options = {name: each.option for name, (_, each) in cls._declared.items()}
            cls.OPTIONS = tuple(replace(each, name=name) for name, each in options.items() if each)
            numbers = ((name, each) for name, (_, given) in cls._declared.items() for each in given.values)
            cls.VALUES = tuple(replace(each, name=each.name or name, field=name) for name, each in numbers)
            cls.RECORD = record_type(cls.FIELDS, cls)
            cls.BLANK = np.zeros(1, cls.RECORD)
            for each in cls._of_deal():
                cls.BLANK[each.name] = each.start
            if not UNCOMPILED:
                _blanks[from_dtype(cls.RECORD)] = cls

    @classmethod
    def _place(cls, each: Field) -> int:
        """Options and values; what is carried on, first that of each seat; then the deal."""
        if cls._declared[each.name][1].option or cls._declared[each.name][1].values:
            return 0
        if each.carried:
            return 1 if each.shape else 2
        return 3

    @classmethod
    def _of_deal(cls) -> list[Field]:
        """The fields that belong to one deal; they come last in a record."""
        return [each for each in cls.FIELDS if each.name in cls._declared and cls._place(each) == 3]


_blanks: dict[types.Type, type[DeclaredRecord]] = {}
"""The declaring classes by the types that compiled code gives to their records."""


def clear_deal(s: DeclaredRecord) -> None:
    """Give every field that belongs to one deal its start value; options and what is carried on stay."""
    for each in type(s)._of_deal():
        s[each.name] = each.start


@overload(clear_deal, strict=False)  # type: ignore[untyped-decorator]
def _clear_deal(s: types.Type) -> Callable[[DeclaredRecord], None] | None:
    cls = _blanks.get(s)
    if cls is None:
        return None
    layout, width = cls.RECORD.fields, cls.RECORD.itemsize
    assert layout is not None
    first = layout[cls._of_deal()[0].name][1]
    blank = np.frombuffer(cls.BLANK.tobytes(), np.uint8)

    def clear(s: DeclaredRecord) -> None:
        record = carray(address(s), width)
        for k in range(first, width):
            record[k] = blank[k]

    return clear


def _field(name: str, kind: object, given: Declared, most_seats: int) -> Field:
    shape: tuple[int, ...] = ()
    while get_origin(kind) in (PerSeat, Series):
        shape += (most_seats if get_origin(kind) is PerSeat else given.length,)
        kind = get_args(kind)[0]
    stored, of = _stored(kind), given.field.of
    if given.option:
        stored = Stored("i4" if stored.type == "i4" else "i1", Holds.NUMBER)
    elif isinstance(kind, type) and issubclass(kind, IntEnum):
        of = len(kind)
    if stored.holds in (Holds.BITS, Holds.SEATS):
        stored = stored._replace(type=f"i{np.min_scalar_type(-1 << (of or most_seats)).itemsize}")  # and a sign
    if stored.type == "" or 0 in shape:
        raise TypeError(f"{name}: {kind!r} does not say how it is kept")
    names = _names(kind, given)
    return replace(given.field, name=name, type=stored.type, shape=shape, holds=stored.holds, of=of, names=names)


def _names(kind: object, given: Declared) -> tuple[str | bool, ...]:
    if kind is bool or (given.option and isinstance(given.option.default, bool)):
        return (False, True)
    if given.option and isinstance(kind, type) and issubclass(kind, Choice):
        return tuple(member.word for member in kind)  # those of older versions of the rules too
    if given.option:
        return given.option.values
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return tuple(member.name.lower() for member in kind)
    return given.field.names


def _stored(kind: object) -> Stored:
    for note in getattr(kind, "__metadata__", ()):
        if isinstance(note, Stored):
            return note
    if kind is int:
        return Stored("i4", Holds.NUMBER)
    if kind is bool:
        return Stored("i1", Holds.NUMBER)
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return Stored("i1", Holds.KIND)
    return Stored("", Holds.NUMBER)
