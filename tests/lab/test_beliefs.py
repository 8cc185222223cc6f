"""A bot that believes in other options than the table's."""

import pytest

from tefuda import load
from tefuda.bots.players import bot
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.lab.play.question_bots import believes


def test_it_plays_as_the_other_bot_would_under_those_options() -> None:
    deal, believed = (load("gong-zhu", exposed_singleton_lead=each).deal(seed=3) for each in (False, True))
    for each in (deal, believed):
        while each.legal()[0] == "expose:none":
            each.play(each.legal()[-1])
    one = bot("believes:exposed_singleton_lead=true:search:30it").choose(
        deal.view(deal.mover), deal.legal_actions(), generator(1)
    )
    other = bot("search:30it").choose(believed.view(believed.mover), believed.legal_actions(), generator(1))
    assert one == other


def test_the_table_is_as_it_was() -> None:
    deal = load("ma-diao").deal(seed=3)
    view = deal.view(deal.mover)
    assert not believes("accuser=off:hints").believed(view).record.accuser
    assert view.record.accuser


@pytest.mark.parametrize("text", ["hints", "accuser:hints", "=no:hints"])
def test_what_is_not_written_like_it(text: str) -> None:
    with pytest.raises(TefudaError, match="is not written like believes:"):
        bot(f"believes:{text}")


def test_options_that_the_game_does_not_have() -> None:
    view = load("ma-diao").deal(seed=3).view(0)
    with pytest.raises(TefudaError, match="ma-diao has no option 'accusers'; did you mean 'accuser'"):
        believes("accusers=no:hints").warm(view)
