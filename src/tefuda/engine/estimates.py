"""Means with 95% intervals, and intervals that stay valid however often one looks at them.

Matches and experiments both use this file. It needs only NumPy: ``tefuda match`` works without the packages of the
laboratory. ``measure.intervals`` holds what experiments need beyond it, with SciPy."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95  #: the confidence level of all intervals
PRIOR_ROWS = 10  #: the rows that the first guess, a multiple of 1, counts for
_ORDER = 40  # order of the quadrature for Student's t: nine digits up to a million degrees of freedom


@dataclass(frozen=True)
class Estimate:
    """A mean and half the width of its 95% interval, which is None where there is only one number."""

    mean: float
    margin: float | None

    def __str__(self) -> str:
        if self.margin is None:
            return f"{self.mean:+.1f}"
        digits = 1 if self.margin >= 0.5 else 2
        return f"{self.mean:+.{digits}f} ± {self.margin:.{digits}f}"


def estimate(values: NDArray[np.float64]) -> Estimate:
    """Mean of independent values, with its interval if there are at least two."""
    mean, n = float(values.mean()), len(values)
    return Estimate(mean, student_t(n - 1) * float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else None)


class Sums:
    """Count, sums and sums of squares of rows of whole numbers: exact, in whatever order the rows come.

    Estimates are divided by ``unit``, what one stands for."""

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
        return Estimate(self.mean(column), student_t(self.count - 1) * self.deviation(column) / math.sqrt(self.count))

    def deviation(self, column: int) -> float:
        """Standard deviation of a column's rows; there are at least two."""
        n, total, squares = self.count, self._sums[column], self._squares[column]
        variance = (n * squares - total * total) / (n * (n - 1))  # the numerator is exact: Python integers
        return math.sqrt(variance) / self.unit


class ControlledMeans:
    """Means of columns from each of which a multiple of another column is taken, whose expectation is known to be 0.

    (Control variates.) The multiple that a row gets is the one that would have been best in the rows before it. So it
    does not depend on the row, and the mean stays unbiased however few rows there are. The first rows get about 1."""

    def __init__(self, columns: int) -> None:
        self.count = 0
        self._means, self._scatters = np.zeros(columns), np.zeros(columns)
        self._values, self._controls = np.zeros(columns), np.zeros(columns)
        self._products, self._squares = np.zeros(columns), np.zeros(columns)

    def add(self, values: NDArray[np.float64], controls: NDArray[np.float64]) -> None:
        """Add rows, float64 of shape (n, columns): values, and what is taken from them."""
        for value, control in zip(values, controls, strict=True):
            corrected = value - self.multiples() * control
            self.count += 1
            before = corrected - self._means
            self._means = self._means + before / self.count
            self._scatters = self._scatters + before * (corrected - self._means)
            self._values, self._controls = self._values + value, self._controls + control
            self._products, self._squares = self._products + value * control, self._squares + control * control

    def multiples(self) -> NDArray[np.float64]:
        """The multiples that the next row gets: float64 of shape (columns,)."""
        rows = max(self.count, 1)
        square = self._squares / rows
        known = square > 0
        product = (self._products - self._values * self._controls / rows) / rows
        best = np.divide(product, square, out=np.ones_like(square), where=known)
        multiples: NDArray[np.float64] = (self.count * best + PRIOR_ROWS) / (self.count + PRIOR_ROWS)
        return multiples

    def mean(self, column: int) -> float:
        return float(self._means[column])

    def deviation(self, column: int) -> float:
        """Standard deviation of a column's corrected values; there are at least two rows."""
        return math.sqrt(self._scatters[column] / (self.count - 1))

    def estimate(self, column: int) -> Estimate:
        """Mean of a column, with its interval if there are at least two rows."""
        if self.count < 2:
            return Estimate(self.mean(column), None)
        return Estimate(self.mean(column), student_t(self.count - 1) * self.deviation(column) / math.sqrt(self.count))


@cache
def student_t(freedom: int) -> float:
    """Student's t at 97.5%: how many standard errors a 95% interval reaches to either side of the mean, with so many
    degrees of freedom, at least 1.

    With t = √freedom · tan θ the density becomes a power of cos θ, which Gauss-Legendre quadrature integrates; Newton's
    method then finds the angle. SciPy has the quantile too, but is a large package for one number."""
    nodes, weights = np.polynomial.legendre.leggauss(_ORDER)
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(math.pi) / 2
    scale = 2 * math.exp(log_scale)
    angle = math.atan(2 / math.sqrt(freedom))
    for _ in range(50):
        held = scale * angle / 2 * float(weights @ np.cos(angle / 2 * (nodes + 1)) ** (freedom - 1))
        step = (held - LEVEL) / (scale * math.cos(angle) ** (freedom - 1))
        angle -= step
        if abs(step) < 1e-12 * angle:
            break
    return math.sqrt(freedom) * math.tan(angle)


# Anytime-valid intervals: the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
# ("Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 52, 2024). With
# probability 1 − α the mean lies within it at all times at once, so a run may stop as soon as the interval is clear.
# The price is width: where it is best, it is half as wide again as an interval for one look.

NARROWEST_AT = 2000  #: deals at which the sequence is narrowest
FEWEST = 50  #: deals before the sequence begins: it rests on the central limit theorem

FEWEST_DIFFERING = 100
"""Deals in which what is compared must differ before anybody stops: of deals that agree, a million say no more about
the size of differences than none. docs/explanation/laboratory.md has the shares of runs that go wrong without this."""


def anytime_margin(count: int, deviation: float, alpha: float = 0.05) -> float:
    """Half the width after this many independent values of this standard deviation; infinite before ``FEWEST``."""
    if count < FEWEST:
        return math.inf
    rho = _mixture_variance(alpha)
    grown = count * rho + 1
    return deviation * math.sqrt(2 * grown / (count**2 * rho) * math.log(math.sqrt(grown) / alpha))


def anytime_probability(count: int, deviation: float, mean: float, alpha: float = 0.05) -> float:
    """An upper bound of the probability that chance alone ever brings so large a mean.

    It is below ``alpha`` where the interval of ``anytime_margin`` excludes 0."""
    if count < FEWEST:
        return 1.0
    rho = _mixture_variance(alpha)
    grown = count * rho + 1
    return min(1.0, math.sqrt(grown) * math.exp(-((mean * count / deviation) ** 2) * rho / (2 * grown)))


def _mixture_variance(alpha: float) -> float:
    """The sequence's parameter ρ² with which it is narrowest at ``NARROWEST_AT``."""
    return (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / NARROWEST_AT
