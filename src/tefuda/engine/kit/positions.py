"""Reading a position as scenario files write it: cards named once, seats that exist, nothing ignored.

A reader fills the fields of a state from the file's, each by what it holds (``record.Holds``); a game reads by hand
only what is its own."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np

from tefuda.engine import bits
from tefuda.engine.description import Fields as Fields
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.kit.session import NOBODY, SessionState
from tefuda.engine.kit.state import DeclaredRecord
from tefuda.engine.notation import NotationError, seat_and_play
from tefuda.engine.record import Field, Holds, Ints

MOST = 1_000_000_000  #: totals are given within this of 0

Cards = TypeVar("Cards", int, Ints)  #: cards as a state holds them: a set, or counts by card

Meaning = TypeVar("Meaning")


class PositionError(TefudaError):
    """A position that cannot be set up; the message names the field and what is wrong with it."""


def whole_number(value: object, field: str, least: int | None = None, most: int = MOST, what: str = "") -> int:
    """The value, if it is a whole number, and if ``least`` is given one from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise PositionError(f"{field}: {value!r} is not a whole number")
    if least is not None and not least <= value <= most:
        raise PositionError(f"{field}: {value} is not {what}from {least} to {most}")
    return value


class FieldReader(Generic[Cards]):
    """Reads the fields of a position that are not cards; ``PositionError`` for one that is not ``known``."""

    def __init__(self, fields: Fields, known: Sequence[str], seats: int) -> None:
        self.fields, self._seats = fields, seats
        for name in fields:
            if name not in known:
                raise PositionError(f"position: no field {name!r}{nearest(name, known)}")

    def fill(self, state: DeclaredRecord, *names: str, **renamed: str) -> None:
        """Set fields of a state, each by what it holds; one that the file does not give is set to nothing.

        Keywords give the state's names of fields that the file calls otherwise. With ``hands`` goes ``held``."""
        fields = {each.name: each for each in type(state).FIELDS}
        for name, own in {**dict(zip(names, names, strict=True)), **renamed}.items():
            if fields[own].shape:
                state[own][: self._seats] = self._read(name, fields[own])
            else:
                state[own] = self._read(name, fields[own])
            if own == "hands":
                state["held"][: self._seats] = list(map(size_of, state[own][: self._seats]))

    def _read(self, name: str, field: Field) -> object:
        """A field of the file, as a field of the state that holds the like keeps it."""
        if field.holds in (Holds.CARDS, Holds.COUNTS):
            return self.per_seat(name) if field.shape else self.placed(self.fields.get(name, ""), name)
        if field.holds is Holds.SEAT:
            return self.seat_of(name, NOBODY)
        if field.holds is Holds.SEATS:
            return self.seats(name)
        return self.numbers(name) if field.shape else self.switch(name)

    def per_seat(self, field: str) -> list[Cards]:
        """The cards placed at each seat; none if the field is not given."""
        return [self.placed(text, f"{field}, seat {seat}") for seat, text in enumerate(self.entries(field, ""))]

    def placed(self, text: object, field: str) -> Cards:
        """The cards in a list that says where they are."""
        raise NotImplementedError

    def numbers(self, field: str, least: int = -MOST, most: int = MOST, what: str = "") -> list[int]:
        """One whole number a seat, 0 if the field is not given."""
        return [whole_number(value, field, least, most, what) for value in self.entries(field, 0)]

    def seated_plays(self, field: str) -> list[tuple[int, str]]:
        """A list of ``"1:SQ"`` as seats and words; empty if the field is not given."""
        plays = self.fields.get(field, [])
        if not isinstance(plays, list):
            raise PositionError(f"{field}: {plays!r} is not a list of plays such as '1:SQ'")
        try:
            found = list(map(seat_and_play, plays))
        except NotationError as error:
            raise PositionError(f"{field}: {error}") from None
        return [(self.seat(seat, field), word) for seat, word in found]

    def in_turn(
        self, field: str, plays: Sequence[tuple[int, str]], state: SessionState, most: int, over: str
    ) -> Iterator[tuple[int, str]]:
        """The plays of a trick one after another; the caller makes each before it takes the next.

        Refuses one that is out of turn, a complete trick (more than ``most``; ``over`` is what to give instead), and in
        the end a ``to_move`` that contradicts them."""
        for place, (seat, word) in enumerate(plays):
            check_in_turn(seat, state.turn, field)
            if place == most:
                raise PositionError(f"{field}: it is complete; give {over}")
            yield seat, word
        if plays:
            self.check_turn(state.turn, field)

    def entries(self, field: str, empty: object) -> list[object]:
        """Entries of a field for each seat; ``empty`` for all if it is not given."""
        entries = self.fields.get(field, [empty] * self._seats)
        if not isinstance(entries, list) or len(entries) != self._seats:
            raise PositionError(f"{field}: give a list with one entry for each of the {self._seats} seats")
        return entries

    def seat(self, value: object, field: str) -> int:
        """A seat at this table."""
        number = whole_number(value, field)
        if not 0 <= number < self._seats:
            raise PositionError(f"{field}: there is no seat {number}; seats are 0 to {self._seats - 1}")
        return number

    def seat_of(self, field: str, usual: int) -> int:
        """A seat; ``usual``, which may be nobody, if the field is not given."""
        return self.seat(self.fields[field], field) if field in self.fields else int(usual)

    def seats(self, field: str) -> int:
        """Seats in a list, or one without a list, as a set."""
        given = self.fields.get(field, [])
        return bits.of(self.seat(seat, field) for seat in (given if isinstance(given, list) else [given]))

    def word(self, field: str, values: Mapping[str, Meaning]) -> Meaning:
        """The value that a word stands for; the first of the values if the field is not given."""
        given = self.fields.get(field, next(iter(values)))
        if not isinstance(given, str) or given not in values:
            known = " nor ".join(map(repr, values)) if len(values) == 2 else ", ".join(values)
            raise PositionError(f"{field}: {given!r} is {'neither' if len(values) == 2 else 'none of'} {known}")
        return values[given]

    def switch(self, field: str) -> bool:
        """True or false; false if the field is not given."""
        given = self.fields.get(field, False)
        if not isinstance(given, bool):
            raise PositionError(f"{field}: {given!r} is neither true nor false")
        return given

    def first_to_act(self, plays: Sequence[tuple[int, str]], usual: int) -> int:
        """The seat that made the first of the plays; if there are none, ``to_move``, or else ``usual``."""
        return plays[0][0] if plays else self.seat_of("to_move", usual)

    def check_turn(self, turn: int, after: str) -> None:
        """Refuse a ``to_move`` that contradicts the plays ``after`` which it is this seat's turn."""
        if "to_move" in self.fields and whole_number(self.fields["to_move"], "to_move") != turn:
            given = self.fields["to_move"]
            raise PositionError(f"to_move: {given} contradicts the {after}, after which seat {int(turn)} plays")


