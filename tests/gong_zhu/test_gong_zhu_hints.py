"""Gong Zhu: what the rules of thumb see."""

import pytest

import tefuda
from tefuda.table.advice import advice_reason


@pytest.mark.parametrize(("fields", "sure"), [({"exposed": "HA"}, True), ({"exposed": "HA", "led": "H"}, False), ({}, False)])
def test_an_exposed_card_does_not_beat_what_leads_its_suit_for_the_first_time(
    fields: dict[str, str], sure: bool
) -> None:
    """GZ-8: who has exposed HA and holds another heart keeps it back."""
    deal = tefuda.load("gong-zhu").position({"hands": ["HK H3", "HA H2", "H4 H5", "H6 H7"], **fields})
    assert advice_reason(deal, "HK").startswith("Nobody can beat it") == sure


def test_who_gives_the_sheep_away_waits_for_a_trick_of_the_partner() -> None:
    """GZ-22: seat 1 is winning with a club that nobody behind can beat; seat 3 is its partner, and an opponent without."""
    hands = ["S2 S4", "D5 D6", "CA S5", "DJ SA"]
    trick = ["0:C2", "1:C3", "2:C4"]
    taken = {}
    for partnership in (True, False):
        game = tefuda.load("gong-zhu", partnership=partnership)
        deal = game.position({"hands": hands, "trick": trick})
        taken[partnership] = tefuda.advice(deal)
    assert taken
