"""Amateurs: what they forget, the plays they hesitate between, the tricks they overvalue, their habits."""

import numpy as np
import pytest

import tefuda
from tefuda.bots.amateur import AmateurBot, Mistakes, near_best, recall, takes_lead
from tefuda.bots.net import NetBot
from tefuda.bots.players import ask, asks_network, bot
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.table.deal import Deal
from tests.searched import every_game

CLUMSY = "amateur:forgets=60,haste=30,greed=20"


def played(name: str, spec: str, deals: int = 3) -> list[list[tuple[int, str]]]:
    """The histories of some deals that this bot plays; whatever it answers is checked to be legal."""
    found, player = [], bot(spec)
    for seed in range(deals):
        deal, rng = tefuda.load(name).deal(seed), generator(seed)
        while not deal.over:
            deal.act(ask(player, deal.view(deal.mover), deal.legal_actions(), rng, ""))
        found.append(deal.history)
    return found


def in_play(name: str, seed: int, plays: int) -> Deal:
    deal = tefuda.load(name).deal(seed)
    while len(deal.history) < plays and not deal.over:
        tefuda.choose_play(bot("net"), deal, seed)
    return deal


@pytest.mark.parametrize("name", every_game())
def test_the_same_seed_makes_the_same_mistakes(name: str) -> None:
    assert played(name, CLUMSY) == played(name, CLUMSY)


@pytest.mark.parametrize("name", every_game())
def test_without_mistakes_it_plays_as_the_net(name: str) -> None:
    assert played(name, "amateur:forgets=0,haste=0") == played(name, "net")


@pytest.mark.parametrize("name", every_game())
def test_it_forgets_the_past_alone(name: str) -> None:
    """All that it recalls is true, and what is not marked as past is as it was."""
    forgot = 0
    for plays in range(4, 24, 4):
        view = (deal := in_play(name, 10, plays)).view(max(deal.mover, 0))
        recalled = recall(view, 50, generator(plays))
        for field in view.game.fields:
            was, now = view.array[field.name], recalled.array[field.name]
            assert field.past or (was == now).all()
            forgot += int((was != now).sum())
        assert (recall(view, 0, generator(1)).array == view.array).all()
        assert recalled.hand() == view.hand()
        assert [seat.played for seat in recalled.scene.seats] == [seat.played for seat in view.scene.seats]
    assert forgot or not any(field.past for field in view.game.fields)


def test_what_lies_on_the_table_is_not_forgotten() -> None:
    """GZ-16: cards that count lie open before whoever has taken them; the others lie face down."""
    view = (deal := in_play("gong-zhu", 7, 40)).view(deal.mover)
    recalled = recall(view, 100, generator(0))
    assert [seat.piles for seat in recalled.scene.seats] == [seat.piles for seat in view.scene.seats]
    assert 0 < np.bitwise_count(recalled.array["won"]).sum() < np.bitwise_count(view.array["won"]).sum()
    assert not recalled.array["voids"].any()


def test_errors_are_near_misses() -> None:
    """Whatever it forgets or wants, its haste bounds what it gives away; the better plays come more often."""
    deal = in_play("gong-zhu", 3, 5)  # the suit led can be followed by several cards, high and low
    view, legal = deal.view(deal.mover), deal.legal_actions()
    hasty, greedy = (AmateurBot(Mistakes.read(f"haste=10,{more}")) for more in ("greed=0", "forgets=90,greed=40"))
    ratings = NetBot().network(view).ratings(view, generator(0))
    near = near_best(ratings, legal, 0.1)
    chosen, taken = ([each.choose(view, legal, generator(seed)) for seed in range(400)] for each in (hasty, greedy))
    assert 1 < len(near) < len(legal)
    assert set(chosen) == set(near)
    assert set(taken) <= set(near)
    assert ratings[chosen].mean() > ratings[near].mean()
    leads = [sum(takes_lead(view, action) for action in actions) for actions in (chosen, taken)]
    assert leads[0] < leads[1]


def test_a_habit_is_followed_wherever_it_can_be() -> None:
    always, never = (bot(f"amateur:habit=expose:{which}") for which in ("SQ", "none"))
    for seed in range(20):
        deal = tefuda.load("gong-zhu").deal(seed)
        words = deal.legal()
        assert tefuda.choose_play(never, deal.copy(), seed) == "expose:none"
        assert ("expose:SQ" in words) <= (tefuda.choose_play(always, deal.copy(), seed) == "expose:SQ")


def test_a_network_has_to_know_the_table() -> None:
    assert asks_network("amateur")
    assert asks_network("amateur:haste=3")
    with pytest.raises(TefudaError, match="has not learned to play with 5 seats"):
        tefuda.choose_play(bot("amateur:haste=3"), tefuda.load("gong-zhu", 5).deal(0), 0)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("amateur:forget=5", r"no setting 'forget=5'; it has forgets=50 \(at most 100\), haste="),
        ("amateur:forgets=101", "no setting 'forgets=101'"),
        ("amateur:haste=1.5", "no setting 'haste=1.5'"),
        ("amateur:haste=3,greed=", "no setting 'greed='"),
        ("amateur:habit=", "no setting 'habit='; .* habit=expose:none"),
        ("amateur:", "no setting ''"),
    ],
)
def test_what_is_no_mistake_is_said(spec: str, complaint: str) -> None:
    with pytest.raises(TefudaError, match=complaint):
        bot(spec)


def test_a_habit_is_a_play_of_the_game() -> None:
    view = tefuda.load("gong-zhu").deal(1).view(0)
    bot("amateur:habit=expose:none").warm(view)  # type: ignore[attr-defined]
    with pytest.raises(TefudaError, match=r"gong-zhu: no play is called 'expose:non'; did you mean 'expose:none'\?"):
        bot("amateur:habit=expose:non").warm(view)  # type: ignore[attr-defined]
