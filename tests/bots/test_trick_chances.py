"""How often a play takes the trick: sure cases are sure, and nothing hidden is read."""

import pytest

import tefuda
from tefuda import games
from tefuda.bots.players import HintsBot, choose_play
from tefuda.bots.trick_chances import trick_chances
from tefuda.engine import verbs
from tefuda.engine.rng import generator
from tefuda.table.deal import Deal


def test_what_is_sure_is_found_sure() -> None:
    """GZ-14: the last to play takes the trick with the highest card of the suit led, and with no lower one."""
    deal = tefuda.load("gong-zhu").position({"hands": ["S4 D2", "S5 D3", "S6 D4", "S7 S2"]})
    while deal.mover != 3:
        deal.play(deal.legal()[0])
    assert trick_chances(deal, ["S7", "S2"], seed=1) == {"S7": 1.0, "S2": 0.0}


def test_what_nobody_knows_is_found_in_between() -> None:
    deal = tefuda.load("gong-zhu").position({"hands": ["S9 D2", "SJ D3", "S2 D4", "S3 D5"]})
    found = trick_chances(deal, ["S9"], seed=1)
    assert found is not None
    assert 0 < found["S9"] < 1


def test_plays_that_are_about_no_trick_have_no_chance() -> None:
    deal = tefuda.load("gong-zhu").deal(seed=24)
    words = [word for word in deal.legal() if ":" in word]
    assert words
    assert trick_chances(deal, words, seed=1) is None


@pytest.mark.parametrize("name", games.names())
def test_only_the_movers_view_is_read(name: str) -> None:
    deal = tefuda.load(name).deal(seed=5)
    for seed in range(12):
        choose_play(HintsBot(), deal, seed)
    other = deal.game.template.copy()
    verbs.imagine(deal.view(deal.mover).record, generator(7), other[0])
    words = [word for word in deal.legal() if word in deal.game.description.notation.single][:2]
    assert trick_chances(deal, words, 3, 4) == trick_chances(Deal(deal.game, other, None, None), words, 3, 4)
