"""Intervals and comparisons of arms, and how many deals it takes to find a difference.

Anytime-valid intervals and means without luck are those of ``engine.estimates``; here is what only experiments need,
with SciPy: shares, families of comparisons, resampling, power. docs/lab.md says which method is used where, and why.
Everything rests on one number for each deal and arm: deals are independent, what happens within one deal is not."""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from tefuda.engine.estimates import LEVEL, anytime_margin, anytime_probability

RESAMPLES = 2000  #: samples of the bootstrap, which gives standard deviations and shares of variance their intervals
GROUPS = 1000  #: groups at most in which deals are resampled
FEW = 3  #: deals whose share of all differences a report tells
POWER = 0.9  #: probability with which a difference is to be found
MOST = 1e12  #: deals from which on their number is infinite

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A mean with its interval (NaN where there is one value only), from ``count`` deals with this deviation."""

    mean: float
    low: float
    high: float
    count: int
    deviation: float


def interval(values: Values, share: bool = False, count: bool = False) -> Interval:
    """The mean of independent values, with its interval.

    Student's interval is used for few deals too: the bootstrap's is too narrow there if some deals count far more. If
    every share (from 0 to 1) or count (from 0 up) is 0 or 1, the interval is Clopper's and Pearson's exact one; others
    are cut at 0, and those of shares at 1."""
    n, mean = len(values), float(values.mean()) if len(values) else math.nan
    if n < 2:
        return Interval(mean, math.nan, math.nan, n, math.nan)
    deviation = float(values.std(ddof=1))
    if (share or count) and np.isin(values, (0.0, 1.0)).all():
        low, high = map(float, stats.binomtest(int(values.sum()), n).proportion_ci(LEVEL))
        return Interval(mean, low, high, n, deviation)
    reach = student_margin(n, deviation, LEVEL)
    low, high = mean - reach, mean + reach
    if share or (count and values.min() >= 0):
        low = max(low, 0.0)
    return Interval(mean, low, min(high, 1.0) if share else high, n, deviation)


def student_margin(count: int, deviation: float, level: float) -> float:
    """Half the width of Student's interval of a mean, at any level (that of ``engine.estimates`` is for 95%)."""
    return float(stats.t.ppf((1 + level) / 2, count - 1)) * deviation / math.sqrt(count)


