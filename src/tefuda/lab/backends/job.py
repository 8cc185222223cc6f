"""Jobs: what is played in pieces, in this process or elsewhere, with the same results.

A job is sent to other processes and machines. So it holds plain data, and each process makes of it what plays.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self

from tefuda.engine.option import Value
from tefuda.table.game import Game, load

AHEAD = 3
"""Pieces handed out for each process, so that none waits for whoever writes them down."""


class Job(Protocol):
    """What is played in pieces; it can be pickled."""

    @property
    def words(self) -> str:
        """What it is, short: jobs with the same words need the same compiled code."""

    def compile(self) -> None:
        """Compile what its pieces need; called once on each machine, before any of them is played there."""

    def player(self, stop: Any) -> Callable[[Any], Any]:
        """What plays pieces; made once in each process.

        Args:
            stop: an event; once it is set, whatever is being played ends soon with an InterruptedError.
        """


class Backend(Protocol):
    """Plays pieces of one job, several at a time; whatever was submitted ends with the context."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def processes(self) -> int:
        """How many pieces are played at a time, at this moment."""

    def submit(self, piece: Any) -> Any:
        """Have a piece played; the answer is for ``result``."""

    def result(self, submitted: Any) -> Any:
        """Wait for what a piece brought."""


def played(job: Job, pieces: Iterable[Any], backend: Backend | None) -> Iterator[Any]:
    """What the pieces of a job bring, in their order; a backend plays a few of them ahead.

    Args:
        job: what is played.
        pieces: of it, as its player takes them.
        backend: of this job, entered; None plays in this process, each piece when it is asked for.
    """
    if backend is None:
        yield from map(job.player(threading.Event()), pieces)
        return
    waiting: deque[Any] = deque()
    for piece in pieces:
        waiting.append(backend.submit(piece))
        if len(waiting) >= AHEAD * max(1, backend.processes):
            yield backend.result(waiting.popleft())
    while waiting:
        yield backend.result(waiting.popleft())


@dataclass(frozen=True)
class SentGame:
    """A game that goes with a job: other processes load it by its name, this one uses it as it is.

    Attributes:
        game: with its seats and options.
    """

    game: Game

    def __reduce__(self) -> Any:
        return _load, (self.game.name, self.game.seats, self.game.changed_options())


def _load(name: str, seats: int, options: dict[str, Value]) -> SentGame:
    return SentGame(load(name, seats, **options))
