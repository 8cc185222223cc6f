"""Ma Diao with stakes that an experiment has changed; payoffs are in half stakes."""

from typing import Any

import numpy as np
import pytest

from tefuda.engine import bits, verbs
from tefuda.games.ma_diao.cards import CARD_WORDS
from tefuda.games.ma_diao.state import Phase
from tefuda.table.game import load


def state_with(settings: dict[str, int], won: dict[int, str]) -> Any:
    state = load("ma-diao", **settings).template[0]
    state.phase, state.dealer = Phase.OVER, 0
    state.refuser = state.first_seven = state.accuser_card = state.face = state.bottom = -1
    for seat, cards in won.items():
        state.won[seat] = state.dealt[seat] = bits.of([CARD_WORDS.index(card) for card in cards.split()])
    return state


@pytest.mark.parametrize(
    ("settings", "value"),
    [
        ({}, 1 + 1 + 3 + 6),  # hangs, a top, the great live Hundred, its strike
        ({"great_live": 5}, 1 + 1 + 5 + 6),
        ({"great_live": 5, "great_live_strike": 9, "tops": 4}, 1 + 4 + 5 + 9),
    ],
)
def test_what_the_dealer_pays(settings: dict[str, int], value: int) -> None:
    """Seat 1 has won a top, the Hundred, a female striker; the others are dead, at −1 stake as the dealer is."""
    state = state_with(settings, {1: "S9 TB W5"})
    payoffs = np.zeros(4, np.int64)
    verbs.payoff(state, payoffs)
    assert payoffs.tolist() == [-2 * (value + 1), 2 * (value + 1), 0, 0]
