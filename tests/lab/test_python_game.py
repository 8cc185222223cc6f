"""Matches of bots that think in Python: search bots, people's own and what they do wrong, going on after a stop."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import Rng
from tefuda.lab.play import python_game
from tefuda.lab.play.match import Match, MatchFolder, delete_match
from tefuda.lab.play.scores import MatchResult
from tefuda.table.game import Game, load
from tefuda.table.record import Record
from tefuda.table.view import View

HERE = "tests.lab.test_python_game"
SEARCH = ["search:30it", "hints", "random", "random"]


class First:
    """The first legal action."""

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        return legal[0]


class Raising:
    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        raise RuntimeError("no idea")


class Cheating:
    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        return -7


class Unfinished:
    pass


@pytest.fixture(scope="module")
def game() -> Game:
    return load("gong-zhu")


def untimed(result: MatchResult) -> MatchResult:
    entries = tuple(replace(entry, microseconds=0.0) for entry in result.entries)
    return replace(result, seconds=0.0, earlier=0, entries=entries)


@pytest.mark.slow
def test_a_search_match_is_the_same_again(game: Game) -> None:
    result = Match(game, SEARCH, 2, 3).play()
    assert untimed(result) == untimed(Match(game, SEARCH, 2, 3, threads=1).play())
    assert result.entries[0].decisions == 2 * 4 * 14
    assert all(entry.illegal == 0 for entry in result.entries)


@pytest.mark.slow
def test_equal_bots_end_level(game: Game) -> None:
    entries = Match(game, [f"{HERE}:First"] * 4, 3, 0).play().entries
    assert len({entry.points for entry in entries}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bad", "told"), [("Raising", "RuntimeError: no idea"), ("Cheating", "-7, which is not legal")]
)
def test_who_does_wrong_loses_the_deal(game: Game, bad: str, told: str) -> None:
    sinner, *others = Match(game, [f"{HERE}:{bad}", "random", "random", "random"], 2, 0).play().entries
    assert sinner.illegal == sinner.decisions == len(sinner.faults) == 2 * 4 * 14
    assert told in sinner.faults[0]
    assert sinner.faults[0].startswith("deal 0, ")
    assert all(sinner.points.mean <= other.points.mean for other in others)
    assert all(not other.faults for other in others)


def test_an_answer_that_comes_too_late_loses_the_deal(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_game, "TIME_LIMIT", -1.0)
    entries = Match(game, [f"{HERE}:First", *["random"] * 3], 1, 0).play().entries
    assert "answered after" in entries[0].faults[0]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("searc", "did you mean 'search'"),
        ("search:fast", "100ms, 2s or 2000it"),
        ("search:0ms", "100ms, 2s or 2000it"),
        ("random:5", "there is no bot"),
        ("no.such.module:Bot", "ModuleNotFoundError"),
        (f"{HERE}:Nobody", "AttributeError"),
        (f"{HERE}:Unfinished", "no method choose"),
    ],
)
def test_wrong_bots_are_refused_in_one_line(game: Game, spec: str, told: str) -> None:
    with pytest.raises(TefudaError, match=told):
        Match(game, [spec, "random", "random", "random"], 1, 0).play()


@pytest.mark.slow
def test_a_match_goes_on_where_it_was_cut_off(game: Game, tmp_path: Path) -> None:
    def stop(deals: int) -> None:
        raise KeyboardInterrupt

    bots = [f"{HERE}:First", "hints", "random", "random"]
    whole = Match(game, bots, 4, 5, folder=tmp_path / "whole").play()
    cut = Match(game, bots, 4, 5, folder=tmp_path / "cut").play(stop)
    assert cut.interrupted
    assert cut.deals == 1
    lines = tmp_path / "cut" / "match.jsonl"
    lines.write_text(lines.read_text("utf-8") + '{"points": [[', "utf-8")  # a line that was being written
    again = Match(game, bots, 4, 5, folder=tmp_path / "cut").play()
    assert again.earlier == 1
    assert untimed(again) == untimed(whole)


def test_every_game_of_a_kept_match_can_be_replayed(game: Game, tmp_path: Path) -> None:
    result = Match(game, ["hints", "random", "random", "random"], 2, 5, folder=tmp_path).play()
    payoffs = [Record.read(path).replay().deal.payoff() for path in sorted(tmp_path.glob("*.tfd"))]
    assert len(payoffs) == 2 * 4
    hints = [payoff[rotation % 4] for rotation, payoff in enumerate(payoffs)]
    assert np.mean(hints) == pytest.approx(result.entries[0].points.mean)


def test_a_folder_holds_one_match(game: Game, tmp_path: Path) -> None:
    Match(game, ["random"] * 4, 1, 5, folder=tmp_path / "match").play()
    with pytest.raises(TefudaError, match="another match"):
        Match(game, ["random"] * 4, 1, 6, folder=tmp_path / "match").play()
    delete_match(tmp_path / "match")
    assert not (tmp_path / "match").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(TefudaError, match="file"):
        MatchFolder(tmp_path / "file", {})
