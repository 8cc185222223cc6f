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

import torch

from tefuda.bots.net import Network, Weights, load_network
from tefuda.research.evaluation import evaluate
from tefuda.research.training.examples import MOST_COMPARED, Examples, Teacher
from tefuda.research.training.learner import Learner, Minibatch
from tefuda.research.training.run import TRUSTS, TrainingRun

GONG_ZHU = tefuda.load("gong-zhu")
SMALL = Recipe(
    "gong-zhu", 4, {"partnership": [False, True]}, deals=38, block=10, rounds=2, hidden=(16, 8), batch=64, judged=4,
    final=8, seed=3,
)  # fmt: skip


class Silence:
    """Nobody is told."""

    def deals(self, done: int, wanted: int, loss: float) -> None: ...

    def judged(self, row: dict[str, Any]) -> None: ...


class InterruptedAfter(Silence):
    """Ctrl-C, so to speak, after so many blocks."""

    def __init__(self, blocks: int) -> None:
        self.left = blocks

    def deals(self, done: int, wanted: int, loss: float) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    from tefuda.research.training import run

    monkeypatch.setattr(run, "KEPT", 1)


def teacher(**options: Any) -> Teacher:
    return Teacher(GONG_ZHU, options)


def first_entries(examples: Examples) -> Any:
    return np.cumsum(examples.counts) - examples.counts


def test_examples_are_choices_with_what_each_play_brought() -> None:
    found = teacher().play(generator(1), 3)
    assert len(found.inputs) == len(found.counts) > 3 * 8
    assert found.counts.sum() == len(found.actions) == len(found.gains)
    assert found.counts.min() > 1
    assert found.counts.max() == MOST_COMPARED
    for first, count in zip(first_entries(found), found.counts, strict=True):
        assert len(set(found.actions[first : first + count])) == count
    assert found.inputs.any()


def test_plays_of_a_position_are_tried_in_the_same_deal() -> None:
    """Of the last trick's lead nothing is left to choose; of its eve the plays differ by little, and often not."""
    found = teacher(partnership=[True]).play(generator(2), 30)
    spread = np.maximum.reduceat(found.gains, first_entries(found)) - np.minimum.reduceat(
        found.gains, first_entries(found)
    )
    assert 0.1 < (spread == 0).mean() < 0.9
    assert np.median(spread) < found.gains.std()


def test_options_vary() -> None:
    varied = teacher(partnership=[False, True], exposing=[True, False])
    plane = varied.observation["partnership"]
    seen = {tuple(varied.play(generator(seed), 1).inputs[0, plane].tolist()) for seed in range(12)}
    assert seen == {(1, 0), (0, 1)}


def test_fields_that_tell_nothing_are_not_read_and_a_series_of_cards_is_read_as_a_set() -> None:
    kakkuri = tefuda.load("kakkuri")
    observation = Teacher(kakkuri, {}).observation
    names = [plane.name for plane in observation.planes]
    assert "table as a set" in names
    assert not {"table[0]", "totals[0]", "finished"} & set(names)
    shown, hints = set(), tefuda.bot("hints")
    deal = kakkuri.deal(1)
    while not deal.over:
        inputs = observation.encode(deal.view(deal.mover).array)
        shown.add(int(inputs[0, observation["table as a set"]].sum()))
        tefuda.choose_play(hints, deal, 0)
    assert min(shown) >= 0
    assert len(shown) > 3


@pytest.mark.slow
def test_where_a_game_tells_of_plays_each_tried_play_is_an_example() -> None:
    """The advised one first, and told so; nothing is learned where the game has nothing to tell."""
    kakkuri = Teacher(tefuda.load("kakkuri"), {})
    found = kakkuri.play(generator(1), 20)
    assert found.inputs.shape == (len(found.actions), sum(size for _, size in kakkuri.reads))
    names = [name for name, _ in kakkuri.reads]
    place = sum(size for _, size in kakkuri.reads[: names.index("play is advised")])
    is_advised = np.flatnonzero(found.inputs[:, place])
    np.testing.assert_array_equal(is_advised, first_entries(found))
    batch = Minibatch(found, np.array([7, 2, 5]), spread=2, device=torch.device("cpu"))
    assert batch.inputs[0].shape == (found.counts[[7, 2, 5]].sum(), found.inputs.shape[1])
    np.testing.assert_array_equal(batch.rows.numpy(), np.arange(len(batch.inputs[0])))


