"""What players of Sap Ng Wu see beside their hands: combinations, and how far their fu go."""

import pytest

from tefuda.engine.scene import Scene
from tefuda.table.deal import Deal
from tefuda.table.game import load


def seen(deal: Deal, seat: int) -> Scene:
    return deal.view(seat).scene


def test_combinations_beside_the_hand_mark_what_is_held() -> None:
    deal = load("sap-ng-wu").deal(seed=3)
    for seat in range(3):
        scene = seen(deal, seat)
        held = {card for group in scene.hand for card in group.cards}
        assert [group.cards[0] for group in scene.beside] == ["66", "11", "44", "13", "12"]
        assert all(set(group.marked) == held & set(group.cards) for group in scene.beside)


def test_who_looks_on_has_none() -> None:
    assert seen(load("sap-ng-wu").deal(seed=3), -1).beside == ()


@pytest.mark.parametrize(
    ("declined", "tally"), [(0, (4, 15)), (1, (4, 18)), (4, (4, 27)), (5, (0, 0))], ids=["15", "18", "27", "never"]
)
def test_fu_are_counted_up_to_the_next_stop(declined: int, tally: tuple[int, int]) -> None:
    """SN-27, SN-30: who has declined at one level may stop at the next; at the highest never again."""
    deal = load("sap-ng-wu").position(
        {"hands": ["66", "11", "44"], "won": ["34 34 34 34", "", ""], "declined": [declined, 0, 0]}
    )
    assert seen(deal, 0).seats[0].tally == tally


@pytest.mark.parametrize(
    ("won", "mode", "stake"),
    [
        ("", "last_play", ["scene.stake_fu"]),
        ("", "all_played", []),
        ("", "shed", []),
        ("11 11 11 11 22 22 22 22 44 44 55 55 66", "last_play", ["scene.stake_fu", "scene.stake_stop"]),
    ],
)
def test_a_contest_says_what_it_brings_who_is_ahead(won: str, mode: str, stake: list[str]) -> None:
    """SN-19, SN-27: the fu of the latest play, unless they have been counted; whether its player may stop then."""
    position = {"hands": ["34", "44 55", "66 56"], "contest": ["0:33+33"], "won": [won, "", ""]}
    scene = seen(load("sap-ng-wu", score_mode=mode).position(position), 1)
    assert [code for code, _ in scene.stake] == stake
    assert all(fields == {"fu": "2"} for code, fields in scene.stake if code == "scene.stake_fu")
