"""Duplicate matches: the same decks for every bot in every seat, so that the luck of the deal cancels.

Each deal is played once in every rotation of the bots over the seats. The generator that shuffled a deal goes on to
make its choices, the same in every rotation: bots that play alike end exactly level, and chance matters only where bots
differ. Deals are independent, the rotations of one deal are not, so intervals are over deals. Where a bot thinks for
long, the luck of the cards is measured beside (``python_game``), so that fewer deals tell as much.

A match that is kept on disk resumes where it was interrupted, and every game can be replayed. Its folder holds a record
(``.tfd``) of every game and ``match.jsonl``: what is played, then a line for each finished deal. That is the same on
every machine, unless bots think by the clock; how long they thought is not, and lies in ``times.jsonl``."""

import json
import time
import timeit
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.bots.players import bot
from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.files import whole
from tefuda.engine.play import POLICIES, play_each
from tefuda.lab.jobs import Backend, Stop, played
from tefuda.lab.play.python_game import CardLuck, is_worthwhile
from tefuda.lab.play.runner import DealRunner, MatchBlock, identity_of, is_compiled, warm_bots
from tefuda.lab.play.scores import MatchResult, MatchScores, bot_names
from tefuda.table.game import Game, numbered_deals

FILE, TIMES = "match.jsonl", "times.jsonl"

BLOCK = 256  #: deals in memory at a time in compiled play
TIMINGS, TIMED = 20, 256  #: times, and deals at a time, in which each kind of bot is timed where it plays compiled

Progress = Callable[[int], None]  #: called with the number of deals of each finished block


class MatchFolder:
    """One match's folder, created if need be; TefudaError if it does not hold the match of this ``identity``."""

    def __init__(self, path: Path, identity: Mapping[str, object]) -> None:
        self.path = path
        self._lines, self._times = path / FILE, path / TIMES
        head = json.dumps(identity, sort_keys=True, ensure_ascii=False)
        try:
            path.mkdir(parents=True, exist_ok=True)
            if not self._lines.exists():
                self._lines.write_text(head + "\n", "utf-8")
                self._times.unlink(missing_ok=True)
            found = self._lines.read_text("utf-8").split("\n")
        except OSError as error:
            raise TefudaError(f"{file_fault(error)}; name another folder by --save") from error
        if found[0] != head:
            raise TefudaError(f"{path}: it holds another match; name another folder, or delete it")
        if found[-1]:  # a line cut short by whatever ended the run
            _write(self._lines, found[:-1])
        self._kept = found[1:-1]
        times = self._times.read_text("utf-8").split("\n")[:-1] if self._times.exists() else []
        self._seconds = times[: len(self._kept)]  # the file keeps no line of a deal that does not count
        _write(self._times, self._seconds)

    def blocks(self) -> Iterator[MatchBlock]:
        """The deals played earlier, each a block, in their order."""
        for line, seconds in zip_longest(self._kept, self._seconds):
            deal = json.loads(line)
            yield MatchBlock(
                np.array([deal["points"]], np.int64),
                np.array([deal["counts"]], np.int64),
                np.zeros(len(deal["faults"])) if seconds is None else np.array(json.loads(seconds), np.float64),
                deal["faults"],
                luck=np.array([deal["luck"]]) if "luck" in deal else None,
                model_use=np.array(deal["model_use"], np.int64) if "model_use" in deal else None,
            )

    def add(self, number: int, block: MatchBlock) -> None:
        """Keep one more deal. It counts once the line of what was played is there, which is written last."""
        for rotation, text in enumerate(block.records):
            (self.path / f"deal-{number + 1:05}-{rotation + 1}.tfd").write_text(text, "utf-8")
        deal = {"points": block.points[0].tolist(), "counts": block.counts[0].tolist(), "faults": block.faults}
        if block.luck is not None:
            deal["luck"] = block.luck[0].tolist()
        if block.model_use is not None and block.model_use.any():
            deal["model_use"] = block.model_use.tolist()
        _append(self._times, [round(float(seconds), 6) for seconds in block.seconds])
        _append(self._lines, deal)


def _write(path: Path, lines: list[str]) -> None:
    with whole(path) as file:
        file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _append(path: Path, what: object) -> None:
    with path.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(what, ensure_ascii=False) + "\n")


def delete_match(path: Path) -> None:
    """Delete what a match has left in a folder, and the folder if nothing else is in it."""
    for file in (*path.glob("deal-*.tfd"), path / FILE, path / TIMES):
        file.unlink(missing_ok=True)
    with suppress(OSError):
        path.rmdir()


