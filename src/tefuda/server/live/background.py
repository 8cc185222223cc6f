"""Work that must not hold up a move: tasks of the event loop, and longer work in threads."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")

THREADS = 2
"""Few, since each that is busy slows down the moves of all tables."""


class Background:
    """The background work of one process."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "background")
        self._tasks: set[asyncio.Task[Any]] = set()

    async def in_thread(self, work: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Do longer work, such as reading a whole log again, in one of a few threads; its result."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(work, *args, **kwargs))

    def spawn(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Start a task; nobody has to wait for its end."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Cancel all of it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)
