"""Plays the blocks of an experiment, its deals in every arm, and decides when there are enough of them."""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl

from tefuda.engine.estimates import FEWEST_DIFFERING, anytime_margin
from tefuda.lab.experiment.definition import Arm, Experiment
from tefuda.lab.experiment.reader import parse
from tefuda.lab.jobs import Stop
from tefuda.lab.measure.decisions import DecisionAnalyst
from tefuda.lab.measure.figures import values_by_deal
from tefuda.lab.measure.intervals import adjusted_moments
from tefuda.lab.measure.rows import PLAYED_AGAIN, deal_rows, decision_rows, measures_luck
from tefuda.lab.play.python_game import AGAIN, CardLuck
from tefuda.lab.play.runner import DealRunner, GameBatch, warm_bots


@dataclass
class RunBlock:
    """Results of deals of these numbers in every arm: rows of ``rows.deal_rows`` and ``rows.decision_rows``.

    There are no decisions outside the sample; ``thinking`` is the seconds that bots took.
    """

    numbers: range
    deals: pl.DataFrame
    decisions: pl.DataFrame | None
    thinking: float


class Worker:
    """Plays blocks of an experiment; once the event ``stop`` is set, the block that is being played ends soon."""

    def __init__(self, experiment: Experiment, stop: Stop | None = None) -> None:
        self.experiment, self.stop = experiment, stop or threading.Event()
        self._runners = [self._runner(arm) for arm in experiment.arms]

    def _runner(self, arm: Arm) -> DealRunner:
        if not arm.compiled:
            warm_bots(arm.game, arm.bots)  # else the first answer might come too late
        luck = CardLuck(arm.game, arm.bots) if measures_luck(self.experiment, arm) else None
        whole_games = self.experiment.whole_games
        return DealRunner(arm.game, arm.bots, self.experiment.seed, stop=self.stop, whole_games=whole_games, luck=luck)

    @cached_property
    def _analysts(self) -> list[DecisionAnalyst]:
        asked = self.experiment
        return [DecisionAnalyst(arm, asked.arms_like(arm), asked.measures, asked.adviser) for arm in asked.arms]

    def play(self, numbers: range) -> RunBlock:
        """Play these deals in every arm.

        Raises:
            InterruptedError: ``stop`` was set.
        """
        sampled = numbers.start < self.experiment.sample
        deals, decisions, thinking = [], [], 0.0
        for k, (arm, runner) in enumerate(zip(self.experiment.arms, self._runners, strict=True)):
            if self.stop.is_set():
                raise InterruptedError
            batch = runner.play(numbers, keep_decisions=sampled)
            last = min(numbers.stop, PLAYED_AGAIN) if self.experiment.plays_again and k == 0 else 0
            again = runner.play(range(numbers.start, last), stream=AGAIN) if numbers.start < last else None
            thinking += sum(float(each.seconds.sum()) for each in (batch, again) if each)
            deals.append(deal_rows(self.experiment, arm, batch, again))
            if sampled:
                decisions.append(self._decision_rows(k, batch))
        return RunBlock(numbers, pl.concat(deals), pl.concat(decisions) if decisions else None, thinking)

    def _decision_rows(self, k: int, batch: GameBatch) -> pl.DataFrame:
        """The rows of the decisions of a batch, played in the k-th arm."""
        games = zip(batch.decisions, batch.deals.tolist(), batch.rotations.tolist(), strict=True)
        analyses = [
            self._analysts[k].analyse(points, (self.experiment.seed, deal, k, rotation))
            for points, deal, rotation in games
        ]
        return decision_rows(self.experiment, self.experiment.arms[k], batch, analyses)


@dataclass(frozen=True)
class ExperimentJob:
    """An experiment as a ``jobs.LabJob``, from the keys of its file; its pieces are blocks: ranges of deals.

    ``words`` are all that decides how its deals go, in short.
    """

    name: str
    keys: dict[str, Any]
    words: str

    @classmethod
    def of(cls, experiment: Experiment) -> Self:
        """Make the job of an experiment."""
        return cls(experiment.name, experiment.as_file(), f"experiment {experiment.digest()}")

    def compile(self) -> None:
        """Compile what its blocks need, by playing a deal."""
        self._worker().play(range(1))

    def player(self, stop: Stop) -> Callable[[range], RunBlock]:
        """Make the function that plays blocks."""
        return self._worker(stop).play

    def _worker(self, stop: Stop | None = None) -> Worker:
        return Worker(parse(self.name, self.keys), stop)


class StoppingRule:
    """Decides when to stop: it adds up the differences between the arms, block by block."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.count = 0
        self._sums = dict.fromkeys((arm.name for arm in experiment.arms[1:]), (0, 0.0, 0.0))

    def add(self, deals: pl.LazyFrame) -> None:
        """Add the deals of a block, as ``rows.deal_rows`` gives them."""
        if not self.experiment.stop:
            return
        first, *others = values_by_deal(self.experiment, deals, self.experiment.answer)
        self.count += len(first)
        for arm, values in zip(self.experiment.arms[1:], others, strict=True):
            gaps = values - first
            differing, total, squares = self._sums[arm.name]
            more = int(np.count_nonzero(gaps)), float(gaps.sum()), float(gaps @ gaps)
            self._sums[arm.name] = differing + more[0], total + more[1], squares + more[2]

    def is_met(self) -> bool:
        """True if every arm clearly differs from the first, or clearly by less than matters."""
        return self.experiment.stop and self.count > 1 and all(map(self._is_clear_of, self._sums))

    def _is_clear_of(self, arm: str) -> bool:
        mean, margin = self.difference(arm)
        smallest = self.experiment.smallest
        return abs(mean) > margin or (smallest is not None and abs(mean) + margin < smallest)

    def difference(self, arm: str) -> tuple[float, float]:
        """An arm's mean difference from the first, and half the width of its confidence sequence.

        The width is infinite until enough deals differ: a difference that has not occurred yet may be large.
        """
        differing, total, squares = self._sums[arm]
        if differing < FEWEST_DIFFERING:
            return 0.0, math.inf
        _, mean, deviation = adjusted_moments(self.count, differing, total, squares)
        return mean, anytime_margin(self.count, deviation, 0.05 / len(self._sums))