@pytest.mark.slow
def test_a_run_of_a_game_that_tells_of_plays_leaves_a_network_that_rates_them(tmp_path: Path) -> None:
    recipe = Recipe("kakkuri", 5, deals=20, block=10, rounds=2, hidden=(16, 8), batch=64, judged=4, final=8)
    TrainingRun(tmp_path, recipe).follow(Silence())
    network = load_network(tefuda.load("kakkuri").description, tmp_path)
    assert network.rates_plays
    result = tefuda.play_match(tefuda.load("kakkuri"), [f"net:{tmp_path}", *["hints"] * 4], deals=1)
    assert result.entries[0].illegal == 0


def test_a_batch_centres_the_gains_of_each_position() -> None:
    examples = teacher().play(generator(1), 3)
    rows = np.array([7, 2, 5])
    batch = Minibatch(examples, rows, spread=50, device=torch.device("cpu"))
    for k, row in enumerate(rows):
        first = first_entries(examples)[row]
        of_row = slice(first, first + examples.counts[row])
        gains = examples.gains[of_row]
        mine = batch.positions.numpy() == k
        np.testing.assert_array_equal(batch.columns.numpy()[mine], examples.actions[of_row])
        np.testing.assert_allclose(batch.gains.numpy()[mine], (gains - gains.mean()) / 50, atol=1e-5)


def test_the_network_that_learns_and_the_one_that_plays_rate_alike() -> None:
    examples = teacher().play(generator(1), 3)
    learner = Learner(SMALL, examples.inputs.shape[1], GONG_ZHU.description.actions, "cpu")
    learner.learn(examples)
    batch = Minibatch(examples, np.arange(5), spread=1, device=torch.device("cpu"))
    with torch.no_grad():
        rated = learner.averaged(*batch.inputs).numpy()
    weights = learner.weights()
    advised = examples.actions[first_entries(examples)[:5]]
    told = np.eye(GONG_ZHU.description.actions, dtype=np.float32)[advised]
    found = np.concatenate([examples.inputs[:5], told], 1)
    for k, (matrix, bias) in enumerate(zip(weights.matrices, weights.biases, strict=True)):
        found = (np.maximum(found, 0) if k else found) @ matrix + bias
    np.testing.assert_allclose(found, rated, atol=1e-4)


def test_a_learner_comes_closer_to_what_plays_bring() -> None:
    examples = teacher().play(generator(1), 20)
    learner = Learner(replace(SMALL, deals=400), examples.inputs.shape[1], GONG_ZHU.description.actions, "cpu")
    losses = []
    for _ in range(40):
        learner.learn(examples)
        losses.append(learner.loss)
    assert losses[-1] < 0.8 * losses[0]


def test_a_run_leaves_a_network_that_plays(tmp_path: Path) -> None:
    curve = TrainingRun(tmp_path, SMALL).follow(Silence())
    assert [row["deals"] for row in curve] == [20, 38]
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


