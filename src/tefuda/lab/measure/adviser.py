"""How a rule changes a bot's advice: its advice at one decision under other options, beside its own scatter.

A bot that thinks by chance answers differently each time among plays that it finds about equal. So it is asked twice
under each set of options, with other random numbers: how much more often its answers differ across the options than
within them is what the rule does.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from tefuda.bots.players import ask, bot
from tefuda.engine import recorder
from tefuda.engine.description import Description
from tefuda.engine.rng import Rng
from tefuda.lab.play.player import legal_actions
from tefuda.table.view import View


class AdviceDifference(NamedTuple):
    """How a bot's answers at a decision differ; each number is a share of two pairs of answers, so 0, 0.5 or 1.

    The answers of every pair were given with different random numbers. ``advice`` less ``scatter`` is 0 where the
    options change nothing. Otherwise its expectation is half the squared distance between the two distributions of
    answers: never below 0, and 1 where the bot always says one thing here and another there.

    Attributes:
        advice: of pairs across the options.
        scatter: of pairs under the same options.
    """

    advice: float
    scatter: float


OTHER_MOVER = AdviceDifference(1.0, 0.0)
"""Where another seat acts under the other options."""


class Adviser:
    """Asks a bot what it would play.

    Args:
        spec: of the bot.
        description: of the game.
    """

    def __init__(self, spec: str, description: Description) -> None:
        self._bot, self._description = bot(spec), description

    def compare(
        self, states: NDArray[Any], others: Sequence[NDArray[Any]], k: int, rngs: tuple[Rng, Rng]
    ) -> list[AdviceDifference]:
        """What the bot says at the k-th decision, and at the same decision under each of the other options.

        Args:
            states: records of shape (n,).
            others: the same with other options.
            k: which decision.
            rngs: the bot is asked once with each, under each set of options.
        """
        own = self._ask(states, k, rngs)
        mover = recorder.mover_of(states, k)
        return [
            advice_difference(own, self._ask(other, k, rngs)) if recorder.mover_of(other, k) == mover else OTHER_MOVER
            for other in others
        ]

    def _ask(self, states: NDArray[Any], k: int, rngs: tuple[Rng, Rng]) -> tuple[int, int]:
        view = View(self._description, states[k : k + 1], recorder.mover_of(states, k))
        legal = legal_actions(states, k).tolist()
        first, second = (ask(self._bot, view, legal, rng.copy(), f"seat {view.seat}") for rng in rngs)
        return first, second


def advice_difference(here: tuple[int, int], there: tuple[int, int]) -> AdviceDifference:
    """How answers differ that were given with the same two random numbers under two sets of options."""
    across = (here[0] != there[1]) + (here[1] != there[0])
    within = (here[0] != here[1]) + (there[0] != there[1])
    return AdviceDifference(across / 2, within / 2)
