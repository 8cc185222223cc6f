"""Least: what a deal pays, and what follows it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.kit.session import hand_on
from tefuda.engine.verbs import implements
from tests.contract.least.state import PACK, State


def pack(state: State) -> NDArray[np.int64]:
    """LE-1."""
    return np.array(PACK)


@implements(verbs.payoff, State)
def payoff(state: State, out: Any) -> None:
    """LE-5: a point lost for each card taken."""
    for seat in range(state.seats):
        out[seat] = -bits.size(state.won[seat])


@implements(verbs.next_deal, State)
def next_deal(state: State, following: State) -> None:
    """LE-5: one deal is a game."""
    hand_on(state, following)
    following.finished = True
