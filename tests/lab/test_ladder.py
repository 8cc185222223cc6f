"""Ladders: every pair on the same deals, ratings that find known strengths, and nothing lost on Ctrl-C."""

import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tefuda.cli.app import main
from tefuda.table.game import load

pytest.importorskip("matplotlib", reason="the laboratory is left out: uv sync --extra lab")

from tefuda.lab.play.ladder import SCALE, BotRating, Ladder, LadderResult, rate, usual_bots

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


def test_the_usual_bots_are_those_that_can_play() -> None:
    assert usual_bots(load("gong-zhu"))[:3] == ["random", "hints", "net"]


def test_the_command_prints_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["ladder", "gong-zhu", "random", "hints", "--deals", "5", "--save", str(tmp_path / "kept")]
    for json_too in ([], ["--json"]):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["tefuda", *arguments, *json_too])
            with pytest.raises(SystemExit) as ended:
                main()
        assert ended.value.code == 0
    out, err = capsys.readouterr()
    assert "Ladder of gong-zhu: random, hints. Pairs: 1; each plays 5 deals" in err
    assert "1 hints" in out
    assert "2 random" in out
    answer = json.loads(out[out.index("{") :])
    assert answer["deals"] == 5
    assert answer["gains"][0]["mean"] < 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("hints", "at least two bots, not 1"),
        ("hints random hints", "hints: a ladder has each bot once"),
        ("hints randon", "did you mean 'random'?"),
        ("--seats 3", "gong-zhu is played by 4 or 5, not by 3"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["tefuda", "ladder", "gong-zhu", *words.split()])
        with pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
