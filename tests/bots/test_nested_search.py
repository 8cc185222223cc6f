"""Nested play: every seat of a deal that is played on searches at its choices."""

import numpy as np
import pytest

import tefuda
from tefuda.bots.nested_search import roll_out_nested
from tefuda.games import description
from tefuda.table.deal import Deal

GONG_ZHU = description("gong-zhu")

pytestmark = pytest.mark.slow


def last_tricks(*hands: str) -> Deal:
    """Seat 0 leads with these hands; seat 2 has taken all other cards."""
    held = " ".join(hands).split()
    taken = " ".join(word for word in GONG_ZHU.cards if word not in held)
    fields = {"hands": list(hands), "captured": ["", "", taken, ""], "led": "SHDC"}
    return tefuda.load("gong-zhu", exposing=False).position(fields)


def test_the_same_seeds_give_the_same_rollouts() -> None:
    """Gong Zhu; the worlds fit the view: seat 0 holds its own cards in each, and the others what is left."""
    deal = last_tricks("SA D3", "SQ H2", "S5 H4", "S6 H5")
    actions, game = deal.legal_actions(), deal.game.description
    first, again, more = (roll_out_nested(game, deal.array, 0, actions, (1,), 20, effort) for effort in (10, 10, 40))
    assert first.gains.shape == more.gains.shape == (20, 2)
    assert np.array_equal(first.gains, again.gains)
    for drawn in (first.worlds, more.worlds):
        hands = drawn["hands"][:, :4]
        assert (hands[:, 0] == deal.array[0]["hands"][0]).all()
        assert (np.bitwise_or.reduce(hands, 1) == np.bitwise_or.reduce(deal.array[0]["hands"][:4])).all()


def test_what_is_forced_ends_the_same_for_everybody() -> None:
    """Gong Zhu: with one card each nothing is chosen any more. SA takes SQ, S5 and S6: 100 points down. All hearts and
    the sheep, doubled, have brought seat 2 600, the others nothing: 200 on average (GZ-17, GZ-18, GZ-20)."""
    deal = last_tricks("SA", "SQ", "S5", "S6")
    nested = roll_out_nested(deal.game.description, deal.array, 0, deal.legal_actions(), (1,), 5, 10)
    assert nested.gains.ravel().tolist() == [-300.0] * 5
