"""Compiles games in the background. A table waits until its game is compiled; no page does."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tefuda import games
from tefuda.bots.search import compile_search
from tefuda.engine import compilation
from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES
from tefuda.server.events import tour_steps
from tefuda.table.tour import load

PAGE = "page"
"""What is compiled for a game's pages."""

Progress = Callable[[str, str, int, int], None]
"""Called before each step: the game, what is being compiled, how many steps are done and how many there are."""


class GameCompiler:
    """Compiles one game after another in a thread, first those that somebody waits for; searches when bots need them.

    Args:
        names: of the games to serve; all if none is named.
        progress: called before each step, from the thread.

    Raises:
        UnknownGameError: there is no such game.
    """

    def __init__(self, names: Sequence[str] = (), progress: Progress = lambda *_: None) -> None:
        self.games = {name: games.description(name) for name in names or games.names()}
        self._progress = progress
        self._thread = ThreadPoolExecutor(1, "compiler")
        self._waiting = list(self.games)
        self._done: dict[str, asyncio.Event] = {}
        self._searches: dict[str, asyncio.Future[None]] = {}
        self._steps: dict[str, tuple[int, int]] = {}
        self._closing = False
        self._compiled: list[str] = []
        self._searchable: list[str] = []

    def compile_all(self) -> None:
        """Compile all games now, and load the searches that were compiled before: for processes forked afterwards."""
        while self._waiting:
            name = self._waiting.pop(0)
            with compilation.lock(self.games[name]):
                self._compile(name)
            self._compiled.append(name)
            if compilation.is_warm(self.games[name], compilation.SEARCH):
                compile_search(self.games[name])
                self._searchable.append(name)

    def start(self) -> None:
        """Begin to compile."""
        self._done = {name: asyncio.Event() for name in self.games}
        loop = asyncio.get_running_loop()
        for name in self._compiled:
            self._done[name].set()
        for name in self._searchable:
            self._searches[name] = loop.create_future()
            self._searches[name].set_result(None)
        for _ in list(self._waiting):
            self._thread.submit(self._compile_next, loop)

    def description(self, name: str) -> Description:
        """A game that is served here.

        Raises:
            UnknownGameError: it is not.
        """
        if name not in self.games:
            raise games.UnknownGameError(f"there is no game {name!r} here; there are: {', '.join(self.games)}")
        return self.games[name]

    async def wait_until_ready(self, name: str) -> None:
        """Wait until a game is compiled.

        Raises:
            UnknownGameError: it is not served here.
        """
        self.compile_first(name)
        await self._done[name].wait()

    async def wait_for_search(self, name: str) -> None:
        """Wait until bots can search in a game.

        Raises:
            UnknownGameError: it is not served here.
        """
        await self.wait_until_ready(name)
        self.compile_first(name, search=True)
        await asyncio.shield(self._searches[name])

    def compile_first(self, name: str, *, search: bool = False) -> None:
        """Compile a game before the others, since somebody waits for it.

        Args:
            name: of the game.
            search: whether they wait for bots that search in it, too.

        Raises:
            UnknownGameError: it is not served here.
        """
        self.description(name)
        if name in self._waiting:
            self._waiting.remove(name)
            self._waiting.insert(0, name)
        if search and self.is_ready(name) and name not in self._searches:
            loop = asyncio.get_running_loop()
            self._searches[name] = loop.run_in_executor(self._thread, compile_search, self.games[name])

    def is_ready(self, name: str) -> bool:
        """Whether a game is compiled."""
        return name in self._done and self._done[name].is_set()

    def search_is_ready(self, name: str) -> bool:
        """Whether bots can search in a game."""
        return name in self._searches and self._searches[name].done()

    def progress(self, name: str) -> tuple[int, int]:
        """How many steps of compiling a game are done, and how many there are; (0, 0) before the first."""
        return self._steps.get(name, (0, 0))

    def close(self) -> None:
        """Compile no further."""
        self._closing = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _compile_next(self, loop: asyncio.AbstractEventLoop) -> None:
        name = self._waiting.pop(0)
        with compilation.lock(self.games[name]):
            self._compile(name)
        if not self._closing:
            loop.call_soon_threadsafe(self._done[name].set)

    def _compile(self, name: str) -> None:
        steps = [*compilation.steps(self.games[name]), *_page_steps(self.games[name])]
        for done, (label, compile_it) in enumerate(steps):
            if self._closing:
                return
            self._steps[name] = (done, len(steps))
            self._progress(name, label, done, len(steps))
            compile_it()
        self._progress(name, "", len(steps), len(steps))
        compilation.mark(self.games[name])
        compilation.mark(self.games[name], PAGE)


def _page_steps(description: Description) -> list[tuple[str, Callable[[], object]]]:
    """What pages need beside what a table needs: scenes, stories and reasons, compiled by going through a tour."""
    if compilation.is_warm(description, PAGE):
        return []
    return [("scenes and stories", partial(_go_through, path)) for path in description.files.tours[:1]]


def _go_through(path: Path) -> None:
    tour_steps.steps(load(path), LANGUAGES[0], "")
