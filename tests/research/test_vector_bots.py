"""Seats that bots play at many tables at once: the same as by hand, table by table."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.bots.net import load_network
from tefuda.bots.players import LEVELS, bot
from tefuda.engine import rng, verbs
from tefuda.engine.errors import TefudaError
from tefuda.research.vector import VectorEnv
from tefuda.table.view import View

FAST = ("gong-zhu",)
DEEP = tuple(name for name in games.names() if name not in FAST)


class AdvisedBot:
    """``hints`` as compiled code plays it: ``HintsBot`` also draws whether it slips."""

    def choose(self, view: View, legal: Sequence[int], chance: rng.Rng) -> int:
        """What the rules of thumb advise."""
        return int(verbs.advise(view.record, chance))


class PlayedByHand:
    """The deals of one table of an environment, played through the interface that tables and matches use."""

    def __init__(self, env: VectorEnv, number: int, seed: int, bots: Mapping[int, str]) -> None:
        self.env, self.number = env, number
        self.bots = {seat: AdvisedBot() if spec == "hints" else bot(spec) for seat, spec in bots.items()}
        self.deals = rng.generators(seed, env.tables)[number]
        self.chance = rng.generators((seed, 1), env.tables)[number]
        self.payoff: list[int] = []
        self.begin()
        self.go_on()

    def begin(self) -> None:
        """Deal as the generator of the table says."""
        deck = self.env.game.pack.copy()
        rng.shuffle(self.deals, deck)
        self.deal = self.env.game.deal(deck=deck, chance=int(rng.below(self.deals, 1 << 30)))
        self.makers = np.full(self.env.actions, -1)

    def act(self, action: int) -> None:
        """Make an action, and what follows of itself."""
        self.payoff = []
        self.make(action)
        self.go_on()

    def make(self, action: int) -> None:
        self.makers[int(verbs.disguise(self.deal.state, action))] = self.deal.mover
        self.deal.act(action)

    def go_on(self) -> None:
        """To the learner's next decision."""
        while True:
            if self.deal.over:
                self.payoff = self.payoff or self.deal.payoff()
                self.begin()
                continue
            legal, seat = self.deal.legal_actions(), self.deal.mover
            if self.env.skip_forced and len(legal) == 1:
                self.make(legal[0])
            elif seat in self.bots:
                self.make(self.bots[seat].choose(self.deal.view(seat), legal, self.chance))
            else:
                return

    def agrees(self, batch: Any) -> None:
        """The batch tells the same of this table."""
        seat, seats = self.deal.mover, self.env.seats
        assert batch.seats[self.number] == seat
        assert np.flatnonzero(batch.masks[self.number]).tolist() == self.deal.legal_actions()
        assert batch.ends[self.number] == bool(self.payoff)
        assert batch.rewards[self.number].tolist() == (self.payoff or [0] * seats)
        seen = self.env.observation.encode(self.deal.view(seat).array)[0]
        np.testing.assert_array_equal(batch.observations[self.number], seen)
        by = np.where(self.makers < 0, -1, (self.makers - seat) % seats)
        np.testing.assert_array_equal(batch.made_by[self.number], by)


def check_bots(env: VectorEnv, bots: Mapping[int, str], steps: int, seed: int) -> None:
    """A learner that plays at random among these bots, beside the same by hand; at table i all sit i seats further."""
    batch = env.reset(seed)
    shifts = [int(np.flatnonzero(seats)[0]) - int(np.flatnonzero(env.learners[0])[0]) for seats in env.learners]
    tables = [
        PlayedByHand(env, i, seed, {(seat + shift) % env.seats: who for seat, who in bots.items()})
        for i, shift in enumerate(shifts)
    ]
    for table in tables:
        table.payoff = []
    ended = 0
    for _ in range(steps):
        for table in tables:
            table.agrees(batch)
        assert env.learners[np.arange(env.tables), batch.seats].all()
        chosen = env.sample()
        for table, action in zip(tables, chosen.tolist(), strict=True):
            table.act(action)
        batch = env.step(chosen)
        ended += int(batch.ends.sum())
    assert ended >= 3