@dataclass(frozen=True)
class Match:
    """A duplicate match to be played, a ``jobs.LabJob``: its pieces are ranges of deals. ``TefudaError`` for an unknown
    bot, or not one bot for each seat."""

    game: Game  #: with its seats and options; every deal begins from its start
    bots: Sequence[str]  #: a bot for each seat, as ``bots.players.bot`` takes them
    deals: int  #: number of decks, each played in every rotation
    seed: int  #: deck k is that of ``game.deal((seed, k))``
    block: int | None = None  #: deals in memory at a time; like the number of threads, it does not change the result
    threads: int | None = None
    until_decided: bool = False  #: stop as soon as it is clear whether the first bot gains or loses
    folder: Path | None = None
    """Keep every deal and record there, and resume from those; every bot then plays through the table, which is slower
    for ``random`` and ``hints``."""
    luck: bool | None = None  #: measure the luck of the cards too, at the table; by default where a bot thinks long

    def __post_init__(self) -> None:
        for each in self.bots:
            bot(each)
        game = self.game
        if len(self.bots) != game.seats:
            raise TefudaError(f"{game.name}: {len(self.bots)} bots for {game.seats} seats; name one for each seat")

    @property
    def compiled(self) -> bool:
        """True if the match runs in compiled code."""
        return is_compiled(self.bots) and self.folder is None and not self.luck

    @property
    def measures_luck(self) -> bool:
        """True if the luck of the cards is measured."""
        return is_worthwhile(self.game, self.bots) if self.luck is None else self.luck

    def identity(self) -> dict[str, object]:
        """All that the deals depend on: deals of an earlier run count only where it is equal."""
        return {**identity_of(self.game, self.bots, self.seed), "luck": self.measures_luck}

    @property
    def words(self) -> str:
        return f"match {self.game} {list(self.bots)} {self.measures_luck}"

    def compile(self) -> None:
        """Compile what the match needs, by playing one deal; this returns at once if that was done before."""
        DealRunner(self.game, ["hints"] * self.game.seats, 0, recorded=False).play(range(1))
        warm_bots(self.game, self.bots)

    def player(self, stop: Stop) -> Callable[[range], MatchBlock]:
        """Make the function that plays decks of these numbers in every rotation."""
        luck = CardLuck(self.game, self.bots) if self.measures_luck and not self.compiled else None
        runner = DealRunner(
            self.game, self.bots, self.seed, every_rotation=True, recorded=False, in_python=not self.compiled,
            threads=self.threads, stop=stop, luck=luck,
        )  # fmt: skip
        return lambda numbers: runner.play(numbers, keep_records=self.folder is not None).by_bot()

    def play(self, progress: Progress = lambda deals: None, backend: Backend | None = None) -> MatchResult:
        """Play the match on all cores, or by its backend; Ctrl-C ends it after the deals played so far.

        ``progress`` is called with the number of deals of each finished block, those of earlier runs too.
        ``TefudaError`` if the folder holds another match, or cannot be written; the backend cannot go on;
        ``KeyboardInterrupt`` before the first block was finished."""
        if not self.compiled and backend is None:
            warm_bots(self.game, self.bots)  # else a bot that compiles at its first move would seem to stall
        folder = MatchFolder(self.folder, self.identity()) if self.folder is not None else None
        scores, interrupted, decided = MatchScores(self.game), False, False
        for block in islice(folder.blocks() if folder else (), self.deals):
            scores.add(block)
            progress(1)
        earlier, begun = scores.deals, time.perf_counter()
        size = self.block or (BLOCK if self.compiled else 1)
        pieces = (range(start, min(start + size, self.deals)) for start in range(earlier, self.deals, size))
        try:
            with backend or nullcontext():
                for block in played(self, pieces, backend):
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

    def _result(self, scores: MatchScores, **run: Any) -> MatchResult:
        times = [policy_time(self.game, POLICIES[each]) if self.compiled else None for each in self.bots]
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


def policy_time(game: Game, policy: int) -> float:
    """Seconds that a move of this policy takes on one core, without dealing: the best of ``TIMINGS``."""
    dealt, rngs = numbered_deals(game, 1, range(TIMED))
    policies, payoffs = np.full((TIMED, game.seats), policy, np.int8), np.zeros((TIMED, game.seats), np.int64)
    tally = np.zeros((TIMED, game.seats, 2), np.int64)

    def run() -> int:
        return play_each(dealt.copy(), policies, rngs.copy(), payoffs, tally)

    moves = run()  # compiles what is new
    return min(timeit.repeat(run, number=1, repeat=TIMINGS)) / moves


def play_match(game: Game, bots: Sequence[str], deals: int, seed: int = 0, **more: Any) -> MatchResult:
    """Play a duplicate match (``Match``) on all cores, with further settings of it such as ``until_decided=True`` or
    ``folder=Path("kept")``; Ctrl-C ends it after the deals played so far. ``TefudaError`` for an unknown bot, or not
    one bot for each seat, or a folder that holds another match; ``KeyboardInterrupt`` before the first block was
    finished.

    Example:
        >>> import tefuda
        >>> bots = ["hints", "random", "random", "random"]
        >>> result = tefuda.play_match(tefuda.load("gong-zhu"), bots, deals=50, seed=1)
        >>> str(result.entries[0].gain)  # points a deal more than the others, and the 95% interval
        '+185.3 ± 28.9'
    """
    return Match(game, bots, deals, seed, **more).play()