def size_of(cards: int | Ints) -> int:
    """Number of these cards: a set, or counts by card."""
    return int(cards.sum()) if isinstance(cards, np.ndarray) else bits.size(cards)


def check_in_turn(seat: int, turn: int, field: str, what: str = "") -> None:
    """Refuse a play of a seat that is not on turn."""
    if seat != turn:
        what = f"{what} " if what else ""
        raise PositionError(f"{field}: seat {seat} plays {what}out of turn; it is seat {int(turn)}'s")


def check_dealt(hands: Sequence[int | Ints], each: int, none_to: int = NOBODY) -> None:
    """Refuse hands (sets, or counts by card) of another size than is dealt to each; ``none_to`` is dealt none."""
    for seat, hand in enumerate(hands):
        wanted = 0 if seat == none_to else each
        if size_of(hand) != wanted:
            raise PositionError(f"hands, seat {seat}: {size_of(hand)} cards instead of {wanted}")


class CardReader(FieldReader[int]):
    """Reads card lists of a game whose cards (``words``, by number) each exist once in its ``pack``, a set.

    Refuses a card that is given a second place."""

    def __init__(self, fields: Fields, known: Sequence[str], words: Sequence[str], pack: int, seats: int) -> None:
        super().__init__(fields, known, seats)
        self._numbers = {word: number for number, word in enumerate(words) if bits.has(pack, number)}
        self._words = words
        self._placed = bits.EMPTY

    def named(self, text: object, field: str) -> int:
        """The set of cards in a list that only points at cards placed elsewhere."""
        if not isinstance(text, str):
            raise PositionError(f"{field}: {text!r} is not a list of cards such as 'SQ H10'")
        cards = bits.EMPTY
        for word in text.split():
            if word not in self._numbers:
                raise PositionError(f"{field}: {word!r} is not a card of this pack")
            if bits.has(cards, self._numbers[word]):
                raise PositionError(f"{field}: {word} stands twice")
            cards |= 1 << self._numbers[word]
        return cards

    def placed(self, text: object, field: str) -> int:
        """The set of cards in a list that says where they are."""
        cards = self.named(text, field)
        again = cards & self._placed
        if again:
            raise PositionError(f"{field}: {self._words[bits.lowest(again)]} is already somewhere else")
        self._placed |= cards
        return cards

    def card(self, word: str, field: str) -> int:
        """The number of one card that is placed here."""
        if len(word.split()) != 1:
            raise PositionError(f"{field}: {word!r} is not one card")
        return bits.lowest(self.placed(word, field))

    def named_per_seat(self, field: str) -> list[int]:
        """One set of cards a seat that are placed elsewhere; none if the field is not given."""
        return [self.named(text, f"{field}, seat {seat}") for seat, text in enumerate(self.entries(field, ""))]


class CopyReader(FieldReader[Ints]):
    """Reads card lists of a game whose cards exist as often as they stand in its ``pack``; refuses a copy too many."""

    def __init__(self, fields: Fields, known: Sequence[str], words: Sequence[str], pack: Ints, seats: int) -> None:
        super().__init__(fields, known, seats)
        self._words = tuple(words)
        self.left = np.bincount(pack, minlength=len(words))

    def placed(self, text: object, field: str) -> Ints:
        """Number of copies of each card a list names, which says where they are."""
        if not isinstance(text, str):
            raise PositionError(f"{field}: {text!r} is not a list of cards such as '{' '.join(self._words[:2])}'")
        counts = np.zeros(len(self._words), np.int64)
        for word in text.split():
            if word not in self._words:
                raise PositionError(f"{field}: {word!r} is not a card of this pack")
            counts[self._words.index(word)] += 1
        return self.take(counts, field)

    def take(self, counts: Ints, field: str) -> Ints:
        """Take copies out of the pack; returns them."""
        self.left -= counts
        if self.left.min() < 0:
            short = int(np.argmin(self.left))
            raise PositionError(f"{field}: {self._words[short]} stands {-self.left[short]} times more than it exists")
        return counts
