"""Rollouts: from one decision, each of several actions played on by rules of thumb in worlds the mover believes in.

(Worlds are called determinizations elsewhere; a rollout is a playout from the middle of a deal.)
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import recorder
from tefuda.engine.notation import NotationError
from tefuda.engine.objective import gain_weights
from tefuda.engine.rng import Rng
from tefuda.engine.verbs import MOST_INCIDENTS
from tefuda.table.deal import Deal


class Rollouts(NamedTuple):
    """What came of some actions, each tried in the same worlds with the same random numbers.

    Attributes:
        gains: float64 of shape (worlds, actions): the mover's, over the others (``engine/objective.py``), in the
            game's smallest unit.
        incidents: int64 of shape (worlds, actions, MOST_INCIDENTS): what became of the mover (``verbs.incidents``).
        worlds: records of shape (worlds,), at the decision.
    """

    gains: NDArray[np.float64]
    incidents: NDArray[np.int64]
    worlds: NDArray[Any]

    @property
    def ahead(self) -> list[float]:
        """Of each action: the share of worlds in which the mover ends above the others' mean."""
        shares: list[float] = (self.gains > 0).mean(0).tolist()
        return shares

    @property
    def more(self) -> tuple[float, float]:
        """What the first of two actions brings more than the second: the mean and its standard error."""
        more = self.gains[:, 0] - self.gains[:, 1]
        return float(more.mean()), float(more.std(ddof=1)) / sqrt(len(more))


def rollout_payoffs(states: NDArray[Any], k: int, rng: Rng, actions: Sequence[int], worlds: int) -> NDArray[np.int64]:
    """Payoffs after each action, with the same worlds and random numbers for every action.

    Args:
        states: records of a game; in the k-th one the mover is to act.
        k: index of that record.
        rng: draws the worlds.
        actions: legal actions of the mover.
        worlds: how many.

    Returns:
        int64 of shape (worlds, actions, seats), in the game's smallest unit.
    """
    payoffs, _, _ = _tried(states, k, rng, actions, worlds)
    return payoffs


def _tried(
    states: NDArray[Any], k: int, rng: Rng, actions: Sequence[int], worlds: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]]:
    """Payoffs and incidents of ``recorder.try_each``, and its worlds."""
    payoffs = np.zeros((worlds, len(actions), int(states[k]["seats"])), np.int64)
    incidents = np.zeros((worlds, len(actions), MOST_INCIDENTS), np.int64)
    view, drawn = np.zeros(1, states.dtype), np.zeros(worlds + 1, states.dtype)
    recorder.try_each(states, k, rng, np.array(actions, np.int64), view, drawn, payoffs, incidents)
    return payoffs, incidents, drawn[:worlds]


def roll_out(state: NDArray[Any], seat: int, rng: Rng, actions: Sequence[int], worlds: int) -> Rollouts:
    """Play on from each action.

    Args:
        state: one record, at the decision; only the mover's view is read.
        seat: the mover.
        rng: draws the worlds.
        actions: legal ones.
        worlds: how many.
    """
    payoffs, incidents, drawn = _tried(state, 0, rng, actions, worlds)
    return Rollouts(payoffs @ gain_weights(state[0])[:, seat], incidents, drawn)


def roll_out_plays(deal: Deal, plays: Sequence[str], rng: Rng, worlds: int) -> Rollouts | None:
    """Play on from each play, as ``roll_out``; None if one does not say which cards, or if two begin with the same
    action."""
    try:
        actions = [deal.game.description.notation.actions(deal.array, play)[0] for play in plays]
    except NotationError:
        return None
    if len(set(actions)) < len(actions):
        return None
    return roll_out(deal.array, deal.mover, rng, actions, worlds)
