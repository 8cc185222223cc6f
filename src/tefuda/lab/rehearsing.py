"""Playing a deal on from one moment, once from each of some actions, in worlds that the mover believes in."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import recorder
from tefuda.engine.rng import Rng


def rehearse(states: NDArray[Any], k: int, rng: Rng, actions: Sequence[int], worlds: int) -> NDArray[np.int64]:
    """Payoffs where rules of thumb play the deal on, the same worlds and random numbers for each action.

    Args:
        states: records of a game; at the one of number ``k`` the mover is to act.
        k: which.
        rng: draws the worlds.
        actions: legal ones.
        worlds: how many.

    Returns:
        int64 of shape (worlds, actions, seats), in the game's smallest unit.
    """
    payoffs = np.zeros((worlds, len(actions), int(states[k]["seats"])), np.int64)
    room = np.zeros(2, states.dtype)
    recorder.try_each(states, k, rng, np.array(actions, np.int64), room[:1].copy(), room, payoffs)
    return payoffs
