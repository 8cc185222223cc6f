"""The luck of the cards in games that bots have played (``engine/redeals.py`` says what that is)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.levels import LEVELS, level_spec
from tefuda.engine.record import duplicate
from tefuda.engine.redeals import ADVISED, OPAQUE, STRAYS, UNIFORM, WORKPLACE, write_luck
from tefuda.engine.rng import generators
from tefuda.table.deal import Deal
from tefuda.table.game import Game

QUICK = ("random", "hints", "net")
"""Bots whose deals cost less than measuring the luck in them."""


class Choice(NamedTuple):
    """An action that a bot chose.

    Attributes:
        seat: whose.
        action: made.
        before, after: the table's generator, before and after it was chosen.
    """

    seat: int
    action: int
    before: int
    after: int


_ORIGINS = {"random": UNIFORM, "hints": ADVISED}


class CardLuck:
    """Measures luck in the games of some bots.

    Args:
        game: with its seats and options.
        specs: of the bots.
    """

    def __init__(self, game: Game, specs: Sequence[str]) -> None:
        played = [played_as(game, spec) for spec in specs]
        self._origins = np.array([_ORIGINS.get(spec, OPAQUE) for spec in played], np.int64)
        self._strays = np.array([100 if spec == "random" else STRAYS for spec in played], np.int64)

    def measure(self, deal: Deal, choices: Sequence[Choice], chairs: NDArray[np.int64], seed: Sequence[int]) -> Any:
        """What of each seat's payoff was luck; float64 of shape (seats,), in the smallest unit, 0 on average.

        Args:
            deal: over.
            choices: all that were made in it, in their order.
            chairs: where each bot sits.
            seed: of the deals that it is compared with.
        """
        assert deal.deck is not None
        assert deal.before is not None
        sitting = np.argsort(chairs)
        seats, actions = (np.array([choice[k] for choice in choices], np.int64) for k in range(2))
        rngs = np.array([choice[2:] for choice in choices], np.uint64).reshape(-1, 2)
        luck = np.zeros(len(chairs))
        write_luck(
            duplicate(deal.before),
            deal.deck,
            actions,
            self._origins[sitting[seats]],
            rngs,
            self._strays[sitting],
            generators(seed, 1)[0],
            np.zeros(2 * len(actions) + 1 + WORKPLACE, deal.before.dtype),
            luck,
        )
        return luck


def played_as(game: Game, spec: str) -> str:
    """The spec of the bot that plays: a level's is another in every game."""
    return level_spec(spec, game.description, game.template[0]) if spec in LEVELS else spec


def is_worthwhile(game: Game, specs: Sequence[str]) -> bool:
    """Whether a bot thinks for so long that fewer deals are worth the time that measuring luck takes."""
    return any(played_as(game, spec).partition(":")[0] not in QUICK for spec in specs)
