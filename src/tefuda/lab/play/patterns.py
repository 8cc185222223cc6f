"""Patterns that name plays of any game: a regular expression for their words, and conditions on numbers of the record.

Examples: ``drop``, ``expose:.*SQ.*``, ``stop if fu<18``, ``on if held>=3 and tricks=6``. The expression must match the
whole word of a play. Where each seat has a number of its own, the condition is on the mover's.
"""

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.table.view import View

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le, ">=": operator.ge, "=": operator.eq, "<": operator.lt, ">": operator.gt,
}  # fmt: skip

_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|=|<|>)\s*(-?\d+)\s*")


class PlayPattern(NamedTuple):
    """Names some of a game's plays.

    Attributes:
        words: what the whole word of a play must match.
        conditions: field, comparison and number; all must hold.
    """

    words: re.Pattern[str]
    conditions: tuple[tuple[str, str, int], ...] = ()

    @classmethod
    def read(cls, text: str) -> "PlayPattern":
        """From ``WORDS`` or ``WORDS if FIELD<NUMBER and …``.

        Raises:
            TefudaError: there are no words, they are not a regular expression, or a condition is malformed.
        """
        words, _, rest = text.partition(" if ")
        if not words:
            raise TefudaError("say which play, such as pass")
        conditions = []
        for part in rest.split(" and ") if rest else []:
            found = _CONDITION.fullmatch(part)
            if not found:
                raise TefudaError(f"{part!r} is not written like held<3")
            conditions.append((found[1], found[2], int(found[3])))
        try:
            return cls(re.compile(words), tuple(conditions))
        except re.error as error:
            raise TefudaError(f"{words!r} is not a regular expression: {error}") from error

    def check(self, game: Description, states: NDArray[Any]) -> None:
        """Check that the game has such plays and numbers.

        Args:
            game: whose plays the pattern names.
            states: any record of the game, shape (1,).

        Raises:
            TefudaError: it does not.
        """
        words = [game.notation.plays(states, [action])[0] for action in range(game.actions)]
        words += [f"~{count}" for count in range(2, 13)]  # how cards thrown together are listed
        if not any(map(self.words.fullmatch, words)):
            raise TefudaError(
                f"{game.name}: no play is called {self.words.pattern!r}{nearest(self.words.pattern, words)}"
            )
        numbers = [each.name for each in game.fields if len(each.shape) <= 1]
        for name, _, _ in self.conditions:
            if name not in numbers:
                raise TefudaError(f"{game.name}: its record has no number {name!r}{nearest(name, numbers)}")

    def among(self, view: View, legal: Sequence[int]) -> list[int]:
        """The legal actions of a seat that begin one of these plays; none where a condition fails."""
        if not self.applies(view):
            return []
        plays = view.game.notation.plays
        return [action for action in legal if self.words.fullmatch(plays(view.array, [action])[0])]

    def applies(self, view: View) -> bool:
        """Whether all conditions hold."""
        return all(_COMPARISONS[sign](mover_number(view, name), number) for name, sign, number in self.conditions)


def mover_number(view: View, field: str) -> int:
    """A number of the record; where each seat has its own, that of the seat whose view this is."""
    value = view.array[0][field]
    return int(value[view.seat] if np.ndim(value) else value)
