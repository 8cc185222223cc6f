"""``tefuda check`` on tours; on scenario files see test_terminal."""

from pathlib import Path

import pytest
import typer

from tefuda import games
from tefuda.cli.rules_command import check


def status(files: list[Path]) -> int:
    """The exit status of the command."""
    with pytest.raises(typer.Exit) as end:
        check(files)
    return end.value.exit_code


def test_a_tour_is_played_through_and_its_fault_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = games.description("gong-zhu").files.tours[0]
    bad = tmp_path / "bad.toml"
    bad.write_text(good.read_text("utf-8").replace('"3:S9"', '"3:H7"'), "utf-8")
    assert status([good]) == 0
    assert status([bad]) == 1
    assert f"{bad}: tour: step 3: H7: You cannot play H7" in capsys.readouterr().out


def test_a_tour_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tour.toml"
    path.write_text('game = "gong-zhu"\n[[step]]\n', "utf-8")
    assert status([path]) == 2
    assert f"{path}: title: in no language" in capsys.readouterr().err
