"""Ma Diao from deal to deal: who deals next, totals, the end of a session, records."""

import random
from typing import Any

import pytest

from tefuda.table.game import Session, load
from tefuda.table.record import Record
from tests.ma_diao.constructed import (
    REDS_AND_ONE_SUIT,
    REFUSAL,
    TOPS_AGAINST_HUNDRED,
    TWO_EXTRAORDINARY,
    answer,
    play,
)


def test_md_47_a_session_is_sixteen_deals() -> None:
    """MD-5, MD-47: totals add up and may fall below 0; the dealer moves on but for the two exceptions."""
    session, chance = Session(load("ma-diao"), seed=2), random.Random(2)
    totals, dealer = [0] * 4, None
    while not session.over:
        deal = play(session.next_deal(), chance)
        state = deal.state
        assert dealer in (None, state.dealer)
        totals = [a + b for a, b in zip(totals, deal.payoff(), strict=True)]
        assert session.totals == totals
        won = int(state.won[state.dealer])
        stays = won >> deal.game.description.cards.index("TB") & 1 and won.bit_count() >= 2
        dealer = (state.dealer + (not stays)) % 4 if not state.declared else deal.facts()["next_dealer"]
    assert len(session.deals) == 16
    assert min(totals) < 0


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(
    ("hands", "declarers"), [(TWO_EXTRAORDINARY, (0, 1)), (REDS_AND_ONE_SUIT, (0, 1)), (TOPS_AGAINST_HUNDRED, (0,))]
)
def test_md_14_the_first_declarer_from_the_dealer_deals_next(
    hands: Any, declarers: tuple[int, ...], dealer: int
) -> None:
    """MD-14"""
    deal = play(load("ma-diao").deal(hands=hands, fields={"dealer": dealer}), random.Random(1))
    order = [(dealer + k) % 4 for k in range(4)]
    assert deal.facts()["next_dealer"] == next(seat for seat in order if seat in declarers)
    assert [word for _, word in deal.history].count("declare") == len(declarers)


@pytest.mark.parametrize(("redeal", "following"), [("next_dealer", 3), ("same_dealer", 2)])
def test_md_20_after_a_refusal(redeal: str, following: int) -> None:
    """MD-18, MD-20, MD-47: the deal counts."""
    game = load("ma-diao", refusal_redeal=redeal, session_deals=1)
    deal = play(game.deal(hands=REFUSAL, fields={"dealer": 2}), random.Random(1))
    assert deal.facts()["next_dealer"] == following
    assert deal.payoff() == [6, -2, -2, -2]
    assert deal.facts()["over"]


def test_the_first_refusal_ends_it() -> None:
    """MD-19: nobody after the refuser is asked."""
    deal = play(load("ma-diao").deal(hands=REFUSAL, fields={"dealer": 3}), random.Random(1))
    assert [word for _, word in deal.history] == ["silent"] * 4 + ["fight", "refuse"]


def test_a_leader_given_for_one_deal_does_not_lead_the_next() -> None:
    """MD-21"""
    game = load("ma-diao")
    deal = game.deal(hands=REFUSAL, fields={"dealer": 0, "leader": 1})
    again = Record.parse(play(deal, random.Random(2), eager=False).record()).replay().deals[0]
    assert again.state.tobytes() == deal.state.tobytes()
    following = game.deal(3, before=deal.following())
    assert following.state.leads_first == -1
    assert answer(following).mover == following.state.first_dealt


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [("dealer", 4, "no seat 4"), ("dealer", -1, "MD-4"), ("finished", 1, "no deal follows")],
)
def test_a_record_that_begins_wrongly(field: str, value: int, message: str) -> None:
    """MD-4, MD-47"""
    session = Session(load("ma-diao"), seed=3)
    for _ in range(2):
        play(session.next_deal(), random.Random(3))
    before = session.deals[1].before
    assert before is not None
    before[field] = value
    fault = session.game.description.setup.start_fault(before[0])
    assert fault is not None
    assert message in fault
