"""Where blocks are played: in this process, or on a backend that plays several at a time.

A backend uses processes, not threads: score sheets and bots that people write are plain Python, which runs in one
thread at a time.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, Protocol, Self

from tefuda.lab.experiment.reader import parse
from tefuda.lab.experiment.schema import Experiment
from tefuda.lab.run.worker import RunBlock, Worker

AHEAD = 3
"""Blocks handed out for each process, so that none waits for whoever writes them down."""


class Backend(Protocol):
    """Plays blocks of an experiment, several at a time; whatever was submitted ends with the context."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def processes(self) -> int:
        """How many blocks are played at a time, at this moment."""

    def submit(self, numbers: range) -> Any:
        """Have a block played; the answer is for ``result``."""

    def result(self, submitted: Any) -> RunBlock:
        """Wait for a block."""


def played_blocks(worker: Worker, blocks: Iterator[range], backend: Backend | None) -> Iterator[RunBlock]:
    """The blocks of an experiment, played, in their order.

    This worker plays the first one here, which also compiles what is missing, once. The backend plays the others, if
    there is one; a few are handed out to it at a time.
    """
    first = next(blocks, None)
    if first is not None:
        yield worker.play(first)
    yield from map(worker.play, blocks) if backend is None else _blocks_from(backend, blocks)


def _blocks_from(backend: Backend, blocks: Iterator[range]) -> Iterator[RunBlock]:
    """The blocks, played by a backend, in their order."""
    waiting: deque[Any] = deque()
    for numbers in blocks:
        waiting.append(backend.submit(numbers))
        if len(waiting) >= AHEAD * max(1, backend.processes):
            yield backend.result(waiting.popleft())
    while waiting:
        yield backend.result(waiting.popleft())


class ProcessPool:
    """A backend: processes of this machine, started when they are needed.

    Args:
        experiment: what is played.
        processes: how many.
    """

    def __init__(self, experiment: Experiment, processes: int) -> None:
        self.processes = processes
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        given = experiment.name, experiment.as_file(), self._stop
        self._pool = ProcessPoolExecutor(processes, context, _start_process, given)

    def submit(self, numbers: range) -> Future[RunBlock]:
        return self._pool.submit(_play, numbers)

    def result(self, submitted: Future[RunBlock]) -> RunBlock:
        return submitted.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


_worker: Worker
"""Of a process of the pool."""


def _start_process(name: str, plain: dict[str, Any], stop: Any) -> None:
    """Prepare a process of the pool: it leaves Ctrl-C to the process that started it, and ends when that ends."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
    _worker = Worker(parse(name, plain), stop)


def _play(numbers: range) -> RunBlock:
    return _worker.play(numbers)
