"""The commands of ``tefuda admin`` that need no database; ``tests/server/test_administration`` has the others."""

import os

import pytest
from tests.cli.command import run

from tefuda.cli import admin
from tefuda.engine.errors import TefudaError

HOME = {**os.environ, "XDG_DATA_HOME": "", "COLUMNS": "200", "NO_COLOR": "1"}


def test_rules_are_compiled_beforehand() -> None:
    done = run(HOME, "admin", "compile", "gong-zhu")
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[-2:] == ["gong-zhu: search (0/1)", "gong-zhu: done (1/1)"]
    assert all(line.startswith("gong-zhu: ") for line in lines)


def test_a_game_that_does_not_exist_is_not_compiled() -> None:
    done = run(HOME, "admin", "compile", "whist")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no game 'whist'" in done.stderr


def test_times_are_read_and_written() -> None:
    assert admin.written(1_788_134_400_000) == "2026-08-31 00:00"
    assert admin.milliseconds("1d", "--older-than") + admin.milliseconds("2h", "--for") == 26 * 3_600_000


@pytest.mark.parametrize("length", ["", "d", "1.5d", "-1d", "1y", "10000000d"])
def test_a_length_of_time_has_a_number_and_a_unit(length: str) -> None:
    with pytest.raises(TefudaError, match="--for"):
        admin.milliseconds(length, "--for")
