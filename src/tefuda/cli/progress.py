"""Waiting for the compiler, with a progress bar that says why."""

import sys
from collections.abc import Callable
from threading import Thread

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tefuda.bots import search
from tefuda.engine import compilation
from tefuda.engine.description import Description
from tefuda.engine.texts import TEXTS, catalogue


def prepare(game: Description, language: str = "en") -> None:
    """Compile what a table of this game needs, if that has not been done since the last change of the sources."""
    console, words = Console(file=sys.stderr), catalogue(TEXTS, language)
    if compilation.is_warm(game):
        return
    title = catalogue(game.files.texts, language)("title")
    with compilation.lock(game, waiting=lambda: console.print(words("compiling.waiting", game=title))):
        if not compilation.is_warm(game):
            console.print(words("compiling.why", game=title))
            _compile(game, console)


def _compile(game: Description, console: Console) -> None:
    columns = (
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        steps = compilation.steps(game)
        task = progress.add_task("", total=len(steps))
        for label, compile_it in steps:
            progress.update(task, description=label)
            compile_it()
            progress.advance(task)
    compilation.mark(game)


class SearchLoader:
    """Compiles the search of a game in other processes while the player thinks, then loads it.

    Args:
        game: whose table has been compiled.
        load: loads the search into this process, by using it once.
    """

    def __init__(self, game: Description, load: Callable[[], object]) -> None:
        self._game, self._load = game, load
        self._helpers: list[compilation.Helper] = []
        self._thread: Thread | None = None
        self._stopped = False

    def start(self) -> None:
        """Begin, unless that has been done."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="search loader")
            self._thread.start()

    def is_ready(self, patience: float | None = None) -> bool:
        """Whether the search is loaded; waits for that so many seconds, or until it is."""
        self.start()
        assert self._thread is not None
        self._thread.join(patience)
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Compile no more; what has been compiled is kept."""
        self._stopped = True
        for helper in self._helpers:
            helper.stop()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        if not compilation.is_warm(self._game, compilation.SEARCH):
            with compilation.lock(self._game, compilation.SEARCH):
                if not (self._stopped or compilation.is_warm(self._game, compilation.SEARCH)):
                    self._helpers = [compilation.Helper(self._game, part) for part in search.PARTS]
                    for helper in self._helpers:
                        helper.wait()
        if not self._stopped:
            self._load()
            compilation.mark(self._game, compilation.SEARCH)
