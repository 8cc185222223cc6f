"""Intervals that hold what they promise, corrections, and looking again and again."""

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("scipy.stats", reason="the laboratory is left out: uv sync --extra lab")

import polars as pl
from scipy import stats

from tefuda.engine.estimates import anytime_margin, student_t
from tefuda.lab.measure.figures import deals_needed, variance_shares
from tefuda.lab.measure.intervals import (
    Difference,
    Interval,
    Values,
    differing_share_bound,
    gaps_between,
    interval,
)


def paired_difference(gaps: Values, alpha: float, anytime: bool = False) -> tuple[Interval, float]:
    """The mean of differences with its interval, and how likely chance alone is to bring so much."""
    return gaps_between("b", np.zeros(len(gaps)), gaps).mean(alpha, anytime)


def compare(
    first: Values, others: Sequence[tuple[str, Values]], anytime: bool = False, family: int = 0
) -> list[Difference]:
    """Arms beside the first one, deal by deal; so many comparisons hold together, 0 for these."""
    return [gaps_between(name, first, values).judged(family or len(others), anytime) for name, values in others]


def test_the_matches_own_student_is_that_of_scipy() -> None:
    for freedom in (1, 2, 5, 8, 9, 20, 100, 10_000):
        assert student_t(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-9)


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
    assert found.probability < 1e-10
    assert none.probability > 0.01
    assert (same.by.mean, same.by.low, same.by.high, same.probability, same.equal) == (0, 0, 0, 1, 1)


def heavy(rng: np.random.Generator, count: int) -> Values:
    """Payoffs most of which are small, and one in twenty large."""
    return np.where(rng.random(count) < 0.05, rng.exponential(1000, count), rng.normal(0, 100, count))


def rare(rng: np.random.Generator, count: int) -> Values:
    """What comes in one of 500 deals."""
    return (rng.random(count) < 0.002).astype(np.float64)


@pytest.mark.parametrize("arms", [2, 5])
@pytest.mark.parametrize(("draw", "count"), [(heavy, 12), (heavy, 50), (heavy, 300), (rare, 1000), (rare, 5000)])
def test_arms_that_do_not_differ_seldom_seem_to(
    draw: Callable[[np.random.Generator, int], Values], count: int, arms: int
) -> None:
    """In at most about 5 of 100 runs any interval leaves 0 out, or any corrected p is below 5%."""
    rng, runs, seemed, probable = np.random.default_rng(6), 400, 0, 0
    for _ in range(runs):
        found = compare(draw(rng, count), [(str(k), draw(rng, count)) for k in range(arms - 1)])
        seemed += any(each.by.low > 0 or each.by.high < 0 for each in found)
        probable += any(each.probability < 0.05 for each in found)
    assert stats.binom.sf(max(seemed, probable) - 1, runs, 0.05) > 0.001


@pytest.mark.parametrize("expected", [1, 2, 4, 8, 20])
def test_a_difference_in_few_deals_is_held(expected: int) -> None:
    """Where a rule takes away something rare, 93 of 100 intervals hold how much; where no deal differs, the bound."""
    rng, count, runs, held = np.random.default_rng(7), 2000, 600, 0
    for _ in range(runs):
        gaps = -(rng.random(count) < expected / count).astype(np.float64)
        by, _ = paired_difference(gaps, 0.05)
        held += (
            by.low <= -expected / count <= by.high if gaps.any() else expected / count <= differing_share_bound(count)
        )
    assert stats.binom.cdf(held, runs, 0.93) > 0.001


def test_four_deals_of_ten_thousand_decide_nothing_and_eight_do() -> None:
    gaps = np.zeros(10_000)
    gaps[:4] = -1
    by, probability = paired_difference(gaps, 0.05)
    assert by.mean == -0.0004
    assert by.low < -0.0004 < 0 < by.high
    assert probability > 0.05
    gaps[:8] = -1
    by, probability = paired_difference(gaps, 0.05)
    assert by.high < 0
    assert probability < 0.05
    assert paired_difference(np.full(2, 3.0), 0.05)[1] > 0.05


def test_an_interval_for_any_time_and_its_probability_decide_the_same() -> None:
    rng = np.random.default_rng(8)
    for shift in np.linspace(0, 0.2, 21):
        gaps = rng.normal(shift, 1, 1000)
        for anytime in (False, True):
            by, probability = paired_difference(gaps, 0.01, anytime)
            assert (probability < 0.01) == (by.low > 0 or by.high < 0)
    assert paired_difference(gaps[:30], 0.01, True)[1] == 1


