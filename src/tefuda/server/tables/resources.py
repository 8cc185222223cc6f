"""What all rooms of one process work with: the store, the settings, the games, those who think for bots."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, ParamSpec, TypeVar

from tefuda.server.events.commands import Refused
from tefuda.server.settings import ServerSettings
from tefuda.server.store.port import Event, Store, Unavailable
from tefuda.server.tables.bot_pool import BotPool
from tefuda.server.tables.compiler import GameCompiler

Params = ParamSpec("Params")
Result = TypeVar("Result")

ARCHIVISTS = 2
"""Threads that read logs again from their beginning."""


class Resources:
    """Of one process.

    Args:
        store: of the logs.
        settings: of this process.
        kitchen: where games are compiled.
    """

    def __init__(self, store: Store, settings: ServerSettings, kitchen: GameCompiler) -> None:
        self.store, self.settings, self.kitchen = store, settings, kitchen
        self.thinkers = BotPool(settings.thinkers)
        self._archive = ThreadPoolExecutor(ARCHIVISTS, "archive")
        self._tasks: set[asyncio.Task[None]] = set()

    async def read(self, table: str, after: int = 0) -> list[Event]:
        """A table's events from ``after`` + 1 on; none of a name that no table has, whatever a stranger has sent.

        Raises:
            Refused: the store does not answer.
        """
        if not (table.isascii() and table.isalnum()):
            return []
        with refusing():
            return await self.store.read(table, after)

    async def in_thread(self, work: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Do something longer beside; in a few threads, since each that is busy makes the moves of all tables wait."""
        return await asyncio.get_running_loop().run_in_executor(self._archive, partial(work, *args, **kwargs))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside; its end is not waited for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop what runs beside, and the bots."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinkers.close()
        self._archive.shutdown(wait=False, cancel_futures=True)


@contextmanager
def refusing() -> Iterator[None]:
    """Whoever wants something of a store that does not answer is told so."""
    try:
        yield
    except Unavailable as error:
        raise Refused("unavailable", 503) from error
