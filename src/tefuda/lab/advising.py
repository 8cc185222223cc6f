"""What a bot makes of a rule: its advice at one moment under other options, beside its own scatter.

A bot that thinks by chance says something else each time among plays that it finds about equal. So it is asked twice
under either options, with other random numbers: how much oftener its answers differ across them than within is what the
rule does.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.players import bot
from tefuda.engine import recorder
from tefuda.engine.description import Description
from tefuda.engine.playout import MOST_ACTIONS
from tefuda.engine.rng import Rng
from tefuda.lab.playing import legal_actions
from tefuda.table.view import View


class Advised(NamedTuple):
    """How a bot's answers at a moment differ; each a share of two pairs of answers, so 0, 0.5 or 1.

    The answers of every pair were given with other random numbers. ``advice`` less ``scatter`` is 0 where the options
    change nothing; else half the squared distance of the chances with which the bot says each thing is expected of it,
    which is never below 0, and is 1 where it always says one thing here and another there.

    Attributes:
        advice: of pairs across the options.
        scatter: of pairs under the same options.
    """

    advice: float
    scatter: float


OTHER_MOVER = Advised(1.0, 0.0)
"""Where under the other options another seat acts."""


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
    ) -> list[Advised]:
        """What the bot says at the k-th moment, and at the same moment under each of the other options.

        Args:
            states: records of shape (n,).
            others: the same with other options.
            k: which.
            rngs: with which it is asked once each, here and there.
        """
        own = self._ask(states, k, rngs)
        mover = recorder.mover_of(states, k)
        return [
            differing(own, self._ask(other, k, rngs)) if recorder.mover_of(other, k) == mover else OTHER_MOVER
            for other in others
        ]

    def _ask(self, states: NDArray[Any], k: int, rngs: tuple[Rng, Rng]) -> tuple[int, int]:
        view = View(self._description, states[k : k + 1], recorder.mover_of(states, k))
        legal = legal_actions(states, k, np.zeros(MOST_ACTIONS, np.int64)).tolist()
        first, second = (self._bot.choose(view, legal, rng.copy()) for rng in rngs)
        return first, second


def differing(here: tuple[int, int], there: tuple[int, int]) -> Advised:
    """How answers differ that were given with the same two random numbers under either options."""
    across = (here[0] != there[1]) + (here[1] != there[0])
    within = (here[0] != here[1]) + (there[0] != there[1])
    return Advised(across / 2, within / 2)
