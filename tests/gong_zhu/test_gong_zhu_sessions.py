"""What scenario files cannot say of Gong Zhu from deal to deal: sums, totals, the end of a game."""

import random
from typing import Any

import numpy as np
import pytest

from tefuda.engine.record import duplicate
from tefuda.table.deal import Deal
from tefuda.table.game import Game, Session, load
from tests.gong_zhu.deals import KEY_CARDS, POINT_CARDS, Walk, captures_of, exposed_in, finish


def everything_in(deal: Deal) -> dict[str, Any]:
    """The whole state, field by field."""
    return {name: deal.state[name].tolist() for name in deal.state.dtype.names}


def beginning(game: Game, **carried: Any) -> Any:
    """What an earlier deal handed on."""
    before = duplicate(game.template)
    for name, value in carried.items():
        before[name][0] = value
    return before


@pytest.mark.parametrize("seats", [4, 5])
def test_gz_23_the_sum_of_the_scores(seats: int, walk: Walk) -> None:
    """GZ-23: the invariant on 200 random deals with random exposures."""
    game = load("gong-zhu", seats)
    chance = random.Random(23)
    checked = 0
    for seed in range(100):
        deal = finish(game.deal(seed), chance, walk)
        captures, exposed = captures_of(deal), exposed_in(deal)
        if any(sum(card[0] == "H" for card in cards) == (13 if seats == 4 else 12) for cards in captures):
            continue
        twice = {card: 2 if card in exposed else 1 for card in KEY_CARDS}
        taker = next(seat for seat, cards in enumerate(captures) if "C10" in cards)
        factor = 2 * twice["C10"]
        expected = -200 * twice["HA"] - 100 * twice["SQ"] + 100 * twice["DJ"]
        if captures[taker] & POINT_CARDS == {"C10"}:
            expected += 50 * twice["C10"]
        else:
            base, rest = divmod(deal.payoff()[taker], factor)
            assert rest == 0
            expected += (factor - 1) * base
        assert sum(deal.payoff()) == expected
        checked += 1
    assert checked >= 95


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"target": 300},
        {"end_on_plus": True, "target": 300},
        {"partnership": True, "target": 400},
        {"partnership": True, "target": 400, "team_end": "any_individual"},
        {"partnership": True, "target": 400, "team_end": "any_individual", "end_on_plus": True},
        {"seats": 5},
    ],
)
def test_gz_24_totals_add_up_and_the_game_ends_when_it_must(options: dict[str, Any], walk: Walk) -> None:
    """GZ-24, GZ-26, GZ-22: beside a plain reckoning, in which own scores are those of a solo table."""
    game = load("gong-zhu", **options)
    solo = load("gong-zhu", game.seats)
    target, plus = int(game.options["target"]), game.options["end_on_plus"]
    each_watched = options.get("team_end") == "any_individual"
    for seed in range(6):
        session, chance = Session(game, seed), random.Random(seed)
        totals, own_totals = [0] * game.seats, [0] * game.seats
        assert session.totals == totals
        while not session.over:
            deal = finish(session.next_deal(), chance, walk)
            own = _solo_scores(solo, deal)
            expected = [own[s] + own[(s + 2) % 4] for s in range(4)] if options.get("partnership") else own
            assert deal.payoff() == expected
            totals = [total + points for total, points in zip(totals, deal.payoff(), strict=True)]
            own_totals = [total + points for total, points in zip(own_totals, own, strict=True)]
            assert session.totals == totals
            watched = own_totals if each_watched else totals
            ends = min(watched) <= -target or (bool(plus) and max(watched) >= target)
            assert session.over == ends
            assert deal.facts()["over"] == ends
        with pytest.raises(ValueError, match="the game is over"):
            session.next_deal()


def _solo_scores(solo: Game, deal: Deal) -> list[int]:
    captured = [" ".join(sorted(cards)) for cards in captures_of(deal)]
    fields = {"hands": [""] * solo.seats, "captured": captured, "exposed": " ".join(exposed_in(deal))}
    return solo.position(fields).payoff()


def test_gz_24_the_next_deal_waits_for_the_end_of_this_one() -> None:
    """GZ-24, GZ-16"""
    session = Session(load("gong-zhu"), seed=2)
    session.next_deal()
    with pytest.raises(ValueError, match="not over"):
        session.next_deal()
    assert session.totals == [0, 0, 0, 0]


def test_gz_25_lowest_and_highest_total_stand_when_the_game_ends(walk: Walk) -> None:
    """GZ-25: nothing but the totals decides the places, and they stay readable once the game is over."""
    session, chance = Session(load("gong-zhu"), seed=25), random.Random(25)
    while not session.over:
        finish(session.next_deal(), chance, walk)
    assert min(session.totals) <= -1000
    paid = np.sum([deal.payoff() for deal in session.deals], axis=0)
    assert session.totals == paid.tolist()


@pytest.mark.parametrize(
    ("team_end", "own", "over"),
    [
        ("team_total", [-150_000, 0, 150_000, 0], False),
        ("any_individual", [-150_000, 0, 150_000, 0], True),
        ("team_total", [-60_000, 0, -60_000, 0], True),
        ("any_individual", [-60_000, 0, -60_000, 0], False),
    ],
)
def test_gz_26_the_teams_total_or_each_partners_own(team_end: str, own: list[int], over: bool, walk: Walk) -> None:
    """GZ-26: after a long game to 100,000, in which one more deal decides nothing."""
    game = load("gong-zhu", partnership=True, team_end=team_end, target=100_000)
    team = [own[0] + own[2], own[1] + own[3]] * 2
    before = beginning(game, totals=[*team, 0], own_totals=[*own, 0], deals=90, leads_first=2)
    deal = game.deal(26, before=before)
    assert deal.mover == 2
    assert deal.facts()["totals"] == team
    finish(deal, random.Random(26), walk)
    assert deal.facts()["totals"] == [total + points for total, points in zip(team, deal.payoff(), strict=True)]
    assert deal.facts()["over"] is over


def test_gz_27_strips_of_paper_are_no_rule(walk: Walk) -> None:
    """GZ-27 b: nothing about the loser goes on into another game: it begins like any other."""
    game = load("gong-zhu")
    session, chance = Session(game, seed=27), random.Random(27)
    while not session.over:
        finish(session.next_deal(), chance, walk)
    again = Session(game, seed=27).next_deal()
    assert everything_in(again) == everything_in(game.deal((27, 0)))
    assert again.facts()["totals"] == [0, 0, 0, 0]
    assert not [field.name for field in game.description.fields if "strip" in field.name or "loser" in field.name]
