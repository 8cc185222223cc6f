"""Every scenario file of every game holds."""

import tomllib
from pathlib import Path

import pytest

from tefuda.games import names
from tefuda.table.scenario import CaseResult, check_file
from tests.contract.particulars import scenario_files

FILES = [path for game in names() for path in scenario_files(game)]
FEWEST_FILES = 5
CASES = [
    pytest.param(path, number, id=f"{path.parts[-3]}, {path.stem}: {case['name']}")
    for path in FILES
    for number, case in enumerate(tomllib.loads(path.read_text("utf-8"))["case"])
]

_outcomes: dict[Path, list[CaseResult]] = {}


def outcomes(path: Path) -> list[CaseResult]:
    """What the file's cases gave; each file runs once."""
    if path not in _outcomes:
        _outcomes[path] = check_file(path)
    return _outcomes[path]


@pytest.mark.parametrize(("path", "number"), CASES)
def test_scenario(path: Path, number: int) -> None:
    outcome = outcomes(path)[number]
    assert outcome.failures == ()
    assert outcome.passed


@pytest.mark.parametrize("game", names())
def test_the_scenarios_of_every_game_are_found(game: str) -> None:
    assert sum(tomllib.loads(path.read_text("utf-8")).get("game") == game for path in FILES) >= FEWEST_FILES


def test_every_case_has_a_name_of_its_own_and_names_its_rules() -> None:
    for path in FILES:
        cases = tomllib.loads(path.read_text("utf-8"))["case"]
        titles = [case["name"] for case in cases]
        assert len(set(titles)) == len(titles), path.name
        assert all(case["rules"] for case in cases), path.name
