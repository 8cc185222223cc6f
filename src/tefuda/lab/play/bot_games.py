"""Games in which a bot thinks in Python: search bots, and bots that people write.

Decks, rotations and random numbers are those of compiled play. A bot must answer with one of its legal actions, without
an exception, and within ``TIME_LIMIT``. A bot that does not loses the deal by default: a random legal action is made
instead, and whatever the cards bring, the bot gets the lowest payoff of any seat in that game.
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

from tefuda.bots.players import Bot, BotError, ask, bot
from tefuda.engine.playout import ILLEGAL, MADE
from tefuda.engine.recorder import CHOICES, COUNTED, DECISIONS
from tefuda.engine.rng import below, generators
from tefuda.lab.play.card_luck import CardLuck, Choice
from tefuda.table.game import Game

TIME_LIMIT = 30.0
"""Seconds after which an answer comes too late."""

PLAY, LUCK, AGAIN = 1, 2, 3
"""What the last number of a seed is for: what bots do; the deals with which luck is measured; what bots do if the deal
is played once more."""


@dataclass
class MatchBlock:
    """Some deals of a match, each in every rotation; by bot, not by seat.

    Attributes:
        points: int64 of shape (deals, rotations, bots): payoffs in the game's smallest unit, after losses by default.
        counts: int64 of shape (deals, rotations, bots, 2): MADE and ILLEGAL answers.
        seconds: float64 of shape (bots,): what the bots took to answer.
        faults: for each bot, what it did wrong, a line each.
        records: the texts of the games' records, deal by deal, rotation by rotation.
        luck: float64 of shape (deals, rotations, bots): what of the points was the luck of the cards; None where that
            was not measured.
    """

    points: NDArray[np.int64]
    counts: NDArray[np.int64]
    seconds: NDArray[np.float64]
    faults: list[list[str]]
    records: list[str] = field(default_factory=list)
    luck: NDArray[np.float64] | None = None


class BotGames:
    """Plays numbered deals in every rotation, on all cores; every thread has its own bots.

    Args:
        game: with its seats and options.
        specs: of the bots, one for each seat.
        chairs: where each bot sits, int64 of shape (rotations, bots).
        luck: measures the luck in every game of a block; None if nothing does.

    Attributes:
        stop: an event; once set, every game ends before its next action with an InterruptedError.
    """

    def __init__(
        self, game: Game, specs: Sequence[str], chairs: NDArray[np.int64], luck: CardLuck | None = None
    ) -> None:
        self.game, self.specs, self.chairs, self.luck = game, specs, chairs, luck
        self.stop: Any = threading.Event()
        self._local = threading.local()

    def play(self, seed: int, numbers: range, threads: int | None = None) -> MatchBlock:
        """Play the decks of these numbers in every rotation."""
        rotations, seats = self.chairs.shape
        block = MatchBlock(
            np.zeros((len(numbers), rotations, seats), np.int64),
            np.zeros((len(numbers), rotations, seats, 2), np.int64),
            np.zeros(seats),
            [[] for _ in range(seats)],
            [""] * (len(numbers) * rotations),
            np.zeros((len(numbers), rotations, seats)) if self.luck else None,
        )
        for k, game in enumerate(self.games(seed, numbers, threads)):
            game.enter(block, k // rotations, k % rotations)
        return block

    def games(self, seed: int, numbers: range, threads: int | None = None) -> "Iterator[BotGame]":
        """The finished games of these decks; deal by deal, rotation by rotation."""
        self.stop.clear()
        pairs = product(numbers, range(len(self.chairs)))
        pool = ThreadPoolExecutor(threads)
        try:
            yield from pool.map(lambda pair: self.play_game(seed, *pair), pairs)
        finally:
            self.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)

    def play_game(
        self, seed: int, number: int, rotation: int, keep_decisions: bool = False, stream: int = PLAY
    ) -> "BotGame":
        """One game, played by the calling thread's bots.

        Args:
            seed, number: of the deck.
            rotation: of the bots.
            keep_decisions: whether the states in which they choose are kept.
            stream: PLAY or AGAIN.
        """
        game = BotGame(self.game, seed, number, self._bots(), self.chairs[rotation], stream)
        game.keep_decisions = keep_decisions
        game.play(self.stop)
        if self.luck and stream == PLAY:
            seed_of_luck = (seed, number, rotation, LUCK)
            game.luck = self.luck.measure(game.deal, game.choices, self.chairs[rotation], seed_of_luck)
        return game

    def _bots(self) -> list[Bot]:
        if not hasattr(self._local, "bots"):
            self._local.bots = [bot(spec) for spec in self.specs]
        found: list[Bot] = self._local.bots
        return found


class BotGame:
    """One deal in one rotation.

    Args:
        game: with its seats and options.
        seed, number: of the deck.
        bots: in the order of the match.
        chairs: where each sits.
        stream: PLAY or AGAIN.

    Attributes:
        first: the seat that acts first.
        counts: int64 of shape (seats, COUNTED), as ``engine.recorder`` counts.
        decisions: states in which the mover had a choice, and the actions made; kept if ``keep_decisions``.
        choices: all actions, and where the generator stood.
        luck: float64 of shape (seats,): what of the payoffs was luck, if that was measured.
    """

    def __init__(
        self, game: Game, seed: int, number: int, bots: Sequence[Bot], chairs: NDArray[np.int64], stream: int = PLAY
    ) -> None:
        self.deal = game.deal((seed, number))
        self.number, self.chairs = number, chairs
        self.bots = [bots[k] for k in np.argsort(chairs)]
        self.rng = generators((seed, number, stream), 1)[0]
        self.counts = np.zeros((game.seats, COUNTED), np.int64)
        self.seconds = np.zeros(game.seats)
        self.faults: list[list[str]] = [[] for _ in range(game.seats)]
        self.first = self.deal.mover
        self.keep_decisions = False
        self.decisions: list[tuple[Any, int]] = []
        self.choices: list[Choice] = []
        self.luck: NDArray[np.float64] | None = None

    def play(self, stop: Any) -> None:
        """Play to the end of the deal, or until ``stop``, an event, is set.

        Raises:
            InterruptedError: it was set.
        """
        while not self.deal.over:
            if stop.is_set():
                raise InterruptedError
            seat, legal = self.deal.mover, self.deal.legal_actions()
            if not legal:
                return
            begun, before = perf_counter(), int(self.rng[0])
            action, fault = self._ask(seat, legal)
            passed = perf_counter() - begun
            if not fault and passed > TIME_LIMIT:
                fault = f"answered after {passed:.0f} s"
            if fault:
                self.faults[seat].append(f"deal {self.number}, {len(self.deal.history)} plays made: {fault}")
            self._count(seat, action, legal, bool(fault))
            self.choices.append(Choice(seat, action, before, int(self.rng[0])))
            self.seconds[seat] += passed
            self.deal.act(action)

    def _ask(self, seat: int, legal: Sequence[int]) -> tuple[int, str]:
        """A bot's action and an empty text; or a random legal action and what the bot did wrong."""
        try:
            return ask(self.bots[seat], self.deal.view(seat), legal, self.rng, ""), ""
        except BotError as error:
            return legal[below(self.rng, len(legal))], error.fault

    def _count(self, seat: int, action: int, legal: Sequence[int], fault: bool) -> None:
        self.counts[seat, MADE] += 1
        self.counts[seat, ILLEGAL] += fault
        if len(legal) > 1:
            self.counts[seat, DECISIONS] += 1
            self.counts[seat, CHOICES] += len(legal)
            if self.keep_decisions:
                self.decisions.append((self.deal.state, action))

    def points(self) -> NDArray[np.int64]:
        """What each seat receives, after losses by default; int64 of shape (seats,)."""
        payoffs = np.array(self.deal.payoff(), np.int64)
        lost = np.array([bool(faults) for faults in self.faults])
        return np.where(lost, payoffs.min(), payoffs)

    def enter(self, block: MatchBlock, row: int, rotation: int) -> None:
        """Write what happened into a block."""
        block.points[row, rotation] = self.points()[self.chairs]
        block.counts[row, rotation] = self.counts[self.chairs][:, [MADE, ILLEGAL]]
        block.seconds += self.seconds[self.chairs]
        if block.luck is not None and self.luck is not None:
            block.luck[row, rotation] = self.luck[self.chairs]
        for k, seat in enumerate(self.chairs):
            block.faults[k] += self.faults[seat]
        block.records[row * len(self.chairs) + rotation] = self.deal.record()