def resampled(sums: Values, statistic: Callable[[Values], Values]) -> list[Interval]:
    """The columns of a statistic of all deals, each with its interval from drawing groups of deals anew. It takes sums
    of many deals, float64 of shape (samples, n), and gives a row for each sample; ``sums`` are by deal."""
    groups = np.stack([part.sum(0) for part in np.array_split(sums, min(GROUPS, len(sums)))])
    weights = np.random.default_rng(0).multinomial(len(groups), np.full(len(groups), 1 / len(groups)), RESAMPLES)
    low, high = np.quantile(statistic(weights @ groups), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    ends = zip(statistic(sums.sum(0, keepdims=True))[0].tolist(), low.tolist(), high.tolist(), strict=True)
    return [Interval(*each, len(sums), math.nan) for each in ends]


# Differences between arms


@dataclass(frozen=True)
class Difference:
    """An arm's difference from the first one."""

    arm: str
    by: Interval  #: the mean paired difference, with an interval that holds for the whole family of comparisons
    probability: float
    """p, that chance alone brings so much (two-sided), corrected for the family too, so that it is below 5% where the
    interval excludes 0; with anytime-valid intervals, that chance ever brings so much"""
    equal: float  #: share of the deals in which the arms do not differ


@dataclass(frozen=True)
class Gaps:
    """Moments of an arm's differences from the first, deal by deal: enough to judge them in any family.

    Of ``count`` deals so many differ, with these sums of the differences and of their squares. The ``FEW`` largest make
    this share of all differences, whatever their signs."""

    arm: str
    count: int
    differing: int
    total: float
    squares: float
    few: float

    def judged(self, family: int, anytime: bool = False) -> Difference:
        """The difference, corrected for a family of so many comparisons (Bonferroni). With ``anytime`` the run could
        stop as soon as the answer was clear."""
        by, probability = self.mean((1 - LEVEL) / family, anytime)
        return Difference(self.arm, by, min(1.0, family * probability), 1 - self.differing / self.count)

    def mean(self, alpha: float, anytime: bool = False) -> tuple[Interval, float]:
        """The mean difference with its interval, and the probability of so large a mean by chance alone."""
        count, mean = self.count, self.total / self.count
        if not self.differing:
            return Interval(mean, mean, mean, count, 0.0), 1.0
        spread = math.sqrt(max(0.0, self.squares - count * mean * mean) / (count - 1)) if count > 1 else math.nan
        n, centre, deviation = adjusted_moments(count, self.differing, self.total, self.squares)
        if anytime:
            reach = anytime_margin(count, deviation, alpha)
            probability = anytime_probability(count, deviation, centre, alpha)
        else:
            reach = student_margin(n, deviation, 1 - alpha)
            probability = 2 * float(stats.t.sf(abs(centre) * math.sqrt(n) / deviation, n - 1))
        return Interval(mean, centre - reach, centre + reach, count, spread), probability


def gaps_between(arm: str, first: Values, values: Values) -> Gaps:
    """An arm's differences from the first, from a value of each for each deal."""
    gaps = values - first
    sizes = np.sort(np.abs(gaps))
    few = float(sizes[-FEW:].sum() / sizes.sum()) if sizes.any() else 0.0
    return Gaps(arm, len(gaps), int(np.count_nonzero(gaps)), float(gaps.sum()), float(gaps @ gaps), few)


def adjusted_moments(count: int, differing: int, total: float, squares: float) -> tuple[int, float, float]:
    """Count, mean and standard deviation of differences, with two deals added: one that differs each way.

    Where arms differ in a few deals only, all in one direction, the deviation of the differences says nothing about
    differences that have not occurred yet. For shares, Bonett and Price (2012) solve this by adding one deal that
    differs in each direction; here the added differences are as large as the others are on average (root mean square).
    Where many deals differ this changes nothing. At least one does."""
    count, squares = count + 2, squares * (1 + 2 / differing)
    mean = total / count
    return count, mean, math.sqrt((squares - count * mean * mean) / (count - 1))


def differing_share_bound(count: int) -> float:
    """The share of all deals that differ at most, with 95% confidence, where none of this many did."""
    return float(1 - (1 - LEVEL) ** (1 / count))


# Power rests on how far deals differ, which a short pilot shows, and not on the difference itself, which it does not


@dataclass(frozen=True)
class Need:
    """The need of a comparison for deals, from the standard deviation of its differences, deal by deal.

    So many comparisons hold together (``family``); with ``anytime`` the run may stop as soon as the answer is clear."""

    deviation: float
    family: int = 1
    anytime: bool = False

    @classmethod
    def of(cls, gaps: Gaps, family: int, anytime: bool = False) -> "Need":
        """The need that the differences of a pilot show; at least one deal differs."""
        return cls(adjusted_moments(gaps.count, gaps.differing, gaps.total, gaps.squares)[2], family, anytime)

    def difference(self, deals: float) -> float:
        """The difference that so many deals find with probability ``POWER``."""
        alpha = (1 - LEVEL) / self.family
        found = float(stats.norm.ppf(POWER)) * self.deviation / math.sqrt(deals)
        if self.anytime:
            return anytime_margin(int(deals), self.deviation, alpha) + found
        return float(stats.norm.isf(alpha / 2)) * self.deviation / math.sqrt(deals) + found

    def deals(self, difference: float) -> float:
        """The deals that find such a difference with probability ``POWER``; infinite above ``MOST``."""
        if self.difference(MOST) > difference:
            return math.inf
        return 1 + bisect_left(range(1, int(MOST)), True, key=lambda deals: self.difference(deals) <= difference)


def precision(deviation: float, deals: float) -> float:
    """Half the width of the interval of a mean after so many deals."""
    return float(stats.norm.isf((1 - LEVEL) / 2)) * deviation / math.sqrt(deals)
