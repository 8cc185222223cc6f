"""The leaderboard can be read, its tables follow from it, and what does not fit is refused in one line."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tefuda.engine.errors import TefudaError
from tefuda.games import names

ROOT = Path(__file__).parents[1]

tomli_w = pytest.importorskip("tomli_w", reason="the leaderboard is left out: uv sync --extra lab")

baselines: Any = pytest.importorskip("bench.baselines", reason="the leaderboard is left out: uv sync --extra lab")
leaderboard: Any = pytest.importorskip("bench.leaderboard", reason="the leaderboard is left out: uv sync --extra lab")

LISTED = leaderboard.FOLDER / leaderboard.FILE


@pytest.fixture
def entry() -> dict[str, Any]:
    """One that is right."""
    first: dict[str, Any] = tomllib.loads(LISTED.read_text("utf-8"))["entry"][0]
    return first


def test_the_tables_follow_from_the_file(tmp_path: Path) -> None:
    entries = leaderboard.read(LISTED)
    assert {each.game for each in entries} == set(names())
    leaderboard.write(entries, tmp_path)
    for written in tmp_path.iterdir():
        shipped = (leaderboard.FOLDER / written.name).read_text("utf-8")
        assert written.read_text("utf-8") == shipped, "write them: python -m bench.baselines --tables"


def test_the_published_decks_are_dealt_for_ever() -> None:
    page = (ROOT / "docs" / "baselines.md").read_text("utf-8")
    for game in names():
        assert f"| {game} | `{leaderboard.deck_hash(game)}` |" in page


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"over_hints": "much"}, "over_hints: .*'much'"),
        ({"over_hints": {"mean": 1.0, "margin": 0.1, "deals": 0, "luck_out": False}}, "over_hints.deals: .*0"),
        ({"over_hints": {"mean": 1.0, "margin": -1.0, "deals": 9, "luck_out": False}}, "over_hints.margin: .*-1.0"),
        ({"over_net": {"mean": 1.0, "margin": 1.0, "deals": 9, "luck_out": 1}}, "over_net.luck_out: .*1"),
        ({"exploitability": float("nan")}, "exploitability: .*nan"),
        ({"track": "cheating"}, "track: .*'cheating'"),
        ({"measured": "yesterday"}, "measured: .*'yesterday'"),
        ({"player": ""}, "player: .*''"),
        ({"game": "bridge"}, "there are no such rules"),
        ({"rules": 99}, "there are no such rules"),
        ({"notes": ""}, "notes: Extra inputs are not permitted"),
    ],
)
def test_an_entry_that_does_not_fit_is_refused(
    tmp_path: Path, entry: dict[str, Any], changed: dict[str, Any], message: str
) -> None:
    file = tmp_path / leaderboard.FILE
    file.write_text(tomli_w.dumps({"entry": [entry | changed]}), "utf-8")
    with pytest.raises(leaderboard.LeaderboardError, match=r"leaderboard.toml, entry 1 \(.*" + message):
        leaderboard.read(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "no \\[\\[entry"), ("entry = 3", "no \\[\\[entry"), ("[[", "at end of document"), (None, "No such file")],
)
def test_a_file_that_is_no_submission_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "mine.toml"
    if text is not None:
        file.write_text(text, "utf-8")
    with pytest.raises(leaderboard.LeaderboardError, match=message):
        leaderboard.read(file)


def test_a_player_is_measured_and_checked(tmp_path: Path) -> None:
    found = baselines.measure("kakkuri", "random", 100, leaderboard.SEED, player="Mine", by="Me", training="none")
    leaderboard.write([found], tmp_path)
    (kept,) = leaderboard.read(tmp_path / leaderboard.FILE)
    assert kept == found
    assert kept.over_hints.mean < 0
    assert kept.track == "reference"
    assert "`Mine, Me`" in (tmp_path / "kakkuri.txt").read_text("utf-8")
    assert baselines.check([kept], 100) == []


def test_a_submission_that_does_not_hold_is_told(entry: dict[str, Any]) -> None:
    much = {"mean": 50.0, "margin": 0.1, "deals": 100, "luck_out": False}
    few = {"mean": -1.3, "margin": 0.5, "deals": 20, "luck_out": False}
    row = entry | {"game": "kakkuri", "player": "Mine", "spec": "random", "rules": 3, "seed": 7, "over_hints": much}
    said = baselines.check([leaderboard.Entry.model_validate(row | {"over_net": few})], 100)
    assert said[0] == "kakkuri, Mine: it played other decks than those of seed 1"
    assert said[1].startswith("kakkuri, Mine: +50.00 ± 0.10 over hints, now −1.")
    assert said[2] == "kakkuri, Mine: 20 deals among net; play 100 or more"


@pytest.mark.deep
def test_an_example_is_trained_and_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PyTorch is left out: pip install torch")
    monkeypatch.setattr(baselines, "EXAMPLE_DEALS", 20)
    found = baselines.train_example("kakkuri", "train_dmc", 0.05)
    leaderboard.write([found], tmp_path)
    assert leaderboard.read(tmp_path / leaderboard.FILE) == [found]
    assert "decisions, on one core" in (tmp_path / "kakkuri.txt").read_text("utf-8")


@pytest.mark.deep
def test_an_example_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="PyTorch is left out: pip install torch")
    monkeypatch.setattr(baselines, "EXAMPLE_DEALS", -1)
    with pytest.raises(TefudaError, match=r"examples/train_dmc.py: .*deals"):
        baselines.train_example("kakkuri", "train_dmc", 0.001)
