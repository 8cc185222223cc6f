"""Gong Zhu: what the rules of thumb see."""

import pytest

import tefuda
from tefuda.bots.advice import advice_reason


@pytest.mark.parametrize(
    ("fields", "sure"), [({"exposed": "HA"}, True), ({"exposed": "HA", "led": "H"}, False), ({}, False)]
)
def test_an_exposed_card_does_not_beat_what_leads_its_suit_for_the_first_time(
    fields: dict[str, str], sure: bool
) -> None:
    """GZ-8: who has exposed HA and holds another heart keeps it back."""
    deal = tefuda.load("gong-zhu").position({"hands": ["HK H3", "HA H2", "H4 H5", "H6 H7"], **fields})
    assert advice_reason(deal, "HK").startswith("Nobody can beat it") == sure


@pytest.mark.parametrize(("trick", "partnership", "advised"), [
    (["0:C2", "1:CA", "2:C4"], True, "DJ"), (["0:C2", "1:CA", "2:C4"], False, "SA"),
    (["0:C2", "1:C4", "2:CA"], True, "SA"), (["0:C2", "1:C4", "2:CA"], False, "SA"),
])  # fmt: skip
def test_the_sheep_goes_to_the_partner(trick: list[str], partnership: bool, advised: str) -> None:
    """GZ-22: seats 1 and 3 are partners; seat 3 cannot follow, and whoever has played CA takes what it gives away."""
    game = tefuda.load("gong-zhu", partnership=partnership)
    deal = game.position({"hands": ["S2 S4", "D5 D6", "S6 S5", "DJ SA"], "trick": trick})
    assert deal.mover == 3
    assert tefuda.advice(deal) == advised


@pytest.mark.parametrize(("hand", "trick", "play", "said"), [
    ("HA C8", ["1:DA", "2:D2", "3:D3"], "C8", "keep the heart"),  # seat 1 takes the trick
    ("H2 C8", ["1:DA", "2:D2", "3:D3"], "C8", "You cannot follow suit"),  # H2 is below all hearts that are out
    ("H9 C8", ["1:D2", "2:DA", "3:D3"], "H9", "if anybody else takes"),  # seat 2 does
    ("D10 D8", ["1:D9", "2:D2", "3:H3"], "D10", "if anybody else takes"),
    ("D10 D8", ["1:D9", "2:D2", "3:C3"], "D10", "Nobody can beat it"),  # no heart lies in it
])  # fmt: skip
def test_the_reason_names_the_player_who_may_take_all_hearts(hand: str, trick: list[str], play: str, said: str) -> None:
    """GZ-19: seat 1 has three hearts, the only ones taken."""
    captured = ["", "H5 H6 H7", "", ""]
    deal = tefuda.load("gong-zhu").position(
        {"hands": [hand, "S5 S6", "S7 S8", "S9 S10"], "captured": captured, "trick": trick}
    )
    assert said in advice_reason(deal, play)
