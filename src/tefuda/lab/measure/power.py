"""Power: how many deals it takes to find a difference, and which difference so many deals will find.

It rests on how far deals differ, which a short pilot shows, and not on the difference itself, which it does not.
"""

import math
from dataclasses import dataclass

from scipy import stats

from tefuda.engine.estimates import LEVEL, anytime_margin
from tefuda.lab.measure.intervals import Gaps, adjusted_moments

POWER = 0.9
"""The probability with which a difference is to be found."""

MOST = 1e12
"""Deals beyond which nobody counts."""


@dataclass(frozen=True)
class Need:
    """How many deals a comparison needs.

    Attributes:
        deviation: standard deviation of the differences, deal by deal.
        family: how many comparisons hold together.
        anytime: whether the run may stop as soon as the answer is clear.
    """

    deviation: float
    family: int = 1
    anytime: bool = False

    @classmethod
    def of(cls, gaps: Gaps, family: int, anytime: bool = False) -> "Need":
        """What the differences of a pilot say; at least one deal differs."""
        _, _, deviation = adjusted_moments(gaps.count, gaps.differing, gaps.total, gaps.squares)
        return cls(deviation, family, anytime)

    def difference(self, deals: float) -> float:
        """The difference that so many deals find with probability ``POWER``."""
        alpha = (1 - LEVEL) / self.family
        found = float(stats.norm.ppf(POWER)) * self.deviation / math.sqrt(deals)
        if self.anytime:
            return anytime_margin(int(deals), self.deviation, alpha) + found
        return float(stats.norm.isf(alpha / 2)) * self.deviation / math.sqrt(deals) + found

    def deals(self, difference: float) -> float:
        """The deals that find such a difference with probability ``POWER``; infinite where nobody would count them."""
        if self.difference(MOST) > difference:
            return math.inf
        low, high = 0.0, math.log(MOST)
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if self.difference(math.exp(middle)) <= difference else (middle, high)
        return math.ceil(math.exp(high))


def precision(deviation: float, deals: float) -> float:
    """Half the width of the interval of a mean after so many deals."""
    return float(stats.norm.isf((1 - LEVEL) / 2)) * deviation / math.sqrt(deals)
