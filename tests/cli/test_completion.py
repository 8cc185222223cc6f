"""Completion in a shell: commands, options and games, at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tefuda import games
from tefuda.bots.players import BOTS, LEVELS
from tefuda.cli import parameters
from tefuda.decks.faces import LAYERS
from tefuda.decks.singles import DOTS_BY_PRINTER
from tefuda.decks.sizes import PAPERS, SIZES
from tefuda.engine.cache import GAMES

TEFUDA = [sys.executable, "-m", "tefuda"]


def completed(line: str) -> list[str]:
    """What the shell is offered for the last word of a line."""
    environment = {
        **os.environ,
        "_TEFUDA_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }
    command = [sys.executable, "-X", "importtime", "-m", "tefuda"]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    assert "numba" not in done.stderr
    assert "numpy" not in done.stderr
    return done.stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tefuda ver", ["verify"]),
        ("tefuda play ", list(games.names())),
        ("tefuda rules l", ["luk-fu"]),
        ("tefuda play gong-zhu --res", ["--resume"]),
        ("tefuda lab comp", ["compare"]),
        ("tefuda rules gong-zhu GZ-26", ["GZ-26"]),
        ("tefuda play gong-zhu --set expo", ["expose_order=", "exposed_singleton_lead=", "exposing="]),
        (
            "tefuda play gong-zhu --set first_leader=",
            [f"first_leader={each}" for each in ("S2", "C2", "S7", "draw", "S2_led")],
        ),
        ("tefuda match gong-zhu --preset ch", ["chinese-hearts"]),
        ("tefuda play gong-zhu --bots str", ["strong", "strongest"]),
        ("tefuda games --lang z", ["zh-Hant", "zh-Hans"]),
        ("tefuda deck luk-fu --size po", ["poker", "poker-us"]),
        ("tefuda deck luk-fu --paper l", ["letter"]),
        ("tefuda deck luk-fu --layers a", ["accessible", "all"]),
    ],
)
def test_words_are_completed_without_loading_the_compiler(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


def test_the_words_that_are_offered_are_those_of_the_program() -> None:
    assert GAMES == parameters.GAMES
    assert (*BOTS, *LEVELS) == parameters.BOTS
    assert tuple(PAPERS) == parameters.PAPERS
    assert SIZES == parameters.SIZES
    assert (*LAYERS, "all") == parameters.LAYERS
    assert tuple(DOTS_BY_PRINTER) == parameters.PRINTERS


@pytest.mark.skipif(shutil.which("bash") is None, reason="left out: there is no bash")
def test_bash_completes_what_is_installed(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    script = subprocess.run(
        [*TEFUDA, "--show-completion", "bash"], env=environment, capture_output=True, encoding="utf-8", check=True
    ).stdout
    (tmp_path / "tefuda").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tefuda "$@"\n', "utf-8")
    (tmp_path / "tefuda").chmod(0o755)
    typed = 'COMP_WORDS=(tefuda rules ma); COMP_CWORD=2; _tefuda_completion tefuda; echo "${COMPREPLY[@]}"'
    path = {**environment, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", f"{script}\n{typed}"], env=path, capture_output=True, encoding="utf-8")
    assert done.stdout.split() == ["ma-diao"], done.stderr
