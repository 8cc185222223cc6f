"""How long the handling of a request keeps the event loop, which meanwhile does nothing else."""

import time
from collections.abc import Awaitable, Generator
from functools import partial
from typing import Any


class BusyTime:
    """Awaited in the place of some work; the time in which the work waits for something is not counted.

    Args:
        work: to be done.
    """

    def __init__(self, work: Awaitable[None]) -> None:
        self._work, self._spent, self._began = work, 0.0, 0.0

    @property
    def seconds(self) -> float:
        """Of processor time, so far; asked by the work itself."""
        return self._spent + time.thread_time() - self._began

    def __await__(self) -> Generator[Any, Any, None]:
        work: Any = self._work.__await__()
        go_on = partial(work.send, None)
        while True:
            self._began = time.thread_time()
            try:
                waits_for = go_on()
            except StopIteration:
                return
            finally:
                self._spent += time.thread_time() - self._began
            try:
                go_on = partial(work.send, (yield waits_for))
            except BaseException as error:
                go_on = partial(work.throw, error)
