"""Levels for people: each stands for a bot that knows the table, and was measured to beat the one below."""

import numpy as np
import pytest

import tefuda
from tefuda.bots.players import LEVELS, USUAL, HintsBot, asks_network, bot, level_spec, levels
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.games import description
from tests.searched import every_game


@pytest.mark.parametrize("name", tefuda.list_games())
def test_every_game_has_all_levels_each_measured_above_the_one_below(name: str) -> None:
    found = levels(description(name))
    assert tuple(found) == LEVELS
    assert found is not USUAL
    for level in list(found.values())[1:]:
        assert level.gain is not None
        assert level.margin is not None
        assert level.gain > level.margin > 0
        assert level.deals > 0
    assert not any(asks_network(level.bots[-1]) for level in found.values()), "nothing plays where no net can"


@pytest.mark.parametrize("name", every_game())
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_plays_as_its_bot_does(name: str, level: str) -> None:
    deal = tefuda.load(name).deal(3)
    spec = level_spec(level, deal.game.description, deal.view(deal.mover).record)
    assert tefuda.choose_play(bot(level), deal.copy(), 5) == tefuda.choose_play(bot(spec), deal.copy(), 5)


def test_where_the_net_does_not_know_the_table_another_bot_stands_in() -> None:
    usual, five = tefuda.load("gong-zhu"), tefuda.load("gong-zhu", 5)
    assert level_spec("strong", usual.description, usual.template[0]) == "net"
    assert level_spec("strong", five.description, five.template[0]).startswith("search:")


def test_where_the_net_could_not_play_deals_out_rules_of_thumb_do() -> None:
    usual, four = tefuda.load("luk-fu"), tefuda.load("luk-fu", 4)
    strongest = [level_spec("strongest", each.description, each.template[0]) for each in (usual, four)]
    assert [asks_network(spec) for spec in strongest] == [True, False]


def test_a_beginner_slips_as_often_as_said() -> None:
    """A slip is any legal action; in the other decisions beginners follow the rules of thumb."""
    deal = tefuda.load("gong-zhu", exposing=False).deal(7)
    view, legal = deal.view(deal.mover), deal.legal_actions()
    advised = HintsBot().choose(view, legal, generator(0))
    chosen = np.array([HintsBot(40).choose(view, legal, generator(seed)) for seed in range(2000)])
    slips = 0.4 * (1 - 1 / len(legal))
    assert set(chosen.tolist()) <= set(legal)
    assert abs((chosen != advised).mean() - slips) < 4 * (slips * (1 - slips) / 2000) ** 0.5


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("hints:fast", "hints has no setting 'fast'; it has slip"),
        ("hints:slip=101", "slip='101' is not a whole percentage from 0 to 100"),
        ("hints:slip=", "slip='' is not a whole percentage"),
        ("strongst", "did you mean 'strongest'"),
    ],
)
def test_what_is_no_level_and_no_setting_is_said(spec: str, complaint: str) -> None:
    with pytest.raises(TefudaError, match=complaint):
        bot(spec)
