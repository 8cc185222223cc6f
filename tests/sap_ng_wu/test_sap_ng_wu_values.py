"""Sap Ng Wu with amounts that an experiment has changed."""

import numpy as np
import pytest

from tefuda.engine import verbs
from tefuda.games.sap_ng_wu import scoring
from tefuda.games.sap_ng_wu.plays import EIGHT, LAYS
from tefuda.games.sap_ng_wu.state import Phase
from tefuda.table.game import load

CHANGED = {"fu_to_stop": 14, "fu_a_level": 2, "highest_level": 3, "quad": 4}


@pytest.mark.parametrize(
    ("values", "payoffs"),
    [
        ({}, [-2 - 1, 3 * 2 - 1, -2 + 3, -2 - 1]),  # 20 fu are the second level
        (CHANGED, [-3 - 4, 3 * 3 - 4, -3 + 3 * 4, -3 - 4]),  # the fourth level, were the third not the highest
    ],
)
def test_what_a_stop_and_a_quad_pay(values: dict[str, int], payoffs: list[int]) -> None:
    """Seat 1 has stopped with 20 fu, seat 2 has four of a kind."""
    state = load("sap-ng-wu", 4, **values).template[0]
    state.phase, state.stopper, state.fu[1], state.quads[2] = Phase.OVER, 1, 20, 1
    found = np.zeros(4, np.int64)
    verbs.payoff(state, found)
    assert found.tolist() == payoffs


@pytest.mark.parametrize(("values", "fu"), [({}, 16), ({"eight_laid": 10}, 10)])
def test_what_eight_supreme_cards_score(values: dict[str, int], fu: int) -> None:
    state = load("sap-ng-wu", 4, **values).template[0]
    scoring.score_laid(state, 1, LAYS + EIGHT)
    assert state.fu.tolist() == [0, fu, 0, 0]
