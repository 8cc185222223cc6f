"""Best responses: who sits where while one learns, whom the next round lets play, and when a run ends."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.research.training.recipe import Recipe, best_response

pytest.importorskip("torch", reason="training is left out: uv sync --extra train")

from tefuda.bots.net import Network, load_network
from tefuda.engine.play import HINTS, RANDOM
from tefuda.research.evaluation import evaluate
from tefuda.research.training.examples import FROZEN, Examples, Teacher
from tefuda.research.training.run import ALWAYS, MEANWHILE, TrainingRun
from tests.research.test_training import InterruptedAfter, Silence, first_entries

GONG_ZHU = tefuda.load("gong-zhu")


def small(bot: str, minutes: float = 60) -> Recipe:
    asked = best_response(GONG_ZHU, bot, minutes, deals=60, seed=3)
    return replace(asked, judged=2, final=4, hidden=(16, 8))


def taught(against: int, partnership: bool = False) -> Examples:
    """What a seat that follows the rules of thumb is taught in 40 deals."""
    game, net = tefuda.load("gong-zhu", partnership=partnership), load_network(GONG_ZHU.description)
    teacher = Teacher(game, {"partnership": [partnership]}, net)
    teacher.respond(Network(replace(net.card, trust=ALWAYS), net.weights, game.description), against, net)
    return teacher.play(generator(1), 40)


def test_one_team_alone_is_taught() -> None:
    """Everybody has about as many choices, so one of four seats brings a quarter of the positions, partners half."""
    everybody = Teacher(GONG_ZHU, {}).play(generator(1), 40)
    assert 0.15 < len(taught(HINTS).counts) / len(everybody.counts) < 0.35
    assert 0.4 < len(taught(HINTS, partnership=True).counts) / len(everybody.counts) < 0.6


def test_the_others_play_as_they_are_told() -> None:
    """Of the advised plays, so that all that differs are the others; against random play they gain 185 a deal."""
    means = []
    for against in (RANDOM, HINTS, FROZEN):
        found = taught(against)
        means.append(float(found.gains[first_entries(found)].mean()))
    assert means[0] > 100
    assert means[0] > means[1] + 50
    assert means[0] > means[2] + 50


def test_it_trains_against_the_bot_or_the_best_that_is_fast_enough() -> None:
    found = {
        bot: (asked.players, asked.against)
        for bot in ("random", "hints", "net", "net:mine", "search:100it", "amateur")
        for asked in [best_response(GONG_ZHU, bot, 1, 300, 0)]
    }
    assert found == {
        "random": ("net", "random"),
        "hints": ("net", "hints"),
        "net": ("net", "net"),
        "net:mine": ("net:mine", "net:mine"),
        "search:100it": ("net", "net"),
        "amateur": ("net", "net"),
    }
    unknown = tefuda.load("gong-zhu", seats=5)  # whose net has learned to play with four
    assert best_response(unknown, "search", 1, 300, 0).against == "hints"
    assert best_response(unknown, "random", 1, 300, 0).players == "hints"
    with pytest.raises(TefudaError, match="against: 'search' is neither random nor hints nor the players"):
        Recipe("gong-zhu", 4, against="search")


def test_a_response_to_random_play_gains(tmp_path: Path) -> None:
    asked = replace(small("random"), deals=120, block=40)
    curve = TrainingRun(tmp_path, asked).follow(Silence())
    assert [(row["deals"], row["against"]) for row in curve] == [(40, "random"), (80, "random"), (120, "random")]
    network = load_network(GONG_ZHU.description, tmp_path)
    gain = evaluate(network, GONG_ZHU, "random", deals=100, seed=99)
    assert gain.margin is not None
    assert gain.mean > 2 * gain.margin
    assert [result["against"] for result in network.card.results] == ["random"]


def test_after_each_round_the_learner_plays_as_it_has_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusts, respond = [], Teacher.respond

    def noted(teacher: Teacher, network: Network, *others: Any) -> None:
        trusts.append(network.card.trust)
        respond(teacher, network, *others)

    monkeypatch.setattr(Teacher, "respond", noted)
    TrainingRun(tmp_path, replace(small("hints"), players="hints"), threads=1).follow(Silence())
    assert trusts == [ALWAYS, MEANWHILE, MEANWHILE]


def test_a_response_to_a_net_begins_as_the_net_at_this_table(tmp_path: Path) -> None:
    net, table = load_network(GONG_ZHU.description), tefuda.load("gong-zhu", partnership=True)
    asked = replace(best_response(table, "net", 60, 60, 3), judged=2, final=4)
    run = TrainingRun(tmp_path, asked)
    assert run.game.changed_options() == {"partnership": True}
    for begun, weights in zip(run.learner.weights().matrices, net.weights.matrices, strict=True):
        np.testing.assert_array_equal(begun, weights)


def test_minutes_end_a_run_before_its_deals(tmp_path: Path) -> None:
    asked = replace(small("random", minutes=1e-6), deals=10_000)
    curve = TrainingRun(tmp_path, asked).follow(Silence())
    assert [row["deals"] for row in curve] == [20, 20, 20]


def test_an_interrupted_response_comes_to_the_same_curve(tmp_path: Path) -> None:
    asked = replace(small("hints"), block=10)
    whole = TrainingRun(tmp_path / "whole", asked).follow(Silence())
    with pytest.raises(KeyboardInterrupt):
        TrainingRun(tmp_path / "cut", asked).follow(InterruptedAfter(3))
    resumed = TrainingRun(tmp_path / "cut", asked)
    assert resumed.learner.blocks == 3
    timeless = [[{**row, "seconds": 0} for row in curve] for curve in (whole, resumed.follow(Silence()))]
    assert timeless[0] == timeless[1]
