"""Endings: solutions compared with brute force, in plain Python."""

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

import tefuda
from tefuda.bots.ending import draw_worlds, solve_ending, solve_worlds, tree_size
from tefuda.bots.players import HintsBot
from tefuda.engine import verbs
from tefuda.engine.objective import gain_weights
from tefuda.engine.rng import generator
from tefuda.engine.views import observe_all
from tefuda.table.deal import Deal
from tefuda.table.game import Game
from tefuda.table.reasons import IllegalPlay

States = NDArray[np.void]


def late_moments(game: Game, seeds: range) -> list[Deal]:
    """The first of the last three choices of each deal by rules of thumb that is a small ending."""
    found = []
    for seed in seeds:
        deal, choices = game.deal(seed), list[Deal]()
        while not deal.over:
            legal = deal.legal_actions()
            if len(legal) > 1:
                choices.append(deal.copy())
            deal.act(HintsBot().choose(deal.view(deal.mover), legal, generator(seed)))
        small = [each for each in choices[-3:] if tree_size(each.view(each.mover).array, generator(seed), 300) < 300]
        found += small[:1]
    return found


def after(states: States, action: int) -> States:
    following = states.copy()
    verbs.apply(following[0], action)
    return following


def legal(states: States) -> list[int]:
    out = np.zeros(4096, np.int64)
    return list(map(int, out[: verbs.legal(states[0], out)]))


def gains(states: States) -> NDArray[np.float64]:
    payoffs = np.zeros(int(states[0]["seats"]), np.int64)
    verbs.payoff(states[0], payoffs)
    return payoffs @ gain_weights(states[0])


def open_best(states: States) -> tuple[NDArray[np.float64], int]:
    """What a position with open cards is worth if everybody makes the most of it, and the first action that does."""
    mover = verbs.mover(states[0])
    if mover < 0:
        return gains(states), -1
    tried = [(open_best(after(states, action))[0], action) for action in legal(states)]
    return max(tried, key=lambda pair: round(pair[0][mover], 5))


def plan(worlds: list[States], seat: int) -> dict[int, float]:
    """The sum over worlds that look the same to ``seat`` after each of its actions, if it goes on as well as it can."""
    found = {}
    for action in legal(worlds[0]):
        total, alike = 0.0, defaultdict[bytes, list[States]](list)
        for world in worlds:
            state = after(world, action)
            while verbs.mover(state[0]) not in (seat, -1):
                state = after(state, open_best(state)[1])
            if verbs.mover(state[0]) < 0:
                total += gains(state)[seat]
            else:
                alike[observe_all(state, np.array([seat])).tobytes()].append(state)
        found[action] = total + sum(max(plan(group, seat).values()) for group in alike.values())
    return found


@pytest.mark.parametrize("name", ["gong-zhu", "luk-fu", "ma-diao"])
def test_the_solution_is_that_of_brute_force(name: str) -> None:
    """In a dozen worlds, in plain Python, with what others think and what looks alike worked out anew."""
    moments = late_moments(tefuda.load(name), range(30))
    assert len(moments) >= 5
    for deal in moments[:8]:
        worlds, _ = draw_worlds(deal.view(deal.mover).array, generator(1), 12)
        solved = solve_worlds(worlds, deal.mover, 100_000)
        assert solved is not None
        expected = plan([worlds[k : k + 1] for k in range(len(worlds))], deal.mover)
        assert dict(zip(solved[0], solved[1] * len(worlds), strict=True)) == pytest.approx(expected)


def test_the_worlds_of_an_ending_are_those_in_which_all_plays_were_legal() -> None:
    """Gong Zhu: every way to deal what the others hold is dealt from the start and played again."""
    game = tefuda.load("gong-zhu")
    cards = game.description.cards
    deal = max(late_moments(game, range(30)), key=lambda each: -len(each.history))
    seat, hands = deal.mover, deal.array[0]["hands"][:4].tolist()
    held = [[card for card in range(52) if hand >> card & 1] for hand in hands]
    played = [[word for mover, word in deal.history if mover == k and word in cards] for k in range(4)]
    others = [k for k in range(4) if k != seat]
    unseen = sorted(card for k in others for card in held[k])
    possible = 0
    for one in combinations(unseen, len(held[others[0]])):
        rest = [card for card in unseen if card not in one]
        for two in combinations(rest, len(held[others[1]])):
            left = {
                others[0]: one,
                others[1]: two,
                others[2]: [card for card in rest if card not in two],
                seat: held[seat],
            }
            dealt = [" ".join([*played[k], *(cards[card] for card in left[k])]) for k in range(4)]
            possible += can_be_played(game.deal(0, fields={"hands": dealt}), deal)
    ending = solve_ending(deal.view(seat).array, generator(0))
    assert ending is not None
    assert possible > 1
    assert (ending.worlds, ending.exact) == (possible, True)


def can_be_played(trial: Deal, deal: Deal) -> bool:
    """True if every play of a deal is legal in another."""
    try:
        for mover, word in deal.history:
            if trial.mover != mover:
                return False
            trial.play(word)
    except IllegalPlay:
        return False
    return True
