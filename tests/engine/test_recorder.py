"""Deals watched while they are played, and their moments examined."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tefuda.engine import recorder, rng, verbs
from tefuda.engine.play import HINTS, MADE, MOST_ACTIONS, play_each
from tefuda.engine.record import duplicate
from tefuda.engine.recorder import CHOICES, COUNTED, DECISIONS, OTHER_ADVICE, OTHER_PLAYS
from tefuda.table.game import Game, load, numbered_deals

DEALS = 20


@pytest.fixture(scope="module")
def game() -> Game:
    return load("gong-zhu")


class Watched:
    """Deals of hint bots, watched."""

    def __init__(self, game: Game) -> None:
        self.states, rngs = numbered_deals(game, 5, range(DEALS))
        shape = (DEALS, game.seats)
        self.policies = np.full(shape, HINTS, np.int8)
        self.payoffs = np.zeros(shape, np.int64)
        self.counts = np.zeros((*shape, COUNTED), np.int64)
        self.firsts = np.zeros(DEALS, np.int8)
        moments, chosen = np.zeros(MOST_ACTIONS, self.states.dtype), np.zeros(MOST_ACTIONS, np.int64)
        self.dealt = duplicate(self.states)
        kept = recorder.watch_each(
            self.states, self.policies, rngs, self.payoffs, self.counts, self.firsts, moments, chosen
        )
        self.moments, self.chosen = moments[:kept], chosen[:kept]


@pytest.fixture(scope="module")
def watched(game: Game) -> Watched:
    return Watched(game)


@pytest.mark.slow
def test_watching_changes_nothing(game: Game, watched: Watched) -> None:
    states, rngs = numbered_deals(game, 5, range(DEALS))
    payoffs, tally = np.zeros((DEALS, 4), np.int64), np.zeros((DEALS, 4, 2), np.int64)
    play_each(states, watched.policies, rngs, payoffs, tally)
    assert payoffs.tolist() == watched.payoffs.tolist()
    assert tally[:, :, MADE].tolist() == watched.counts[:, :, MADE].tolist()


def test_choices_are_those_of_the_table(game: Game, watched: Watched) -> None:
    deal = game.deal((5, 0))
    assert watched.firsts[0] == deal.mover
    kept = iter(zip(watched.moments, watched.chosen, strict=True))
    decisions = choices = 0
    while not deal.over:
        legal = deal.legal_actions()
        if len(legal) > 1:
            decisions, choices = decisions + 1, choices + len(legal)
            state, action = next(kept)
            assert state == deal.state
        else:
            action = legal[0]
        deal.act(int(action))
    assert list(deal.payoff()) == watched.payoffs[0].tolist()
    assert decisions == watched.counts[0, :, DECISIONS].sum()
    assert choices == watched.counts[0, :, CHOICES].sum()


def test_the_same_options_read_the_same(watched: Watched) -> None:
    differs = np.zeros((len(watched.moments), 2), np.bool_)
    rngs = rng.generators(1, len(watched.moments))
    recorder.read_otherwise(watched.moments, duplicate(watched.moments), rngs, differs)
    assert not differs.any()


def test_other_moments_read_otherwise(watched: Watched) -> None:
    others = np.roll(watched.moments, 1)
    differs = np.zeros((len(others), 2), np.bool_)
    recorder.read_otherwise(watched.moments, others, rng.generators(1, len(others)), differs)
    assert differs[:, OTHER_PLAYS].mean() > 0.9
    assert differs[:, OTHER_ADVICE].mean() > 0.9


def test_worlds_leave_what_the_mover_knows(watched: Watched) -> None:
    worlds: NDArray[Any] = np.zeros(8, watched.moments.dtype)
    views = np.zeros(1, watched.moments.dtype)
    seat = verbs.mover(watched.moments[40])
    recorder.imagine_each(watched.moments, 40, rng.generator(1), views, worlds)
    assert set(worlds["hands"][:, seat].tolist()) == {int(watched.moments[40]["hands"][seat])}
    assert len({world.tobytes() for world in worlds}) > 1


def test_the_last_choices_of_a_deal_are_worth_what_they_bring(game: Game, watched: Watched) -> None:
    """With two cards each nothing much is unknown; every payoff tried is one that the deal can end with."""
    last = int(watched.counts[0, :, DECISIONS].sum()) - 1
    actions = np.zeros(MOST_ACTIONS, np.int64)
    actions = actions[: verbs.legal(watched.moments[last], actions)].copy()
    payoffs = np.full((4, len(actions), 4), 10**6, np.int64)
    view: NDArray[Any] = np.zeros(1, watched.moments.dtype)
    worlds: NDArray[Any] = np.zeros(5, watched.moments.dtype)
    incidents = np.zeros((4, len(actions), verbs.MOST_INCIDENTS), np.int64)
    recorder.try_each(watched.moments, last, rng.generator(1), actions, view, worlds, payoffs, incidents)
    seat = verbs.mover(watched.moments[last])
    assert set(worlds[:4]["hands"][:, seat].tolist()) == {int(watched.moments[last]["hands"][seat])}
    assert (worlds[:4]["tricks"] == 11).all()  # none of them was played on
    assert (np.abs(payoffs) <= 3200).all()
    assert watched.moments[last]["tricks"] == 11
