"""Duplicate matches: the same decks for every bot in every seat, so that the luck of the deal cancels.

Each deal is played once in every rotation of the bots over the seats. The generator that shuffled a deal goes on to
make its choices, the same in every rotation: bots that play alike end exactly level, and chance matters only where bots
differ. Deals are independent, the rotations of one deal are not, so intervals are over deals. Matches of ``random`` and
``hints`` alone run compiled; ``bot_games`` plays all others. Where a bot thinks for long, the luck of the cards is
measured beside (``card_luck``), so that fewer deals tell as much.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.bots.players import bot
from tefuda.engine import cache
from tefuda.engine.errors import TefudaError
from tefuda.engine.playout import play_batch
from tefuda.lab.backends.job import Backend, SentGame, played
from tefuda.lab.benchmark import policy_time
from tefuda.lab.play.bot_games import BotGames, MatchBlock
from tefuda.lab.play.card_luck import CardLuck, is_worthwhile
from tefuda.lab.play.match_folder import MatchFolder
from tefuda.lab.play.rotations import POLICIES, is_compiled, rotations, warm_bots
from tefuda.lab.play.scores import MatchResult, MatchScores, bot_names
from tefuda.table.game import Game, numbered_deals

BLOCK = 256
"""Deals in memory at a time; their rotations are shared out to all cores in tasks of ``TASK`` games."""

TASK = 64

TIMING = 0.1
"""Seconds for which each kind of bot is timed, where it plays in compiled code."""

Progress = Callable[[int], None]
"""Is called with the number of deals that each finished block has."""


@dataclass(frozen=True)
class Match:
    """A duplicate match to be played.

    Args:
        game: with its seats and options; every deal begins from its start.
        bots: a bot for each seat, as ``bots.players.bot`` takes them.
        deals: how many decks, each played in every rotation.
        seed: deck k is that of ``game.deal((seed, k))``.
        block, threads: deals in memory at a time, and threads; they do not change the result.
        until_decided: stop as soon as it is clear whether the first bot gains or loses.
        folder: keep every deal and the record of every game there, and resume from those that are there already. Every
            bot then plays through the table, which is slower for ``random`` and ``hints``.
        luck: measure the luck of the cards too; every bot then plays through the table. By default it is measured where
            a bot thinks for so long that this is worth its time.

    Raises:
        TefudaError: an unknown bot, or not one bot for each seat.
    """

    game: Game
    bots: Sequence[str]
    deals: int
    seed: int
    block: int | None = None
    threads: int | None = None
    until_decided: bool = False
    folder: Path | None = None
    luck: bool | None = None

    def __post_init__(self) -> None:
        for each in self.bots:
            bot(each)
        if len(self.bots) != self.game.seats:
            raise TefudaError(
                f"{self.game.name}: {len(self.bots)} bots for {self.game.seats} seats; name one for each seat"
            )

    @property
    def compiled(self) -> bool:
        """Whether the match runs in compiled code."""
        return is_compiled(self.bots) and self.folder is None and not self.luck

    @property
    def measures_luck(self) -> bool:
        """Whether the luck of the cards is measured."""
        return is_worthwhile(self.game, self.bots) if self.luck is None else self.luck

    def identity(self) -> dict[str, Any]:
        """All that the deals depend on, the sources included: deals of an earlier run count only where it is equal."""
        return {
            "game": self.game.name,
            "seats": self.game.seats,
            "options": self.game.changed_options(),
            "bots": list(self.bots),
            "seed": self.seed,
            "luck": self.measures_luck,
            "sources": cache.key(),
        }

    @property
    def job(self) -> "MatchJob":
        """What is played, for any process."""
        return MatchJob(
            SentGame(self.game), list(self.bots), self.seed, self.compiled, self.measures_luck, self.threads
        )

    def compile(self) -> None:
        """Compile what the match needs, by playing one deal; this returns at once if that was done before."""
        self.job.compile()

    def play(self, progress: Progress = lambda deals: None, backend: Backend | None = None) -> MatchResult:
        """Play the match on all cores; Ctrl-C ends it after the deals played so far.

        Args:
            progress: called with the number of deals of each finished block.
            backend: where else it is played, a backend of ``job``; it does not change the result.

        Raises:
            TefudaError: the folder holds another match, or cannot be written; the backend cannot go on.
            KeyboardInterrupt: before the first block was finished.
        """
        if not self.compiled and backend is None:
            warm_bots(self.game, self.bots)  # else a bot that compiles at its first move would seem to stall
        folder = MatchFolder(self.folder, self.identity()) if self.folder is not None else None
        run = _MatchRun(self, folder, MatchScores(self.game))
        run.take_over(progress)
        earlier, begun = run.scores.deals, time.perf_counter()
        run.play(progress, backend)
        return self._result(run, time.perf_counter() - begun, earlier)

    def _result(self, run: "_MatchRun", seconds: float, earlier: int) -> MatchResult:
        times = [policy_time(self.game, POLICIES[each], TIMING) if self.compiled else None for each in self.bots]
        names = bot_names(self.bots)
        return MatchResult(
            game=self.game.name,
            rules_version=self.game.description.rules_version,
            options=self.game.changed_options(),
            seed=self.seed,
            asked=self.deals,
            deals=run.scores.deals,
            rotations=self.game.seats,
            seconds=seconds,
            interrupted=run.interrupted,
            entries=tuple(run.scores.of(k, names[k], self.bots[k], times[k]) for k in range(len(names))),
            decided=run.decided,
            earlier=earlier,
        )


def play_match(game: Game, bots: Sequence[str], deals: int, seed: int = 0, **more: Any) -> MatchResult:
    """Play a duplicate match on all cores; Ctrl-C ends it after the deals played so far.

    Example:
        >>> import tefuda
        >>> bots = ["hints", "random", "random", "random"]
        >>> result = tefuda.play_match(tefuda.load("gong-zhu"), bots, deals=50, seed=1)
        >>> str(result.entries[0].gain)  # points a deal more than the others, and the 95 % interval
        '+192.5 ± 31.9'

    Args:
        game: with its seats and options; every deal begins from its start.
        bots: a bot for each seat, as ``bots.players.bot`` takes them.
        deals: how many decks, each played in every rotation.
        seed: deck k is that of ``game.deal((seed, k))``.
        more: further settings of ``Match``, such as ``until_decided=True`` or ``folder=Path("kept")``.

    Raises:
        TefudaError: an unknown bot, or not one bot for each seat; a folder that holds another match.
        KeyboardInterrupt: before the first block was finished.
    """
    return Match(game, bots, deals, seed, **more).play()


@dataclass
class _MatchRun:
    """A match while it is played."""

    match: Match
    folder: MatchFolder | None
    scores: MatchScores
    interrupted: bool = False
    decided: bool = False

    def take_over(self, progress: Progress) -> None:
        """Count the deals of earlier runs."""
        if self.folder:
            for block in islice(self.folder.blocks(), self.match.deals):
                self.scores.add(block)
                progress(1)

    def play(self, progress: Progress, backend: Backend | None) -> None:
        """Play the deals that are missing."""
        size, deals = self.match.block or (BLOCK if self.match.compiled else 1), self.match.deals
        blocks = (range(start, min(start + size, deals)) for start in range(self.scores.deals, deals, size))
        try:
            with backend or nullcontext():
                for block in played(self.match.job, blocks, backend):
                    self._keep(block)
                    progress(len(block.points))
                    self.decided = self.match.until_decided and self.scores.is_decided()
                    if self.decided:
                        return
        except KeyboardInterrupt:
            if self.scores.deals == 0:
                raise
            self.interrupted = True

    def _keep(self, block: MatchBlock) -> None:
        following = deepcopy(self.scores)  # Ctrl-C may come at any moment: a block counts wholly or not at all
        following.add(block)
        if self.folder:
            self.folder.add(self.scores.deals, block)
        self.scores = following


@dataclass(frozen=True)
class MatchJob:
    """A match as plain data; its pieces are ranges of deals, each played in every rotation.

    Attributes:
        sent: its game.
        bots, seed: of the match.
        compiled: whether it runs in compiled code.
        luck: whether the luck of the cards is measured.
        threads: games played at a time.
    """

    sent: SentGame
    bots: Sequence[str]
    seed: int
    compiled: bool
    luck: bool
    threads: int | None

    @property
    def words(self) -> str:
        return f"match {self.sent.game} {self.bots} {self.luck}"

    def compile(self) -> None:
        """Compile what its deals need, by playing one."""
        game = self.sent.game
        play_compiled(game, ["hints"] * game.seats, 0, range(1))
        warm_bots(game, self.bots)

    def player(self, stop: Any) -> Callable[[range], MatchBlock]:
        """What plays decks of these numbers in every rotation."""
        game = self.sent.game
        if self.compiled:
            return lambda numbers: play_compiled(game, self.bots, self.seed, numbers, self.threads)
        luck = CardLuck(game, self.bots) if self.luck else None
        games = BotGames(game, self.bots, rotations(game.seats), luck)
        return lambda numbers: games.play(self.seed, numbers, self.threads)


def play_compiled(game: Game, bots: Sequence[str], seed: int, numbers: range, threads: int | None = None) -> MatchBlock:
    """Play the decks of these numbers in every rotation, in compiled code."""
    seats = game.seats
    chairs = rotations(seats)
    dealt, rngs = numbered_deals(game, seed, numbers)
    policies = np.array([POLICIES[each] for each in bots], np.int8)
    seated = np.empty((seats, seats), np.int8)
    np.put_along_axis(seated, chairs, np.broadcast_to(policies, (seats, seats)), 1)
    shape = (len(dealt), seats, seats)
    counts = np.zeros((len(dealt) * seats, seats, 2), np.int64)
    payoffs = play_batch(
        np.repeat(dealt, seats),
        np.tile(seated, (len(dealt), 1)),
        np.repeat(rngs, seats, axis=0),
        tally=counts,
        threads=threads,
        chunk=TASK,
    )
    points = np.take_along_axis(payoffs.reshape(shape), chairs[None], 2)
    counts = np.take_along_axis(counts.reshape(*shape, 2), chairs[None, :, :, None], 2)
    return MatchBlock(points, counts, np.zeros(seats), [[] for _ in bots])
