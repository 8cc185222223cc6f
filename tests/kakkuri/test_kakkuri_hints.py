"""What the hints of Kakkuri teach, lesson by lesson."""

from typing import Any

import pytest

from tefuda.bots.advice import advice_reason
from tefuda.bots.players import advice
from tefuda.table.game import load


def advised(hand: str, field: str, seats: int = 5, **fields: Any) -> str:
    """The advice to seat 0 with this hand on this field card."""
    position = {"hands": [hand, *[""] * (seats - 1)], "field": field, "to_move": 0, **fields}
    return advice(load("kakkuri", seats=seats).position(position))


def test_utazu_is_claimed_on_ones_turn() -> None:
    assert advised("SA HA DA S5 S6 S7", "C4") == "utazu"


def test_utazu_is_claimed_when_another_has_gone_out() -> None:
    deal = load("kakkuri", seats=3).position({"hands": ["S5", "SA HA DA S6 S7 S8", ""], "field": "S4", "to_move": 0})
    deal.play("S5")
    assert advice(deal) == "utazu"


@pytest.mark.parametrize(
    ("hand", "field", "step"),
    [
        ("S6 D7 HQ H2", "C5", "S6"),  # a run is begun at its lower end
        ("H5 S5 C5 D9", "C4", "C5+S5+H5"),  # three at once leave less than one
        ("SJ SK C3 C4", "DQ", "SJ"),  # a king sets the rest free
        ("D3 CA S5 HQ SJ", "C2", "D3"),
        ("CA S9 DQ", "D7", "CA=8"),  # with the wild everything runs out
    ],
)
def test_what_leaves_the_fewest_goes_is_laid(hand: str, field: str, step: str) -> None:
    assert advised(hand, field) == step


def test_a_wild_is_not_given_for_a_single_card() -> None:
    assert advised("CA S9 HQ", "C4") == "end"


def test_after_a_king_the_longest_run_is_laid() -> None:
    deal = load("kakkuri").position({"hands": ["SK C3 C5 C6 C7 HJ", "", "", "", ""], "field": "DJ", "to_move": 0})
    deal.play("SK")
    assert advice(deal) == "C5"


def test_six_cards_that_run_out_in_one_go_are_kept_for_guri() -> None:
    assert advised("S4 S5 S6 S7 S8 S9", "C3") == "S4"
    assert advised("S4 S5 S6 S7 S8 S9", "C8") == "end"


@pytest.mark.parametrize(
    ("hand", "field", "why"),
    [
        ("S2 H3 H8 CQ DQ C9", "D5", "None of your cards goes on this one (KK-36)."),
        ("CA S9 HQ", "C4", "Laying what fits now would not save you a turn"),
        ("S4 S5 S6 S7 S8 S9", "C8", "All six cards may still go in one turn"),
    ],
)
def test_who_ends_the_turn_is_told_why(hand: str, field: str, why: str) -> None:
    deal = load("kakkuri").position({"hands": [hand, "", "", "", ""], "field": field, "to_move": 0})
    assert advice_reason(deal, "end").startswith(why)


def test_three_pairs_are_declared() -> None:
    assert advised("S4 H4 C5 D5 S9 H9", "C3") == "sanzoku"
    assert advised("S4 H5 C6 D7 S9 HQ", "C3") != "sanzoku"


def test_the_box_is_raised_and_not_ceded_when_one_cannot_go_on() -> None:
    assert advised("S4 H9", "CQ", right=0, box=5) == "raise"
    assert advised("SJ SK", "CQ", right=0, box=5) == "SJ"


def test_only_the_worst_hands_are_dropped() -> None:
    assert advised("SA S3 S5 S7 S9 SJ", "C4", first_turn=[0]) == "drop"
    assert advised("CA S3 S5 S7 S9 SJ", "CQ", first_turn=[0]) != "drop"


def test_nobody_who_is_in_lets_another_return() -> None:
    fields = {"hands": ["S9", "H9", "S4 H5 D6 CK S3 H2"], "field": "S5", "dropped": [2], "to_move": 1, "field_by": 0}
    deal = load("kakkuri", seats=3).position(fields)
    deal.play("end")
    assert advice(deal) == "return"
    deal.play("return")
    assert advice(deal) == "refuse"


def test_hands_are_kept_in_fuwaru() -> None:
    assert advice(load("kakkuri").deal(seed=2)) == "keep"
