"""Kakkuri with payments that an experiment has changed."""

import numpy as np
import pytest

from tefuda.engine import verbs
from tefuda.games.kakkuri.state import Ending, Phase
from tefuda.table.game import load


@pytest.mark.parametrize(("ending", "each"), [(Ending.GURI, 4), (Ending.UTAZU, 7), (Ending.OUT, 1)])
def test_what_the_others_pay(ending: Ending, each: int) -> None:
    state = load("kakkuri", guri=4, utazu=7).template[0]
    state.phase, state.result, state.winner, state.forced_out = Phase.OVER, ending, 2, -1
    payoffs = np.zeros(5, np.int64)
    verbs.payoff(state, payoffs)
    assert payoffs.tolist() == [-each, -each, 4 * each, -each, -each]
