"""Every scenario file of Sap Ng Wu holds."""

import tomllib
from pathlib import Path

import pytest

from tefuda.table.scenario import Outcome, check_file

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.toml"))
CASES = [
    pytest.param(path, number, id=f"{path.stem}: {case['name']}")
    for path in FILES
    for number, case in enumerate(tomllib.loads(path.read_text("utf-8"))["case"])
]

_outcomes: dict[Path, list[Outcome]] = {}


def outcomes(path: Path) -> list[Outcome]:
    """What the file's cases gave; each file runs once."""
    if path not in _outcomes:
        _outcomes[path] = check_file(path)
    return _outcomes[path]


@pytest.mark.parametrize(("path", "number"), CASES)
def test_scenario(path: Path, number: int) -> None:
    outcome = outcomes(path)[number]
    assert outcome.failures == ()
    assert outcome.passed


def test_the_scenarios_are_found() -> None:
    assert len(FILES) >= 5
    assert len(CASES) >= 80


def test_every_case_has_a_name_of_its_own_and_names_its_rules() -> None:
    for path in FILES:
        cases = tomllib.loads(path.read_text("utf-8"))["case"]
        names = [case["name"] for case in cases]
        assert len(set(names)) == len(names), path.name
        assert all(case["rules"] for case in cases), path.name
