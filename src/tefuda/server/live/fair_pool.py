"""A bounded pool of threads that addresses take turns in, so that nobody's many jobs make others wait."""

import asyncio
import os
import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

Result = TypeVar("Result")

NICENESS = 5
"""Of the threads: where cores are scarce they get a third of what the event loop gets. With much less, one that holds
the interpreter's lock would be kept waiting with it."""


class Payer(NamedTuple):
    """On whose account a job goes.

    Attributes:
        address: from which it is asked for.
        person: hash of a guest or a token, of which one address may have as many as it likes.
    """

    address: str
    person: str | None


@dataclass
class _Job:
    work: Callable[[], Any]
    done: asyncio.Future[Any]
    since: float = field(default_factory=time.monotonic)


class FairPool:
    """Addresses take turns, and within an address its people; each has a queue.

    Args:
        threads: how many jobs run at a time. With two or more, one address never has all of them.
        name: of the threads.
        observe: called with the name, and with the seconds that a job has waited, when it begins.
    """

    def __init__(
        self, threads: int, name: str, observe: Callable[[str, float], object] = lambda _name, _seconds: None
    ) -> None:
        self._name, self._observe = name, observe
        self._threads = ThreadPoolExecutor(threads, name, initializer=_yield_to_others)
        self._idle = threads
        self._most_of_one = max(1, threads - 1)
        self._running: Counter[str] = Counter()
        self._queues: OrderedDict[str, OrderedDict[str | None, deque[_Job]]] = OrderedDict()

    async def run(self, payer: Payer, work: Callable[[], Result]) -> Result:
        """What a job gives, when its turn has come."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        people = self._queues.setdefault(payer.address, OrderedDict())
        people.setdefault(payer.person, deque()).append(_Job(work, done))
        self._start_jobs()
        return await done

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return sum(len(jobs) for people in list(self._queues.values()) for jobs in list(people.values()))

    def close(self) -> None:
        """Let the jobs that run finish, and start no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _start_jobs(self) -> None:
        """Give the next jobs to idle threads."""
        while self._idle and (address := self._next_address()) is not None:
            job = self._take(address)
            if not job.done.done():
                self._idle -= 1
                self._observe(self._name, time.monotonic() - job.since)
                self._running[address] += 1
                running = asyncio.get_running_loop().run_in_executor(self._threads, job.work)
                running.add_done_callback(lambda end, job=job, address=address: self._finish(address, job, end))  # type: ignore[misc]

    def _next_address(self) -> str | None:
        """The first in the queue that may have a thread."""
        return next((address for address in self._queues if self._running[address] < self._most_of_one), None)

    def _take(self, address: str) -> _Job:
        """The next job of an address; the address, and whoever's job it is, go behind all others."""
        people = self._queues.pop(address)
        person, jobs = people.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            people[person] = jobs
        if people:
            self._queues[address] = people
        return job

    def _finish(self, address: str, job: _Job, finished: asyncio.Future[Any]) -> None:
        self._idle += 1
        self._running[address] -= 1
        if not self._running[address]:
            del self._running[address]
        if not finished.cancelled() and not job.done.done():
            error = finished.exception()
            if error is None:
                job.done.set_result(finished.result())
            else:
                job.done.set_exception(error)
        if not finished.cancelled():
            self._start_jobs()


def _yield_to_others() -> None:
    """Let this thread have what other threads and processes leave of the cores. Compiled rules run without the lock of
    the interpreter, so a search then delays a play no more than it would from another process."""
    if sys.platform == "linux":  # elsewhere niceness is of whole processes
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
