"""Training: what is learned from, the run in its folder, resuming, and one line for whatever is wrong."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import generator
from tefuda.research.training.recipe import Recipe, varying

pytest.importorskip("torch", reason="training is left out: uv sync --extra train")

from tefuda.bots.net import Network, load_network
from tefuda.bots.search import SearchBot
from tefuda.research.evaluation import evaluate
from tefuda.research.training.examples import Teacher, joined
from tefuda.research.training.learner import Learner, Targets
from tefuda.research.training.run import TRUSTS, TrainingRun

GONG_ZHU = tefuda.load("gong-zhu")
SMALL = Recipe(
    "gong-zhu", 4, {"partnership": [False, True]}, deals=6, rounds=2, simulations=12, hidden=(16, 8), epochs=1,
    last_epochs=2, judged=4, seed=3,
)  # fmt: skip


class Silence:
    """Nobody is told."""

    def deals(self, done: int, wanted: int) -> None: ...

    def epoch(self, done: int, wanted: int, loss: float) -> None: ...

    def judged(self, row: dict[str, Any]) -> None: ...


class InterruptedAfter(Silence):
    """Ctrl-C, so to speak, after so many epochs."""

    def __init__(self, epochs: int) -> None:
        self.left = epochs

    def epoch(self, done: int, wanted: int, loss: float) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    from tefuda.research.training import run

    monkeypatch.setattr(run, "PART", 2)
    monkeypatch.setattr(run, "FINAL", 8)


def teacher(**options: Any) -> Teacher:
    game = GONG_ZHU.description
    return Teacher(GONG_ZHU, options, 20, SearchBot(settings={"relative": 1}).settings_for(game))


def test_examples_are_choices_with_what_the_search_found() -> None:
    found = joined([teacher().play(generator(seed)) for seed in range(3)])
    assert len(found.inputs) == len(found.gains) == len(found.counts) > 3 * 20
    assert found.counts.sum() == len(found.actions) == len(found.worths) == len(found.visits)
    assert (found.counts > 1).all()
    visits = np.add.reduceat(found.visits, np.cumsum(found.counts) - found.counts)
    assert (visits == 20).all()
    assert found.inputs.any()


def test_options_vary_from_deal_to_deal() -> None:
    varied = teacher(partnership=[False, True], exposing=[True, False])
    plane = varied.observation["partnership"]
    seen = {tuple(varied.play(generator(seed)).inputs[0, plane].tolist()) for seed in range(12)}
    assert seen == {(1, 0), (0, 1)}


def test_better_plays_are_wanted_more() -> None:
    examples = teacher().play(generator(1))
    inputs, wanted, tried, gains = Targets(examples, 0.2, GONG_ZHU.description.actions).of(np.arange(5))
    assert inputs.shape == (5, examples.inputs.shape[1])
    np.testing.assert_allclose(wanted.sum(1), 1, rtol=1e-5)
    assert (wanted[~tried] == 0).all()
    first = slice(0, int(examples.counts[0]))
    certain = examples.visits[first].min() == examples.visits[first].max()
    best = int(examples.actions[first][np.argmax(examples.worths[first])])
    assert certain or wanted[0, best] > 0
    assert gains.shape == (5,)


def test_a_learner_comes_closer_to_its_targets() -> None:
    examples = joined([teacher().play(generator(seed)) for seed in range(3)])
    learner = Learner(SMALL, examples.inputs.shape[1], GONG_ZHU.description.actions, "cpu")
    targets = Targets(examples, 0.2, GONG_ZHU.description.actions)
    losses = []
    for _ in range(40):
        learner.learn(targets, 1, falling=False)
        losses.append(learner.loss)
    assert losses[-1] < losses[0] - 0.1


def test_a_run_leaves_a_network_that_plays(tmp_path: Path) -> None:
    curve = TrainingRun(tmp_path, SMALL).follow(Silence())
    assert [row["deals"] for row in curve] == [4, 6]
    assert "past_gain" in curve[1]
    network = load_network(GONG_ZHU.description, tmp_path)
    assert network.card.recipe == json.loads(json.dumps(SMALL.as_dict()))
    assert [result["table"] for result in network.card.results] == [{}, {"partnership": True}]
    gains = {
        trust: evaluate(
            Network(replace(network.card, trust=trust), network.weights, GONG_ZHU.description),
            GONG_ZHU,
            "hints",
            deals=8,
            seed=5,
        ).mean
        for trust in TRUSTS
    }
    assert gains[network.card.trust] == max(gains.values())  # on deals that it is not judged by
    assert {"curve.svg", "tensorboard", "checkpoint.pt"} <= {file.name for file in tmp_path.iterdir()}
    game = tefuda.load("gong-zhu", partnership=True)
    result = tefuda.play_match(game, [f"net:{tmp_path}", "hints"] * 2, deals=1)
    assert result.entries[0].illegal == 0


@pytest.mark.parametrize("epochs", [1, 2])
def test_an_interrupted_run_comes_to_the_same_curve(tmp_path: Path, epochs: int) -> None:
    """Also where a file of deals was damaged meanwhile: it is played again."""
    whole = TrainingRun(tmp_path / "whole", SMALL).follow(Silence())
    with pytest.raises(KeyboardInterrupt):
        TrainingRun(tmp_path / "cut", SMALL).follow(InterruptedAfter(epochs))
    (tmp_path / "cut" / "deals" / "0.npz").write_bytes(b"PK")
    resumed = TrainingRun(tmp_path / "cut", SMALL, threads=1).follow(Silence())
    timeless = [[{**row, "seconds": 0} for row in curve] for curve in (whole, resumed)]
    assert timeless[0] == timeless[1]
    names = [(tmp_path / run / "net.npz").read_bytes() for run in ("whole", "cut")]
    assert names[0] == names[1]


def test_another_recipe_in_the_folder_is_refused(tmp_path: Path) -> None:
    TrainingRun(tmp_path, SMALL)
    other = Recipe(**{**SMALL.as_dict(), "hidden": (16, 8), "seed": 4})
    with pytest.raises(TefudaError, match="holds another run: seed is 3 there, not 4; choose another folder"):
        TrainingRun(tmp_path, other)


def test_a_damaged_checkpoint_is_named(tmp_path: Path) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(b"no")
    with pytest.raises(TefudaError, match=r"checkpoint.pt is damaged, or a checkpoint of another network"):
        TrainingRun(tmp_path, SMALL)


def test_a_missing_device_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(TefudaError, match="there is no CUDA device here; leave --device out"):
        TrainingRun(tmp_path, SMALL, "cuda")


def test_an_option_with_one_value_is_no_plane() -> None:
    assert teacher(target=[500], partnership=[True, False]).observation.planes[-1].name == "partnership"


def test_recipes_are_checked() -> None:
    with pytest.raises(TefudaError, match="deals: 0 is below 1"):
        Recipe("gong-zhu", 4, deals=0)
    with pytest.raises(TefudaError, match="rounds: 5 are more than the 3 deals"):
        Recipe("gong-zhu", 4, deals=3)
    game = tefuda.load("gong-zhu", partnership=True)
    assert varying(game, ["partnership"]) == {"partnership": [True, False]}
    with pytest.raises(TefudaError, match="gong-zhu has no option 'partners'"):
        varying(game, ["partners"])
    with pytest.raises(TefudaError, match="target is a number"):
        varying(game, ["target"])
