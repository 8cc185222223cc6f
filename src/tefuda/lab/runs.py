"""Runs of experiments: blocks of deals on all cores, kept on disk in their order as they are finished.

A run's folder holds ``run.json`` (what is played), ``parts/`` while it is played, and in the end ``results.parquet``
(and ``decisions.parquet`` of the sampled deals). A block counts once the last of its files is there; whatever was being
played when a run ended is played again, with the same cards. So the results are the same however often a run was
interrupted, and however many processes played."""

import json
import math
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl
from filelock import FileLock, Timeout

from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.estimates import FEWEST_DIFFERING, anytime_margin
from tefuda.lab import runs_folder
from tefuda.lab.experiment import KEYS, Arm, Experiment
from tefuda.lab.experiment_file import OF_ARMS, parse, read
from tefuda.lab.jobs import Backend, ProcessPool, Stop, played
from tefuda.lab.measure import rows
from tefuda.lab.measure.decisions import DecisionAnalyst
from tefuda.lab.measure.figures import values_by_deal
from tefuda.lab.measure.intervals import adjusted_moments
from tefuda.lab.play.python_game import AGAIN, CardLuck
from tefuda.lab.play.runner import DealRunner, GameBatch, warm_bots

RESULTS, DECISIONS = "results.parquet", "decisions.parquet"

BLOCK = 1024  #: deals of a block in compiled play; one where a bot thinks in Python
SAMPLE_BLOCK = 4  #: deals of a block of the sample


@dataclass
class RunBlock:
    """Deals of these numbers in every arm, as rows of ``deal_rows`` and ``decision_rows`` (None outside the sample).

    ``thinking`` is the seconds that bots took."""

    numbers: range
    deals: pl.DataFrame
    decisions: pl.DataFrame | None
    thinking: float


class Worker:
    """Plays blocks of an experiment; once the event ``stop`` is set, the block that is being played ends soon."""

    def __init__(self, experiment: Experiment, stop: Stop | None = None) -> None:
        self.experiment, self.stop = experiment, stop or threading.Event()
        self._runners = [self._runner(arm) for arm in experiment.arms]

    def _runner(self, arm: Arm) -> DealRunner:
        if not arm.compiled:
            warm_bots(arm.game, arm.bots)  # else the first answer might come too late
        luck = CardLuck(arm.game, arm.bots) if rows.measures_luck(self.experiment, arm) else None
        whole_games, decks = self.experiment.whole_games, self.experiment.seed
        return DealRunner(
            arm.game, arm.bots, decks, stop=self.stop, whole_games=whole_games, luck=luck, score=arm.score
        )

    @cached_property
    def _analysts(self) -> list[DecisionAnalyst]:
        asked = self.experiment
        alike = [[each for each in asked.arms if each is not arm and each.has_pack_of(arm)] for arm in asked.arms]
        return [DecisionAnalyst(*arms, asked.measures, asked.adviser) for arms in zip(asked.arms, alike, strict=True)]

    def play(self, numbers: range) -> RunBlock:
        """Play these deals in every arm; InterruptedError once ``stop`` is set."""
        sampled = numbers.start < self.experiment.sample
        deals, decisions, thinking = [], [], 0.0
        for k, (arm, runner) in enumerate(zip(self.experiment.arms, self._runners, strict=True)):
            if self.stop.is_set():
                raise InterruptedError
            batch = runner.play(numbers, keep_decisions=sampled)
            last = min(numbers.stop, rows.PLAYED_AGAIN) if self.experiment.plays_again and k == 0 else 0
            again = runner.play(range(numbers.start, last), stream=AGAIN) if numbers.start < last else None
            thinking += sum(float(each.seconds.sum()) for each in (batch, again) if each)
            deals.append(rows.deal_rows(self.experiment, arm, batch, again))
            if sampled:
                decisions.append(self._decision_rows(k, batch))
        return RunBlock(numbers, pl.concat(deals), pl.concat(decisions) if decisions else None, thinking)

    def _decision_rows(self, k: int, batch: GameBatch) -> pl.DataFrame:
        """The rows of the decisions of a batch, played in the k-th arm."""
        games = zip(batch.decisions, batch.deals.tolist(), batch.rotations.tolist(), strict=True)
        analyst, seed = self._analysts[k], self.experiment.seed
        analyses = [analyst.analyse(points, (seed, deal, k, rotation)) for points, deal, rotation in games]
        return rows.decision_rows(self.experiment, self.experiment.arms[k], batch, analyses)


