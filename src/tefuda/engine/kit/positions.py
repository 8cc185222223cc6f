"""Reading the fields of a scenario's position: cards named once, seats that exist, nothing ignored."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.kit.session import NOBODY
from tefuda.engine.notation import NotationError, seat_and_play

MOST = 1_000_000_000
"""Totals are given within this of 0."""


class PositionError(TefudaError):
    """A position that cannot be set up; the message names the field and what is wrong with it."""


def whole_number(value: Any, field: str) -> int:
    """The value, if it is a whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise PositionError(f"{field}: {value!r} is not a whole number")
    return value


class FieldReader:
    """Reads the fields that are not cards.

    Args:
        seats: at the table.
    """

    def __init__(self, seats: int) -> None:
        self._seats = seats

    def known_fields(self, fields: Mapping[str, Any], known: Sequence[str]) -> None:
        """Refuse a field that the game does not have."""
        for name in fields:
            if name not in known:
                raise PositionError(f"position: no field {name!r}{nearest(name, known)}")

    def numbers(self, fields: Mapping[str, Any], field: str) -> list[int]:
        """One whole number a seat, 0 if the field is not given."""
        numbers = [whole_number(value, field) for value in self.entries(fields, field, 0)]
        for number in numbers:
            if abs(number) > MOST:
                raise PositionError(f"{field}: {number} is beyond {MOST}")
        return numbers

    def seated_plays(self, fields: Mapping[str, Any], field: str) -> list[tuple[int, str]]:
        """A list of ``"1:SQ"`` as seats and words; empty if the field is not given."""
        plays = fields.get(field, [])
        if not isinstance(plays, list):
            raise PositionError(f"{field}: {plays!r} is not a list of plays such as '1:SQ'")
        return [self._seated_play(text, field) for text in plays]

    def entries(self, fields: Mapping[str, Any], field: str, empty: Any) -> list[Any]:
        """What a field gives for each seat; ``empty`` for all if it is not given."""
        entries = fields.get(field, [empty] * self._seats)
        if not isinstance(entries, list) or len(entries) != self._seats:
            raise PositionError(f"{field}: give a list with one entry for each of the {self._seats} seats")
        return entries

    def seat(self, value: Any, field: str) -> int:
        """A seat at this table."""
        number = whole_number(value, field)
        if not 0 <= number < self._seats:
            raise PositionError(f"{field}: there is no seat {number}; seats are 0 to {self._seats - 1}")
        return number

    def word(self, fields: Mapping[str, Any], field: str, values: Mapping[str, Any]) -> Any:
        """What a word stands for; the first of the values if the field is not given."""
        given = fields.get(field, next(iter(values)))
        if not isinstance(given, str) or given not in values:
            known = " nor ".join(map(repr, values)) if len(values) == 2 else ", ".join(values)
            raise PositionError(f"{field}: {given!r} is {'neither' if len(values) == 2 else 'none of'} {known}")
        return values[given]

    def switch(self, fields: Mapping[str, Any], field: str) -> bool:
        """True or false; false if the field is not given."""
        given = fields.get(field, False)
        if not isinstance(given, bool):
            raise PositionError(f"{field}: {given!r} is neither true nor false")
        return given

    def seat_of(self, fields: Mapping[str, Any], field: str, usual: int) -> int:
        """A seat; ``usual``, which may be nobody, if the field is not given."""
        return self.seat(fields[field], field) if field in fields else int(usual)

    def first_to_act(self, fields: Mapping[str, Any], plays: Sequence[tuple[int, str]], usual: int) -> int:
        """Who made the first of the plays; if there are none, ``to_move``, or else ``usual``."""
        return plays[0][0] if plays else self.seat_of(fields, "to_move", usual)

    def check_turn(self, fields: Mapping[str, Any], turn: int, after: str) -> None:
        """Refuse a ``to_move`` that contradicts the plays ``after`` which it is this seat's turn."""
        if "to_move" in fields and whole_number(fields["to_move"], "to_move") != turn:
            given = fields["to_move"]
            raise PositionError(f"to_move: {given} contradicts the {after}, after which seat {int(turn)} plays")

    def _seated_play(self, text: Any, field: str) -> tuple[int, str]:
        """``"1:SQ"`` as seat and word."""
        try:
            seat, word = seat_and_play(text)
        except NotationError as error:
            raise PositionError(f"{field}: {error}") from None
        return self.seat(seat, text), word


