"""What a network learns from: positions of searchers' deals, with what the search found of every action.

Searchers sit in every seat. Now and then a seat strays from what its search found, so that the network also meets
positions that good players avoid. Deals vary the options that the network is to know.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots import simulation, tree
from tefuda.bots.net import several
from tefuda.bots.simulation import Search
from tefuda.bots.tree import NONE, SearchSettings
from tefuda.engine import verbs
from tefuda.engine.objective import write_gains
from tefuda.engine.option import OptionError, Value
from tefuda.engine.playout import MOST_ACTIONS, deal_at_random
from tefuda.engine.rng import Rng, below, chance
from tefuda.engine.verbs import rule
from tefuda.engine.views import observe
from tefuda.table.game import Game
from tefuda.table.planes import Observation

MOST_POSITIONS, MOST_TRIED = 2048, 1 << 16
"""In a deal: positions, and actions tried in all of them; what comes after is played, but not kept."""

STRAY = 10
"""Percentage of the decisions that are not the search's: half are random, half by the rules of thumb."""


class Examples(NamedTuple):
    """Positions with a choice; axis 0 is the position, but for the last three arrays.

    Attributes:
        inputs: int8 of shape (positions, inputs), as ``Observation`` encodes them.
        gains: float32: what the deal brought the mover in the end (``engine/objective.py``).
        counts: int32: actions tried; the arrays below have one entry for each, position by position.
        actions: int16.
        worths: float32: the mover's mean gain in the simulations that began with the action.
        visits: int32: how many those were.
    """

    inputs: NDArray[np.int8]
    gains: NDArray[np.float32]
    counts: NDArray[np.int32]
    actions: NDArray[np.int16]
    worths: NDArray[np.float32]
    visits: NDArray[np.int32]


def joined(parts: Sequence[Examples]) -> Examples:
    """One after the other."""
    return Examples(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


class Workplace(NamedTuple):
    """The memory in which one deal is played."""

    states: NDArray[Any]
    views: NDArray[Any]
    kept: NDArray[Any]
    """the view of each position"""
    movers: NDArray[np.int64]
    counts: NDArray[np.int32]
    actions: NDArray[np.int16]
    worths: NDArray[np.float32]
    visits: NDArray[np.int32]
    legal: NDArray[np.int64]
    payoffs: NDArray[np.int64]
    gains: NDArray[np.float64]


def new_workplace(game: Game) -> Workplace:
    """Empty."""
    record = game.description.record
    return Workplace(
        states=np.zeros(1, record),
        views=np.zeros(1, record),
        kept=np.zeros(MOST_POSITIONS, record),
        movers=np.zeros(MOST_POSITIONS, np.int64),
        counts=np.zeros(MOST_POSITIONS, np.int32),
        actions=np.zeros(MOST_TRIED, np.int16),
        worths=np.zeros(MOST_TRIED, np.float32),
        visits=np.zeros(MOST_TRIED, np.int32),
        legal=np.zeros(MOST_ACTIONS, np.int64),
        payoffs=np.zeros(game.seats, np.int64),
        gains=np.zeros(game.seats),
    )


class Teacher:
    """Plays deals by search and keeps what it found; one for each thread.

    Args:
        game: with its seats.
        options: those that vary, each with its values.
        simulations: of each decision.
        settings: of the search; its actions do not race, for how often each was tried says how sure its value is.
    """

    def __init__(
        self, game: Game, options: Mapping[str, Sequence[Value]], simulations: int, settings: SearchSettings
    ) -> None:
        self.game, self.options, self.simulations = game, options, simulations
        self.settings = settings._replace(race=0.0)
        self.observation = Observation(game, several(options))
        self._work = new_workplace(game)
        self._search = simulation.new_search(
            game.description.record, game.description.actions, game.seats, 2 * simulations
        )

    def play(self, rng: Rng) -> Examples:
        """One deal, with options of its own."""
        work, template = self._work, self._template(rng)
        deal_at_random(work.states, 0, template, self.game.description.rules.pack(template[0]), rng)
        positions, tried = play_valued(work, self._search, self.settings, rng, self.simulations)
        gains = work.gains[work.movers[:positions]].astype(np.float32)
        return Examples(
            self.observation.encode(work.kept[:positions]),
            gains,
            work.counts[:positions].copy(),
            work.actions[:tried].copy(),
            work.worths[:tried].copy(),
            work.visits[:tried].copy(),
        )

    def _template(self, rng: Rng) -> NDArray[Any]:
        """Options for a deal: each has its first value in half the deals, in the others any; again if they clash."""
        while True:
            drawn = {
                name: values[0] if chance(rng, 50) else values[below(rng, len(values))]
                for name, values in self.options.items()
            }
            with suppress(OptionError):
                return self.game.description.template(self.game.seats, drawn)


@rule
def play_valued(work: Workplace, search: Search, settings: SearchSettings, rng: Any, simulations: int) -> Any:
    """Play a dealt deal to its end, valuing every choice; how many positions were kept, and actions tried in them."""
    positions, tried = 0, 0
    state = work.states[0]
    seat = verbs.mover(state)
    while seat >= 0:
        n = verbs.legal(state, work.legal)
        if n == 0:
            break
        action = work.legal[0]
        if n > 1:
            observe(state, seat, work.views[0])
            tree.clear(search.trees)
            simulation.search(search, work.views, settings, rng, simulations)
            if positions < MOST_POSITIONS and tried + n <= MOST_TRIED:
                work.kept[positions] = work.views[0]
                work.movers[positions] = seat
                work.counts[positions] = write_found(work, search.trees[0], tried)
                tried += work.counts[positions]
                positions += 1
            action = decision(state, search.trees[0], work.legal, n, rng)
        verbs.apply(state, action)
        seat = verbs.mover(state)
    verbs.payoff(state, work.payoffs)
    write_gains(state, work.payoffs, work.gains)
    return positions, tried


@rule
def write_found(work: Workplace, grown: Any, first: int) -> int:
    """Write what a search found of each action from entry ``first`` on; how many it tried."""
    at = first
    edge = grown.first[tree.ROOT]
    while edge != NONE:
        found = grown.edges[edge]
        work.actions[at], work.worths[at], work.visits[at] = found.action, found.worth, found.visits
        at += 1
        edge = found.next
    return at - first


@rule
def decision(state: Any, grown: Any, legal: Any, n: int, rng: Any) -> int:
    """The most visited action, or now and then another."""
    if chance(rng, STRAY):
        return legal[below(rng, n)] if chance(rng, 50) else int(verbs.advise(state, rng))
    best: int
    best, most = legal[0], -1
    edge = grown.first[tree.ROOT]
    while edge != NONE:
        found = grown.edges[edge]
        if found.visits > most:
            best, most = found.action, found.visits
        edge = found.next
    return best
