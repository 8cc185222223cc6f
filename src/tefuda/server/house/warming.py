"""Games are compiled behind the scenes; a table of a game waits until that one is, a page waits for none."""

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
from tefuda.server.log import tours
from tefuda.table.tour import load

PAGE = "page"
"""What is compiled for a game's pages."""

Progress = Callable[[str, str, int, int], None]
"""Told of each step: the game, what is being compiled, how many steps are done and how many there are."""


class Kitchen:
    """Compiles one game after another in a thread, first those that somebody waits for; searches when bots want them.

    Args:
        names: of the games that are served.
        progress: told of what goes on.

    Raises:
        UnknownGameError: there is no such game.
    """

    def __init__(self, names: Sequence[str] = (), progress: Progress = lambda *_: None) -> None:
        self.games = {name: games.description(name) for name in names or games.names()}
        self._progress = progress
        self._thread = ThreadPoolExecutor(1, "kitchen")
        self._waiting = list(self.games)
        self._done: dict[str, asyncio.Event] = {}
        self._searches: dict[str, asyncio.Future[None]] = {}
        self._steps: dict[str, tuple[int, int]] = {}
        self._closing = False

    def start(self) -> None:
        """Begin."""
        self._done = {name: asyncio.Event() for name in self.games}
        loop = asyncio.get_running_loop()
        for _ in self.games:
            self._thread.submit(self._compile_next, loop)

    async def ready(self, name: str) -> None:
        """Wait until a game is compiled.

        Raises:
            UnknownGameError: it is not served here.
        """
        self.hurry(name)
        await self._done[name].wait()

    async def search_ready(self, name: str) -> None:
        """Wait until bots can search in a game."""
        await self.ready(name)
        self.hurry(name, search=True)
        await asyncio.shield(self._searches[name])

    def hurry(self, name: str, *, search: bool = False) -> None:
        """Somebody waits for a game, or for bots that search in it: it comes before the others.

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

    def progress(self, name: str) -> tuple[int, int]:
        """How many steps of compiling a game are done, and how many there are; (0, 0) before the first."""
        return self._steps.get(name, (0, 0))

    def description(self, name: str) -> Description:
        """A game that is served here.

        Raises:
            UnknownGameError: it is not.
        """
        if name not in self.games:
            raise games.UnknownGameError(f"there is no game {name!r} here; there are: {', '.join(self.games)}")
        return self.games[name]

    def is_ready(self, name: str) -> bool:
        return name in self._done and self._done[name].is_set()

    def search_is_ready(self, name: str) -> bool:
        return name in self._searches and self._searches[name].done()

    def close(self) -> None:
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
    """What pages need beside what a table needs: scenes, stories and reasons, used by going through a tour."""
    if compilation.is_warm(description, PAGE):
        return []
    return [("scenes and stories", partial(_go_through, path)) for path in description.files.tours[:1]]


def _go_through(path: Path) -> None:
    tours.steps(load(path), LANGUAGES[0], "")
