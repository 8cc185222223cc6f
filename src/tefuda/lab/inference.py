"""Intervals, comparisons and early stopping, by SciPy. docs/lab.md says which method is used where, and why.

Everything rests on one number a deal for each arm: deals are independent, what happens within one is not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

LEVEL = 0.95

MANY = 1000
"""Deals from which Student's interval serves; with fewer it is bootstrapped (bias-corrected and accelerated)."""

RESAMPLES = 2000

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
        probability: that chance alone brings so much (two-sided), corrected by Holm for the arms compared.
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

    Shares of deals (each 0 or 1) get Clopper's and Pearson's exact interval, small samples a bootstrapped one, others
    Student's.
    """
    n, mean = len(values), float(values.mean()) if len(values) else math.nan
    if n < 2:
        return Interval(mean, math.nan, math.nan, n, math.nan)
    deviation = float(values.std(ddof=1))
    if share and np.isin(values, (0.0, 1.0)).all():
        low, high = stats.binomtest(int(values.sum()), n).proportion_ci(level)
    elif deviation == 0:
        low = high = mean
    elif n < MANY:
        low, high = bootstrapped(values, level)
    else:
        low, high = stats.t.interval(level, n - 1, mean, deviation / math.sqrt(n))
    return Interval(mean, float(low), float(high), n, deviation)


def bootstrapped(values: Values, level: float) -> tuple[float, float]:
    """The interval of a mean by the bootstrap (BCa; seeded, so that a report is the same again)."""
    found = stats.bootstrap(
        (values,), np.mean, confidence_level=level, n_resamples=RESAMPLES, method="BCa", rng=np.random.default_rng(0)
    ).confidence_interval
    if math.isnan(found.low):  # all resamples alike
        return float(values.mean()), float(values.mean())
    return float(found.low), float(found.high)


def compare(first: Values, others: Sequence[tuple[str, Values]]) -> list[Difference]:
    """Compare arms with the first one, deal by deal.

    Args:
        first: a value for each deal.
        others: arms and their values for the same deals.
    """
    level = 1 - (1 - LEVEL) / max(1, len(others))
    found, raw = [], []
    spread = float(first.std(ddof=1)) if len(first) > 1 else math.nan
    for name, values in others:
        gaps = values - first
        by = interval(gaps, level)
        raw.append(chance_of(gaps, by.deviation))
        effect = by.mean / spread if spread else math.nan
        found.append((name, by, effect, float((gaps == 0).mean())))
    corrected = holm(raw)
    return [
        Difference(name, by, p, effect, equal) for (name, by, effect, equal), p in zip(found, corrected, strict=True)
    ]


def chance_of(gaps: Values, deviation: float) -> float:
    """How probable so large a mean is if nothing differs, by Student's t."""
    if not deviation > 0:
        return 0.0 if gaps.any() else 1.0
    return float(stats.ttest_1samp(gaps, 0.0).pvalue)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Holm's step-down correction: chances of an error anywhere stay below the level."""
    order = np.argsort(probabilities, kind="stable")
    corrected, most = [0.0] * len(probabilities), 0.0
    for rank, k in enumerate(order):
        most = max(most, min(1.0, (len(probabilities) - rank) * probabilities[k]))
        corrected[k] = most
    return corrected
