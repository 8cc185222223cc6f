"""Gong Zhu with points that an experiment has changed."""

import numpy as np
import pytest

from tefuda.engine import bits, verbs
from tefuda.engine.kit.french import number
from tefuda.games.gong_zhu import scoring
from tefuda.table.game import load

HEARTS = "H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK HA"


@pytest.mark.parametrize(
    ("settings", "taken", "exposed", "points"),
    [
        ({"pig": -150}, "SQ", "", -150),
        ({"pig": -150}, "SQ", "SQ", -300),
        ({"pig": -150, "pig_doubled": True}, "SQ", "", -300),
        ({"pig": -150, "HA": -60}, "SQ HA HK", "", -150 - 60 - 40),
        ({"sheep": 80}, "DJ", "DJ", 160),
        ({"H2": -5, "H5": 0}, "H2 H5 H6", "", -5 - 10),
        ({"lone_transformer": 70}, "C10", "", 70),
        ({"transformer": 3}, "C10 SQ", "", -300),
        ({"transformer": 3}, "C10 SQ", "C10", -600),
        ({"HA": -60}, HEARTS, "", 210),  # all hearts: −200 − 10, and a plus
        ({"all_hearts": 400, "all_hearts_transformer_300": True}, f"{HEARTS} C10", "", 400),
        ({"all_cards": 500, "all_cards_1000": True}, f"{HEARTS} C10 SQ DJ", "", 500),
        ({"heart_values": "pips", "H4": -90}, "H4", "", -10),  # pips are values of their own
    ],
)
def test_what_captures_count(settings: dict[str, int], taken: str, exposed: str, points: int) -> None:
    state = load("gong-zhu", **settings).template[0]
    state.won[1] = bits.of([number(card) for card in taken.split()])
    state.exposed = bits.of([number(card) for card in exposed.split()])
    payoffs = np.zeros(4, np.int64)
    verbs.payoff(state, payoffs)
    assert payoffs.tolist() == [0, points, 0, 0]


def test_no_deal_pays_more_than_the_bounds() -> None:
    """All hearts count 1,000 each, doubled by the exposed transformer and by the exposed ace."""
    state = load("gong-zhu", **dict.fromkeys(HEARTS.split(), -1_000)).template[0]
    state.won[0] = bits.of([number(card) for card in f"{HEARTS} C10 SQ DJ".split()])
    state.exposed = bits.of([number(card) for card in ["HA", "C10", "SQ", "DJ"]])
    assert int(scoring.score(state, state.won[0])) == 4 * (2 * 13_000 + 200 + 200)
    assert scoring.bounds(state).most >= 4 * (2 * 13_000 + 200 + 200)
