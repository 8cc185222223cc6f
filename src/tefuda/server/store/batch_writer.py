"""One thread that writes: all jobs that arrive while it is busy go into the next commit, as do those of one turn of the
event loop, for which the thread is woken once."""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

MOST_TOGETHER = 256
"""Jobs in one commit, or somewhat more."""

Job = TypeVar("Job")


@dataclass
class _Waiting(Generic[Job]):
    job: Job
    done: asyncio.Future[None]


class BatchWriter(Generic[Job]):
    """The thread.

    Args:
        write: keeps a batch of jobs; for each of them gives the error for its caller, None if it is kept.
        observe: called after each batch with the seconds that it took and its jobs.
    """

    def __init__(
        self,
        write: Callable[[list[Job]], Sequence[Exception | None]],
        observe: Callable[[float, int], object] = lambda _seconds, _jobs: None,
    ) -> None:
        self._write, self._observe = write, observe
        self._gathered: list[_Waiting[Job]] = []  # in this turn of the event loop
        self._waiting: queue.SimpleQueue[list[_Waiting[Job]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def write(self, job: Job) -> None:
        """Keep a job; it is kept even if the caller stops waiting.

        Raises:
            Exception: the error that ``write`` gave for it.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._gathered:
            loop.call_soon(self._hand_over)
        self._gathered.append(_Waiting(job, done))
        await done

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        self._waiting.put(gathered)

    async def close(self) -> None:
        """Finish what was begun."""
        self._hand_over()
        self._waiting.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._thread.join)

    def _run(self) -> None:
        ended = False
        while not ended:
            batch: list[_Waiting[Job]] = []
            while not ended and (not batch or (len(batch) < MOST_TOGETHER and not self._waiting.empty())):
                gathered = self._waiting.get()
                ended = gathered is None
                batch += gathered or ()
            if batch:
                began = time.perf_counter()
                told = self._try([each.job for each in batch])
                self._observe(time.perf_counter() - began, len(batch))
                loop = batch[0].done.get_loop()
                loop.call_soon_threadsafe(_settle, [each.done for each in batch], told)

    def _try(self, jobs: list[Job]) -> Sequence[Exception | None]:
        try:
            return self._write(jobs)
        except Exception as error:  # a fault in one job must not end all writing
            return [error for _ in jobs]


def _settle(futures: Sequence[asyncio.Future[None]], told: Sequence[Exception | None]) -> None:
    for done, error in zip(futures, told, strict=True):
        if done.cancelled():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
