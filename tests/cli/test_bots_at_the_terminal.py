"""Bots that other people wrote, at the terminal: what they do wrong costs nobody a game."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.cli.command import run

from tefuda.engine.rng import Rng
from tefuda.table.record import Record
from tefuda.table.view import View


class WrongAtLast:
    """Plays legally for a while, then raises an exception."""

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        if view.record.tricks == 3:
            raise KeyError("hand")
        return legal[0]


class Minus:
    """Answers with no action."""

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        return -1


@pytest.mark.parametrize(
    ("bot", "told", "plays"),
    [("WrongAtLast", "raised KeyError: 'hand'", 12), ("Minus", "answered -1, which is not legal", 0)],
)
def test_a_bot_s_fault_is_one_line_and_the_game_is_kept(
    home: dict[str, str], tmp_path: Path, bot: str, told: str, plays: int
) -> None:
    path = tmp_path / "game.tfd"
    done = run(home, "play", "gong-zhu", "--auto", "--bots", f"{__name__}:{bot}", "--record", str(path))
    assert done.returncode == 2
    assert f"tefuda: bot {__name__}:{bot}, seat " in done.stderr
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert f"--resume --record {path}" in done.stdout
    history = Record.read(path).replay().deal.history
    assert len([word for _, word in history if ":" not in word]) == plays
