"""A game with its seats and options chosen: what decks it is dealt from, and what sets it apart from the usual game."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.description import Description
from tefuda.engine.kit.positions import PositionError
from tefuda.engine.option import Value


class TableRules:
    """The rules that one table plays by.

    Args:
        description: the game.
        seats: number of players; the usual number by default.
        options: values by name; the others have their defaults.

    Attributes:
        description: the game.
        template: a state with these options and nothing dealt, shape (1,).
        seats: number of players.
        options: every option's value, by name.
        pack: the numbers of the cards in use, int64, each as often as the pack has it.

    Raises:
        OptionError: unknown option, value or number of seats, or values that exclude each other.
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
        defaults = {option.name: option.default for option in description.rules.options}
        self._changed_options = {name: value for name, value in self.options.items() if value != defaults[name]}
        self.pack = description.rules.pack(self.template[0])

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.changed_options().items())
        return f"<{type(self).__name__} {self.name}, {self.seats} seats{options}>"

    @property
    def name(self) -> str:
        """The name of the game as it is typed, such as ``"gong-zhu"``."""
        return self.description.name

    def changed_options(self) -> dict[str, Value]:
        """The options that differ from the defaults.

        Example:
            >>> import tefuda
            >>> tefuda.load("gong-zhu", partnership=True).changed_options()
            {'partnership': True}
        """
        return dict(self._changed_options)

    def read_deck(self, deck: str | NDArray[np.int64]) -> NDArray[np.int64]:
        """Check the order of a whole pack.

        Args:
            deck: card words with blanks between them, or card numbers (int64).

        Returns:
            The card numbers, int64 of shape (cards,), first card dealt first.

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
        order, pack = deck.tolist(), self.pack.tolist()
        if sorted(order) == sorted(pack):
            return deck
        if len(order) != len(pack):
            missing = " ".join(words[card] for card in pack if card not in order)
            some = f"; missing: {missing}" if missing else ""
            raise PositionError(f"deck: {len(order)} cards; the pack for {self.seats} has {len(pack)}{some}")
        for number in pack:
            if order.count(number) != pack.count(number):
                times = order.count(number)
                raise PositionError(f"deck: {words[number]} stands {times} times in a deck of {len(order)} cards")
        raise PositionError("deck: a card is not in this pack")

    def write_deck(self, order: NDArray[np.int64]) -> str:
        """The order of a pack (int64 card numbers) as words with blanks between them; the reverse of ``read_deck``."""
        return " ".join(self.description.cards[card] for card in order.tolist())