def bots_of(name: str) -> dict[int, str]:
    """A bot of each kind that the game has, as far as there are seats, and a learner in seat 0."""
    kinds = ["hints", "net" if games.description(name).files.net else "random", "random", "hints"]
    return dict(enumerate(kinds[: games.description(name).seats[0] - 1], 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("skip_forced", [False, True])
def test_bots_play_as_at_any_table(name: str, skip_forced: bool) -> None:
    bots = bots_of(name)
    env = VectorEnv(name, tables=5, made_by=True, skip_forced=skip_forced, bots=bots, rotate=True, threads=2)
    check_bots(env, bots, 60, seed=3)


@pytest.mark.deep
@pytest.mark.parametrize("name", DEEP)
def test_bots_of_other_games(name: str) -> None:
    check_bots(VectorEnv(name, tables=4, made_by=True, bots=bots_of(name)), bots_of(name), 120, seed=8)


def test_without_bots_every_seat_is_the_learners() -> None:
    assert VectorEnv("gong-zhu", tables=2).learners.all()
    assert VectorEnv("gong-zhu", tables=2).reset(seed=1).made_by.shape == (2, 0)


def test_seats_may_rotate_from_table_to_table() -> None:
    env = VectorEnv("gong-zhu", tables=5, bots={1: "hints", 2: "hints", 3: "random"}, rotate=True)
    assert env.learners.argmax(axis=1).tolist() == [0, 1, 2, 3, 0]


def test_a_network_of_ones_own_may_sit_in_several_seats() -> None:
    game = tefuda.load("gong-zhu")
    network = load_network(game.description)
    own = VectorEnv(game, tables=8, bots={1: network, 3: network}, skip_forced=True)
    shipped = VectorEnv(game, tables=8, bots={1: "net", 3: "net"}, skip_forced=True)
    for _ in range(2):
        batches = own.reset(seed=5), shipped.reset(seed=5)
        for _ in range(30):
            chosen = own.sample()
            batches = own.step(chosen), shipped.step(chosen)
            np.testing.assert_array_equal(batches[0].observations, batches[1].observations)


def test_who_played_each_won_card() -> None:
    """In Gong Zhu an action below 52 is a card: those that somebody has won were played, each by one seat."""
    env = VectorEnv("gong-zhu", tables=20, made_by=True)
    batch = env.reset(seed=2)
    for _ in range(40):
        batch = env.step(env.sample())
    won = np.any([batch.observations[:, env.observation[f"won[{seat}]"]] for seat in range(4)], axis=0)
    assert won.sum() > 100
    assert (batch.made_by[:, :52][won] >= 0).all()
    hands = batch.observations[:, env.observation["hands"]].astype(bool)
    assert (batch.made_by[:, :52][hands] == -1).all()


@pytest.mark.parametrize(
    ("bots", "complaint"),
    [
        ({4: "hints"}, "bots: there is no seat 4; seats are 0 to 3"),
        ({1: "hint"}, "there is no bot 'hint'"),
        ({1: "search:10ms"}, "bots: 'search:10ms' thinks table by table; VectorEnv seats random, hints, net"),
        ({1: LEVELS[0]}, "thinks table by table"),
        (dict.fromkeys(range(4), "hints"), "bots: every seat has a bot; leave one to the learner"),
        (5, "bots: 5; say who sits where"),
    ],
)
def test_bots_that_cannot_sit_down_are_named(bots: dict[int, str], complaint: str) -> None:
    with pytest.raises(TefudaError, match=complaint):
        VectorEnv("gong-zhu", tables=2, bots=bots)


def test_a_net_says_which_table_it_does_not_know() -> None:
    with pytest.raises(TefudaError, match="has not learned to play with 5 seats"):
        VectorEnv(tefuda.load("gong-zhu", 5), tables=2, bots={1: "net"})
    with pytest.raises(TefudaError, match="has not learned to play with 7 seats"):
        VectorEnv(tefuda.load("kakkuri", 7), tables=2, bots={1: "net"})
