"""Threads beside the event loop: a named pool for each use."""

from asyncio import Future, get_running_loop
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")


class Threads:
    """A pool of threads, for work that the event loop waits for; each calls ``begin`` at its start."""

    def __init__(self, name: str, count: int, begin: Callable[[], object] | None = None) -> None:
        self._pool = ThreadPoolExecutor(count, name, initializer=begin)

    def run(self, work: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Future[Result]:
        """Begin work in one of the threads; its result."""
        return get_running_loop().run_in_executor(self._pool, partial(work, *args, **kwargs))

    def close(self, *, wait: bool = False) -> None:
        """Start nothing more; drop what waits, unless it is to be waited for."""
        self._pool.shutdown(wait=wait, cancel_futures=not wait)
