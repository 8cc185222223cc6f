"""Table rules: a game with its seats and options chosen, and its options explained in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tefuda import games
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.kit.positions import PositionError
from tefuda.engine.option import Option, Value
from tefuda.engine.texts import LANGUAGES
from tefuda.table.reasons import say_all


class TableRules:
    """The rules that one table plays by: a game, its seats (the usual number by default), and options by name.

    ``OptionError`` tells of an unknown option, value or number of seats, or of values that exclude each other.

    Attributes:
        name: of the game as it is typed, such as ``"gong-zhu"``.
        template: a state with these options and nothing dealt, shape (1,).
        options: every option's value, by name, and the numbers that the rules name.
    """

    def __init__(
        self, description: Description, seats: int | None = None, options: Mapping[str, Value] | None = None
    ) -> None:
        self.description, self.name = description, description.name
        self.template = description.template(seats, options)
        self.seats = int(self.template["seats"][0])
        self.options: dict[str, Value] = {
            name: each.word(each.number_in(self.template[0])) for name, each in description.rules.settings.items()
        }
        defaults = {name: each.default for name, each in description.rules.settings.items()}
        self._changed_options = {name: value for name, value in self.options.items() if value != defaults[name]}

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.changed_options().items())
        return f"<{type(self).__name__} {self.name}, {self.seats} seats{options}>"

    @cached_property
    def pack(self) -> NDArray[np.int64]:
        """The numbers of the cards in use, each as often as the pack has it; ``TefudaError`` for a tiny game."""
        if self.description.begins:
            raise TefudaError(f"{self.name} shuffles no pack: tefuda.research.tree.every_deal gives all its deals")
        return self.description.rules.pack(self.template[0])

    def changed_options(self) -> dict[str, Value]:
        """Return the options that differ from the defaults.

        Example:
            >>> import tefuda
            >>> tefuda.load("gong-zhu", partnership=True).changed_options()
            {'partnership': True}
        """
        return dict(self._changed_options)

    def read_deck(self, deck: str | NDArray[np.int64]) -> NDArray[np.int64]:
        """Check the order of a whole pack: card words with blanks between them, or card numbers (int64). Returns the
        card numbers, int64 of shape (cards,), first card dealt first. ``PositionError`` if a card is not in this pack,
        is missing or stands twice."""
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
        """Write the order of a pack (int64 card numbers) as words with blanks; the reverse of ``read_deck``."""
        return " ".join(self.description.cards[card] for card in order.tolist())


@dataclass(frozen=True, repr=False)
class OptionHelp:
    """An option of a game: a gap or variant of the rules that each table decides.

    Attributes:
        name: as ``tefuda.load`` takes it.
        default: its usual value.
        rule: number of the rule that it touches.
        label: a few words.
        sentence: what it decides.
        values: the meaning of each value; a switch has True and False, a number no values.
        least, most: bounds of a number, which are included; None for switches and choices.
    """

    name: str
    default: Value
    rule: str
    label: str
    sentence: str
    values: Mapping[Value, str]
    least: int | None = None
    most: int | None = None

    def __repr__(self) -> str:
        return f"<Option {self.name}={self.default!r} [{self.rule}]: {self.sentence}>"


def options(game: str, language: str = LANGUAGES[0]) -> list[OptionHelp]:
    """The options of a game, in the order of its rules page. ``UnknownGameError`` if there is no such game,
    ``TefudaError`` if there is no such language.

    Args:
        game: name, such as ``"gong-zhu"``.
        language: of the sentences: ``en``, ``ja``, ``zh-Hant`` or ``zh-Hans``.

    Example:
        >>> import tefuda
        >>> tefuda.options("gong-zhu")[0]
        <Option partnership=False [GZ-22]: Four players play two against two, ...>
        >>> [option.name for option in tefuda.options("gong-zhu")][:2]
        ['partnership', 'five_deck']
    """
    description = games.description(game)
    return [explained(description, option, language) for option in description.rules.options]


def explained(game: Description, option: Option, language: str) -> OptionHelp:
    """Explain an option in this language."""
    texts = say_all(game, f"options.{option.name}", language)
    words: tuple[Value, ...] = (True, False) if isinstance(option.default, bool) else option.values
    number = not words
    return OptionHelp(
        name=option.name,
        default=option.default,
        rule=option.rule,
        label=texts["label"],
        sentence=texts["help"],
        values={word: texts.get(f"values.{word}", "") for word in words},
        least=option.least if number else None,
        most=option.most if number else None,
    )
