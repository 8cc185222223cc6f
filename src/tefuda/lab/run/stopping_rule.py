"""Early stopping: whether the answer of an experiment is clear already."""

import math

import numpy as np
import polars as pl

from tefuda.engine.estimates import FEWEST_DIFFERING, anytime_margin
from tefuda.lab.experiment.schema import Experiment
from tefuda.lab.measure.figures import values_by_deal
from tefuda.lab.measure.intervals import adjusted_moments


class StoppingRule:
    """Decides when to stop: it adds up the differences between the arms, block by block.

    Args:
        experiment: with its answer, and whether it may stop early.
    """

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.count = 0
        self._sums = dict.fromkeys((arm.name for arm in experiment.arms[1:]), (0, 0.0, 0.0))

    def add(self, deals: pl.LazyFrame) -> None:
        """Add the deals of a block, as ``tables.deal_rows`` gives them."""
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
        """Whether every arm clearly differs from the first, or clearly by less than matters."""
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
