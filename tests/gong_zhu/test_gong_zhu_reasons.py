"""Gong Zhu: every illegal play has a reason that names its rule, and no legal one has."""

import random
import re
from collections.abc import Callable, Iterator

import pytest

from tefuda.engine.notation import NotationError
from tefuda.engine.texts import LANGUAGES
from tefuda.table.deal import Deal
from tefuda.table.game import Game, Session, load
from tefuda.table.reasons import IllegalPlay, Reason

Walk = Callable[..., Iterator[Deal]]


def check_reason(deal: Deal, word: str, seat: int) -> None:
    reason, japanese = deal.why_not(word, seat), deal.why_not(word, seat, "ja")
    legal = seat == deal.mover and word in deal.legal()
    assert (reason is None) == legal == (japanese is None), f"{word} by {seat}: {reason}"
    if reason is None or japanese is None:
        return
    assert isinstance(reason, Reason)
    assert reason.rule in RULES
    assert (reason.rule, reason.code) == (japanese.rule, japanese.code)
    for text in (reason.text, japanese.text):
        assert text.strip()
        assert "{" not in text
        assert "@" not in text
    assert reason.text != japanese.text


RULES = {f"GZ-{number}" for number in range(1, 28)}
WORDS = load("gong-zhu").description.notation.words  # type: ignore[attr-defined]


@pytest.mark.parametrize("deals", [10, pytest.param(40, marks=pytest.mark.deep)])
def test_every_play_is_legal_or_has_a_reason_that_names_its_rule(table: Game, walk: Walk, deals: int) -> None:
    """Every card of the pack (and of none) and every expose word, at random moments of so many deals a table."""
    assert len(WORDS) == 52 + 16
    chance = random.Random(40)
    for seed in range(deals):
        length = 52 if table.seats == 4 else 50
        moments = {*chance.sample(range(length), 2), chance.randrange(table.seats)}
        for number, deal in enumerate(walk(table.deal(seed), chance)):
            if number in moments:
                for word in WORDS:
                    check_reason(deal, word, deal.mover)


def test_every_play_out_of_turn_has_a_reason(table: Game, walk: Walk) -> None:
    """GZ-7 while exposing; GZ-12 in a trick, GZ-14 between two, GZ-3 before the first of a game."""
    chance = random.Random(41)
    for seed in range(4):
        for deal in walk(table.deal(seed), chance):
            if deal.over:
                break
            seat = (deal.mover + chance.randrange(1, table.seats)) % table.seats
            word = chance.choice(WORDS)
            check_reason(deal, word, seat)
            reason = deal.why_not(word, seat)
            assert reason is not None
            played = sum(not word.startswith("expose:") for _, word in deal.history)
            between = "GZ-14" if played else "GZ-3"
            rule = "GZ-12" if played % table.seats else between
            exposing = deal.legal()[0].startswith("expose:")
            assert (reason.rule, reason.code) == ("GZ-7" if exposing else rule, "not_your_turn")
            with pytest.raises(IllegalPlay):
                deal.play(deal.legal()[0], seat)


def test_gz_16_every_play_after_the_deal_has_a_reason(table: Game, walk: Walk) -> None:
    """GZ-16"""
    deal = table.deal(16)
    for _ in walk(deal, random.Random(16)):
        pass
    for seat in range(table.seats):
        for word in WORDS:
            check_reason(deal, word, seat)
            reason = deal.why_not(word, seat)
            assert reason is not None
            assert (reason.rule, reason.code) == ("GZ-16", "deal_over")
    with pytest.raises(IllegalPlay, match="GZ-16"):
        deal.play("S2")


def test_an_illegal_play_changes_nothing(table: Game, walk: Walk) -> None:
    chance = random.Random(42)
    for deal in walk(table.deal(42), chance):
        if deal.over:
            break
        before, history = deal.state.tobytes(), list(deal.history)
        illegal = [word for word in WORDS if word not in deal.legal()]
        with pytest.raises(IllegalPlay) as refused:
            deal.play(chance.choice(illegal))
        assert refused.value.reason.rule in RULES
        assert (deal.state.tobytes(), deal.history) == (before, history)


@pytest.mark.parametrize(
    "word", ["", "S1", "XX", "SQ HA", "SQ+XX", "expose", "expose:", "expose:S1", "pass", "expose:none+SQ"]
)
def test_a_word_that_is_no_play_is_named(word: str) -> None:
    deal = load("gong-zhu").deal(1)
    with pytest.raises(NotationError) as error:
        deal.play(word)
    assert repr(word) in str(error.value)
    for language in LANGUAGES:
        why = deal.why_not(word, language=language)
        assert why is not None
        assert (why.rule, why.code) == ("", "no_play")
        assert re.search(rf"{re.escape(word)}.*expose:", str(why))
        assert set(why.plays) <= set(deal.legal())


@pytest.mark.parametrize("word", ["expose:HA+SQ", "EXPOSE:sq+ha", " expose:SQ+HA "])
def test_gz_5_cards_may_be_named_in_any_order_and_case(word: str) -> None:
    """GZ-5"""
    deal = load("gong-zhu").position({"phase": "expose", "hands": ["SQ HA", "D2 D3", "C4 C5", "H4 H5"]})
    assert deal.why_not(word) is None
    deal.play(word)
    assert deal.history == [(0, "expose:SQ+HA")]


@pytest.mark.parametrize("word", ["expose:HK", "expose:S2", "expose:SQ+HK", "expose:SQ+SQ", "SQ+HA", "HA+HK"])
def test_words_of_several_or_other_cards_have_a_reason(word: str) -> None:
    """GZ-5, GZ-7: while exposing."""
    reason = load("gong-zhu").deal(seed=3).why_not(word)
    assert reason is not None
    assert reason.rule == ("GZ-5" if ":" in word else "GZ-7")


def test_gz_13_gz_12_one_card_is_played() -> None:
    """GZ-13, GZ-12"""
    deal = load("gong-zhu", exposing=False).deal(seed=3)
    for rule in ("GZ-13", "GZ-12"):
        reason = deal.why_not("SQ+HA")
        assert reason is not None
        assert (reason.rule, reason.code) == (rule, "one_card")
        deal.play(deal.legal()[0])


def test_gz_4_out_of_turn_before_the_first_lead_of_a_later_deal() -> None:
    """GZ-3, GZ-4"""
    session = Session(load("gong-zhu", exposing=False), seed=5)
    for rule in ("GZ-3", "GZ-4"):
        deal = session.next_deal()
        reason = deal.why_not("SQ", (deal.mover + 1) % 4)
        assert reason is not None
        assert reason.rule == rule
        while not deal.over:
            deal.play(deal.legal()[0])