@dataclass(frozen=True)
class ExperimentJob:
    """An experiment as a ``jobs.LabJob``; its pieces are blocks: ranges of deals."""

    experiment: Experiment

    @property
    def words(self) -> str:
        return f"experiment {self.experiment.digest()}"

    def compile(self) -> None:
        """Compile what its blocks need, by playing a deal."""
        Worker(self.experiment).play(range(1))

    def player(self, stop: Stop) -> Callable[[range], RunBlock]:
        """Make the function that plays blocks."""
        return Worker(self.experiment, stop).play


class StoppingRule:
    """Decides when to stop: it adds up the differences between the arms, block by block."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self._moments = {arm.name: np.zeros(4) for arm in experiment.arms[1:]}  # deals, differing, sum, sum of squares

    def add(self, deals: pl.LazyFrame) -> None:
        """Add the deals of a block, as ``rows.deal_rows`` gives them."""
        if not self.experiment.stop:
            return
        first, *others = values_by_deal(self.experiment, deals, self.experiment.answer)
        for arm, values in zip(self.experiment.arms[1:], others, strict=True):
            gaps = values - first
            self._moments[arm.name] += np.array([len(gaps), np.count_nonzero(gaps), gaps.sum(), gaps @ gaps])

    def is_met(self) -> bool:
        """True if every arm clearly differs from the first, or clearly by less than matters."""
        return self.experiment.stop and all(map(self._is_clear_of, self._moments))

    def _is_clear_of(self, arm: str) -> bool:
        """Compare the mean difference with half the width of its confidence sequence. Until enough deals differ it is
        open: a difference that has not occurred yet may be large."""
        deals, differing, total, squares = self._moments[arm].tolist()
        if differing < FEWEST_DIFFERING:
            return False
        _, mean, deviation = adjusted_moments(int(deals), int(differing), total, squares)
        margin = anytime_margin(int(deals), deviation, 0.05 / len(self._moments))
        return abs(mean) > margin or abs(mean) + margin < (self.experiment.smallest or -math.inf)


@dataclass
class RunStatus:
    """The progress of a run: deals kept, ``earlier`` of them from earlier runs, and seconds in so many processes.

    Bots thought for ``thinking`` seconds in all of them together. ``stopped``: the answer was clear."""

    done: int = 0
    earlier: int = 0
    seconds: float = 0.0
    processes: int = 1
    thinking: float = 0.0
    stopped: bool = False
    interrupted: bool = False


def default_folder(experiment: Experiment) -> Path:
    """A run's folder unless the user names one: one folder for everything that its deals depend on."""
    return runs_folder() / f"{experiment.name}-{experiment.digest()}"


