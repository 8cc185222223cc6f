"""Compiles games in the background. A table waits until its game is compiled; no page does."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from subprocess import DEVNULL, PIPE, Popen

from tefuda import games
from tefuda.bots.search import compile_search
from tefuda.engine import cache, compilation, verbs
from tefuda.engine.description import Description
from tefuda.engine.texts import LANGUAGES
from tefuda.server.event_loop import Threads
from tefuda.server.table import tour_steps
from tefuda.table.tour import load

PAGE = "page"  # the part of a game that is compiled for its pages

PROGRAM = "from tefuda.server.live.compiler import compile_aside; compile_aside()"

Progress = Callable[[str, str, int, int], None]
"""Called before each step: the game, what is being compiled, how many steps are done and how many there are."""


class GameCompiler:
    """Compiles one game after another in a thread, first those that are waited for; searches when bots need them.

    ``names`` are those of the games to serve; all if none is named. The thread calls ``progress`` before each step.
    ``UnknownGameError``, here and of methods that take a game's name, if it is not served."""

    def __init__(self, names: Sequence[str] = (), progress: Progress = lambda *_: None) -> None:
        self.games = {name: games.description(name) for name in names or games.names()}
        self._progress = progress
        self._thread = Threads("compiler", 1)
        self._waiting = list(self.games)
        self._done = {name: asyncio.Event() for name in self.games}
        self._searches: dict[str, asyncio.Future[None] | None] = {}  # None for those compiled before the start
        self._steps: dict[str, tuple[int, int]] = {}
        self._closing = False
        self._aside: Popen[str] | None = None  # the latest process that compiles

    def compile_all(self, *, searches: bool = False) -> None:
        """Compile all games now, for processes forked afterwards; searches only if asked, or compiled before."""
        while self._waiting:
            name = self._waiting.pop(0)
            game = self.games[name]
            with compilation.lock(game):
                self._compile(name, whole=True)
            self._done[name].set()
            if searches or compilation.is_warm(game, compilation.SEARCH):
                self._compile_search(game)
                self._searches[name] = None

    def start(self) -> None:
        """Begin to compile."""
        loop = asyncio.get_running_loop()
        for _ in list(self._waiting):
            self._thread.run(self._compile_next, loop)

    def description(self, name: str) -> Description:
        """A game that is served here."""
        if name not in self.games:
            raise games.UnknownGameError(f"there is no game {name!r} here; there are: {', '.join(self.games)}")
        return self.games[name]

    async def wait_until_ready(self, name: str) -> None:
        """Wait until a game is compiled."""
        self.compile_first(name)
        await self._done[name].wait()

    async def wait_for_search(self, name: str) -> None:
        """Wait until bots can search in a game."""
        await self.wait_until_ready(name)
        self.compile_first(name, search=True)
        search = self._searches[name]
        if search is not None:
            await asyncio.shield(search)

    def compile_first(self, name: str, *, search: bool = False) -> None:
        """Compile a game, or bots' search in it, before the others: it is waited for."""
        self.description(name)
        if name in self._waiting:
            self._waiting.remove(name)
            self._waiting.insert(0, name)
        if search and self.is_ready(name) and name not in self._searches:
            self._searches[name] = self._thread.run(self._compile_search, self.games[name])

    def is_ready(self, name: str) -> bool:
        """Tell if a game is compiled."""
        return name in self._done and self._done[name].is_set()

    def search_is_ready(self, name: str) -> bool:
        """Tell if bots can search in a game."""
        search = self._searches.get(name)
        return name in self._searches and (search is None or search.done())

    def progress(self, name: str) -> tuple[int, int]:
        """The steps of compiling a game that are done, and all of them, in numbers; (0, 0) before the first."""
        return self._steps.get(name, (0, 0))

    def close(self) -> None:
        """Compile no further."""
        self._closing = True
        if self._aside is not None:
            self._aside.terminate()
        self._thread.close()

    def _compile_next(self, loop: asyncio.AbstractEventLoop) -> None:
        name = self._waiting.pop(0)
        with compilation.lock(self.games[name]):
            self._compile(name)
        if not self._closing:
            loop.call_soon_threadsafe(self._done[name].set)

    def _compile(self, name: str, *, whole: bool = False) -> None:
        """Compile or load a game; ``whole``: also what pages need, where it can be loaded when it is needed."""
        game = self.games[name]
        if not _is_warm(game):
            self._compile_aside(game)
        steps = [*compilation.steps(game), *([] if _is_warm(game) and not whole else _page_steps(game))]
        for done, (label, compile_it) in enumerate(steps):
            if self._closing:
                return
            self._tell(name, label, done, len(steps))
            compile_it()
        self._progress(name, "", len(steps), len(steps))
        _mark(game)

    def _compile_search(self, game: Description) -> None:
        self._progress(game.name, "search", 0, 1)
        if not compilation.is_warm(game, compilation.SEARCH):
            self._compile_aside(game, compilation.SEARCH)
        compile_search(game)
        self._progress(game.name, "", 1, 1)
        compilation.mark(game, compilation.SEARCH)

    def _compile_aside(self, game: Description, what: str = compilation.TABLE) -> None:
        """Let another process compile a game or its search: it delays no play here, and its memory, about twice that of
        the rest, ends with it. What it does not compile, because it cannot start or nothing can be kept, is compiled
        here."""
        if verbs.UNCOMPILED or not cache.is_kept():
            return
        command = [sys.executable, "-c", PROGRAM, game.name, what]
        with suppress(OSError), Popen(command, stdout=PIPE, stderr=DEVNULL, text=True) as process:  # noqa: S603
            assert process.stdout is not None
            self._aside = process
            for line in process.stdout:
                done, steps, label = line.rstrip().split(maxsplit=2)
                self._tell(game.name, label, int(done), int(steps))

    def _tell(self, name: str, label: str, done: int, steps: int) -> None:
        self._steps[name] = (done, steps)
        self._progress(name, label, done, steps)


def compile_aside() -> None:
    """The program of a process that compiles a game or its search, says what, and ends."""
    game = games.description(sys.argv[1])
    if sys.argv[2] == compilation.SEARCH:
        compile_search(game)
        return
    steps = [*compilation.steps(game), *_page_steps(game)]
    for done, (label, compile_it) in enumerate(steps):
        print(done, len(steps), label, flush=True)  # noqa: T201
        compile_it()
    _mark(game)


def _is_warm(game: Description) -> bool:
    return compilation.is_warm(game) and compilation.is_warm(game, PAGE)


def _mark(game: Description) -> None:
    compilation.mark(game)
    compilation.mark(game, PAGE)


def _page_steps(description: Description) -> list[compilation.Step]:
    """The steps for pages, beside those for tables: scenes, stories and reasons, compiled by going through a tour."""
    return [
        ("scenes and stories", partial(tour_steps.steps, load(path), LANGUAGES[0], ""))
        for path in description.files.tours[:1]
    ]
