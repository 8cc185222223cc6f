"""Games played for experiments: whole games, deal after deal."""

import numpy as np
import pytest

from tefuda.engine.errors import TefudaError

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
from tefuda.lab.experiment import experiment
from tefuda.lab.playing import Player
from tefuda.lab.tables import deal_rows

GIVEN = {"question": "?", "game": "gong-zhu", "measures": ["outcome"], "whole_games": True, "fields": ["deals"]}


def test_a_whole_game_goes_on_until_it_is_over() -> None:
    found = experiment("why", {**GIVEN, "options": {"target": 300}})
    arm = found.arms[0]
    played = Player(arm, 1, whole_games=True).play(range(20))
    for payoffs, state in zip(played.payoffs, played.finals, strict=True):
        facts = arm.game.description.facts(state)
        assert facts["over"]
        assert list(facts["totals"]) == payoffs.tolist()
        assert payoffs.min() <= -300
    assert len(np.unique(played.finals["deals"])) > 1
    rows = deal_rows(found, arm, played)
    assert rows["deals"].to_list() == np.repeat(played.finals["deals"], 4).tolist()


def test_a_game_of_one_deal_is_that_deal() -> None:
    arm = experiment("why", {**GIVEN, "options": {"target": 1, "end_on_plus": True}}).arms[0]
    one = Player(arm, 1).play(range(8))
    whole = Player(arm, 1, whole_games=True).play(range(8))
    assert one.payoffs.tolist() == whole.payoffs.tolist()
    assert one.counts.tolist() == whole.counts.tolist()


def test_the_same_games_again_whatever_is_played_beside_them() -> None:
    arm = experiment("why", GIVEN).arms[0]
    together = Player(arm, 1, whole_games=True).play(range(6))
    alone = Player(arm, 1, whole_games=True).play(range(4, 5))
    assert together.payoffs[4].tolist() == alone.payoffs[0].tolist()
    assert together.counts[4].tolist() == alone.counts[0].tolist()


def test_what_whole_games_do_not_go_with() -> None:
    with pytest.raises(TefudaError, match="whole_games"):
        experiment("why", {**GIVEN, "measures": ["outcome", "lines"]})
