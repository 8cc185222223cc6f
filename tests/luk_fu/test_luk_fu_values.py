"""Luk Fu with amounts that an experiment has changed."""

import numpy as np
import pytest

from tefuda.engine import bits, verbs
from tefuda.games.luk_fu.cards import CARD_WORDS
from tefuda.games.luk_fu.state import Phase
from tefuda.table.game import load

CHANGED = {"par": 4, "ten_tricks": 4, "twelve_tricks": 5, "red_card": 3, "same_rank": 2}


@pytest.mark.parametrize(
    ("values", "tricks", "share", "sitters"),
    [
        ({}, 9, 9 - 5 + 1, 1),
        ({}, 10, (10 - 5) * 2 + 1, 1),
        (CHANGED, 9, 9 - 4 + 3, 2),
        (CHANGED, 10, (10 - 4) * 4 + 3, 2),
        (CHANGED, 12, (12 - 4) * 5 + 3, 2),
    ],
)
def test_what_a_declarer_wins(values: dict[str, int], tricks: int, share: int, sitters: int) -> None:
    """Seat 2 has won with the red C1, and with S8, of the rank of the sitter's K8; seats 1 and 3 pay a share each."""
    state = load("luk-fu", 4, multiplier_10_12=True, red_bonus=True, **values).template[0]
    state.phase, state.eldest, state.sitter = Phase.OVER, 1, 0
    state.declarer = state.last_to_six = 2
    state.tricks[2], state.won[2] = tricks, bits.of([CARD_WORDS.index(card) for card in ("C1", "S8")])
    state.turned_up = bits.of([CARD_WORDS.index("K8")])
    payoffs = np.zeros(4, np.int64)
    verbs.payoff(state, payoffs)
    assert payoffs.tolist() == [2 * sitters, -share - sitters, 2 * share, -share - sitters]
