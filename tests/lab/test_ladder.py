"""Ladders: every pair on the same deals, ratings that find known strengths, and nothing lost on Ctrl-C."""

import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from bench import ladders
from bench.ladder import SCALE, BotRating, Ladder, LadderResult, rate

from tefuda.engine.estimates import Estimate
from tefuda.table.game import load

BOTS = ("random", "hints", "search:4it")


def ladder(folder: Path, deals: int = 6) -> Ladder:
    return Ladder(load("gong-zhu"), BOTS, deals, 3, folder, threads=1)


def untimed(result: LadderResult) -> dict[str, object]:
    return {**result.as_dict(), "seconds": 0.0, "interrupted": False}


def simulated(strengths: list[float], deals: int, seed: int) -> list[BotRating]:
    """Ratings of bots that win as the model says."""
    generator = np.random.default_rng(seed)
    gains = {}
    for one, other in itertools.combinations(range(len(strengths)), 2):
        chance = 1 / (1 + np.exp((strengths[other] - strengths[one]) / SCALE))
        gains[one, other] = np.where(generator.random(deals) < chance, 1.0, -1.0)
    return rate([f"bot {k}" for k in range(len(strengths))], gains, generator)


def test_rules_of_thumb_stand_above_chance(tmp_path: Path) -> None:
    result = ladder(tmp_path, 40).play()
    by_bot = {each.bot: each for each in result.ratings}
    assert (by_bot["random"].rating, by_bot["random"].low, by_bot["random"].high) == (0, 0, 0)
    assert by_bot["hints"].low > 0
    assert [each.rating for each in result.ratings] == sorted((each.rating for each in result.ratings), reverse=True)
    assert result.gains["random", "hints"].mean < 0


def test_an_interrupted_ladder_goes_on_to_the_same_result(tmp_path: Path) -> None:
    whole, steps = ladder(tmp_path / "whole").play(), itertools.count(1)

    def interrupt() -> None:
        if next(steps) == 8:
            raise KeyboardInterrupt

    first = ladder(tmp_path / "part").play(interrupt)
    assert first.interrupted
    assert (first.deals, first.asked) == (2, 6)
    assert untimed(ladder(tmp_path / "part").play()) == untimed(whole)


def test_a_bot_that_comes_later_plays_only_its_own_deals(tmp_path: Path) -> None:
    Ladder(load("gong-zhu"), BOTS[:2], 4, 3, tmp_path, threads=1).play()
    (kept,) = tmp_path.glob("*/match.jsonl")
    before = kept.read_bytes()
    ladder(tmp_path, 4).play()
    assert kept.read_bytes() == before
    assert len(list(tmp_path.glob("*/match.jsonl"))) == 3


@pytest.mark.slow
def test_ratings_find_the_strengths_and_intervals_hold_them() -> None:
    strengths, runs = [0.0, 100.0, 250.0, -80.0], 30
    inside = np.zeros(len(strengths))
    for seed in range(runs):
        for each in simulated(strengths, 150, seed):
            place = int(each.bot.split()[1])
            inside[place] += each.low <= strengths[place] <= each.high
            assert abs(each.rating - strengths[place]) < 160
    assert inside[0] == runs
    assert np.all(inside[1:] >= 0.86 * runs)


def test_a_gain_is_told_from_either_side() -> None:
    gains = {("random", "hints"): Estimate(-140.5, 5.0)}
    result = LadderResult("gong-zhu", 1, {}, 1, ("random", "hints"), 9, 9, (), gains, 0.0, interrupted=False)
    assert result.gain("random", "hints") == Estimate(-140.5, 5.0)
    assert result.gain("hints", "random") == Estimate(140.5, 5.0)
    assert result.gain("hints", "hints") is None


def command(monkeypatch: pytest.MonkeyPatch, words: str) -> int | str | None:
    """Run the command; its exit status, or what it said of its input."""
    monkeypatch.setattr(sys, "argv", ["bench.ladders", *words.split()])
    try:
        ladders.main()
    except SystemExit as ended:
        return ended.code
    return 0


def test_bots_that_are_named_are_rated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = f"--deals 5 Gong_Zhu random hints --set exposing=false --save {tmp_path / 'kept'}"
    assert [command(monkeypatch, asked), command(monkeypatch, f"{asked} --json")] == [0, 0]
    out, err = capsys.readouterr()
    assert "Ladder of gong-zhu: random, hints. Pairs: 1; each plays 5 deals" in err
    assert "1 hints" in out
    assert "2 random" in out
    assert "exposing=False), seed 1: 5 of 5 duplicate deals a pair" in out
    answer = json.loads(out[out.index("{") :])
    assert answer["deals"] == 5
    assert answer["gains"][0]["mean"] < 0


def test_ours_are_written_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="the laboratory is left out: uv sync --extra lab")
    monkeypatch.setattr(ladders, "bots_of", lambda game, more: ["random", "hints", *more])
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert command(monkeypatch, f"--games gong-zhu --deals 2 --more search:4it --to {tmp_path / 'pages'}") == 0
    table = (tmp_path / "pages" / "gong-zhu.txt").read_text("utf-8")
    assert "| 95% interval | over 1 | over 2 | over 3 |" in table
    assert "2 duplicate deals a pair; `search:1000it` thinks for about 10 ms" in table
    assert "search:4it" in (tmp_path / "pages" / "gong-zhu.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("gong-zhu hints", "at least two bots, not 1"),
        ("gong-zhu hints random hints", "hints: a ladder has each bot once"),
        ("gong-zhu hints randon", "did you mean 'random'?"),
        ("gong-zhu --seats 3", "gong-zhu is played by 4 or 5, not by 3"),
        ("gong-zho hints random", "did you mean 'gong-zhu'?"),
        ("gong-zhu hints random --deals 0", "--deals: 0 is not a number from 1 up"),
        ("gong-zhu hints random --more net", "--more: not with a game"),
        ("--json", "--json: name a game and its bots"),
    ],
)
def test_what_is_wrong_is_said(
    words: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status = command(monkeypatch, words)
    assert said in (capsys.readouterr().err if status == 2 else str(status))
