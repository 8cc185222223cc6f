"""Imagined worlds of Ma Diao: exactly those that the rules and the options allow, each as likely as another."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tefuda import testing
from tefuda.engine import rng, verbs, views
from tefuda.engine.bits import members_of
from tefuda.games.ma_diao.cards import is_extraordinary
from tefuda.games.ma_diao.state import Answer
from tefuda.table.deal import Deal
from tefuda.table.game import Game, load
from tefuda.testing import Playout, check_conservation, check_round_trip, check_worlds_replay
from tefuda.testing.playouts import stacked
from tests.ma_diao.constructed import RARE, TOPS_AGAINST_HUNDRED, TWO_EXTRAORDINARY, answer, play
from tests.ma_diao.particulars import PARTICULARS

PACK = list(load("ma-diao").description.cards)

RISING = [suit + rank for suit, ranks in (("T", "23456789"), ("W", "12345678"), ("S", "12345678")) for rank in ranks]
"""Six tricks in which everybody beats: each begins with the fourth player of the one before."""

LAST_CARDS = (["C0", "S9"], ["TB", "TM"], ["C8", "C7"], ["C5", "C6"])
"""What each has left after them; then seat 2 leads."""

UNSEEN = ["TB", "TQ", "TM", "W9", "C1", "C2", "C3", "C4", "C5", "C6", "CH"]
"""What seat 0 has not seen when the two cards of seat 2 lie on the table: four cards of others, seven of the stock."""

DRAWS_PER_WORLD = 5
"""How often each world is to come up."""

Key = tuple[str, ...]


def late(game: Game) -> Deal:
    """The eighth trick: seat 2 has led cash twice, seat 3 has thrown on both, seat 1 on the first."""
    order = [(3 * (k // 4) + k) % 4 for k in range(len(RISING))]
    hands = [[card for card, seat in zip(RISING, order, strict=True) if seat == each] for each in range(4)]
    texts = [" ".join(hand + last) for hand, last in zip(hands, LAST_CARDS, strict=True)]
    deal = answer(game.deal(hands=texts, fields={"dealer": 0, "face": "C9", "leader": 0}))
    for word in [*RISING, "C8", "~C5", "~C0", "~TB", "C7", "~C6"]:
        deal.play(word)
    return deal


def draws(deal: Deal, viewer: int, times: int) -> Iterable[Any]:
    """Worlds as a viewer imagines them; the same record is used again."""
    view = views.observe_all(np.array([deal.state]), np.array([viewer]))
    world, generator = np.zeros(1, view.dtype), rng.generator(7)
    for _ in range(times):
        verbs.imagine(view[0], generator, world[0])
        yield world[0]


def words(*sets: int) -> Key:
    return tuple(PACK[card] for cards in sets for card in members_of(cards))


def is_thrown_rightly(thrown: str, kept: str, must_follow: bool) -> bool:
    """MD-26, of a card thrown on cash and the one card left."""
    return not must_follow or thrown[0] == "C" or kept[0] != "C"


@pytest.mark.parametrize("must_follow", [True, False])
def test_md_26_a_throw_tells_of_the_rest_of_the_hand(must_follow: bool) -> None:
    """MD-25, MD-26: every possible world is drawn, and no other."""
    possible = {
        (first, last, other, kept)
        for first, last, other, kept in permutations(UNSEEN, 4)
        if is_thrown_rightly(first, last, must_follow) and is_thrown_rightly(other, kept, must_follow)
    }
    deal = late(load("ma-diao", must_follow=must_follow))
    counts = Counter(
        words(world.thrown[3, 6], world.thrown[3, 7], world.thrown[1, 6], world.hands[1])
        for world in draws(deal, 0, DRAWS_PER_WORLD * len(possible))
    )
    assert set(counts) <= possible
    chi_square = sum((counts[world] - DRAWS_PER_WORLD) ** 2 / DRAWS_PER_WORLD for world in possible)
    degrees = len(possible) - 1
    assert abs(chi_square - degrees) < 5 * (2 * degrees) ** 0.5


def test_md_45_any_card_of_the_stock_may_be_the_accuser() -> None:
    """MD-9, MD-45"""
    times = 3000
    counts = Counter(words(world.accuser_down)[0] for world in draws(late(load("ma-diao")), 0, times))
    assert set(counts) == set(UNSEEN)
    assert max(counts.values()) < 1.3 * times / len(UNSEEN)


@pytest.mark.parametrize("mandatory", [True, False])
def test_md_16_silence_tells_only_where_one_must_declare(mandatory: bool) -> None:
    """MD-16: T9, W5 and W6 of seat 1 are on the table; with TB and W8 in hand that player would have had to declare."""
    fields = {
        "hands": ["T2 W1 S1 C9 C8", "TB W7 S7 C7 C6", "T3 W2 S2 C5 C4", "T4 W3 S3 C3 C2"],
        "won": ["", "T9 W5 W6", "", ""],
    }
    deal = load("ma-diao", extraordinary_mandatory=mandatory).position(fields)
    found = [is_extraordinary(world, world.dealt[1]) for world in draws(deal, 0, 2000)]
    assert any(found) != mandatory


@pytest.mark.parametrize("mandatory", [True, False])
def test_md_16_answers_not_yet_shown_are_imagined(mandatory: bool) -> None:
    """MD-16: players who have answered said what their imagined hands allow; the others have said nothing."""
    deal = load("ma-diao", extraordinary_mandatory=mandatory).deal(hands=TWO_EXTRAORDINARY, fields={"dealer": 1})
    for word in ("declare", "silent", "silent"):
        deal.play(word)
    said = Counter[tuple[bool, int]]()
    for world in draws(deal, 2, 5000):
        assert world.pending[2] == Answer.SILENT
        assert world.pending[0] == Answer.NONE_YET
        for seat in (1, 3):
            said[bool(is_extraordinary(world, world.hands[seat])), int(world.pending[seat])] += 1
    expected = {(False, Answer.SILENT), (True, Answer.DECLARE)} | (set() if mandatory else {(True, Answer.SILENT)})
    assert set(said) == expected


def test_md_12_who_does_not_show_the_hundred_does_not_have_it() -> None:
    """MD-12, MD-22: at the end it is shown, or it is in the stock."""
    hands = [hand.replace("TB", "W7") for hand in TOPS_AGAINST_HUNDRED]
    deal = load("ma-diao").deal(hands=hands, fields={"dealer": 0})
    while not deal.over:
        deal.play(deal.legal()[-1])
    assert deal.state.declared == 1
    hundred = PACK.index("TB")
    for world in draws(deal, 0, 500):
        assert int(world.stock | world.accuser_down) >> hundred & 1


def test_imagined_ends_pay_the_same(table: Game) -> None:
    """MD-28: all that a score depends on has been shown."""
    for seed in range(20):
        deal = play(table.deal(seed), random.Random(seed))
        paid = np.zeros(4, np.int64)
        for viewer in (-1, 2):
            for world in draws(deal, viewer, 5):
                verbs.payoff(world, paid)
                assert paid.tolist() == deal.payoff()


# Deals that chance would hardly ever bring


def rare_trails(game: Game, deals: int, seed: int) -> Iterator[Playout]:
    """RARE played by those who declare and refuse at random, as the contract suite plays deals of chance."""
    for number, hands in enumerate(RARE * deals):
        deal = game.deal((seed, number), hands=hands, fields={"dealer": number % 4})
        generator = rng.generator((seed, number, 1))
        states, actions, movers = [deal.state], [], [deal.mover]
        while not deal.over:
            legal = deal.legal_actions()
            actions.append(legal[rng.below(generator, len(legal))])
            deal.act(actions[-1])
            states.append(deal.state)
            movers.append(deal.mover)
        yield Playout(
            game, (seed, number), deal, stacked(states), np.array(actions, np.int64), np.array(movers, np.int64)
        )


@pytest.mark.parametrize("check", [check_round_trip, check_worlds_replay, check_conservation])
def test_rare_deals_keep_the_contract(table: Game, check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """MD-10, MD-17, MD-41"""
    monkeypatch.setattr(testing.view_checks, "playouts", rare_trails)
    check(table, 2, 1, PARTICULARS.hooks)
