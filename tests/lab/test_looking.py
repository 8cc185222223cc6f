"""Moments looked at closely: what actions are worth, what cannot be known."""

import numpy as np
import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
from tefuda.lab.experiment import experiment
from tefuda.lab.looking import PICKED, Looker, card_places, entropy, judge, spread, whereabouts
from tefuda.lab.playing import Player


def test_picked_moments_are_spread_over_a_game() -> None:
    assert spread(0) == []
    assert spread(3) == [0, 1, 2]
    assert len(spread(100)) == PICKED
    assert min(spread(100)) < 10 < 90 < max(spread(100))


def test_a_gap_is_found_and_among_equals_none() -> None:
    rng = np.random.default_rng(1)
    payoffs = rng.normal(0, 10, (32, 3, 2)).round().astype(np.int64)
    payoffs[:, 1, 0] = payoffs[:, 0, 0] + 20
    payoffs[:, 2, 0] = payoffs[:, 0, 0] - 40
    better = judge(payoffs, 0, 1, unit=2)
    assert better.gap == pytest.approx(10)
    assert better.care == pytest.approx((20 - (20 + 0 - 40) / 3) / 2)
    assert better.matters
    gaps = [judge(rng.normal(0, 10, (32, 4, 2)).round().astype(np.int64), 0, 0, 1) for _ in range(200)]
    assert abs(np.mean([each.gap for each in gaps])) < 0.8
    assert np.mean([each.matters for each in gaps]) < 0.1


def test_the_chance_of_the_first_place_is_shared() -> None:
    payoffs = np.zeros((4, 2, 2), np.int64)
    payoffs[:2, 0] = [5, 1]
    assert judge(payoffs, 0, 0, 1).first == pytest.approx((1 + 1 + 0.5 + 0.5) / 4)


def test_bits_unknown() -> None:
    assert entropy(np.zeros((64, 3), np.int64)) == 0
    even = np.tile(np.array([[0], [1]]), (500, 1))
    assert entropy(even) == pytest.approx(1, abs=0.01)


def test_less_and_less_is_unknown() -> None:
    given = {"question": "?", "game": "gong-zhu", "measures": ["information", "decisions"], "answer": "unknown"}
    arm = experiment("why", given).arms[0]
    played = Player(arm, 1).play(range(2), moments=True)
    places = card_places(arm.game.description.fields)
    assert [place.name for place in places] == ["hands", "pending"]
    assert whereabouts(played.moments[0].states[:1], places, 52).shape == (1, 52)
    look = Looker(arm, [], ("information", "decisions")).look(played.moments[0], (1, 2))
    unknown = [value for value in look["unknown"] if value is not None]
    assert len(unknown) == PICKED
    assert unknown[0] > 40 > 10 > unknown[-1]
    again = Looker(arm, [], ("information", "decisions")).look(played.moments[0], (1, 2))
    assert again["unknown"] == look["unknown"]
    assert again["gap"] == look["gap"]
