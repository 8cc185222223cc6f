"""A game is collected from the usual files of its folder; what is missing is named."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tefuda.engine.kit.folder import IncompleteGameError, describe


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "half_a_game"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == folder.name]:
        del sys.modules[name]


def test_a_file_that_is_missing_is_named(package: Path) -> None:
    with pytest.raises(IncompleteGameError, match=r"half_a_game: there is no rules\.py"):
        describe("half_a_game", rule_prefix="HG", seats=(2,))


STATE = """
from enum import IntEnum
from tefuda.engine.kit.french import CARD_WORDS
from tefuda.engine.kit.state import field
from tefuda.engine.kit.tricks import TrickState

ACTION_WORDS, ACTIONS = CARD_WORDS, len(CARD_WORDS)


class Phase(IntEnum):
    PLAYING, OVER = range(2)


class State(TrickState, most_seats=4):
    phase: Phase = field("PLAYING, OVER")
"""
"""A game of tricks without rules."""

WHY = 'WHY = {"over": "HG-1", "turn": "HG-1", "held": "HG-1", "follow": "HG-1"}'


@pytest.mark.parametrize(
    ("rules", "state", "told"),
    [
        ("", STATE, r"half_a_game: rules\.py has no WHY, and there is no reasons\.py"),
        ('WHY = {"over": "HG-1", "held": "HG-1"}', STATE, r"rules\.py: WHY has no rule for turn, follow"),
        (WHY, STATE, r"half_a_game: rules\.py has no version of deal"),
        (
            WHY,
            STATE.replace(", most_seats=4", ""),
            r"half_a_game: state\.py: class State\(TrickState\) needs most_seats",
        ),
    ],
)
def test_what_a_game_of_tricks_lacks_is_named_with_its_file(package: Path, rules: str, state: str, told: str) -> None:
    (package / "rules.py").write_text(rules, "utf-8")
    (package / "state.py").write_text(state, "utf-8")
    with pytest.raises(IncompleteGameError, match=told):
        describe("half_a_game", rule_prefix="HG", seats=(4,))


def test_a_name_that_is_missing_is_named_with_its_file(package: Path) -> None:
    for name in ("rules", "worlds", "hints", "state"):
        (package / f"{name}.py").touch()
    with pytest.raises(IncompleteGameError, match=r"half_a_game: state\.py has no State"):
        describe("half_a_game", rule_prefix="HG", seats=(2,))
