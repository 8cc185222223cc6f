"""How far a long command is: a bar on a terminal; elsewhere lines, so that a log says what goes on and how long."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

FIRST = 5.0
"""Seconds until the first line; each further one comes when twice as long has passed."""

EARLIER = 1.0
"""Seconds in which what an earlier run has kept is counted: it says nothing about the pace."""


def announce(console: Console, what: str) -> None:
    """Say what begins, where no bar will show it."""
    if not console.is_terminal:
        console.print(what, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def progress(console: Console, unit: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how far a command is, as long as the context lasts.

    Args:
        console: on standard error.
        unit: what is counted, such as ``deals``.
        total: how many there are.

    Yields:
        what is to be called with how many more are done.
    """
    if not console.is_terminal:
        yield PaceLines(lambda line: announce(console, line), unit, total).advance
        return
    columns = (TextColumn(unit), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda more: bar.advance(task, more)


class PaceLines:
    """Says how much is done, and how long the rest will take; ever more seldom.

    Args:
        say: prints a line.
        unit, total: as for ``progress``.
        clock: seconds.
    """

    def __init__(
        self, say: Callable[[str], None], unit: str, total: int, clock: Callable[[], float] = perf_counter
    ) -> None:
        self._say, self._unit, self._total, self._clock = say, unit, total, clock
        self._done = self._earlier = 0
        self._begun = clock()
        self._next = self._begun + FIRST

    def advance(self, more: int) -> None:
        """So many more are done."""
        self.reach(self._done + more, self._total)

    def reach(self, done: int, total: int) -> None:
        """So many of so many are done."""
        self._done, now = done, self._clock()
        passed = now - self._begun
        if passed < EARLIER:
            self._earlier = done
        if now < self._next or done >= total or done <= self._earlier:
            return
        left = passed * (total - done) / (done - self._earlier)
        self._say(f"{done:,} of {total:,} {self._unit} after {duration(passed)}; {duration(left)} more at this pace")
        self._next = self._begun + 2 * passed


def duration(seconds: float) -> str:
    """A time as people say it: ``40 s``, ``12 min``, ``3.5 h``."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
