"""A table of plays: each numbered once, with its word, its cards and their number."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from tefuda.engine import bits
from tefuda.engine.record import Ints
from tefuda.engine.verbs import inlined


class PlayTable:
    """The plays of a game in the order of their actions. Fill it first, then take the arrays for compiled rules.

    Args:
        card_words: of the cards, by number; a play is written as the words of its cards with ``+`` between them.
        order: sorts the cards of a play for writing; by default they stay as they are given.

    Attributes:
        words: of the plays, by action.
        cards: of the plays, by action: card numbers, each as often as it is played; none of what is said.
    """

    def __init__(self, card_words: Sequence[str], order: Callable[[int], int | tuple[int, ...]] | None = None) -> None:
        self._card_words, self._order = card_words, order
        self.words: list[str] = []
        self.cards: list[tuple[int, ...]] = []

    def add(self, plays: Iterable[Sequence[int]], word: str = "{}") -> int:
        """Number plays of these cards; the action of the first. The cards are written where ``word`` has ``{}``."""
        first, added = len(self.words), list(map(tuple, plays))
        self.cards += added
        self.words += [word.format(self.write(cards)) for cards in added]
        return first

    def say(self, *words: str) -> range:
        """Number what is said without cards; the actions."""
        self.words += words
        self.cards += [()] * len(words)
        return range(len(self.words) - len(words), len(self.words))

    def write(self, cards: Iterable[int], between: str = "+") -> str:
        """The words of cards, in the order in which a play is written."""
        ordered = sorted(cards, key=self._order) if self._order else cards
        return between.join(self._card_words[card] for card in ordered)

    @property
    def sets(self) -> Ints:
        """The cards of each action, as a set."""
        return constant([bits.of(cards) for cards in self.cards])

    @property
    def sizes(self) -> Ints:
        """The number of cards of each action."""
        return constant([len(cards) for cards in self.cards])


@inlined
def add_if(allowed: bool, action: int, out: Ints, n: int) -> int:
    """Add an action after the n in ``out``, if it is allowed; how many now.

    It is written in any case, and the next one over it if it is not: processors guess badly what a hand holds."""
    out[n] = action
    return n + allowed


def constant(numbers: ArrayLike, dtype: type[np.integer] = np.int64) -> Ints:
    """An array that nobody writes to, for compiled rules."""
    array: Ints = np.array(numbers, dtype)
    array.setflags(write=False)
    return array
