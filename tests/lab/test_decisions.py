"""Decisions examined: what actions and kinds of play are worth, who leads, what cannot be known."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
import polars as pl

from tefuda.lab.experiment_file import parse
from tefuda.lab.measure.decisions import (
    NOBODY,
    PICKED,
    DecisionAnalyst,
    action_values,
    card_fields,
    card_locations,
    entropy,
    leader,
    play_worth,
    spread,
)
from tefuda.lab.measure.figures import lead_changes
from tefuda.lab.play.runner import DealRunner


def test_picked_decisions_are_spread_over_a_game() -> None:
    assert spread(0) == []
    assert spread(3) == [0, 1, 2]
    assert len(spread(100)) == PICKED
    assert min(spread(100)) < 10 < 90 < max(spread(100))


def test_a_gap_is_found_and_among_equals_none() -> None:
    rng = np.random.default_rng(1)
    payoffs = rng.normal(0, 10, (32, 3, 2)).round().astype(np.int64)
    payoffs[:, 1, 0] = payoffs[:, 0, 0] + 20
    payoffs[:, 2, 0] = payoffs[:, 0, 0] - 40
    better = action_values([payoffs], 0, 1, unit=2)
    assert better.gap == pytest.approx(10)
    assert better.care == pytest.approx((20 - (20 + 0 - 40) / 3) / 2)
    assert better.matters
    gaps = [action_values([rng.normal(0, 10, (32, 4, 2)).round().astype(np.int64)], 0, 0, 1) for _ in range(200)]
    assert abs(np.mean([each.gap for each in gaps])) < 0.8
    assert np.mean([each.matters for each in gaps]) < 0.1


def test_the_chance_of_the_first_place_is_shared() -> None:
    payoffs = np.zeros((4, 2, 2), np.int64)
    payoffs[:2, 0] = [5, 1]
    assert action_values([payoffs], 0, 0, 1).first == pytest.approx((1 + 1 + 0.5 + 0.5) / 4)


def test_a_kind_of_play_is_weighed_against_the_best_other() -> None:
    rng = np.random.default_rng(2)
    luck = rng.normal(0, 10, (128, 1)).round().astype(np.int64)
    payoffs = np.zeros((128, 4, 2), np.int64)
    payoffs[:, :, 0] = luck + rng.normal(0, 3, (128, 4)).round().astype(np.int64) + np.array([0, -40, -4, -60])
    of_kind = np.array([False, False, True, True])
    found = play_worth([payoffs], 0, of_kind, True, unit=2)
    assert found.worth == pytest.approx(-2, abs=0.5)
    assert (found.pays, found.costs, found.taken) == (False, True, True)
    against = play_worth([payoffs], 0, ~of_kind, False, unit=2)
    assert against.worth == pytest.approx(-found.worth)
    assert (against.pays, against.costs, against.taken) == (True, False, False)


def test_a_figure_is_what_both_judges_find() -> None:
    rng = np.random.default_rng(6)
    luck, of_kind = rng.normal(0, 2, (128, 3)).round().astype(np.int64), np.array([True, False, False])

    def payoffs(*worths: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.stack([luck + np.array(worths), -luck], 2)

    much, less, other = payoffs(40, 0, 0), payoffs(10, 0, 0), payoffs(-10, 0, 0)
    found = play_worth([much, less], 0, of_kind, True, 1)
    assert found.worth == pytest.approx(10, abs=1)
    assert found.pays
    found = play_worth([much, other], 0, of_kind, True, 1)
    assert (found.worth, found.pays, found.costs) == (0.0, False, False)
    assert action_values([much, less], 0, 0, 1).gap == pytest.approx(10, abs=1)
    assert action_values([much, other], 0, 0, 1).gap == 0
    assert not action_values([much, other], 0, 0, 1).matters


def test_among_equals_no_kind_of_play_pays() -> None:
    rng = np.random.default_rng(3)
    found = [play_worth([rng.integers(-9, 10, (128, 4, 2))], 0, np.arange(4) < 2, True, 1) for _ in range(300)]
    assert abs(np.mean([each.worth for each in found])) < 0.2
    assert np.mean([each.pays or each.costs for each in found]) < 0.12


def test_a_play_came_to_matter_where_any_two_rollouts_of_a_world_ended_differently() -> None:
    payoffs = np.tile(np.arange(128)[:, None, None], (1, 4, 2))
    of_kind = np.arange(4) < 2
    assert not play_worth([payoffs], 0, of_kind, True, 1).differs
    payoffs[77, 3, 1] += 1  # another seat's
    assert play_worth([payoffs], 0, of_kind, True, 1).differs


def test_the_lead_passes_only_where_another_is_clearly_ahead() -> None:
    rng = np.random.default_rng(4)
    noise = rng.normal(0, 10, (32, 3)).round().astype(np.int64)
    assert leader(noise + np.array([0, 50, 0]), NOBODY) == 1
    assert leader(noise + np.array([0, 50, 0]), 0) == 1
    equal = [leader(rng.normal(0, 10, (32, 3)).round().astype(np.int64), 0) for _ in range(200)]
    assert np.mean(np.array(equal) != 0) < 0.12
    same = np.tile([[3, 3, 0]], (32, 1))
    assert leader(same, 1) == 1


def test_lead_changes_are_counted_from_one_sampled_decision_to_the_next() -> None:
    leaders = [None, 0, 0, None, 2, 2, 1]
    rows = {"arm": "a", "seed": 1, "deal": 7, "rotation": 0, "decision": range(7), "leader": leaders}
    assert lead_changes(pl.DataFrame(rows))["lead_changes"].to_list() == [0.5]


def test_a_search_is_asked_under_other_options() -> None:
    options: list[dict[str, Any]] = [{}, {"target": 500}, {"partnership": True}]
    arms = [{"name": name, "options": each} for name, each in zip("abc", options, strict=True)]
    given = {"question": "?", "game": "gong-zhu", "measures": ["binds"], "answer": "advice", "adviser": "search:30it"}
    first, *others = parse("why", {**given, "arms": arms}).arms
    analyst = DecisionAnalyst(first, others, ("binds",), "search:30it")
    looks = [
        analyst.analyse(each, (1, 2))
        for each in DealRunner(first.game, first.bots, 1).play(range(3), keep_decisions=True).decisions
    ]
    for name, changed in ("b", False), ("c", True):
        advice, scatter = (
            [said for look in looks for said in look[f"{what} {name}"] if said is not None]
            for what in ("advice", "scatter")
        )
        assert len(advice) == len(scatter) == 3 * PICKED
        assert (advice != scatter) == changed, "a partner's points are one's own; when a game ends changes no deal"


def test_a_play_is_weighed_wherever_it_can_be_made_beside_others() -> None:
    given = {"question": "?", "game": "gong-zhu", "measures": ["play"], "answer": "worth", "play": "expose:.*SQ.*"}
    arm = parse("why", given).arms[0]
    played = DealRunner(arm.game, arm.bots, 1).play(range(2), keep_decisions=True)
    for points in played.decisions:
        look = DecisionAnalyst(arm, [], ("play",)).analyse(points, (1, 2))
        assert sum(value is not None for value in look["worth"]) == 1, "one seat holds the pig and is asked once"


def test_bits_unknown() -> None:
    assert entropy(np.zeros((64, 3), np.int64)) == 0
    even = np.tile(np.array([[0], [1]]), (500, 1))
    assert entropy(even) == pytest.approx(1, abs=0.01)


def test_less_and_less_is_unknown() -> None:
    given = {"question": "?", "game": "gong-zhu", "measures": ["information", "decisions"], "answer": "unknown"}
    arm = parse("why", given).arms[0]
    played = DealRunner(arm.game, arm.bots, 1).play(range(2), keep_decisions=True)
    places = card_fields(arm.game.description.fields)
    assert [place.name for place in places] == ["hands", "pending", "aside"]
    assert card_locations(played.decisions[0].states[:1], places, 52).shape == (1, 52)
    look = DecisionAnalyst(arm, [], ("information", "decisions")).analyse(played.decisions[0], (1, 2))
    unknown = [value for value in look["unknown"] if value is not None]
    assert len(unknown) == PICKED
    assert unknown[0] > 40 > 10 > unknown[-1]
    again = DecisionAnalyst(arm, [], ("information", "decisions")).analyse(played.decisions[0], (1, 2))
    assert again["unknown"] == look["unknown"]
    assert again["gap"] == look["gap"]