def check_in_turn(seat: int, turn: int, field: str, what: str = "") -> None:
    """Refuse a play of a seat that is not on turn."""
    if seat != turn:
        raise PositionError(
            f"{field}: seat {seat} plays {what + ' ' if what else ''}out of turn; it is seat {int(turn)}'s"
        )


def check_dealt(hands: Sequence[int], each: int, none_to: int = NOBODY) -> None:
    """Refuse hands that are not as large as they are dealt.

    Args:
        hands: how many cards are given, one number a seat.
        each: how many are dealt.
        none_to: a seat that is dealt none.
    """
    for seat, size in enumerate(hands):
        wanted = 0 if seat == none_to else each
        if size != wanted:
            raise PositionError(f"hands, seat {seat}: {size} cards instead of {wanted}")


class CardReader(FieldReader):
    """Reads card lists of a game whose cards each exist once, and refuses a card that is given a second place.

    Args:
        words: of the cards, by number.
        pack: set of the cards of the pack in use.
        seats: at the table.
    """

    def __init__(self, words: Sequence[str], pack: int, seats: int) -> None:
        self._numbers = {word: number for number, word in enumerate(words)}
        self._words = words
        super().__init__(seats)
        self._pack = pack
        self._placed = bits.EMPTY

    def named(self, text: Any, field: str) -> int:
        """The set of cards in a list that only points at cards placed elsewhere."""
        if not isinstance(text, str):
            raise PositionError(f"{field}: {text!r} is not a list of cards such as 'SQ H10'")
        cards = bits.EMPTY
        for word in text.split():
            number = self._number(word, field)
            if bits.has(cards, number):
                raise PositionError(f"{field}: {word} stands twice")
            cards |= 1 << number
        return cards

    def placed(self, text: Any, field: str) -> int:
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

    def _number(self, word: str, field: str) -> int:
        number = self._numbers.get(word)
        if number is None or not bits.has(self._pack, number):
            raise PositionError(f"{field}: {word!r} is not a card of this pack")
        return number

    def per_seat(self, fields: Mapping[str, Any], field: str) -> list[int]:
        """One set of placed cards a seat; none if the field is not given."""
        entries = self.entries(fields, field, "")
        return [self.placed(text, f"{field}, seat {seat}") for seat, text in enumerate(entries)]

    def named_per_seat(self, fields: Mapping[str, Any], field: str) -> list[int]:
        """One set of cards a seat that are placed elsewhere; none if the field is not given."""
        entries = self.entries(fields, field, "")
        return [self.named(text, f"{field}, seat {seat}") for seat, text in enumerate(entries)]

    def set_hands(self, fields: Mapping[str, Any], state: Any) -> None:
        """The hands of a position, and how many cards are in them."""
        for seat, cards in enumerate(self.per_seat(fields, "hands")):
            state.hands[seat], state.held[seat] = cards, bits.size(cards)


class CopyReader(FieldReader):
    """Reads card lists of a game whose cards each exist several times, and refuses one copy too many.

    Args:
        words: of the cards, by number.
        pack: card numbers of the pack in use, each as often as it exists.
        seats: at the table.
    """

    def __init__(self, words: Sequence[str], pack: NDArray[np.int64], seats: int) -> None:
        super().__init__(seats)
        self._words = tuple(words)
        self._left = np.bincount(pack, minlength=len(words))

    def placed(self, text: Any, field: str) -> NDArray[np.int64]:
        """How many copies of each card a list names, which says where they are."""
        if not isinstance(text, str):
            raise PositionError(f"{field}: {text!r} is not a list of cards such as '{' '.join(self._words[:2])}'")
        counts = np.zeros(len(self._words), np.int64)
        for word in text.split():
            if word not in self._words:
                raise PositionError(f"{field}: {word!r} is not a card of this pack")
            counts[self._words.index(word)] += 1
        return self.take(counts, field)

    def take(self, counts: NDArray[np.int64], field: str) -> NDArray[np.int64]:
        """Take copies out of the pack; returns them."""
        self._left -= counts
        if self._left.min() < 0:
            short = int(np.argmin(self._left))
            raise PositionError(f"{field}: {self._words[short]} stands {-self._left[short]} times more than it exists")
        return counts

    def per_seat(self, fields: Mapping[str, Any], field: str) -> list[NDArray[np.int64]]:
        """The counts of each seat's cards; none if the field is not given."""
        entries = self.entries(fields, field, "")
        return [self.placed(text, f"{field}, seat {seat}") for seat, text in enumerate(entries)]
