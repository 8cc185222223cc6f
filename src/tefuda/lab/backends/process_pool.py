"""A backend of processes of this machine.

Processes, not threads: score sheets and bots that people write are plain Python, which runs in one thread at a time.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, Self

from tefuda.lab.backends.job import Job


class ProcessPool:
    """A backend: processes of this machine, started when they are needed.

    Args:
        job: what is played.
        processes: how many.
    """

    def __init__(self, job: Job, processes: int) -> None:
        self.processes = processes
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(processes, context, _start_process, (job, self._stop))

    def submit(self, piece: Any) -> Future[Any]:
        return self._pool.submit(_play, piece)

    def result(self, submitted: Future[Any]) -> Any:
        return submitted.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


_player: Callable[[Any], Any]
"""Of a process of the pool."""


def _start_process(job: Job, stop: Any) -> None:
    """Prepare a process of the pool: it leaves Ctrl-C to the process that started it, and ends when that ends."""
    global _player
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
    _player = job.player(stop)


def _play(piece: Any) -> Any:
    return _player(piece)
