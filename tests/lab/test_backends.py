"""Matches and datasets in other processes: what is kept is the same to the byte as in one process."""

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tefuda.engine.rng import Rng
from tefuda.lab.jobs import ProcessPool
from tefuda.lab.play.match import Match
from tefuda.table.game import load
from tefuda.table.view import View

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")

from tefuda.lab import dataset as datasets
from tefuda.lab.dataset import Dataset, make


class First:
    """The first legal action."""

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        return legal[0]


FIRST = "tests.lab.test_backends:First"
BOTS = [FIRST, "hints", "random", "random"]


def match(folder: Path, *, elsewhere: bool) -> None:
    asked = Match(load("gong-zhu", exposing=False), BOTS, 3, 5, folder=folder, threads=1)
    asked.play(backend=ProcessPool(asked, 2) if elsewhere else None)


def dataset(folder: Path, *, elsewhere: bool) -> None:
    asked = Dataset(load("gong-zhu"), ["hints", "random", "hints", "random"], 5, 3, records=True)
    make(asked, folder, backend=ProcessPool(asked, 2) if elsewhere else None)


def content(folder: Path) -> dict[Path, bytes]:
    """All files but those that say how long something took."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "times.jsonl"]
    return {path.relative_to(folder): path.read_bytes() for path in files}


@pytest.mark.slow
@pytest.mark.parametrize("what", [match, dataset])
def test_other_processes_keep_the_same_bytes(what: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "DEALS_COMPILED", 2)
    what(tmp_path / "here", elsewhere=False)
    what(tmp_path / "there", elsewhere=True)
    assert len(content(tmp_path / "here")) > 3
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_a_compiled_match_has_the_same_result_in_other_processes() -> None:
    asked = Match(load("gong-zhu"), ["hints", "random", "random", "random"], 40, 1, block=16)
    there = asked.play(backend=ProcessPool(asked, 2))
    assert [(each.points, each.gain) for each in there.entries] == [
        (each.points, each.gain) for each in asked.play().entries
    ]


def test_a_game_is_sent_by_its_name_and_options() -> None:
    game = load("gong-zhu", seats=5, five_deck="pagat")
    sent = pickle.loads(pickle.dumps(Match(game, ["hints"] * 5, 1, 0))).game
    assert (sent.seats, sent.options) == (game.seats, game.options)
