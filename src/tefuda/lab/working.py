"""Playing the blocks of an experiment: in this process, or in as many as there are cores.

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
from itertools import chain
from typing import Any

import polars as pl

from tefuda.lab.experiment import Arm, Experiment, experiment
from tefuda.lab.looking import Looker
from tefuda.lab.playing import Player
from tefuda.lab.tables import deal_rows, decision_rows

AHEAD = 3
"""Blocks in hand for each process."""


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


def in_order(worker: Worker, blocks: Iterator[range], processes: int) -> Iterator[Block]:
    """The blocks of an experiment, played, in their order.

    The first one is played here, by this worker, which also compiles what is missing, once.
    """
    for numbers in blocks:
        yield worker.play(numbers)
        if processes > 1:
            break
    following = next(blocks, None)
    if following is not None:
        yield from spread_out(worker.experiment, chain([following], blocks), processes)


def spread_out(given: Experiment, blocks: Iterator[range], processes: int) -> Iterator[Block]:
    """The blocks, played in other processes, in their order; a few are in hand at a time."""
    context = multiprocessing.get_context("spawn")
    stopping = context.Event()
    plain = {key: value for key, value in given.as_dict().items() if value is not None}
    pool = ProcessPoolExecutor(processes, context, _begin, (given.name, plain, stopping))
    waiting: deque[Future[Block]] = deque()
    try:
        for numbers in blocks:
            waiting.append(pool.submit(_play, numbers))
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        stopping.set()
        pool.shutdown(wait=True, cancel_futures=True)


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
