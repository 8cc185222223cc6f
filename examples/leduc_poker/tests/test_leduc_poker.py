"""Leduc poker keeps the contract of every game, and its rules are as the scenarios say."""

from pathlib import Path

import pytest

import tefuda
from tefuda.engine.description import Value
from tefuda.table.scenario import CaseResult, check_file
from tefuda.testing import check_contract, option_sets

GAME = tefuda.load("leduc-poker")


@pytest.mark.parametrize(("seats", "options"), option_sets(GAME.description))
def test_contract(seats: int, options: dict[str, Value]) -> None:
    check_contract(tefuda.load("leduc-poker", seats, **options), deals=30, seed=1)


@pytest.mark.parametrize("case", check_file(Path(__file__).with_name("rules.toml")), ids=lambda case: case.case)
def test_rules(case: CaseResult) -> None:
    assert not case.failures
