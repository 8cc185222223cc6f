"""Miniatures and tiny games: the rules of the whole game, few enough cards to go through all deals."""

from itertools import permutations

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.bots.players import bot
from tefuda.engine.description import TINY
from tefuda.engine.errors import TefudaError
from tefuda.research.tree import END, GameTree, all_deals, count_orders, every_deal

MINIATURES = ["gong-zhu-miniature", "sap-ng-wu-miniature"]


def test_there_is_one_of_two_games() -> None:
    assert games.miniatures() == MINIATURES


@pytest.mark.parametrize(("name", "cards"), [(MINIATURES[0], 8), (MINIATURES[1], 9)])
def test_a_miniature_is_loaded_by_name_and_offered_to_nobody(name: str, cards: int) -> None:
    assert name not in tefuda.list_games()
    game = tefuda.load(name)
    assert (game.seats, len(game.pack)) == (2, cards)
    assert game.description.record is games.description(game.description.miniature_of).record
    assert game.description.files.net is None


def test_a_game_without_a_miniature_says_which_have_one() -> None:
    there_are = "there is no kakkuri-miniature; there are: gong-zhu-miniature, sap-ng-wu-miniature"
    with pytest.raises(TefudaError, match=there_are):
        tefuda.load("kakkuri-miniature")


def test_gz_22_two_or_three_have_no_partners() -> None:
    with pytest.raises(TefudaError, match="partnership needs 4 seats"):
        tefuda.load("gong-zhu-miniature", partnership=True)


def sap_ng_wu(first: str, second: str) -> tefuda.Deal:
    """A deal in which seat 0 draws and leads first, and nobody lays supreme cards."""
    deal = tefuda.load("sap-ng-wu-miniature").deal(hands=[first, second], fields={"dealer": 0})
    deal.play("supreme:none")
    deal.play("supreme:none")
    return deal


def test_sn_4_three_cards_each_and_three_aside() -> None:
    deal = sap_ng_wu("66 66 12", "11 11 24")
    assert deal.array["held"][0, :2].tolist() == [3, 3]
    assert deal.array["aside"][0].sum() == 3
    assert not any(deal.view(seat).array["aside"].any() for seat in (0, 1, -1))


def test_sn_15_a_combination_is_beaten_by_a_stronger_one() -> None:
    deal = sap_ng_wu("11 26 24", "66 45 12")
    deal.play("11+26")
    assert deal.legal() == ["66+45", "pass"]


def test_sn_28_in_the_miniature_two_fu_allow_a_stop_and_three_pay_more() -> None:
    deal = sap_ng_wu("66 66 12", "11 11 24")
    deal.play("66+66")
    deal.play("pass")
    assert deal.legal() == ["stop", "on"]
    on = deal.copy()
    deal.play("stop")
    assert deal.payoff() == [1, -1]
    for play in ("on", "12", "pass", "stop"):
        on.play(play)
    assert on.payoff() == [2, -2]


def test_sn_8_both_supreme_cards_allow_a_stop_at_once() -> None:
    deal = tefuda.load("sap-ng-wu-miniature").deal(hands=["12 24 66", "11 11 26"], fields={"dealer": 0})
    deal.play("supreme:12+24")
    assert deal.legal() == ["stop", "on"]


