"""Games played for experiments: whole games, deal after deal."""

import numpy as np
import pytest

from tefuda.engine.errors import TefudaError

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
import polars as pl

from tefuda.lab.experiment import Arm
from tefuda.lab.experiment_file import parse
from tefuda.lab.measure.figures import by_deal, figure_names
from tefuda.lab.measure.rows import deal_rows
from tefuda.lab.play.runner import DealRunner

GIVEN = {"question": "?", "game": "gong-zhu", "measures": ["outcome"], "whole_games": True, "fields": ["deals"]}


def whole_games_of(arm: Arm) -> DealRunner:
    return DealRunner(arm.game, arm.bots, 1, whole_games=True)


def test_a_whole_game_goes_on_until_it_is_over() -> None:
    found = parse("why", {**GIVEN, "options": {"target": 300}})
    arm = found.arms[0]
    played = whole_games_of(arm).play(range(20))
    for payoffs, state in zip(played.payoffs, played.finals, strict=True):
        facts = arm.game.description.setup.facts(state)
        assert facts["over"]
        assert list(facts["totals"]) == payoffs.tolist()
        assert payoffs.min() <= -300
    assert len(np.unique(played.finals["deals"])) > 1
    rows = deal_rows(found, arm, played)
    assert rows["deals"].to_list() == np.repeat(played.finals["deals"], 4).tolist()


def test_a_game_of_one_deal_is_that_deal() -> None:
    arm = parse("why", {**GIVEN, "options": {"target": 1, "end_on_plus": True}}).arms[0]
    one = DealRunner(arm.game, arm.bots, 1).play(range(8))
    whole = whole_games_of(arm).play(range(8))
    assert one.payoffs.tolist() == whole.payoffs.tolist()
    assert one.counts.tolist() == whole.counts.tolist()


def test_the_same_games_again_whatever_is_played_beside_them() -> None:
    arm = parse("why", GIVEN).arms[0]
    together = whole_games_of(arm).play(range(6))
    alone = whole_games_of(arm).play(range(4, 5))
    assert together.payoffs[4].tolist() == alone.payoffs[0].tolist()
    assert together.counts[4].tolist() == alone.counts[0].tolist()


def test_how_far_behind_a_seat_was() -> None:
    """A game to 300 is the beginning of the one to 1000, so it ends at a moment of that."""
    short, whole = (
        whole_games_of(parse("why", {**GIVEN, "options": {"target": target}}).arms[0]).play(range(30))
        for target in (300, 1000)
    )
    went_on = whole.finals["deals"] > short.finals["deals"]
    assert went_on.any()
    then = short.payoffs.max(1, keepdims=True) - short.payoffs
    assert (whole.behind >= then)[went_on].all()
    assert (whole.behind == short.behind)[~went_on].all()
    assert (whole.behind[went_on].max(1) > 0).all()
    at_once = parse("why", {**GIVEN, "options": {"target": 1, "end_on_plus": True}}).arms[0]
    assert not whole_games_of(at_once).play(range(8)).behind.any(), "no deal followed the first one"


def test_who_was_behind_and_recovered() -> None:
    arm = {"arm": "as it is", "seed": 0, "rotation": 0}
    games = [
        [(-1000, 500), (0, 0), (-200, 250), (-300, 400)],  # of three that were 250 behind one came last, none first
        [(-1000, 150), (100, 600), (100, 0), (-50, 100)],  # one was, and shares the first place
        [(-1000, 100), (0, 0), (0, 0), (0, 0)],  # none was
    ]
    rows = [
        {**arm, "deal": deal, "seat": seat, "payoff": float(payoff), "behind": float(behind)}
        for deal, seats in enumerate(games)
        for seat, (payoff, behind) in enumerate(seats)
    ]
    found = parse("why", {**GIVEN, "measures": ["recovery"], "behind": [250], "answer": "wins.250"})
    table = by_deal(found, pl.LazyFrame(rows), figure_names(found))
    assert table["recovers.250"].to_list() == pytest.approx([2 / 3, 1, None])
    assert table["wins.250"].to_list() == pytest.approx([0, 0.5, None])


def test_a_partner_is_none_of_the_others() -> None:
    """GZ-22: a side's points are those of both; the gain is what it has more than the other side."""
    arms = [{"name": "alone"}, {"name": "partners", "options": {"partnership": True}}]
    asked = parse("why", {**GIVEN, "arms": arms, "bots": ["hints", "random", "random", "random"], "answer": "gain"})
    rows = [
        {"arm": arm.name, "seed": 0, "deal": 0, "rotation": 0, "seat": seat, "bot": bot, "payoff": payoff}
        for arm in asked.arms
        for seat, (bot, payoff) in enumerate(zip(arm.bots, (100.0, -40.0, 100.0, -40.0), strict=True))
    ]
    frame = pl.LazyFrame(rows).with_columns(acts_first=pl.col("seat") == 1)
    found = by_deal(asked, frame, ["gain", "first"]).sort("arm")
    assert found["arm"].to_list() == ["alone", "partners"]
    assert found["gain"].to_list() == pytest.approx([100 - 20 / 3, 140])
    assert found["first"].to_list() == pytest.approx([-40 - 160 / 3, -140])


def test_who_wins_whole_games() -> None:
    """Of two games the first bot wins one and shares the first place of the other with one of the others."""
    bots = ["hints", "random", "random", "random"]
    asked = parse("why", {**GIVEN, "measures": ["outcome"], "whole_games": True, "bots": bots, "answer": "wins"})
    rows = [
        {"arm": asked.arms[0].name, "seed": 0, "deal": deal, "rotation": 0, "seat": seat, "bot": bot, "payoff": payoff}
        for deal, payoffs in enumerate([(5.0, -1.0, -2.0, -2.0), (3.0, 3.0, -8.0, 2.0)])
        for seat, (bot, payoff) in enumerate(zip(bots, payoffs, strict=True))
    ]
    assert figure_names(asked)[-3:] == ["gain", "wins", "rank"]
    found = by_deal(asked, pl.LazyFrame(rows), ["wins", "rank"])
    assert found["wins"].to_list() == [1.0, 0.5]
    assert found["rank"].to_list() == [1.0, 1.5]


def test_what_whole_games_do_not_go_with() -> None:
    with pytest.raises(TefudaError, match="whole_games"):
        parse("why", {**GIVEN, "measures": ["outcome", "lines"]})
