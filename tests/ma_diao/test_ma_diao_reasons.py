"""Ma Diao: reasons say what is so, and recommend what is legal."""

from typing import Any

import pytest

from tefuda.engine.texts import LANGUAGES
from tefuda.table.deal import Deal
from tefuda.table.game import load
from tefuda.table.reasons import Reason


def why(deal: Deal, word: str) -> Reason:
    reason = deal.why_not(word)
    assert reason is not None
    return reason


def test_md_24_cash_runs_backwards() -> None:
    """MD-24"""
    deal = load("ma-diao").position({"hands": ["CH S2", "C1 W3", "S3 S4", "S5 S6"], "to_move": 0})
    deal.play("CH")
    reason = why(deal, "C1")
    assert "cash runs backwards" in reason.text
    assert reason.plays == ("~C1",)


@pytest.mark.parametrize(
    ("options", "other"), [({}, False), ({"refusal_hands": "four_lowest+no_honours"}, True)], ids=["default", "more"]
)
def test_md_17_other_hands_are_named_only_where_there_are_some(options: dict[str, Any], other: bool) -> None:
    """MD-17"""
    deal = load("ma-diao", **options).deal(seed=2)
    while deal.legal()[0] == "silent":
        deal.play("silent")
    while deal.why_not("refuse") is None:
        deal.play("fight")
    assert ("another hand" in why(deal, "refuse").text) == other


def test_md_16_only_answers_that_may_be_given_are_recommended() -> None:
    """MD-16, MD-19: declare only with an extraordinary hand, refuse only with a hand for it."""
    deal = load("ma-diao").deal(seed=2)
    for expected in ("silent", "fight"):
        for _ in range(4):
            reason = why(deal, "W7")
            assert reason.plays == tuple(deal.legal()) == (expected,)
            assert expected in reason.text
            deal.play(expected)


@pytest.mark.parametrize(("word", "rule"), [("W7+W8", "MD-23"), ("~W7+~W8", "MD-23")])
def test_md_23_two_cards_have_a_reason(word: str, rule: str) -> None:
    """MD-23"""
    deal = load("ma-diao").position({"hands": ["CH S2", "C1 W3", "S3 S4", "S5 S6"], "to_move": 0})
    assert why(deal, word).rule == rule


def test_md_17_one_spelling_of_refusing() -> None:
    """MD-17: 免鬥 (Japanese 免闘) in the rules; the page's 免門 stands in its glossary."""
    texts = load("ma-diao").description.files.texts
    for language in LANGUAGES:
        text = (texts / f"{language}.toml").read_text("utf-8")
        assert "免門" not in text
        assert "免门" not in text
