"""Power before a run: what a pilot promises is what long runs keep."""

import math
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
pytest.importorskip("scipy.stats", reason="the laboratory is left out: uv sync --extra lab")

from scipy import stats

from tefuda.engine.texts import LANGUAGES
from tefuda.lab.experiment_file import parse
from tefuda.lab.measure.intervals import POWER, Gaps, Need, gaps_between, precision
from tefuda.lab.report.sentences import PILOT, pilot_deals, pilot_of, plan_sentences
from tefuda.lab.runs import Run

TWO = [{"name": "a"}, {"name": "b", "options": {"exposing": False}}]
PLAIN = {"question": "Why?", "game": "gong-zhu", "arms": TWO}


def differences(rng: np.random.Generator, deals: int) -> Gaps:
    """Differences of 0.3 on average, with a deviation of 2."""
    return gaps_between("b", np.zeros(deals), rng.normal(0.3, 2.0, deals))


@pytest.mark.parametrize("family", [1, 4])
def test_so_many_deals_find_such_a_difference_nine_times_in_ten(family: int) -> None:
    rng, need = np.random.default_rng(1), Need(2.0, family)
    deals = int(need.deals(0.3))
    runs = 400
    found = sum(differences(rng, deals).mean(0.05 / family)[0].low > 0 for _ in range(runs))
    assert stats.binom.cdf(found, runs, POWER) > 0.001
    assert stats.binom.sf(found - 1, runs, POWER) > 0.001


def test_a_run_that_may_stop_finds_it_at_least_as_often() -> None:
    rng, need, runs = np.random.default_rng(2), Need(2.0, 1, anytime=True), 200
    deals = int(need.deals(0.3))
    assert deals > Need(2.0).deals(0.3)
    found = sum(differences(rng, deals).mean(0.05, True)[0].low > 0 for _ in range(runs))
    assert stats.binom.cdf(found, runs, POWER) > 0.001


def test_deals_and_difference_are_each_others_inverse() -> None:
    for need in (Need(3.0), Need(0.5, 7), Need(40.0, 2, True)):
        assert need.difference(need.deals(0.2)) == pytest.approx(0.2, rel=0.01)
    assert math.isinf(Need(1e9).deals(1e-9))
    assert precision(1.0, 10_000) == pytest.approx(0.0196, abs=1e-4)


def test_a_pilots_deviation_is_that_of_its_differences() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(0, 5, 400), rng.normal(0, 5, 400)
    assert Need.of(gaps_between("b", first, second), 1).deviation == pytest.approx(
        (second - first).std(ddof=1), rel=0.01
    )


def test_a_pilot_is_the_beginning_of_its_run_and_says_what_the_run_will_find(tmp_path: Path) -> None:
    experiment = parse("why", {**PLAIN, "deals": 5000, "measures": ["outcome"], "smallest": 10})
    run = Run(tmp_path, experiment)
    pilot = pilot_of(run)
    pilot.play(processes=1)
    assert run.done() == pilot_deals(experiment) == PILOT
    said = plan_sentences(pilot, experiment, "en")
    assert said[0] == "Plan, from a pilot of 200 deals:"
    assert "“b”: with 5,000 deals a difference of" in said[1]
    assert "For 10 points, the least that was said to matter," in said[2]
    for language in LANGUAGES:
        assert not any("{" in each for each in plan_sentences(pilot, experiment, language))


def test_what_the_pilot_has_not_shown_may_still_be_there(tmp_path: Path) -> None:
    arms = [{"name": "a"}, {"name": "b", "options": {"target": 500}}]
    experiment = parse("why", {**PLAIN, "arms": arms, "deals": 3000, "measures": ["outcome"]})
    pilot = pilot_of(Run(tmp_path, experiment))
    pilot.play(processes=1)
    assert "comes up in one of 1,000 deals is all but sure to show" in plan_sentences(pilot, experiment, "en")[1]


def test_where_the_pilot_met_nothing_of_the_kind_the_plan_says_what_to_do(tmp_path: Path) -> None:
    given = {**PLAIN, "arms": TWO, "deals": 900, "sample": 900, "measures": ["play"], "play": "expose:.*SQ.*"}
    experiment = parse("why", {**given, "answer": "worth"})
    pilot = pilot_of(Run(tmp_path, experiment))
    pilot.play(processes=1)
    for language in LANGUAGES:
        _, none, what_to_do = plan_sentences(pilot, experiment, language)
        assert "b" in none, "where nobody may expose"
        assert "`sample`" in what_to_do


def test_of_one_arm_and_of_decisions_the_plan_says_how_precise_the_answer_will_be(tmp_path: Path) -> None:
    alone = parse("why", {**PLAIN, "arms": TWO[:1], "deals": 3000, "measures": ["outcome"]})
    pilot = pilot_of(Run(tmp_path / "alone", alone))
    pilot.play(processes=1)
    assert "“a”: with 3,000 deals the answer is known to ± " in plan_sentences(pilot, alone, "en")[1]
    arms = [{"name": "a"}, {"name": "b", "options": {"old_reading": "public"}}]
    given = {"question": "Why?", "game": "luk-fu", "arms": arms, "deals": 3000, "sample": 300}
    asked = parse("why", {**given, "measures": ["binds"], "answer": "binds"})
    pilot = pilot_of(Run(tmp_path / "binds", asked))
    pilot.play(processes=1)
    said = plan_sentences(pilot, asked, "en")
    assert "with 300 deals the answer is known to ±" in said[1]
    assert said[-1].endswith("whose decisions are examined (300 deals).")
