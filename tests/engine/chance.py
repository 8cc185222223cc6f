"""Whether counts look like chance. Seeds are fixed, so that a test gives the same answer every time."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

FAR_OUT = 3.9
"""Standard deviations beyond which chance is not believed (once in twenty thousand)."""


def chi_square(counts: NDArray[np.int64], weights: NDArray[np.int64]) -> float:
    """Pearson's statistic of these counts against expected ones in proportion to the weights."""
    expected = counts.sum() * weights / weights.sum()
    return float(((counts - expected) ** 2 / expected).sum())


def looks_uniform(counts: Sequence[int] | NDArray[np.int64]) -> bool:
    """Whether the counts agree with equal chances."""
    return looks_weighted(counts, [1] * len(counts))


def looks_weighted(counts: Sequence[int] | NDArray[np.int64], weights: Sequence[int]) -> bool:
    """Whether the counts agree with chances in these proportions (chi-square, its quantile by Wilson and Hilferty)."""
    cells = np.asarray(counts, np.int64)
    free = cells.size - 1.0
    limit = free * (1 - 2 / (9 * free) + FAR_OUT * (2 / (9 * free)) ** 0.5) ** 3
    return bool(chi_square(cells, np.asarray(weights, np.int64)) < limit)


def distance_from_uniform(counts: Sequence[int] | NDArray[np.int64]) -> float:
    """Total-variation distance between these frequencies and equal ones, 0 to 1."""
    shares = np.asarray(counts) / np.sum(counts)
    return float(np.abs(shares - 1 / len(shares)).sum() / 2)


def distance_by_chance(cells: int, draws: int) -> float:
    """The total-variation distance that so many draws from equal chances show, about."""
    return float((cells / (2 * np.pi * draws)) ** 0.5)
