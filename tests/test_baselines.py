"""The leaderboard can be read, its tables follow from it, and what does not fit is refused in one line."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tefuda.engine.errors import TefudaError
from tefuda.games import names

tomli_w = pytest.importorskip("tomli_w", reason="the leaderboard is left out: uv sync --extra lab")

baselines: Any = pytest.importorskip("bench.baselines", reason="the leaderboard is left out: uv sync --extra lab")


@pytest.fixture
def entry() -> dict[str, Any]:
    """One that is right."""
    kept: dict[str, Any] = tomllib.loads((baselines.FOLDER / baselines.FILE).read_text("utf-8"))
    first: dict[str, Any] = kept["entry"][0]
    return first


def test_the_tables_follow_from_the_file(tmp_path: Path) -> None:
    entries = baselines.read(baselines.FOLDER / baselines.FILE)
    assert {each.game for each in entries} == set(names())
    baselines.write(entries, tmp_path)
    for written in tmp_path.iterdir():
        shipped = (baselines.FOLDER / written.name).read_text("utf-8")
        assert written.read_text("utf-8") == shipped, "write them: python -m bench.baselines --tables"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"gain": "much"}, "gain is 'much'"),
        ({"deals": 0}, "0 deals"),
        ({"margin": -1.0}, "± -1.0"),
        ({"game": "bridge"}, "there are no such rules"),
        ({"rules": 99}, "there are no such rules"),
        ({"luck_out": 1}, "luck_out is 1"),
        ({"notes": ""}, "it must have exactly game"),
    ],
)
def test_an_entry_that_does_not_fit_is_refused(
    tmp_path: Path, entry: dict[str, Any], changed: dict[str, Any], message: str
) -> None:
    file = tmp_path / baselines.FILE
    file.write_text(tomli_w.dumps({"entry": [entry | changed]}), "utf-8")
    with pytest.raises(baselines.LeaderboardError, match=message):
        baselines.read(file)


def test_a_player_is_measured_and_added(tmp_path: Path) -> None:
    found = baselines.measure("kakkuri", "random", 20, 1, player="Mine", by="Me", training="none")
    baselines.write([found], tmp_path)
    (kept,) = baselines.read(tmp_path / baselines.FILE)
    assert kept == found
    assert kept.gain < 0
    assert "`Mine, Me`" in (tmp_path / "kakkuri.txt").read_text("utf-8")
    assert baselines.again([kept], 10) == []


@pytest.mark.deep
def test_an_example_is_trained_and_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PyTorch is left out: pip install torch")
    monkeypatch.setattr(baselines, "EXAMPLE_DEALS", 20)
    found = baselines.train_example("kakkuri", "train_dmc", 0.05)
    baselines.write([found], tmp_path)
    assert baselines.read(tmp_path / baselines.FILE) == [found]
    assert "decisions, on one core" in (tmp_path / "kakkuri.txt").read_text("utf-8")


@pytest.mark.deep
def test_an_example_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PyTorch is left out: pip install torch")
    monkeypatch.setattr(baselines, "EXAMPLE_DEALS", -1)
    with pytest.raises(TefudaError, match=r"examples/train_dmc.py: .*deals"):
        baselines.train_example("kakkuri", "train_dmc", 0.001)