def choices_tried(network: Network, others: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Whether the network's choice is the first or second play tried, and whether it is another than the first."""
    monkeypatch.setattr("tefuda.research.training.examples.OTHERS", others)
    learning = Teacher(GONG_ZHU, network.card.options, network)
    assert learning.observation is network.observation
    found = learning.play(generator(4), 6)
    masks = np.zeros((len(found.counts), GONG_ZHU.description.actions), bool)
    masks[np.repeat(np.arange(len(masks)), found.counts), found.actions] = True
    firsts = first_entries(found)
    chosen = network.choose_all(found.inputs, masks, found.actions[firsts].astype(np.int64))
    first, second = (chosen == found.actions[firsts + place] for place in range(2))
    return first | second, ~first


def test_a_network_plays_the_deals_and_its_choice_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    is_first_or_second, is_other = choices_tried(load_network(GONG_ZHU.description), 0, monkeypatch)
    assert is_first_or_second.all()
    assert is_other.any()


def test_the_rules_of_thumb_sit_among_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """In their seats the network's choice is one of those that are tried at random, and may come later."""
    network = load_network(GONG_ZHU.description)
    some, all_of_them = (choices_tried(network, others, monkeypatch)[0].mean() for others in (25, 100))
    assert all_of_them < some < 1


def test_a_network_that_learns_on_begins_as_the_other_one() -> None:
    """Here as one that did not read the advised play."""
    network = load_network(GONG_ZHU.description)
    examples = Teacher(GONG_ZHU, network.card.options, network).play(generator(1), 3)
    size = network.observation.size
    start = Weights([network.weights.matrices[0][:size], *network.weights.matrices[1:]], network.weights.biases)
    recipe = replace(SMALL, hidden=tuple(len(bias) for bias in start.biases[:-1]))
    learner = Learner(recipe, size, GONG_ZHU.description.actions, "cpu", start)
    batch = Minibatch(examples, np.arange(5), spread=1, device=torch.device("cpu"))
    with torch.no_grad():
        rated = learner.net(*batch.inputs).numpy()
    expected = examples.inputs[:5].astype(np.float32)
    for k, (matrix, bias) in enumerate(zip(start.matrices, start.biases, strict=True)):
        expected = (np.maximum(expected, 0) if k else expected) @ matrix + bias
    np.testing.assert_allclose(rated, expected, atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gong-zhu", "luk-fu", "kakkuri"])
def test_a_run_learns_on_from_the_network_of_a_game(name: str, tmp_path: Path) -> None:
    game = tefuda.load(name)
    recipe = Recipe(name, game.seats, deals=20, block=10, rounds=2, judged=4, final=8, players="net")
    curve = TrainingRun(tmp_path / "first", recipe).follow(Silence())
    assert all("past_gain" in row for row in curve)
    first, shipped = load_network(game.description, tmp_path / "first"), load_network(game.description)
    assert first.card.options == shipped.card.options
    assert first.card.recipe["learned_on_from"]["sha256"] == shipped.card.sha256
    assert first.card.results[-1]["against"] == "the network it learned on from"
    again = replace(recipe, players=f"net:{tmp_path / 'first'}")
    TrainingRun(tmp_path / "second", again).follow(Silence())
    second = load_network(game.description, tmp_path / "second")
    assert second.card.recipe["learned_on_from"]["recipe"] == first.card.recipe
    assert second.card.training["deals"] == 20 + first.card.training["deals"] == 40 + shipped.card.training["deals"]
    assert second.weights.inputs == first.weights.inputs


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_an_interrupted_run_comes_to_the_same_curve(tmp_path: Path, blocks: int) -> None:
    whole = TrainingRun(tmp_path / "whole", SMALL).follow(Silence())
    with pytest.raises(KeyboardInterrupt):
        TrainingRun(tmp_path / "cut", SMALL).follow(InterruptedAfter(blocks))
    resumed = TrainingRun(tmp_path / "cut", SMALL, threads=1).follow(Silence())
    timeless = [[{**row, "seconds": 0} for row in curve] for curve in (whole, resumed)]
    assert timeless[0] == timeless[1]
    names = [(tmp_path / run / "net.npz").read_bytes() for run in ("whole", "cut")]
    assert names[0] == names[1]


def test_a_finished_run_has_nothing_left_to_do(tmp_path: Path) -> None:
    curve = TrainingRun(tmp_path, SMALL).follow(Silence())
    assert TrainingRun(tmp_path, SMALL).follow(InterruptedAfter(1)) == curve


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
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(TefudaError, match="there is no CUDA device here; leave --device out"):
        TrainingRun(tmp_path, SMALL, "cuda")


def test_an_option_with_one_value_is_no_plane() -> None:
    assert teacher(target=[500], partnership=[True, False]).observation.planes[-1].name == "partnership"


def test_recipes_are_checked() -> None:
    with pytest.raises(TefudaError, match="deals: 0 is below 1"):
        Recipe("gong-zhu", 4, deals=0)
    with pytest.raises(TefudaError, match="rounds: 5 are more than 1 block; 3 deals are played 1000 at a time"):
        Recipe("gong-zhu", 4, deals=3)
    game = tefuda.load("gong-zhu", partnership=True)
    assert varying(game, ["partnership"]) == {"partnership": [True, False]}
    with pytest.raises(TefudaError, match="gong-zhu has no option 'partners'"):
        varying(game, ["partners"])
    with pytest.raises(TefudaError, match="target is a number"):
        varying(game, ["target"])
