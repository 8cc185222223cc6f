"""Intervals that hold what they promise, corrections, and looking again and again."""

import math

import numpy as np
import pytest

pytest.importorskip("scipy.stats", reason="the laboratory is left out: uv sync --extra lab")

import polars as pl
from scipy import stats

from tefuda.lab import sequences
from tefuda.lab.inference import compare, holm, interval
from tefuda.lab.luck import needed, shares
from tefuda.lab.statistics import student


def test_the_matches_own_student_is_that_of_scipy() -> None:
    for freedom in (1, 2, 5, 8, 9, 20, 100, 10_000):
        assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=2e-3)


@pytest.mark.parametrize(("count", "runs"), [(40, 300), (1500, 1000)])
def test_an_interval_holds_the_mean_in_95_of_100_cases(count: int, runs: int) -> None:
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(runs):
        found = interval(rng.normal(3.0, 2.0, count))
        held += found.low <= 3.0 <= found.high
    assert stats.binom.cdf(held, runs, 0.95) > 0.001
    assert held < runs


def test_shares_have_exact_intervals() -> None:
    found = interval(np.array([1.0] + [0.0] * 19), share=True)
    assert (found.low, found.high) == pytest.approx((0.00127, 0.24873), abs=1e-5)
    assert interval(np.zeros(20), share=True).high > 0.1


def test_a_known_difference_is_found_with_its_size_and_nothing_where_there_is_none() -> None:
    rng = np.random.default_rng(2)
    first = rng.normal(0, 10, 5000)
    found, none, same = compare(first, [("b", first + rng.normal(0.5, 1, 5000)), ("c", first[::-1]), ("d", first)])
    assert found.by.low < 0.5 < found.by.high
    assert found.by.high - found.by.low < 0.1
    assert found.effect == pytest.approx(0.05, abs=0.01)
    assert found.probability < 1e-10
    assert none.probability > 0.01
    assert (same.by.mean, same.by.low, same.by.high, same.probability, same.equal) == (0, 0, 0, 1, 1)


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_looking_again_and_again_finds_chance_seldom() -> None:
    """Of 400 walks without a drift, looked at after every step, at most about 5 in 100 ever leave the sequence."""
    rng = np.random.default_rng(3)
    at = np.arange(1, 3001)
    margins = np.array([sequences.margin(int(n), 1.0) for n in at])
    left = sum(bool((np.abs(rng.normal(0, 1, 3000).cumsum() / at) > margins).any()) for _ in range(400))
    assert left <= 30
    usual = 1.96 / np.sqrt(at)
    assert (margins[100:] > usual[100:]).all()
    assert margins[1999] < 2 * usual[1999]


def test_deals_needed() -> None:
    found = needed(interval(np.random.default_rng(4).normal(10, 100, 4000)), 100)
    exact = (stats.norm.ppf(0.95) * 10) ** 2
    assert found.low < exact < found.high
    assert stats.norm.cdf(10 * math.sqrt(exact) / 100) == pytest.approx(0.95)
    assert needed(interval(np.array([1.0, -1.0] * 600)), 100).high == math.inf


def test_shares_of_the_variance_are_found_again() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for deal in range(1500):
        for seat in range(3):
            hand = rng.normal(0, 3)
            rows += [(1, deal, seat, bot, hand + skill + rng.normal(0, 2)) for bot, skill in (("a", 1.0), ("b", -1.0))]
    found = shares(pl.DataFrame(rows, ["seed", "deal", "seat", "bot", "payoff"], orient="row").lazy())
    # 9 of the hand, 4 of the rest, and of two bots one up and one down a variance of 2.
    assert found["the hand dealt"].low < 9 / 15 < found["the hand dealt"].high
    assert found["the bot"].mean == pytest.approx(2 / 15, abs=0.02)
    assert found["the rest"].low < 4 / 15 < found["the rest"].high
