"""Nothing is left out: every rule, option value and reason of the game is met by a test or a scenario."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tefuda.games import description

HERE = Path(__file__).parent
GAME = description("sap-ng-wu")
ENGLISH = tomllib.loads((GAME.texts / "en.toml").read_text("utf-8"))

CASES: list[dict[str, Any]] = []
for _path in sorted(HERE.glob("scenarios/*.toml")):
    _file = tomllib.loads(_path.read_text("utf-8"))
    for _case in _file["case"]:
        CASES.append({**_case, "options": {**_file.get("options", {}), **_case.get("options", {})}})

VALUES = [
    (option.name, value)
    for option in GAME.options
    for value in (option.values or (True, False))
    if value != option.default and isinstance(option.default, bool | str)
]


def test_the_rules_are_numbered_from_1_to_34() -> None:
    assert list(ENGLISH["rules"]) == [f"SN-{number}" for number in range(1, 35)]


@pytest.mark.parametrize("rule", ENGLISH["rules"])
def test_rule_is_named_by_a_test_or_scenario(rule: str) -> None:
    named = set()
    for path in HERE.rglob("*"):
        if path.suffix in (".py", ".toml") and path.name != Path(__file__).name:
            named |= set(re.findall(r"\bSN-\d+", path.read_text("utf-8")))
    assert rule in named


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_option_value_is_used_by_a_scenario(name: str, value: bool | str) -> None:
    assert any(str(case["options"].get(name)) == str(value) for case in CASES)


@pytest.mark.parametrize("name", [option.name for option in GAME.options if type(option.default) is int])
def test_number_is_changed_by_a_scenario(name: str) -> None:
    default = GAME.option_by_name[name].default
    assert any(case["options"].get(name, default) != default for case in CASES)


@pytest.mark.parametrize("code", ENGLISH["why"])
def test_reason_is_given_somewhere(code: str, codes_seen: set[str]) -> None:
    assert code in codes_seen


def test_every_reason_given_has_a_text(codes_seen: set[str]) -> None:
    assert codes_seen <= set(ENGLISH["why"])
