"""Progress of long commands: bars and lines that say how far they are, and the Ray cluster that they wait for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from tefuda.cli.chosen import prepare
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError

if TYPE_CHECKING:
    from tefuda.lab.jobs import LabJob, RayCluster

FIRST = 5.0  # seconds until the first line; each further one comes when twice as long has passed
EARLIER = 1.0  # seconds in which what an earlier run has kept is counted: it says nothing about the pace


@contextmanager
def bar(
    console: Console, label: str, *columns: ProgressColumn, total: int | None = None
) -> Iterator[Callable[..., None]]:
    """Show a bar on a terminal only, which vanishes at its end; yield what updates it, as ``Progress.update``."""
    every = TextColumn(label), BarColumn(), *columns
    with Progress(*every, console=console, transient=True, disable=not console.is_terminal) as shown:
        yield partial(shown.update, shown.add_task("", total=total, note=""))


def announce(console: Console, what: str) -> None:
    """Say what begins, where no bar will show it."""
    if not console.is_terminal:
        console.print(what, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def progress(console: Console, unit: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how far a command is: a bar on a terminal; elsewhere lines, so that a log says how long it will take.

    It yields what is to be called with how many more of the ``total`` are done."""
    if not console.is_terminal:
        yield PaceLines(lambda line: announce(console, line), unit, total).advance
        return
    with bar(console, unit, MofNCompleteColumn(), TimeRemainingColumn(), total=total) as update:
        yield lambda more: update(advance=more)


class PaceLines:
    """Lines that say how much is done, and how long the rest takes, ever more seldom. A clock of seconds counts from
    the first that is done: before it, code is compiled."""

    def __init__(
        self, say: Callable[[str], None], unit: str, total: int, clock: Callable[[], float] = perf_counter
    ) -> None:
        self._say, self._unit, self._total, self._clock = say, unit, total, clock
        self._done = self._earlier = 0
        self._begun = self._next = 0.0

    def advance(self, more: int) -> None:
        """Count so many more."""
        self.reach(self._done + more, self._total)

    def reach(self, done: int, total: int) -> None:
        """Note that so many of so many are done."""
        self._done, now = done, self._clock()
        if not self._next:
            self._begun, self._next = now, now + FIRST
        passed = now - self._begun
        if passed < EARLIER:
            self._earlier = done
        if now < self._next or done >= total or done <= self._earlier:
            return
        left = passed * (total - done) / (done - self._earlier)
        self._say(f"{done:,} of {total:,} {self._unit} after {duration(passed)}; {duration(left)} more at this pace")
        self._next = self._begun + 2 * passed


def duration(seconds: float) -> str:
    """Write a time as people say it: ``40 s``, ``12 min``, ``3.5 h``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def check_count(ray: str | None, option: str, count: int | None) -> None:
    """Check that a number of games played at a time fits ``--ray``: only a cluster started here takes one."""
    if ray not in (None, "local") and count is not None:
        raise TefudaError(f"{option} {count}: with --ray {ray} the cluster's cores decide how many play")


@contextmanager
def playing(
    what: str,
    job: "LabJob[Any, Any]",
    game: Description,
    *,
    unit: str,
    total: int,
    ray: str | None,
    processes: int | None,
    compiling: str = "",
    also_here: bool = False,
) -> "Iterator[tuple[Callable[[int], None], RayCluster | None]]":
    """Say what is to be played, connect its job to ``--ray`` or compile the game here, and show how far it is.

    It yields what is to be called with how many more of the ``total`` are done, and the cluster or None. The job itself
    is compiled here too where a status says so, and the game even with a cluster if some of it is played ``also_here``.
    """
    console = Console(stderr=True)
    announce(console, f"{what} What is new is compiled first.")
    backend = None
    if ray is not None:
        from tefuda.lab.jobs import RayCluster

        announce(console, f"Looks for the Ray cluster {ray}, or starts it; that can take half a minute.")
        with console.status(f"Ray: {ray}"):
            backend = RayCluster(job, ray, processes, lambda line: console.print(line, style=None, markup=False))
    if backend is None or also_here:
        prepare(game)
    if backend is None and compiling:
        with console.status(compiling):
            job.compile()
    with progress(console, unit, total) as advance:
        yield advance, backend
