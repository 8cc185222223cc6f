"""Means of which chance that is known to cancel out has been taken."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tefuda.engine.estimates import ControlledMeans, Sums

TRUTH = 3.0


def rows(generator: np.random.Generator, count: int, share: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values and controls: ``share`` of a control is in the value, the rest of both is noise."""
    luck, noise, other = generator.normal(0, 10, (3, count, 1))
    return TRUTH + luck + noise / 3, share * luck + other / 3


@pytest.mark.slow
@pytest.mark.parametrize("share", [1.0, 2.5, 0.3, 0.0])
def test_what_is_taken_out_leaves_the_mean_where_it_is(share: float) -> None:
    generator = np.random.default_rng(5)
    means, held, narrower = [], 0, []
    for _ in range(400):
        controlled, plain = ControlledMeans(1), Sums(1, unit=1000)
        values, controls = rows(generator, 60, share)
        controlled.add(values, controls)
        plain.add((values * 1000).round().astype(np.int64))
        found, margin = controlled.estimate(0), plain.estimate(0).margin
        assert found.margin is not None
        assert margin is not None
        means.append(found.mean)
        held += abs(found.mean - TRUTH) <= found.margin
        narrower.append(found.margin / margin)
    assert np.mean(means) == pytest.approx(TRUTH, abs=4 * np.std(means) / np.sqrt(400))
    assert held / 400 == pytest.approx(0.95, abs=0.035)
    assert np.mean(narrower) < (1.1 if share == 0 else 0.9 if share < 1 else 0.7)


def test_rows_may_come_in_parts() -> None:
    values, controls = rows(np.random.default_rng(1), 30, 1.0)
    whole, parts = ControlledMeans(1), ControlledMeans(1)
    whole.add(values, controls)
    for k in range(0, 30, 7):
        parts.add(values[k : k + 7], controls[k : k + 7])
    assert parts.estimate(0) == whole.estimate(0)


def test_nothing_to_take_out_changes_nothing() -> None:
    values = np.random.default_rng(2).normal(TRUTH, 1, (50, 1))
    controlled = ControlledMeans(1)
    controlled.add(values, np.zeros((50, 1)))
    assert controlled.mean(0) == pytest.approx(values.mean())
    assert controlled.deviation(0) == pytest.approx(values.std(ddof=1))
    assert controlled.estimate(0).mean == controlled.mean(0)
