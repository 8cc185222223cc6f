"""Early stopping: whether the answer of an experiment is clear already."""

import math

import polars as pl

from tefuda.lab import sequences
from tefuda.lab.experiment import Experiment
from tefuda.lab.figures import values_by_deal


class Stopping:
    """Adds up the differences between the arms, block by block.

    Args:
        experiment: with its answer, and whether it may stop early.
    """

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.count = 0
        self._sums = dict.fromkeys((arm.name for arm in experiment.arms[1:]), (0.0, 0.0))

    def add(self, deals: pl.LazyFrame) -> None:
        """Add the deals of a block, as ``tables.deal_rows`` gives them."""
        if not self.experiment.stop:
            return
        first, *others = values_by_deal(self.experiment, deals, self.experiment.answer)
        self.count += len(first)
        for arm, values in zip(self.experiment.arms[1:], others, strict=True):
            gaps = values - first
            total, squares = self._sums[arm.name]
            self._sums[arm.name] = total + float(gaps.sum()), squares + float((gaps * gaps).sum())

    def clear(self) -> bool:
        """Whether every arm clearly differs from the first, or clearly by less than matters."""
        return self.experiment.stop and self.count > 1 and all(map(self._is_clear, self._sums))

    def _is_clear(self, arm: str) -> bool:
        mean, margin = self.difference(arm)
        smallest = self.experiment.smallest
        return abs(mean) > margin or (smallest is not None and abs(mean) + margin < smallest)

    def difference(self, arm: str) -> tuple[float, float]:
        """An arm's mean difference from the first, and half the width of its confidence sequence."""
        total, squares = self._sums[arm]
        mean = total / self.count
        variance = max(0.0, (squares - self.count * mean * mean) / (self.count - 1))
        return mean, sequences.margin(self.count, math.sqrt(variance), 0.05 / len(self._sums))