@pytest.mark.parametrize("anytime", [False, True])
def test_in_a_family_an_interval_and_its_probability_decide_the_same(anytime: bool) -> None:
    rng = np.random.default_rng(9)
    first = rng.normal(0, 1, 800)
    others = [(str(k), first + rng.normal(shift, 1, 800)) for k, shift in enumerate(np.linspace(0, 0.25, 26))]
    alone, together = (compare(first, others, anytime, family) for family in (1, 30))
    for one, all_of_them in zip(alone, together, strict=True):
        assert all_of_them.probability >= one.probability
        assert all_of_them.by.high - all_of_them.by.low > one.by.high - one.by.low
        assert (all_of_them.probability < 0.05) == (all_of_them.by.low > 0 or all_of_them.by.high < 0)
    assert {True, False} == {each.probability < 0.05 for each in together}


def test_of_many_figures_without_a_difference_few_reports_show_any() -> None:
    """With six figures, each on its own, one in four reports would show one below 5%; held together, one in twenty."""
    rng, shown, fished = np.random.default_rng(10), 0, 0
    for _ in range(400):
        gaps = [gaps_between("b", rng.normal(0, 1, 300), rng.normal(0, 1, 300)) for _ in range(6)]
        shown += any(each.judged(6).probability < 0.05 for each in gaps)
        fished += any(each.judged(1).probability < 0.05 for each in gaps)
    assert stats.binom.sf(shown - 1, 400, 0.05) > 0.001
    assert fished > 2.5 * shown


def test_looking_again_and_again_finds_chance_seldom() -> None:
    """Of 400 walks without a drift, looked at after every step, at most about 5 in 100 ever leave the sequence."""
    rng = np.random.default_rng(3)
    at = np.arange(1, 3001)
    margins = np.array([anytime_margin(int(n), 1.0) for n in at])
    left = sum(bool((np.abs(rng.normal(0, 1, 3000).cumsum() / at) > margins).any()) for _ in range(400))
    assert left <= 30
    usual = 1.96 / np.sqrt(at)
    assert (margins[100:] > usual[100:]).all()
    assert margins[1999] < 2 * usual[1999]


def test_deals_needed() -> None:
    found = deals_needed(interval(np.random.default_rng(4).normal(10, 100, 4000)), 100)
    exact = (stats.norm.ppf(0.95) * 10) ** 2
    assert found.low < exact < found.high
    assert stats.norm.cdf(10 * math.sqrt(exact) / 100) == pytest.approx(0.95)
    assert deals_needed(interval(np.array([1.0, -1.0] * 600)), 100).high == math.inf


def test_shares_of_the_variance_are_found_again() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for deal in range(1500):
        for seat in range(3):
            hand = rng.normal(0, 3)
            rows += [(1, deal, seat, bot, hand + skill + rng.normal(0, 2)) for bot, skill in (("a", 1.0), ("b", -1.0))]
    found = variance_shares(pl.DataFrame(rows, ["seed", "deal", "seat", "bot", "payoff"], orient="row").lazy())
    # 9 of the hand, 4 of the rest, and of two bots one up and one down a variance of 2.
    assert found["the hand dealt"].low < 9 / 15 < found["the hand dealt"].high
    assert found["the bot"].mean == pytest.approx(2 / 15, abs=0.02)
    assert found["the rest"].low < 4 / 15 < found["the rest"].high


def test_no_share_is_below_nothing_or_above_all() -> None:
    shares = np.r_[np.full(2, 0.5), np.zeros(400)]
    found = interval(shares, share=True)
    assert found.low == 0 < found.mean < found.high
    assert interval(1 - shares, share=True).high == 1


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(
    values=st.lists(st.one_of(st.integers(0, 40), st.floats(-50, 50)), min_size=2, max_size=40),
    kind=st.sampled_from(["mean", "share", "count"]),
)
def test_every_interval_holds_its_mean(values: list[float], kind: str) -> None:
    array = np.array(values, float)
    if kind == "share":
        array = np.clip(array, 0, 1)
    found = interval(array, share=kind == "share", count=kind == "count")
    assert found.low <= found.mean + 1e-12
    assert found.mean <= found.high + 1e-12


def test_no_answer_has_an_interval_beside_its_mean() -> None:
    """As ``9.2 (8.9 to 9.5)``; every number as it is printed."""
    page, checked = Path(__file__).parents[2] / "docs" / "answers.md", 0
    pattern = r"([+−\d,.]+)(?:%| [a-z]+)? \(([+−\d,.]+)%? to ([+−\d,.]+)%?\)"
    for text in re.findall(pattern, page.read_text("utf-8")):
        mean, low, high = (float(each.replace("−", "-").replace(",", "")) for each in text)
        assert low <= mean <= high, f"{page}: {text}"
        checked += 1
    assert checked > 100
