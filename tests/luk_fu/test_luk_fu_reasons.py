"""Luk Fu: reasons say what is so, and recommend what is legal."""

import pytest

from tefuda.engine.texts import LANGUAGES
from tefuda.table.deal import Deal
from tefuda.table.game import load
from tefuda.table.reasons import Reason


def why(deal: Deal, word: str, language: str = "en") -> Reason:
    reason = deal.why_not(word, language=language)
    assert reason is not None
    return reason


def deciding() -> Deal:
    """Seat 0 has eight tricks and has just won one."""
    fields = {"hands": ["T5 K2", "C2 S7", "C3 S4"], "tricks": [7, 2, 1], "to_move": 0, "declarer": 0}
    deal = load("luk-fu").position(fields)
    for word in ("T5", "~C2", "~C3"):
        deal.play(word)
    assert deal.legal() == ["stop", "on"]
    return deal


@pytest.mark.parametrize("word", ["play", "pass", "K2", "tigers"])
def test_lf_41_who_has_to_decide_is_told_to_decide_first(word: str) -> None:
    """LF-41"""
    reason = why(deciding(), word)
    assert (reason.rule, reason.plays) == ("LF-9" if word in ("play", "pass") else "LF-41", ("stop", "on"))
    assert "six tricks or more" in reason.text


def test_lf_18_an_old_card_says_what_has_become_of_those_above() -> None:
    """LF-18, LF-25: K9 played, K8 thrown by its own player; or K8 known to be held by nobody."""
    own = load("luk-fu").position(
        {
            "hands": ["", "K7 S4", ""],
            "dealt": ["", "K8 K7 S4", ""],
            "thrown": ["", "K8", ""],
            "faceup": "K9",
            "to_move": 1,
        }
    )
    assert "face up: K9; your own, in hand or thrown: K8; held by nobody" in why(own, "K7").text
    bounds = {0: {"K": 7}, 1: {"K": 5}}
    inferred = load("luk-fu").position({"hands": ["", "", "K7 S4"], "faceup": "K9", "bounds": bounds, "to_move": 2})
    reason = why(inferred, "K7")
    assert "(LF-25): K8" in reason.text
    assert reason.plays == ("S4",)


def test_lf_18_the_highest_card_is_called_so() -> None:
    """LF-18, LF-23"""
    deal = load("luk-fu").position({"hands": ["", "K9 S4", "C2 C3"], "to_move": 1})
    assert why(deal, "K9").code == "highest_lead"


def test_lf_30_says_which_cards_beat() -> None:
    """LF-30"""
    deal = load("luk-fu").position({"hands": ["K2 S3", "K3 K7 C2", "T2 T3"], "to_move": 0, "declarer": 0})
    deal.play("K2")
    for word in ("~C2", "C2"):
        reason = why(deal, word)
        assert (reason.rule, reason.plays) == ("LF-30", ("K3", "K7"))
        assert "K3 or K7" in reason.text


def test_lf_16_tigers_are_not_recommended_where_they_are_barred() -> None:
    """LF-16: not even to whoever would lead them."""
    fields = {"hands": ["T1 K1 S1 C1 L T5", "", ""], "declarer": 2, "opening": True}
    for word in ("tigers", "T1+K1+S1+C1+L"):
        reason = why(load("luk-fu").position(fields), word)
        assert reason.rule == "LF-16"
        assert "tigers" not in reason.plays


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_to_be_typed_keeps_its_small_letter(language: str) -> None:
    deal = load("luk-fu").position({"hands": ["", "K9 S4", "C2 C3"], "to_move": 1})
    for word in ("stop", "on"):
        text = why(deal, word, language).text
        assert word in text
        assert word.capitalize() not in text
