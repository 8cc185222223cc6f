"""Running an experiment: blocks of deals on all cores, kept on disk in their order as they are finished.

A run's folder holds ``run.json`` (what is played), ``parts/`` while it is played, and in the end ``results.parquet``
(and ``decisions.parquet``, where games were looked at closely). A block counts when the last of its files is there;
what was being played when a run ends is played again, with the same cards. So the results are the same however often a
run was cut off, and however many processes played.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import polars as pl
from filelock import FileLock, Timeout

from tefuda.engine.errors import TefudaError
from tefuda.lab.experiment import KEYS, Experiment, experiment, read
from tefuda.lab.extra import runs_folder
from tefuda.lab.stopping import Stopping
from tefuda.lab.working import Block, Place, Processes, Worker, in_order

BLOCK = 1024
"""Deals of a block in compiled play; one where a bot thinks in Python."""

CLOSE_BLOCK = 4
"""Deals of a block that is looked at closely."""

ROW_GROUP = 1 << 17

RESULTS, DECISIONS = "results.parquet", "decisions.parquet"


@dataclass
class Progress:
    """How a run stands.

    Attributes:
        done: deals that are kept; ``earlier`` those of earlier runs among them.
        seconds: of this run, and in how many processes it was played.
        thinking: seconds that bots took, of all processes together.
        stopped: the answer was clear before all deals were played.
        interrupted: by Ctrl-C.
    """

    done: int = 0
    earlier: int = 0
    seconds: float = 0.0
    processes: int = 1
    thinking: float = 0.0
    stopped: bool = False
    interrupted: bool = False


def default_folder(experiment: Experiment) -> Path:
    """One folder for everything that a run depends on."""
    return runs_folder() / f"{experiment.name}-{experiment.digest()}"


class Run:
    """A run's folder.

    Args:
        path: made if it is not there.
        experiment: what is played.
        depends: what a folder that is only looked at says its deals depend on; by default what they depend on now.
        merged: where they come from, of a run that others were joined to.

    Raises:
        TefudaError: the folder holds a run of something else, or cannot be written.
    """

    def __init__(
        self,
        path: Path,
        experiment: Experiment,
        depends: dict[str, Any] | None = None,
        merged: dict[str, Any] | None = None,
    ) -> None:
        self.path, self.experiment = path, experiment
        self.depends = depends or {**experiment.what_deals_depend_on(), **(merged or {})}
        self.progress = Progress()
        if not depends:
            self._begin()

    def _begin(self) -> None:
        try:
            (self.path / "parts").mkdir(parents=True, exist_ok=True)
            head = self.path / "run.json"
            if head.exists() and read_head(self.path)["depends"] != self.depends:
                raise TefudaError(f"{self.path}: it holds a run of something else; name another folder, or delete it")
            text = {"name": self.experiment.name, **self.experiment.as_dict(), "depends": self.depends}
            replace(head, json.dumps({**text, "tefuda": version("tefuda")}, ensure_ascii=False, indent=2).encode())
        except OSError as error:
            raise TefudaError(f"{self.path}: {error.strerror}") from error

    @property
    def results(self) -> Path:
        return self.path / RESULTS

    def finished(self) -> int:
        """Deals in ``results.parquet``.

        Raises:
            TefudaError: it is damaged.
        """
        try:
            return int(pl.read_parquet_metadata(self.results)["deals"]) if self.results.exists() else 0
        except pl.exceptions.PolarsError as error:
            raise damage(self.results) from error

    def parts(self) -> list[tuple[range, Path]]:
        """The blocks kept, which follow on each other and on the results."""
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
        place: Place | None = None,
    ) -> Progress:
        """Play what is missing and join the blocks; Ctrl-C ends it after the blocks that are done.

        Args:
            advance: called with the number of deals of each block, those of earlier runs first.
            processes: of this machine, as many as there are cores by default; they do not change the results.
            place: where else it is played; it does not change the results either.

        Raises:
            TefudaError: somebody else is playing it at this moment; the place cannot go on; a file is damaged or cannot
                be written.
        """
        processes = processes or os.cpu_count() or 1
        if place is None and processes > 1:
            place = Processes(self.experiment, processes)
        try:
            with FileLock(self.path / "lock", timeout=0), self.sound():
                return self._play(advance, place)
        except Timeout as error:
            raise TefudaError(f"{self.path}: this run is being played already") from error

    def _play(self, advance: Callable[[int], None], place: Place | None) -> Progress:
        stopping = Stopping(self.experiment)
        done = self.done()
        self.progress = Progress(done=done, earlier=done)
        for path in self.kept() if self.experiment.stop else []:
            stopping.add(pl.scan_parquet(path))
        advance(done)
        worker = Worker(self.experiment)
        begun = perf_counter()
        try:
            with place or nullcontext():
                self.progress.processes = place.processes if place else 1
                for block in in_order(worker, self._blocks(done), place) if not stopping.clear() else ():
                    self._keep(block)
                    self.progress.done = block.numbers.stop
                    self.progress.thinking += block.thinking
                    advance(len(block.numbers))
                    stopping.add(block.deals.lazy())
                    if stopping.clear():
                        break
        except KeyboardInterrupt:
            self.progress.interrupted = True
        self.progress.seconds = perf_counter() - begun
        self.progress.stopped = stopping.clear() and self.progress.done < self.experiment.deals
        if not self.progress.interrupted:
            self.join()
        return self.progress

    def _blocks(self, done: int) -> Iterator[range]:
        """The deals to be played; the borders do not depend on where a run was cut off."""
        by_hand = not all(arm.compiled for arm in self.experiment.arms)
        sample, deals = self.experiment.sample, self.experiment.deals
        while done < deals:
            closely = done < sample
            size = 1 if by_hand else CLOSE_BLOCK if closely else BLOCK
            base = 0 if closely else sample
            stop = base + ((done - base) // size + 1) * size
            stop = min(stop, sample) if closely else stop
            yield range(done, min(stop, deals))
            done = min(stop, deals)

    def _keep(self, block: Block) -> None:
        """Write a block's files, the one that makes it count last."""
        name = f"{block.numbers.start:09}-{block.numbers.stop:09}"
        if block.decisions is not None:
            write(block.decisions, self.path / "parts" / f"{name}.decisions.parquet")
        write(block.deals, self.path / "parts" / f"{name}.deals.parquet")

    def kept(self) -> list[Path]:
        """The files that hold the deals played so far, in their order."""
        return [*filter(Path.exists, [self.results]), *(path for _, path in self.parts())]

    def join(self) -> None:
        """Make one file of the results and the blocks that followed; the files are the same however often it was cut.

        The results come last: until they are there, the blocks count. Rows pass through memory a few at a time.
        """
        parts = self.parts()
        if parts:
            before, metadata = self.finished(), self._metadata(self.done())
            decisions = [pl.scan_parquet(self.path / DECISIONS)] if before and self.experiment.sample else []
            decisions = [frame.filter(pl.col("deal") < before) for frame in decisions]
            decisions += [pl.scan_parquet(path) for path in self._beside() if path.exists()]
            if decisions:
                write(pl.concat(decisions), self.path / DECISIONS, metadata)
            write(pl.scan_parquet(self.kept()), self.results, metadata)
        for path in (self.path / "parts").glob("*.parquet"):
            path.unlink()

    @contextmanager
    def sound(self) -> Iterator[None]:
        """Say in one line what is wrong with the run's files where reading or writing them fails.

        Raises:
            TefudaError: there is no room for one, or one is damaged, and what to do.
        """
        try:
            yield
        except pl.exceptions.PolarsError as error:
            if "No space left" in str(error):
                raise TefudaError(f"{self.path}: no space left; make room, and the same command goes on") from error
            for path in (*self.path.glob("*.parquet"), *sorted((self.path / "parts").glob("*.parquet"))):
                if not is_readable(path):
                    raise damage(path) from error
            raise

    def deals(self) -> pl.LazyFrame:
        """A row for each seat of each game played so far; it is on disk, and may be larger than memory.

        Raises:
            TefudaError: nothing has been played.
        """
        kept = self.kept()
        if not kept:
            raise TefudaError(f"{self.path}: nothing has been played yet")
        return pl.scan_parquet(kept)

    def decisions(self) -> pl.DataFrame:
        """A row for each decision looked at closely so far."""
        whole = [self.path / DECISIONS] if self.results.exists() else []
        return pl.read_parquet([path for path in (*whole, *self._beside()) if path.exists()])

    def _beside(self) -> list[Path]:
        """The files of the blocks' decisions, if they were looked at closely."""
        return [path.with_name(path.name.replace(".deals.", ".decisions.")) for _, path in self.parts()]

    def _metadata(self, done: int) -> dict[str, str]:
        plain = self.experiment.as_dict()
        kept = {key: plain[key] for key in self.experiment.what_deals_depend_on() if key in plain}
        text = json.dumps(kept, ensure_ascii=False, sort_keys=True)
        return {"deals": str(done), "experiment": text, "tefuda": version("tefuda")}


