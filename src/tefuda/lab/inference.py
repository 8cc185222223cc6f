"""Intervals, comparisons and early stopping, by SciPy. docs/lab.md says which method is used where, and why.

Everything rests on one number a deal for each arm: deals are independent, what happens within one is not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from tefuda.lab import sequences

LEVEL = 0.95

RESAMPLES = 2000
"""Of the bootstrap, by which standard deviations and their shares get their intervals."""

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A mean with its interval.

    Attributes:
        mean, low, high: ``low`` and ``high`` are NaN where there is one value only.
        count: of deals.
        deviation: of the values, the standard one.
    """

    mean: float
    low: float
    high: float
    count: int
    deviation: float


@dataclass(frozen=True)
class Difference:
    """By how much an arm differs from the first one.

    Attributes:
        arm: which.
        by: the mean paired difference, with an interval that holds for all arms of the comparison together.
        probability: that chance alone brings so much (two-sided), corrected by Holm for the arms compared; where one
            may look again and again, that it ever brings so much.
        effect: the difference in standard deviations of the first arm's deals (Glass's delta).
        equal: share of the deals in which there is none.
    """

    arm: str
    by: Interval
    probability: float
    effect: float
    equal: float


def interval(values: Values, level: float = LEVEL, share: bool = False) -> Interval:
    """The mean of independent values.

    Shares of deals and lines that stand on no sheet or one (each value 0 or 1) get Clopper's and Pearson's exact
    interval, others Student's; of few deals too, where the bootstrap's is too narrow if some count far more.
    """
    n, mean = len(values), float(values.mean()) if len(values) else math.nan
    if n < 2:
        return Interval(mean, math.nan, math.nan, n, math.nan)
    deviation = float(values.std(ddof=1))
    if share and np.isin(values, (0.0, 1.0)).all():
        low, high = stats.binomtest(int(values.sum()), n).proportion_ci(level)
    else:
        reach = student(n, deviation, level)
        low, high = mean - reach, mean + reach
        if share:
            low, high = max(low, 0.0), min(high, 1.0)
    return Interval(mean, float(low), float(high), n, deviation)


def student(count: int, deviation: float, level: float) -> float:
    """Half the width of Student's interval of a mean."""
    return float(stats.t.ppf((1 + level) / 2, count - 1)) * deviation / math.sqrt(count)


def compare(first: Values, others: Sequence[tuple[str, Values]], anytime: bool = False) -> list[Difference]:
    """Compare arms with the first one, deal by deal.

    Args:
        first: a value for each deal.
        others: arms and their values for the same deals.
        anytime: whether one has looked again and again, and stopped when the answer was clear.
    """
    alpha = (1 - LEVEL) / max(1, len(others))
    spread = float(first.std(ddof=1)) if len(first) > 1 else math.nan
    gaps = [values - first for _, values in others]
    judged = [judge(each, alpha, anytime) for each in gaps]
    corrected = holm([p for _, p in judged])
    return [
        Difference(name, by, p, by.mean / spread if spread else math.nan, float((gap == 0).mean()))
        for (name, _), gap, (by, _), p in zip(others, gaps, judged, corrected, strict=True)
    ]


def judge(gaps: Values, alpha: float, anytime: bool = False) -> tuple[Interval, float]:
    """The mean of differences with its interval, and how probable so large a mean is if arms differ by chance only."""
    differing, mean = int(np.count_nonzero(gaps)), float(gaps.mean())
    if not differing:
        return Interval(mean, mean, mean, len(gaps), 0.0), 1.0
    count, centre, deviation = steadied(len(gaps), differing, float(gaps.sum()), float(gaps @ gaps))
    if anytime:
        reach = sequences.margin(len(gaps), deviation, alpha)
        probability = sequences.chance(len(gaps), deviation, centre, alpha)
    else:
        reach = student(count, deviation, 1 - alpha)
        probability = 2 * float(stats.t.sf(abs(centre) * math.sqrt(count) / deviation, count - 1))
    return Interval(mean, centre - reach, centre + reach, len(gaps), float(gaps.std(ddof=1))), probability


def steadied(count: int, differing: int, total: float, squares: float) -> tuple[int, float, float]:
    """Count, mean and standard deviation of differences, two more counted with them: one each way.

    Where arms differ in a few deals only, all in one direction, the deviation of the differences says nothing of those
    that have not come yet. Bonett and Price (2012) mend that for shares by counting one deal more that differs in
    either direction; here these are as large as those that differ are on the mean (root mean square). Of many deals
    that differ it changes nothing.

    Args:
        count: of deals; ``differing`` of them differ, at least one.
        total, squares: sums of the differences and of their squares.
    """
    count, squares = count + 2, squares * (1 + 2 / differing)
    mean = total / count
    return count, mean, math.sqrt((squares - count * mean * mean) / (count - 1))


def bound(count: int) -> float:
    """Of all deals the share that may differ at most, with 95 %, where none of so many did."""
    return float(1 - (1 - LEVEL) ** (1 / count))


def holm(probabilities: Sequence[float]) -> list[float]:
    """Holm's step-down correction: chances of an error anywhere stay below the level."""
    order = np.argsort(probabilities, kind="stable")
    corrected, most = [0.0] * len(probabilities), 0.0
    for rank, k in enumerate(order):
        most = max(most, min(1.0, (len(probabilities) - rank) * probabilities[k]))
        corrected[k] = most
    return corrected