@pytest.mark.slow
def test_all_deals_are_those_of_all_orders() -> None:
    game = tefuda.load("gong-zhu-miniature")
    states, counts = all_deals(game)
    assert len(states) == 560  # 8! / (3! 3! 2!)
    assert counts == [72] * 560  # 3! 3! 2!
    assert len({state.tobytes() for state in states}) == 560
    few = [np.array(order) for order in list(permutations(game.pack.tolist()))[:: 40320 // 7]]
    dealt = {game.deal(deck=order, chance=0).state.tobytes() for order in few}
    assert dealt <= {state.tobytes() for state in states}


@pytest.mark.slow
def test_equal_cards_make_equal_orders() -> None:
    game = tefuda.load("sap-ng-wu-miniature")
    assert count_orders(game) == 45_360  # 9! / (2! 2! 2!)
    states, counts = all_deals(game)
    assert (len(states), sum(counts)) == (417, 45_360)


@pytest.mark.parametrize(("name", "deals", "states"), [(MINIATURES[0], 560, 261_093), (MINIATURES[1], 417, 203_754)])
@pytest.mark.deep
def test_the_whole_tree_fits_in_memory(name: str, deals: int, states: int) -> None:
    tree = GameTree(*every_deal(tefuda.load(name)))
    assert (len(tree.levels[0]), len(tree.mover)) == (deals, states)
    assert not tree.payoffs[tree.mover != END].any()
    assert tree.value(tree.uniform()).shape == (2,)


@pytest.mark.parametrize("name", games.names())
def test_whole_games_have_too_many_deals(name: str) -> None:
    with pytest.raises(TefudaError, match=r"cards, too many to go through all deals"):
        count_orders(tefuda.load(name))


# Tiny games: the last cards of a deal

TINY_GAMES = {  # by name, the ways to deal, how many of them differ, and information sets
    "gong-zhu-tiny": (420, 420, 1942),  # 8! / (2! 2! 4!)
    "kakkuri-tiny": (180, 180, 785),  # 6! / (2! 2!): the box in every order
    "luk-fu-tiny": (180, 180, 1169),  # 6! / (1! 2! 2! 1!)
    "ma-diao-tiny": (120, 120, 1353),  # 5!
    "sap-ng-wu-tiny": (90, 54, 1319),  # 6! / (2! 2! 2!)
}


def test_every_game_has_a_tiny_one() -> None:
    assert games.miniatures(TINY) == [f"{name}{TINY}" for name in games.names()] == list(TINY_GAMES)


@pytest.mark.parametrize(("name", "sizes"), TINY_GAMES.items())
def test_a_tiny_game_begins_in_all_ways_that_look_the_same(name: str, sizes: tuple[int, int, int]) -> None:
    deals, counts = every_deal(tefuda.load(name))
    assert (sum(counts), len(deals)) == sizes[:2]
    assert len({deal.view(-1).array.tobytes() for deal in deals}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sizes"), TINY_GAMES.items())
def test_a_tiny_game_has_fewer_than_2000_information_sets_and_asks_something(
    name: str, sizes: tuple[int, int, int]
) -> None:
    tree = GameTree(*every_deal(tefuda.load(name)), reward="gain")
    assert len(tree.deals) == sizes[2] < 2000
    assert tree.exploitability(tree.uniform()) > tree.exploitability(tree.policy_of(bot("hints"))) > 0


def test_a_tiny_game_has_options_of_its_own_which_may_be_changed() -> None:
    assert tefuda.load("gong-zhu-tiny").options["exposing"] is False
    assert tefuda.load("gong-zhu").options["exposing"] is True
    changed = tefuda.load("kakkuri-tiny", stalemate_turns=3)
    assert changed.changed_options() == {"stalemate_turns": 3}
    assert every_deal(changed)[0][0].game.options["stalemate_turns"] == 3


def test_kk_43_the_tiny_game_begins_with_the_right_to_raise_a_box_of_two() -> None:
    """Of the cards S5 to S9 and SJ, sorted, seat 0 has the first two, seat 1 the next; the others are the box."""
    deal = every_deal(tefuda.load("kakkuri-tiny"))[0][0]
    assert [deal.view(seat).hand() for seat in (0, 1)] == [["S5", "S6"], ["S7", "S8"]]
    assert deal.legal() == ["S5", "raise", "cede"]
    deal.play("raise")
    assert deal.facts()["box"] == 1
    assert deal.view(1).to_dict()["rank"] == "9"


def test_a_tiny_game_shuffles_no_pack() -> None:
    with pytest.raises(TefudaError, match="luk-fu-tiny shuffles no pack"):
        tefuda.load("luk-fu-tiny").deal(seed=1)
