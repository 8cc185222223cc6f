"""Sap Ng Wu: reasons say what is so, and recommend what is legal."""

from typing import Any

from tefuda.table.deal import Deal
from tefuda.table.game import load
from tefuda.table.reasons import Reason


def why(deal: Deal, word: str, seat: int | None = None) -> Reason:
    reason = deal.why_not(word, seat)
    assert reason is not None
    return reason


def leading(options: dict[str, Any], laid: str) -> Deal:
    fields = {"hands": ["12 24 33", "22 22 15", "56 56 15"], "supreme": [laid, "", ""], "to_move": 0}
    return load("sap-ng-wu", **options).position(fields)


def test_sn_11_a_supreme_lead_is_recommended_only_to_those_who_may_make_it() -> None:
    """SN-5, SN-11"""
    barred = why(leading({"supreme_lead": "none_laid"}, "12 24"), "supreme:12+24")
    assert (barred.rule, barred.code) == ("SN-5", "supreme_over")
    assert "lead" not in barred.text.split(",", 1)[1]
    free = why(leading({}, "12 24"), "supreme:12+24")
    assert (free.code, free.plays) == ("supreme_over_lead", ("12+24",))


def test_sn_10_the_first_lead_is_the_dealers() -> None:
    """SN-9, SN-10, SN-22"""
    deal = load("sap-ng-wu").deal(seed=3)
    rules: set[str] = set()
    while not deal.over and len(rules) < 4:
        rules.add(why(deal, "pass", (deal.mover + 1) % deal.game.seats).rule)
        led = not deal.state.contests and deal.legal()[0] not in ("supreme:none", "pass", "stop")
        if led and "pass" not in deal.legal():
            assert why(deal, "pass", (deal.mover + 1) % deal.game.seats).rule == "SN-10"
        deal.play(deal.legal()[-1] if "pass" not in deal.legal() else "pass")
    assert {"SN-9", "SN-10", "SN-12", "SN-22"} <= rules


def following(best: str, hand: str) -> Deal:
    deal = load("sap-ng-wu").position({"hands": [f"{best} 33", hand, "56 56 15"], "to_move": 0})
    deal.play(best.replace(" ", "+"))
    return deal


def test_sn_13_says_what_is_stronger() -> None:
    """SN-13 to SN-15: weakest first."""
    single = why(following("34", "14 14"), "14")
    assert "weakest first: 26 45." in single.text
    assert single.plays == ("pass",)
    assert "weakest first: 44 11 66." in why(following("55 55", "13 13 33 33"), "33+33").text.replace("13 ", "")
    combination = why(following("44 34", "13 14"), "13+14")
    assert (combination.rule, combination.code) == ("SN-15", "combination_not_stronger")
    assert "weakest first: 11 66." in combination.text


def test_sn_13_the_strongest_is_said_to_be_so() -> None:
    """SN-13"""
    assert why(following("45", "14 14"), "14").code == "nothing_stronger"


def test_sn_29_who_is_not_asked_is_not_told_to_pass() -> None:
    """SN-29: a leader cannot."""
    reason = why(leading({}, ""), "on")
    assert (reason.rule, reason.plays) == ("SN-29", ())
    assert "pass" not in reason.text
