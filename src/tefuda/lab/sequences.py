"""Intervals that one may look at as often as one likes: stopping when they are clear is not stopping by chance.

The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas ("Time-uniform central limit
theory and asymptotic confidence sequences", Annals of Statistics 52, 2024): with probability 1 − α the mean lies within
it at all times at once. The price is width: half as much again as that of an interval looked at once, where it is best.
"""

import math

TUNED = 2000
"""Deals at which the sequence is narrowest."""

FEWEST = 50
"""Deals before it is looked at: it rests on the central limit theorem."""


def margin(count: int, deviation: float, alpha: float = 0.05) -> float:
    """Half the width after this many independent values of this standard deviation; infinite before ``FEWEST``."""
    if count < FEWEST:
        return math.inf
    rho = tuned(alpha)
    grown = count * rho + 1
    return deviation * math.sqrt(2 * grown / (count**2 * rho) * math.log(math.sqrt(grown) / alpha))


def chance(count: int, deviation: float, mean: float, alpha: float = 0.05) -> float:
    """How probable it is at most that chance alone ever brings so large a mean: below ``alpha`` where 0 is left out."""
    if count < FEWEST:
        return 1.0
    rho = tuned(alpha)
    grown = count * rho + 1
    return min(1.0, math.sqrt(grown) * math.exp(-((mean * count / deviation) ** 2) * rho / (2 * grown)))


def tuned(alpha: float) -> float:
    """The sequence's parameter with which it is narrowest at ``TUNED``."""
    return (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / TUNED
