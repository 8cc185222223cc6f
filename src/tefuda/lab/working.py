"""Playing the blocks of an experiment: in this process, or at a place where several are played at a time.

Processes, not threads: score sheets and bots of people's own are plain Python, which runs in one thread at a time.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, Self

import polars as pl

from tefuda.lab.experiment import Arm, Experiment, experiment
from tefuda.lab.looking import Looker
from tefuda.lab.playing import Player
from tefuda.lab.tables import deal_rows, decision_rows

AHEAD = 3
"""Blocks in hand for each process, so that none waits for the driver."""


@dataclass
class Block:
    """What some deals brought in every arm."""

    numbers: range
    deals: pl.DataFrame
    decisions: pl.DataFrame | None
    thinking: float


class Worker:
    """Plays blocks of an experiment.

    Args:
        experiment: what is played.
        stopping: once set, whatever is being played ends soon.
    """

    def __init__(self, experiment: Experiment, stopping: Any = None) -> None:
        self.experiment, self.stopping = experiment, stopping or threading.Event()
        self._rooms = [
            (
                arm,
                Player(arm, experiment.seed, self.stopping, experiment.whole_games),
                Looker(arm, others(experiment, arm), experiment.measures, experiment.adviser),
            )
            for arm in experiment.arms
        ]

    def play(self, numbers: range) -> Block:
        """These deals in every arm.

        Raises:
            InterruptedError: ``stopping`` was set.
        """
        experiment = self.experiment
        closely = numbers.start < experiment.sample
        deals, decisions, thinking = [], [], 0.0
        for k, (arm, player, looker) in enumerate(self._rooms):
            if self.stopping.is_set():
                raise InterruptedError
            played = player.play(numbers, closely)
            thinking += played.thinking
            deals.append(deal_rows(experiment, arm, played))
            if closely:
                looks = [
                    looker.look(
                        each, (experiment.seed, int(played.deals[each.game]), k, int(played.rotations[each.game]))
                    )
                    for each in played.moments
                ]
                decisions.append(decision_rows(experiment, arm, played, looks))
        return Block(numbers, pl.concat(deals), pl.concat(decisions) if decisions else None, thinking)


def others(experiment: Experiment, arm: Arm) -> list[Arm]:
    """The arms under whose options a moment of this one can be read too."""
    return [each for each in experiment.arms if each is not arm and each.has_pack_of(arm)]


class Place(Protocol):
    """Where blocks of an experiment are played, several at a time; whatever is begun ends with the context."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    @property
    def processes(self) -> int:
        """How many blocks are played at a time, at this moment."""

    def begin(self, numbers: range) -> Any:
        """Have a block played; what is answered is for ``end``."""

    def end(self, begun: Any) -> Block:
        """Wait for a block."""


def in_order(worker: Worker, blocks: Iterator[range], place: Place | None) -> Iterator[Block]:
    """The blocks of an experiment, played, in their order.

    The first one is played here, by this worker, which also compiles what is missing, once. The others are played at
    the place, if there is one; a few are in hand there at a time.
    """
    first = next(blocks, None)
    if first is not None:
        yield worker.play(first)
    yield from map(worker.play, blocks) if place is None else handed_out(place, blocks)


def handed_out(place: Place, blocks: Iterator[range]) -> Iterator[Block]:
    """The blocks, played at a place, in their order."""
    waiting: deque[Any] = deque()
    for numbers in blocks:
        waiting.append(place.begin(numbers))
        if len(waiting) >= AHEAD * max(1, place.processes):
            yield place.end(waiting.popleft())
    while waiting:
        yield place.end(waiting.popleft())


class Processes:
    """A place: processes of this machine, started when they are needed.

    Args:
        given: the experiment.
        processes: how many.
    """

    def __init__(self, given: Experiment, processes: int) -> None:
        self.processes = processes
        context = multiprocessing.get_context("spawn")
        self._stopping = context.Event()
        self._pool = ProcessPoolExecutor(processes, context, _begin, (given.name, given.as_file(), self._stopping))

    def begin(self, numbers: range) -> Future[Block]:
        return self._pool.submit(_play, numbers)

    def end(self, begun: Future[Block]) -> Block:
        return begun.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


_worker: Worker
"""Of a process that plays for another."""


def _begin(name: str, plain: dict[str, Any], stopping: Any) -> None:
    """Get a process ready: Ctrl-C is left to the one that started it, whose end is its own."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
    _worker = Worker(experiment(name, plain), stopping)


def _play(numbers: range) -> Block:
    return _worker.play(numbers)
