"""Duplicate matches: the same decks for every bot in every seat, so that the luck of the deal cancels.

Each deal is played once in every rotation of the bots over the seats. The generator that shuffled a deal goes on to
make its choices, the same in every rotation: bots that play alike end exactly level, and chance matters only where bots
differ. Deals are independent, the rotations of one deal are not, so intervals are over deals. Where a bot thinks for
long, the luck of the cards is measured beside (``python_game``), so that fewer deals tell as much.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tefuda.bots.players import bot
from tefuda.engine import cache
from tefuda.engine.errors import TefudaError
from tefuda.lab.benchmark import policy_time
from tefuda.lab.jobs import Backend, Stop, WithGame, played
from tefuda.lab.play.match_folder import MatchFolder
from tefuda.lab.play.python_game import CardLuck, is_worthwhile
from tefuda.lab.play.runner import POLICIES, DealRunner, MatchBlock, is_compiled, warm_bots
from tefuda.lab.play.scores import MatchResult, MatchScores, bot_names
from tefuda.table.game import Game

BLOCK = 256
"""Deals in memory at a time in compiled play."""

TIMING = 0.1
"""Seconds for which each kind of bot is timed, where it plays in compiled code."""

Progress = Callable[[int], None]
"""Called with the number of deals of each finished block."""


@dataclass(frozen=True)
class Match(WithGame):
    """A duplicate match to be played, a ``jobs.LabJob``: its pieces are ranges of deals.

    Args:
        game: with its seats and options; every deal begins from its start.
        bots: a bot for each seat, as ``bots.players.bot`` takes them.
        deals: number of decks, each played in every rotation.
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
        """True if the match runs in compiled code."""
        return is_compiled(self.bots) and self.folder is None and not self.luck

    @property
    def measures_luck(self) -> bool:
        """True if the luck of the cards is measured."""
        return is_worthwhile(self.game, self.bots) if self.luck is None else self.luck

    def identity(self) -> dict[str, object]:
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
    def job(self) -> "Match":
        """The match for other processes: it is a job itself."""
        return self

    @property
    def words(self) -> str:
        return f"match {self.game} {list(self.bots)} {self.measures_luck}"

    def compile(self) -> None:
        """Compile what the match needs, by playing one deal; this returns at once if that was done before."""
        DealRunner(self.game, ["hints"] * self.game.seats, 0, recorded=False).play(range(1))
        warm_bots(self.game, self.bots)

    def player(self, stop: Stop) -> Callable[[range], MatchBlock]:
        """Make the function that plays decks of these numbers in every rotation."""
        runner = DealRunner(
            self.game,
            self.bots,
            self.seed,
            every_rotation=True,
            recorded=False,
            in_python=not self.compiled,
            threads=self.threads,
            stop=stop,
            luck=CardLuck(self.game, self.bots) if self.measures_luck and not self.compiled else None,
        )
        return lambda numbers: runner.play(numbers, keep_records=self.folder is not None).by_bot()

    def play(self, progress: Progress = lambda deals: None, backend: Backend | None = None) -> MatchResult:
        """Play the match on all cores; Ctrl-C ends it after the deals played so far.

        Args:
            progress: called with the number of deals of each finished block, those of earlier runs too.
            backend: where else it is played, a backend of this match; it does not change the result.

        Raises:
            TefudaError: the folder holds another match, or cannot be written; the backend cannot go on.
            KeyboardInterrupt: before the first block was finished.
        """
        if not self.compiled and backend is None:
            warm_bots(self.game, self.bots)  # else a bot that compiles at its first move would seem to stall
        folder = MatchFolder(self.folder, self.identity()) if self.folder is not None else None
        scores, interrupted, decided = MatchScores(self.game), False, False
        for block in islice(folder.blocks() if folder else (), self.deals):
            scores.add(block)
            progress(1)
        earlier, begun = scores.deals, time.perf_counter()
        try:
            with backend or nullcontext():
                for block in played(self, self._pieces(scores.deals), backend):
                    following = deepcopy(scores)  # Ctrl-C may come at any moment: a block counts wholly or not at all
                    following.add(block)
                    if folder:
                        folder.add(scores.deals, block)
                    scores = following
                    progress(len(block.points))
                    decided = self.until_decided and scores.is_decided()
                    if decided:
                        break
        except KeyboardInterrupt:
            if scores.deals == 0:
                raise
            interrupted = True
        seconds = time.perf_counter() - begun
        return self._result(scores, seconds=seconds, interrupted=interrupted, decided=decided, earlier=earlier)

    def _pieces(self, done: int) -> Iterator[range]:
        size = self.block or (BLOCK if self.compiled else 1)
        return (range(start, min(start + size, self.deals)) for start in range(done, self.deals, size))

    def _result(self, scores: MatchScores, **run: Any) -> MatchResult:
        times = [policy_time(self.game, POLICIES[each], TIMING) if self.compiled else None for each in self.bots]
        names = bot_names(self.bots)
        return MatchResult(
            game=self.game.name,
            rules_version=self.game.description.rules_version,
            options=self.game.changed_options(),
            seed=self.seed,
            asked=self.deals,
            deals=scores.deals,
            rotations=self.game.seats,
            entries=tuple(scores.of(k, names[k], self.bots[k], times[k]) for k in range(len(names))),
            **run,
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
        deals: number of decks, each played in every rotation.
        seed: deck k is that of ``game.deal((seed, k))``.
        more: further settings of ``Match``, such as ``until_decided=True`` or ``folder=Path("kept")``.

    Raises:
        TefudaError: an unknown bot, or not one bot for each seat; a folder that holds another match.
        KeyboardInterrupt: before the first block was finished.
    """
    return Match(game, bots, deals, seed, **more).play()