def open_run(path: Path) -> Run:
    """A run that is there: by its folder, or by the file of its experiment.

    Raises:
        TefudaError: there is none, or it is damaged.
    """
    folder = default_folder(read(path)) if path.suffix == ".toml" else path
    if not (folder / "run.json").exists():
        raise TefudaError(f"{path}: " + ("there is no run of it yet" if folder != path else "this is no run's folder"))
    given = read_head(folder)
    kept = {key: value for key, value in given.items() if key in KEYS and value is not None}
    return Run(folder, experiment(given["name"], kept), given["depends"])


def read_head(folder: Path) -> dict[str, Any]:
    """What a run's ``run.json`` says.

    Raises:
        TefudaError: it is damaged.
    """
    head = folder / "run.json"
    try:
        given: dict[str, Any] = json.loads(head.read_text("utf-8"))
        return {"name": given["name"], "depends": given["depends"], **given}
    except (ValueError, LookupError, TypeError) as error:
        raise TefudaError(f"{head}: it is damaged; delete it, and the same tefuda lab run goes on") from error


def is_readable(path: Path) -> bool:
    try:
        pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError):
        return False
    return True


def damage(path: Path) -> TefudaError:
    """What is said of a file that cannot be read; deals count only while the file named is there."""
    counts = RESULTS if path.name == DECISIONS else path.name.replace(".decisions.", ".deals.")
    return TefudaError(f"{path}: it is damaged; delete {counts} there, and tefuda lab run plays its deals again")


def write(table: pl.LazyFrame | pl.DataFrame, path: Path, metadata: dict[str, str] | None = None) -> None:
    """Write a table so that it is there wholly or not at all; the bytes depend on its rows alone."""
    unfinished = path.with_suffix(".unfinished")
    table.lazy().sink_parquet(unfinished, compression="zstd", row_group_size=ROW_GROUP, metadata=metadata)
    with unfinished.open("rb") as file:
        os.fsync(file.fileno())  # else a power cut could leave the new name without the content
    unfinished.rename(path)


def replace(path: Path, content: bytes) -> None:
    """Write a file so that it is there wholly or not at all."""
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
