"""Means with 95 % intervals, from sums that are exact whatever the order in which the numbers come.

Matches need no more than this, and so no SciPy, which the experiments of the laboratory use (``inference``).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SMALL = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306)
"""Student's t at 97.5 % for 1 to 8 degrees of freedom, where the series below is not yet good."""

_NORMAL = 1.959964


@dataclass(frozen=True)
class Estimate:
    """A mean and half the width of its 95 % interval, which is None where there is only one number."""

    mean: float
    margin: float | None

    def __str__(self) -> str:
        if self.margin is None:
            return f"{self.mean:+.1f}"
        digits = 1 if self.margin >= 0.5 else 2
        return f"{self.mean:+.{digits}f} ± {self.margin:.{digits}f}"


class Sums:
    """Count, sums and sums of squares of rows of whole numbers.

    Args:
        columns: how many numbers a row has.
        unit: what one stands for; estimates are divided by it.
    """

    def __init__(self, columns: int, unit: int) -> None:
        self.unit = unit
        self.count = 0
        self._sums = [0] * columns
        self._squares = [0] * columns

    def add(self, rows: NDArray[np.int64]) -> None:
        """Add rows, int64 of shape (n, columns)."""
        self.count += len(rows)
        self._sums = [a + b for a, b in zip(self._sums, rows.sum(0).tolist(), strict=True)]
        self._squares = [a + b for a, b in zip(self._squares, (rows * rows).sum(0).tolist(), strict=True)]

    def mean(self, column: int) -> float:
        return self._sums[column] / (self.count * self.unit)

    def estimate(self, column: int) -> Estimate:
        """Mean of a column, with its interval if there are at least two rows."""
        if self.count < 2:
            return Estimate(self.mean(column), None)
        return Estimate(self.mean(column), student(self.count - 1) * self.deviation(column) / math.sqrt(self.count))

    def deviation(self, column: int) -> float:
        """Standard deviation of a column's rows; there are at least two."""
        n, total, squares = self.count, self._sums[column], self._squares[column]
        variance = (n * squares - total * total) / (n * (n - 1))  # the numerator is exact: Python integers
        return math.sqrt(variance) / self.unit


def student(freedom: int) -> float:
    """Student's t at 97.5 %: how many standard errors a 95 % interval reaches to either side of the mean."""
    if freedom <= len(_SMALL):
        return _SMALL[freedom - 1]
    z, v = _NORMAL, float(freedom)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / v + second / v**2 + third / v**3
