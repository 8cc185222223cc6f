"""Work on the event loop and beside it: what keeps the loop for long is named, and threads do what takes long."""

import time
from asyncio import Future, get_running_loop
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from logging import WARNING
from typing import Any, ParamSpec, TypeVar

from tefuda.server.json_logs import tell_seldom

HELD = 0.05  # seconds of the processor in one go, from which on work is named: everybody else waits for them

Params = ParamSpec("Params")
Result = TypeVar("Result")

held = Counter[str]()  # how often each kind of work has kept the event loop of this process for so long


class BusyTime(Generator[Any, Any, Result], Coroutine[Any, Any, Result]):
    """Some work as a coroutine, which measures for how many ``seconds`` of the processor the work keeps the event loop;
    time in which it waits for something is not counted. ``kind`` names the work, without a name or a secret."""

    def __init__(self, work: Awaitable[Result], kind: Callable[[], str]) -> None:
        self._work: Any = work.__await__()
        self._kind, self.seconds = kind, 0.0

    def send(self, value: Any) -> Any:
        return self._go_on(self._work.send, value)

    def throw(self, *error: Any) -> Any:
        return self._go_on(self._work.throw, *error)

    def __await__(self) -> Generator[Any, Any, Result]:
        return self

    def _go_on(self, work: Callable[..., Any], *given: Any) -> Any:
        began = time.thread_time()
        try:
            return work(*given)
        finally:
            step = time.thread_time() - began
            self.seconds += step
            if step >= HELD:
                kind = self._kind()
                held[kind] += 1
                tell_seldom(kind, WARNING, f"{kind} held the event loop", ms=round(1000 * step, 1))


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
