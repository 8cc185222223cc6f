"""Least: what a deal pays, and what follows it."""

import numpy as np

from tefuda.engine.kit import Ints, bits, hand_on, implements, verbs
from tests.contract.least.state import PACK, State


def pack(state: State) -> Ints:
    """LE-1."""
    return np.array(PACK)


@implements(verbs.payoff, State)
def payoff(state: State, out: Ints) -> None:
    """LE-5: a point lost for each card taken."""
    for seat in range(state.seats):
        out[seat] = -bits.size(state.won[seat])


@implements(verbs.next_deal, State)
def next_deal(state: State, following: State) -> None:
    """LE-5: one deal is a game."""
    hand_on(state, following)
    following.finished = True
