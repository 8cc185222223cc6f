"""Matches in which somebody thinks in Python: search bots, and bots of people's own.

Decks, rotations and random numbers are those of the compiled matches. A bot must answer with one of its legal actions,
without an exception, and within ``LONGEST``. One that does not has lost the deal by default: a random legal action is
made in its place, and whatever the cards bring, it is given the lowest payoff that any seat had in that game.
"""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.players import Bot, bot
from tefuda.engine.playout import ILLEGAL, MADE
from tefuda.engine.recorder import CHOICES, COUNTED, DECISIONS
from tefuda.engine.rng import Rng, below, generators
from tefuda.table.deal import Deal
from tefuda.table.game import Game

LONGEST = 30.0
"""Seconds after which an answer comes too late."""


@dataclass
class Block:
    """Some deals of a match, each in every rotation; by bot, not by seat.

    Attributes:
        points: int64 of shape (deals, rotations, bots): payoffs in the game's smallest unit, after losses by default.
        counts: int64 of shape (deals, rotations, bots, 2): MADE and ILLEGAL answers.
        seconds: float64 of shape (bots,): what the bots took to answer.
        faults: of each bot, what it did wrong, a line each.
        records: the texts of the games' records, deal by deal, rotation by rotation.
    """

    points: NDArray[np.int64]
    counts: NDArray[np.int64]
    seconds: NDArray[np.float64]
    faults: list[list[str]]
    records: list[str] = field(default_factory=list)


class Bouts:
    """Plays blocks of deals on all cores; every thread has its own bots.

    Args:
        game: with its seats and options.
        specs: of the bots, one for each seat.
        chairs: where each bot sits, int64 of shape (rotations, bots).

    Attributes:
        stopping: once set, every game ends before its next action with an InterruptedError.
    """

    def __init__(self, game: Game, specs: Sequence[str], chairs: NDArray[np.int64]) -> None:
        self.game, self.specs, self.chairs = game, specs, chairs
        self.stopping: Any = threading.Event()
        self._mine = threading.local()

    def play(self, seed: int, numbers: range, threads: int | None = None) -> Block:
        """The decks of these numbers in every rotation."""
        rotations, seats = self.chairs.shape
        block = Block(
            np.zeros((len(numbers), rotations, seats), np.int64),
            np.zeros((len(numbers), rotations, seats, 2), np.int64),
            np.zeros(seats),
            [[] for _ in range(seats)],
            [""] * (len(numbers) * rotations),
        )
        for k, game in enumerate(self.games(seed, numbers, threads)):
            game.enter(block, k // rotations, k % rotations)
        return block

    def games(self, seed: int, numbers: range, threads: int | None = None) -> "Iterator[OneGame]":
        """The games of these decks, played to their ends; deal by deal, rotation by rotation."""
        self.stopping.clear()
        pairs = product(numbers, range(len(self.chairs)))
        pool = ThreadPoolExecutor(threads)
        try:
            yield from pool.map(lambda pair: self.game_of(seed, *pair), pairs)
        finally:
            self.stopping.set()
            pool.shutdown(wait=True, cancel_futures=True)

    def game_of(self, seed: int, number: int, rotation: int, moments: bool = False) -> "OneGame":
        """One of them, played by the calling thread's own bots; ``moments`` says whether it keeps its moments."""
        game = OneGame(self.game, seed, number, self._bots(), self.chairs[rotation])
        game.keeps_moments = moments
        game.play(self.stopping)
        return game

    def _bots(self) -> list[Bot]:
        if not hasattr(self._mine, "bots"):
            self._mine.bots = [bot(spec) for spec in self.specs]
        found: list[Bot] = self._mine.bots
        return found


class OneGame:
    """One deal in one rotation.

    Args:
        game: with its seats and options.
        seed, number: of the deck.
        bots: in the order of the match.
        chairs: where each sits.

    Attributes:
        first: the seat that acts first.
        counts: int64 of shape (seats, COUNTED), as ``engine.measuring`` counts.
        moments: states in which the mover had a choice, and its actions; kept if ``keeps_moments``.
    """

    def __init__(self, game: Game, seed: int, number: int, bots: Sequence[Bot], chairs: NDArray[np.int64]) -> None:
        self.deal = game.deal((seed, number))
        self.number, self.chairs = number, chairs
        self.bots = [bots[k] for k in np.argsort(chairs)]
        self.rng = generators((seed, number, 1), 1)[0]
        self.counts = np.zeros((game.seats, COUNTED), np.int64)
        self.seconds = np.zeros(game.seats)
        self.faults: list[list[str]] = [[] for _ in range(game.seats)]
        self.first = self.deal.mover
        self.keeps_moments = False
        self.moments: list[tuple[Any, int]] = []

    def play(self, stopping: Any) -> None:
        """To the end of the deal, or until ``stopping``, an event, is set.

        Raises:
            InterruptedError: it was set.
        """
        while not self.deal.over:
            if stopping.is_set():
                raise InterruptedError
            seat, legal = self.deal.mover, self.deal.legal_actions()
            if not legal:
                return
            begun = perf_counter()
            action, fault = answer(self.bots[seat], self.deal, legal, self.rng)
            passed = perf_counter() - begun
            if not fault and passed > LONGEST:
                fault = f"answered after {passed:.0f} s"
            if fault:
                self.faults[seat].append(f"deal {self.number}, {len(self.deal.history)} plays made: {fault}")
            self._count(seat, action, legal, bool(fault))
            self.seconds[seat] += passed
            self.deal.act(action)

    def _count(self, seat: int, action: int, legal: Sequence[int], fault: bool) -> None:
        self.counts[seat, MADE] += 1
        self.counts[seat, ILLEGAL] += fault
        if len(legal) > 1:
            self.counts[seat, DECISIONS] += 1
            self.counts[seat, CHOICES] += len(legal)
            if self.keeps_moments:
                self.moments.append((self.deal.state, action))

    def points(self) -> NDArray[np.int64]:
        """What each seat receives, after losses by default; int64 of shape (seats,)."""
        payoffs = np.array(self.deal.payoff(), np.int64)
        lost = np.array([bool(faults) for faults in self.faults])
        return np.where(lost, payoffs.min(), payoffs)

    def enter(self, block: Block, row: int, rotation: int) -> None:
        """Write what happened into a block."""
        block.points[row, rotation] = self.points()[self.chairs]
        block.counts[row, rotation] = self.counts[self.chairs][:, [MADE, ILLEGAL]]
        block.seconds += self.seconds[self.chairs]
        for k, seat in enumerate(self.chairs):
            block.faults[k] += self.faults[seat]
        block.records[row * len(self.chairs) + rotation] = self.deal.record()


def answer(player: Bot, deal: Deal, legal: Sequence[int], rng: Rng) -> tuple[int, str]:
    """A bot's action and nothing; or a random legal one and what the bot did wrong."""
    try:
        chosen = player.choose(deal.view(deal.mover), list(legal), rng)
    except Exception as error:  # whatever people's own bots raise
        return legal[below(rng, len(legal))], f"raised {type(error).__name__}: {error}"
    if chosen in legal:
        return int(chosen), ""
    return legal[below(rng, len(legal))], f"answered {chosen!r}, which is not legal"
