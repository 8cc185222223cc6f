"""Rollouts: from one decision, each of several actions played on by rules of thumb in worlds the mover believes in.

(Worlds are called determinizations elsewhere; a rollout is a playout from the middle of a deal.)
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import recorder
from tefuda.engine.notation import NotationError
from tefuda.engine.objective import gain_weights
from tefuda.engine.rng import Rng
from tefuda.table.deal import Deal


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
    payoffs = np.zeros((worlds, len(actions), int(states[k]["seats"])), np.int64)
    scratch = np.zeros(2, states.dtype)
    recorder.try_each(states, k, rng, np.array(actions, np.int64), scratch[:1].copy(), scratch, payoffs)
    return payoffs


def shares_ahead(deal: Deal, plays: Sequence[str], rng: Rng, worlds: int) -> dict[str, float] | None:
    """In which share of the worlds the mover ends above the others' mean after each play.

    Args:
        deal: not over; only the mover's view is read.
        plays: legal ones of the mover.
        rng: draws the worlds.
        worlds: how many.

    Returns:
        Shares from 0 to 1 by play; None if a play does not say which cards, or if two begin with the same action.
    """
    try:
        actions = [deal.game.description.notation.actions(deal.array, play)[0] for play in plays]
    except NotationError:
        return None
    if len(set(actions)) < len(actions):
        return None
    gains = rollout_payoffs(deal.array, 0, rng, actions, worlds) @ gain_weights(deal.state)[:, deal.mover]
    return dict(zip(plays, (gains > 0).mean(0).tolist(), strict=True))


def compare(state: NDArray[Any], seat: int, rng: Rng, better: int, other: int, worlds: int) -> tuple[float, float]:
    """What one action brings the mover more than another, over the others (``engine/objective.py``).

    Args:
        state: one record, at the decision.
        seat: the mover.
        rng: draws the worlds.
        better, other: legal actions.
        worlds: in which both are tried.

    Returns:
        the mean, in the game's smallest unit, and its standard error.
    """
    gains = rollout_payoffs(state, 0, rng, [better, other], worlds) @ gain_weights(state[0])[:, seat]
    more = gains[:, 0] - gains[:, 1]
    return float(more.mean()), float(more.std(ddof=1)) / sqrt(worlds)
