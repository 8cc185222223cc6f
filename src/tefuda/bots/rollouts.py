"""Rollouts: from one decision, each of several actions played on in worlds the mover believes in, by rules of thumb or
by the game's network.

(Worlds are called determinizations elsewhere; a rollout is a playout from the middle of a deal.)
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.net import Network
from tefuda.bots.net_player import new_net_player, play_each_by_net
from tefuda.bots.perceptron import NONE
from tefuda.engine import recorder
from tefuda.engine.objective import gain_weights
from tefuda.engine.rng import Rng
from tefuda.engine.verbs import MOST_INCIDENTS


class Rollouts(NamedTuple):
    """The outcome of some actions, each tried in the same worlds with the same random numbers.

    Attributes:
        gains: float64 of shape (worlds, actions): the mover's, over the others (``engine/objective.py``), in the
            game's smallest unit.
        incidents: int64 of shape (worlds, actions, MOST_INCIDENTS): what became of the mover (``verbs.incidents``).
        worlds: records of shape (worlds,), at the decision.
    """

    gains: NDArray[np.float64]
    incidents: NDArray[np.int64]
    worlds: NDArray[Any]

    def of(self, *places: int) -> "Rollouts":
        """Select these actions, in this order."""
        return Rollouts(self.gains[:, places], self.incidents[:, places], self.worlds)

    @property
    def more(self) -> tuple[float, float]:
        """The lead of the first of two actions over the second: the mean and its standard error."""
        return mean_and_error(self.gains[:, 0] - self.gains[:, 1])


def mean_and_error(numbers: NDArray[np.float64]) -> tuple[float, float]:
    """The mean of some numbers, and its standard error."""
    return float(numbers.mean()), float(numbers.std(ddof=1)) / sqrt(len(numbers))


def rollout_payoffs(states: NDArray[Any], k: int, rng: Rng, actions: Sequence[int], worlds: int) -> NDArray[np.int64]:
    """Payoffs after each action of the k-th state's mover, in the same worlds, which ``rng`` draws, for every action.

    Returns:
        shape (worlds, actions, seats), in the game's smallest unit.
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
    """Play on from each legal action by rules of thumb, in worlds that ``rng`` draws; only the mover's view is read."""
    payoffs, incidents, drawn = _tried(state, 0, rng, actions, worlds)
    return Rollouts(payoffs @ gain_weights(state[0])[:, seat], incidents, drawn)


def roll_out_by_net(
    network: Network, worlds: NDArray[Any], seat: int, rngs: NDArray[np.uint64], actions: Sequence[int]
) -> Rollouts:
    """Play on from each action of the mover, ``seat``; a network that knows the table makes every further choice.

    The generators of a world, ``rngs`` of shape (worlds, 1), serve every action.
    """
    shape = (len(worlds), len(actions))
    first = np.tile(np.array(actions, np.int64), len(worlds))
    payoffs, incidents = play_by_net(
        network, np.repeat(worlds, len(actions)), np.repeat(rngs, len(actions), 0), first, seat
    )
    gains = payoffs @ gain_weights(worlds[0])[:, seat]
    return Rollouts(gains.reshape(shape), incidents.reshape(*shape, MOST_INCIDENTS), worlds)


def play_by_net(
    network: Network,
    states: NDArray[Any],
    rngs: NDArray[np.uint64],
    first: NDArray[np.int64] | None = None,
    seat: int = 0,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play deals to their end; a network that knows the table makes every choice but the ``first``, if given.

    Returns:
        the payoffs, shape (deals, seats), and what became of ``seat``, shape (deals, MOST_INCIDENTS).
    """
    payoffs = np.zeros((len(states), int(states[0]["seats"])), np.int64)
    incidents = np.zeros((len(states), MOST_INCIDENTS), np.int64)
    begun = np.full(len(states), NONE) if first is None else first
    play_each_by_net(new_net_player(states.dtype, network), states, begun, rngs, seat, payoffs, incidents)
    return payoffs, incidents
