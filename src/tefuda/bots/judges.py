"""Judges: two players of different strength who say what one play brings more than another.

The first are the rules of thumb, the second the game's network: each makes all further plays, in the same worlds. What
only one of them finds may be a habit of that player and no truth about the game. So a play counts as better only where
both find it clearly better, and what it brings more is the smaller of their figures; all else is close. At a table that
no network knows there is one judge, and everything is close.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.estimates import PlayEstimate
from tefuda.bots.net import is_learned, own_network
from tefuda.bots.rollouts import Rollouts, mean_and_error, play_by_net, roll_out, roll_out_by_net
from tefuda.engine.description import Description
from tefuda.engine.playout import HINTS, play_batch
from tefuda.engine.rng import generator, generators

WORLDS = 400
"""In which plays are compared."""

SURE = 2.0
"""Standard errors by which a play must be better for a judge to find it clearly better."""


@dataclass(frozen=True)
class Gain:
    """Advantage of one play over another, as people count it.

    Attributes:
        size: the smallest of what the judges find; 0 where they do not all find that it is clearly more.
        low, high: between these it lies by every judge, in 19 of 20 cases.
    """

    size: float = 0.0
    low: float = 0.0
    high: float = 0.0

    @property
    def seems(self) -> bool:
        """True if the only judge finds the play clearly better; one alone may be wrong."""
        return self.low > 0 and not self.size


def agreed(found: Sequence[tuple[float, float]]) -> Gain:
    """Combine the findings of several judges, a mean and a standard error each, into what they have in common."""
    low = min(mean - SURE * error for mean, error in found)
    high = max(mean + SURE * error for mean, error in found)
    sure = low > 0 and len(found) > 1
    return Gain(min(mean for mean, _ in found) if sure else 0.0, low, high)


class Trial:
    """Some actions of one moment, tried by every judge.

    Args:
        game: which is played.
        rollouts: of each judge, the weakest first.
    """

    def __init__(self, game: Description, rollouts: Sequence[Rollouts]) -> None:
        self.game, self.rollouts = game, rollouts

    def gain(self, place: int, other: int) -> Gain:
        """Compare two of the actions that were tried, given by their places: the gain of the first over the second."""
        unit = self.game.rules.unit
        found = [each.of(place, other).more for each in self.rollouts]
        return agreed([(mean / unit, error / unit) for mean, error in found])

    def worth(self, place: int) -> Gain:
        """Judge what an action brings over the other seats; ``size`` lies in the middle of what the judges find."""
        unit = self.game.rules.unit
        found = agreed([mean_and_error(each.gains[:, place] / unit) for each in self.rollouts])
        return Gain((found.low + found.high) / 2, found.low, found.high)

    def estimate(self, place: int, play: str) -> PlayEstimate:
        """Sum up the findings on an action in figures for people; ``play`` begins with it."""
        worth, gains = self.worth(place), self.rollouts[-1].gains[:, place]
        spread = float(gains.std()) / self.game.rules.unit
        doubt = ((worth.high - worth.low) / (2 * SURE)) ** 2
        return PlayEstimate(play, len(gains) * len(self.rollouts), worth.size, spread, worth.size, doubt)


def try_actions(
    game: Description,
    state: NDArray[Any],
    seat: int,
    actions: Sequence[int],
    seeds: tuple[int, ...],
    worlds: int = WORLDS,
) -> Trial:
    """Try some actions by every judge, in the same worlds. What is found of one depends on no other.

    Args:
        game: which is played.
        state: one record, at the decision; only the mover's view is read.
        seat: the mover.
        actions: legal ones.
        seeds: of the worlds, and of what is left to chance in them.
        worlds: how many.
    """
    by_hints = roll_out(state, seat, generator((*seeds, 1)), actions, worlds)
    if not is_learned(game, state[0]):
        return Trial(game, [by_hints])
    rngs = generators((*seeds, 2), worlds)
    return Trial(game, [by_hints, roll_out_by_net(own_network(game), by_hints.worlds, seat, rngs, actions)])


def open_payoffs(game: Description, states: NDArray[Any], seed: int) -> NDArray[np.int64]:
    """Payoffs of deals that the best judge plays on with all hands as they lie.

    Args:
        game: which is played.
        states: records of shape (deals,), changed in place.
        seed: of the choices made.

    Returns:
        int64 of shape (deals, seats).
    """
    if is_learned(game, states[0]):
        return play_by_net(own_network(game), states, generators(seed, len(states)))[0]
    policies = np.full((len(states), int(states[0]["seats"])), HINTS, np.int8)
    return play_batch(states, policies, seed, threads=1)
