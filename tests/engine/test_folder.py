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


def test_a_name_that_is_missing_is_named_with_its_file(package: Path) -> None:
    for name in ("rules", "worlds", "hints", "state"):
        (package / f"{name}.py").touch()
    with pytest.raises(IncompleteGameError, match=r"half_a_game: state\.py has no State"):
        describe("half_a_game", rule_prefix="HG", seats=(2,))