class Run:
    """A run's folder, created if it does not exist; TefudaError if it holds a run of something else.

    ``identity`` is all that its deals depend on, as a folder that is only read says; by default what they depend on
    now."""

    def __init__(self, path: Path, experiment: Experiment, identity: dict[str, Any] | None = None) -> None:
        self.path, self.experiment, self.results = path, experiment, path / RESULTS
        self.job = ExperimentJob(experiment)  #: the run for other processes
        self.identity: dict[str, Any] = identity or experiment.identity()
        self.status = RunStatus()
        if not identity:
            self._begin()

    def _begin(self) -> None:
        try:
            (self.path / "parts").mkdir(parents=True, exist_ok=True)
            head = self.path / "run.json"
            if head.exists() and read_head(self.path)["depends"] != self.identity:
                raise TefudaError(f"{self.path}: it holds a run of something else; name another folder, or delete it")
            text = {"name": self.experiment.name, **self.experiment.as_dict(), "depends": self.identity}
            text["tefuda"] = version("tefuda")
            rows.write_bytes(head, json.dumps(text, ensure_ascii=False, indent=2).encode())
        except OSError as error:
            raise TefudaError(f"{file_fault(error)}; name another folder by --output") from error

    def finished(self) -> int:
        """Deals in ``results.parquet``; TefudaError if it is damaged."""
        try:
            return int(pl.read_parquet_metadata(self.results)["deals"]) if self.results.exists() else 0
        except pl.exceptions.PolarsError as error:
            raise damage(self.results) from error

    def parts(self) -> list[tuple[range, Path]]:
        """The kept blocks, which continue the results without a gap."""
        found, at = [], self.finished()
        for path in sorted((self.path / "parts").glob("*.deals.parquet")):
            start, stop = map(int, path.name.split(".")[0].split("-"))
            if start == at:
                found.append((range(start, stop), path))
                at = stop
        return found

    def done(self) -> int:
        """Deals kept so far."""
        return max([self.finished(), *(numbers.stop for numbers, _ in self.parts())])

    def play(
        self,
        advance: Callable[[int], None] = lambda deals: None,
        processes: int | None = None,
        backend: Backend | None = None,
    ) -> RunStatus:
        """Play what is missing and join the blocks; Ctrl-C ends it after the blocks that are finished.

        ``advance`` is called with the deals of each block, those of earlier runs first. The results do not depend on
        the processes of this machine (as many as there are cores) or the backend that plays instead. ``TefudaError`` if
        another process plays the run; the backend cannot go on; a file is damaged or not writable."""
        processes = processes or os.cpu_count() or 1
        if backend is None and processes > 1:
            backend = ProcessPool(self.job, processes)
        try:
            with FileLock(self.path / "lock", timeout=0), self.damage_named():
                return self._play(advance, backend)
        except Timeout as error:
            raise TefudaError(f"{self.path}: this run is being played already") from error

    def _play(self, advance: Callable[[int], None], backend: Backend | None) -> RunStatus:
        rule, done = StoppingRule(self.experiment), self.done()
        status = self.status = RunStatus(done=done, earlier=done)
        for path in self.kept() if self.experiment.stop else []:
            rule.add(pl.scan_parquet(path))
        advance(done)
        begun = perf_counter()
        try:
            with backend or nullcontext():
                status.processes = backend.processes if backend else 1
                for block in self._played(self._blocks(done), backend) if not rule.is_met() else ():
                    self._keep(block)
                    status.done = block.numbers.stop
                    status.thinking += block.thinking
                    advance(len(block.numbers))
                    rule.add(block.deals.lazy())
                    if rule.is_met():
                        break
        except KeyboardInterrupt:
            status.interrupted = True
        status.seconds = perf_counter() - begun
        status.stopped = rule.is_met() and status.done < self.experiment.deals
        if not status.interrupted:
            self.join()
        return status

    def _played(self, blocks: Iterator[range], backend: Backend | None) -> Iterator[RunBlock]:
        """The blocks, played. A backend leaves the first to this process, which compiles what is missing, once."""
        if backend is not None:
            yield from played(self.job, islice(blocks, 1), None)
        yield from played(self.job, blocks, backend)

    def _blocks(self, done: int) -> Iterator[range]:
        """The blocks of deals to be played; their borders do not depend on where a run was interrupted."""
        in_python = not all(arm.compiled for arm in self.experiment.arms)
        sample, deals = self.experiment.sample, self.experiment.deals
        while done < deals:
            sampled = done < sample
            size = 1 if in_python else SAMPLE_BLOCK if sampled else BLOCK
            base = 0 if sampled else sample
            stop = base + ((done - base) // size + 1) * size
            stop = min(stop, sample) if sampled else stop
            yield range(done, min(stop, deals))
            done = min(stop, deals)

    def _keep(self, block: RunBlock) -> None:
        """Write a block's files; the last one makes it count."""
        name = f"{block.numbers.start:09}-{block.numbers.stop:09}"
        if block.decisions is not None:
            rows.write_table(block.decisions, self.path / "parts" / f"{name}.decisions.parquet")
        rows.write_table(block.deals, self.path / "parts" / f"{name}.deals.parquet")

    def kept(self) -> list[Path]:
        """The files that hold the deals played so far, in their order."""
        return [*filter(Path.exists, [self.results]), *(path for _, path in self.parts())]

    def join(self) -> None:
        """Join the results and the blocks that followed into one file, the same however often the run was interrupted.
        The results are written last: until they are there, the blocks count. Rows stream through memory."""
        parts = self.parts()
        if parts:
            before, metadata = self.finished(), self._metadata(self.done())
            decisions = [pl.scan_parquet(self.path / DECISIONS)] if before and self.experiment.sample else []
            decisions = [frame.filter(pl.col("deal") < before) for frame in decisions]
            decisions += [pl.scan_parquet(path) for path in self._decision_parts() if path.exists()]
            if decisions:
                rows.write_table(pl.concat(decisions), self.path / DECISIONS, metadata)
            rows.write_table(pl.scan_parquet(self.kept()), self.results, metadata)
        for path in (self.path / "parts").glob("*.parquet"):
            path.unlink()

    @contextmanager
    def damage_named(self) -> Iterator[None]:
        """Turn errors of reading or writing the run's files into a TefudaError that says what to do."""
        try:
            yield
        except pl.exceptions.PolarsError as error:
            if "No space left" in str(error):
                raise TefudaError(f"{self.path}: no space left; make room, and the same command goes on") from error
            for path in (*self.path.glob("*.parquet"), *sorted((self.path / "parts").glob("*.parquet"))):
                if not rows.is_readable(path):
                    raise damage(path) from error
            raise

    def deals(self) -> pl.LazyFrame:
        """A row for each seat of each game so far, on disk: it may be larger than memory. TefudaError without any."""
        kept = self.kept()
        if not kept:
            raise TefudaError(f"{self.path}: nothing has been played yet")
        return pl.scan_parquet(kept)

    def decisions(self) -> pl.DataFrame:
        """A row for each sampled decision so far."""
        whole = [self.path / DECISIONS] if self.results.exists() else []
        return pl.read_parquet([path for path in (*whole, *self._decision_parts()) if path.exists()])

    def _decision_parts(self) -> list[Path]:
        """The files of the kept blocks' decisions; blocks outside the sample have none."""
        return [path.with_name(path.name.replace(".deals.", ".decisions.")) for _, path in self.parts()]

    def _metadata(self, done: int) -> dict[str, str]:
        kept = {key: value for key, value in self.experiment.identity().items() if key in KEYS}
        text = json.dumps(kept, ensure_ascii=False, sort_keys=True)
        return {"deals": str(done), "experiment": text, "tefuda": version("tefuda")}


def open_run(path: Path) -> Run:
    """Open an existing run, by its folder or by the file of its experiment; TefudaError if there is none."""
    folder = default_folder(read(path)) if path.suffix == ".toml" else path
    if not (folder / "run.json").exists():
        reason = "there is no run of it yet" if folder != path else "this is not the folder of a run"
        raise TefudaError(f"{path}: {reason}")
    given = read_head(folder)
    kept = {key: value for key, value in given.items() if key in (*KEYS, *OF_ARMS) and value is not None}
    return Run(folder, parse(given["name"], kept), given["depends"])


def read_head(folder: Path) -> dict[str, Any]:
    """Read a run's ``run.json``; TefudaError if it is damaged."""
    head = folder / "run.json"
    try:
        given: dict[str, Any] = json.loads(head.read_text("utf-8"))
        return {"name": given["name"], "depends": given["depends"], **given}
    except (ValueError, LookupError, TypeError) as error:
        raise TefudaError(f"{head}: it is damaged; delete it, and the same tefuda lab run goes on") from error


def damage(path: Path) -> TefudaError:
    """The error of a file that cannot be read: it names the file by whose presence the deals count."""
    counts = RESULTS if path.name == DECISIONS else path.name.replace(".decisions.", ".deals.")
    return TefudaError(f"{path}: it is damaged; delete {counts} there, and tefuda lab run plays its deals again")
