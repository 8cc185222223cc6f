"""The measuring functions measure something; how much is nobody's business here."""

from dataclasses import replace

import pytest
from bench import speed
from bench.speed import MEASUREMENTS, Measurement, TaskResult

from tefuda.engine.play import RANDOM
from tefuda.table.game import load


@pytest.mark.slow
@pytest.mark.parametrize("measurement", MEASUREMENTS, ids=lambda measurement: measurement.name)
def test_figures_are_positive(measurement: Measurement) -> None:
    figure = measurement.of(load("gong-zhu"), 0.01)
    assert figure.deals >= 0  # a short run of a VectorEnv may finish none
    assert 0 < figure.slowest <= figure.moves <= figure.fastest
    assert 0 < figure.decisions < figure.moves  # the last trick is not chosen
    assert figure.note


def test_a_task_is_repeated_until_its_seconds_are_over() -> None:
    assert speed.repeat(lambda: TaskResult(1, 10, 0.25), 1.0) == TaskResult(4, 40, 1.0)
    assert speed.repeat(lambda: TaskResult(1, 10, 0.25), 0.0) == TaskResult(1, 10, 0.25)


def test_the_summary_is_the_median() -> None:
    works = [TaskResult(1, 10, 1.0), TaskResult(2, 30, 1.0), TaskResult(3, 20, 1.0)]
    assert replace(speed.summary("x", "y", works), decisions=0) == speed.Throughput("x", "y", 2.0, 20.0, 10.0, 30.0, 0)


def test_decisions_are_plays_chosen_among_several() -> None:
    """Gong Zhu: 52 cards and at least four answers to exposing; thirteen plays each, the last of them forced."""
    steps, plays, decisions = speed.count_decisions(load("gong-zhu"), RANDOM)
    assert steps == plays >= 56 * speed.COUNTED
    assert 0.5 * plays < decisions < 48 / 56 * plays


@pytest.mark.slow
def test_a_table_has_a_row_for_each_figure() -> None:
    assert [column.header for column in speed.table_of("gong-zhu", 0.01).columns][1:3] == ["deals/s", "decisions/s"]
    assert speed.table_of("gong-zhu", 0.01).row_count == len(MEASUREMENTS)
