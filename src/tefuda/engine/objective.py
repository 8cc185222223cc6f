"""The objective of players: one definition, for search, evaluation, training and adapters.

A seat's *gain* is its team's payoff less the mean of what the other teams' seats receive. Matches report it, and people
count it: in a game that is not zero-sum, points that everybody wins gain nobody anything. In a zero-sum game in which
all play for themselves the gain is the payoff times seats / (seats − 1)."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.raw import overwrite
from tefuda.engine.record import Ints, StateRecord
from tefuda.engine.verbs import rule

Reward = Literal["payoff", "gain"]  #: the reward that learners get at the end of a deal


def is_gain(reward: str) -> bool:
    """True if the reward is the gain, and not the payoff; ``TefudaError`` for any other word."""
    if reward not in get_args(Reward):
        raise TefudaError(f"reward: {reward!r} is not one of {', '.join(get_args(Reward))}")
    return reward == "gain"


@rule
def write_gains(state: StateRecord, payoffs: Ints, out: NDArray[np.float64]) -> None:
    """Write every seat's gain into ``out``, float64 of shape (seats,), in the game's smallest unit.

    ``payoffs``, of the same shape, are as ``verbs.payoff`` writes them: a team's for each of its members
    (``verbs.team``)."""
    for seat in range(len(payoffs)):
        total, others = 0.0, 0
        for other in range(len(payoffs)):
            if verbs.team(state, other) != verbs.team(state, seat):
                total += payoffs[other]
                others += 1
        out[seat] = payoffs[seat] - total / max(others, 1)


@rule
def write_worths(state: StateRecord, relative: int, payoffs: Ints, out: NDArray[np.float64]) -> None:
    """Write what a deal is worth to every seat: its gain if ``relative``, else its payoff; as ``write_gains``."""
    if relative:
        write_gains(state, payoffs, out)
    else:
        overwrite(out, payoffs)


def teams_of(state: StateRecord) -> list[int]:
    """Every seat's team, a number that partners share (``verbs.team``)."""
    return [int(verbs.team(state, seat)) for seat in range(int(state.seats))]


def gain_weights(state: StateRecord) -> NDArray[np.float64]:
    """The gains as a matrix: ``payoffs @ gain_weights(state)``; float64 of shape (seats, seats)."""
    seats = int(state.seats)
    out = np.zeros((seats, seats))
    for seat in range(seats):
        alone = np.zeros(seats, np.int64)
        alone[seat] = 1
        write_gains(state, alone, out[seat])
    return out


def seat_worths(state: StateRecord, reward: str) -> NDArray[np.float64]:
    """The rewards as a matrix: ``payoffs @ seat_worths(state, reward)``; float64 of shape (seats, seats).

    ``TefudaError`` if the reward is neither the payoff nor the gain."""
    return gain_weights(state) if is_gain(reward) else np.eye(int(state.seats))
