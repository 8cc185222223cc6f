"""Jobs: what is played in pieces, in this process, in others of this machine or elsewhere, with the same results.

A job is sent to other processes, so it can be pickled; each process makes of it what plays. The pool has processes, not
threads: score sheets and bots that people write are plain Python, which runs in one thread at a time.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from typing import Any, Protocol, Self

from tefuda.engine.option import Value
from tefuda.table.game import Game, load

AHEAD = 3
"""Pieces handed out for each process, so that none waits until another is written down."""


class Stop(Protocol):
    """An event, of this process or of several."""

    def is_set(self) -> bool: ...


class LabJob(Protocol):
    """A match, ladder, dataset or experiment as other processes get it."""

    @property
    def words(self) -> str:
        """Short description: jobs with the same words need the same compiled code."""

    def compile(self) -> None:
        """Compile what the pieces need; called once on each machine, before any of them is played there."""

    def player(self, stop: Stop) -> Callable[[Any], Any]:
        """Make the function that plays a piece; called once in each process.

        Args:
            stop: an event; once it is set, the piece that is being played ends soon with an InterruptedError.
        """


class Backend(Protocol):
    """Plays pieces of one job, several at a time; whatever was submitted ends with the context."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def processes(self) -> int:
        """Number of pieces that are played at a time, at this moment."""

    def submit(self, piece: object) -> Callable[[], Any]:
        """Have a piece played; the answer waits for the result."""


def played(job: LabJob, pieces: Iterable[Any], backend: Backend | None) -> Iterator[Any]:
    """Results of the pieces of a job, in their order; a backend plays a few of them ahead.

    The backend is of this job, and entered; None plays in this process, each piece when it is asked for.
    """
    if backend is None:
        yield from map(job.player(threading.Event()), pieces)
        return
    waiting: deque[Callable[[], object]] = deque()
    for piece in pieces:
        waiting.append(backend.submit(piece))
        if len(waiting) >= AHEAD * max(1, backend.processes):
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


class ProcessPool:
    """A backend: so many processes of this machine, started when they are needed."""

    def __init__(self, job: LabJob, processes: int) -> None:
        self.processes = processes
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(processes, context, _start_process, (job, self._stop))

    def submit(self, piece: object) -> Callable[[], object]:
        return self._pool.submit(_play, piece).result

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


_player: Callable[[object], object]
"""The player of a process of the pool."""


def _start_process(job: LabJob, stop: Stop) -> None:
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


def _play(piece: object) -> object:
    return _player(piece)


class WithGame:
    """Base of the jobs that are data classes with a ``game``: other processes load the game by its name."""

    game: Game

    def __reduce__(self) -> tuple[Callable[..., "WithGame"], tuple[object, ...]]:
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "game"}  # type: ignore[arg-type]
        return _with_game, (type(self), (self.game.name, self.game.seats, self.game.changed_options()), values)


def _with_game(
    job: Callable[..., WithGame], game: tuple[str, int, dict[str, Value]], values: dict[str, object]
) -> WithGame:
    name, seats, options = game
    return job(game=load(name, seats, **options), **values)
