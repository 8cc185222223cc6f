"""A game with its seats and options chosen: where deals, positions and sessions come from."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda import games
from tefuda.engine import rng
from tefuda.engine.description import Description, Value
from tefuda.engine.errors import TefudaError
from tefuda.engine.playout import MOST_CHANCE
from tefuda.engine.positions import PositionError
from tefuda.engine.record import duplicate
from tefuda.table.deal import Deal


class Game:
    """A game as it is played at one table.

    Attributes:
        description: the game.
        seats: number of players.
        options: every option's value, by name.
        pack: the cards in use, as int64 numbers.
    """

    def __init__(
        self, description: Description, seats: int | None = None, options: Mapping[str, Value] | None = None
    ) -> None:
        self.description = description
        self.template = description.template(seats, options)
        self.seats = int(self.template["seats"][0])
        self.options: dict[str, Value] = {
            option.name: option.word(int(self.template[option.name][0])) for option in description.rules.options
        }
        self.pack = description.rules.pack(self.template[0])

    @property
    def name(self) -> str:
        return self.description.name

    def changed_options(self) -> dict[str, Value]:
        """The options that differ from the defaults."""
        defaults = {option.name: option.default for option in self.description.rules.options}
        return {name: value for name, value in self.options.items() if value != defaults[name]}

    def deal(
        self,
        seed: int | Sequence[int] | None = None,
        *,
        hands: Sequence[str] | None = None,
        deck: str | NDArray[np.int64] | None = None,
        chance: int | None = None,
        before: NDArray[Any] | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> Deal:
        """Deal.

        Args:
            seed: of the shuffle; a random one if neither seed, hands nor deck is given.
            hands: complete hands, one list of cards a seat, such as ``"SQ S7 …"``.
            deck: the order of the whole pack, as words with blanks or card numbers.
            chance: the random number that goes with the deck, 0 to 2**30 − 1; from the seed by default.
            before: what an earlier deal handed on (``Deal.following``); the start of a game by default.
            fields: what else a scenario's deal may give, such as ``{"dealer": 2}``.

        Raises:
            TefudaError: a seed or number that will not do, cards that are not the pack, unknown fields.
        """
        start = duplicate(self.template if before is None else before)
        if chance is not None and (type(chance) is not int or not 0 <= chance < MOST_CHANCE):
            raise TefudaError(f"chance: {chance!r} is not a whole number from 0 to {MOST_CHANCE - 1}")
        generator = rng.generator(secrets.randbits(128) if seed is None else seed)
        order = self.pack.copy()
        rng.shuffle(generator, order)
        start["chance"] = int(rng.below(generator, MOST_CHANCE)) if chance is None else chance
        if hands is not None:
            fields = {**(fields or {}), "hands": list(hands)}
        arranged = self.description.setup.arrange(start[0], fields) if fields else None
        if deck is not None:
            order = self.read_deck(deck)
        elif arranged is not None:
            order = arranged
        return Deal(self, duplicate(start), order, start)

    def read_deck(self, deck: str | NDArray[np.int64]) -> NDArray[np.int64]:
        """The order of the whole pack.

        Raises:
            PositionError: a card is not in this pack, is missing or stands twice.
        """
        words = self.description.cards
        if isinstance(deck, str):
            numbers = {word: number for number, word in enumerate(words)}
            unknown = [word for word in deck.split() if word not in numbers]
            if unknown:
                raise PositionError(f"deck: {unknown[0]!r} is not a card of {self.name}")
            deck = np.array([numbers[word] for word in deck.split()], np.int64)
        if not isinstance(deck, np.ndarray):
            raise PositionError(f"deck: {deck!r} is not a list of cards such as 'SQ H10 …'")
        order = deck
        if sorted(order.tolist()) == sorted(self.pack.tolist()):
            return order
        if len(order) != len(self.pack):
            missing = " ".join(words[card] for card in self.pack if card not in order)
            some = f"; missing: {missing}" if missing else ""
            raise PositionError(f"deck: {len(order)} cards; the pack for {self.seats} has {len(self.pack)}{some}")
        for number in self.pack.tolist():
            if order.tolist().count(number) != self.pack.tolist().count(number):
                times = order.tolist().count(number)
                raise PositionError(f"deck: {words[number]} stands {times} times in a deck of {len(order)} cards")
        raise PositionError("deck: a card is not in this pack")

    def write_deck(self, order: NDArray[np.int64]) -> str:
        """The order of a pack as words with blanks."""
        return " ".join(self.description.cards[card] for card in order.tolist())

    def position(self, fields: Mapping[str, Any]) -> Deal:
        """A moment in the middle of a deal, from the fields of a scenario file.

        Raises:
            PositionError: fields that the game does not know, cards that are not in the pack or stand twice.
        """
        states = duplicate(self.template)
        self.description.setup.position(states[0], fields)
        return Deal(self, states, None, None)


def load(name: str, seats: int | None = None, **options: Value) -> Game:
    """A game by name, with its seats and options.

    Args:
        name: such as ``"gong-zhu"``.
        seats: number of players; the usual number by default.
        options: values by name, as in the options table of its rules page.

    Raises:
        UnknownGameError: there is no such game.
        OptionError: unknown option, value or number of seats, or values that exclude each other.
    """
    return Game(games.description(name), seats, options)
