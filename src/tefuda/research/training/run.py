"""A training run in a folder: checkpoints, the curve so far. It goes on where it was interrupted.

| file | holds |
|---|---|
| recipe.json | the recipe; another recipe is refused |
| checkpoint.pt | the learner after one of the last blocks of deals |
| curve.jsonl | a line for each round: seconds, positions, loss, gain over others and the round before |
| net.npz, net.json | the network after the last finished round, which ``net:FOLDER`` plays |
"""

import json
import os
import shutil
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from matplotlib.figure import Figure
from torch.utils.tensorboard import SummaryWriter

from tefuda import games
from tefuda.bots.net import ModelCard, Network, Weights, load_network, save_network
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import Value
from tefuda.engine.play import POLICIES
from tefuda.engine.rng import generator
from tefuda.research.evaluation import evaluate
from tefuda.research.training.examples import FROZEN, Examples, Teacher
from tefuda.research.training.learner import Learner
from tefuda.research.training.recipe import Recipe
from tefuda.table.game import Game

CURVE, CHECKPOINT = "curve.jsonl", "checkpoint.pt"

PICTURE, EVENTS = "curve.svg", "tensorboard"

SCALARS = {"gain": "gain/others", "past_gain": "gain/round before", "loss": "loss"}
"""Numbers of a line of the curve, and what TensorBoard calls them."""

Row = dict[str, Any]  #: figures by name, such as a line of the curve

KEPT = 5  #: blocks between two checkpoints

TRUSTS = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6)
"""Trusts in the rules of thumb that the finished network may have (``ModelCard.trust``)."""

MEANWHILE = 0.15  #: trust of the networks of earlier rounds
ALWAYS = 1e9  #: trust of a network that makes every advised play


class RunObserver(Protocol):
    """An object that is told how far a run has come."""

    def deals(self, done: int, wanted: int, loss: float) -> None:
        """So many deals of so many are learned from; the loss of the last."""

    def judged(self, row: Row) -> None:
        """A round is finished; its line of the curve."""


class TrainingRun:
    """A recipe being followed in a folder, which is made if it is not there. ``TefudaError`` if the folder holds a run
    of another recipe, or the device (``cpu`` or ``cuda``) is not there. Deals are played in so many ``threads``, by
    default as many as there are cores."""

    def __init__(self, folder: Path, recipe: Recipe, device: str = "cpu", threads: int | None = None) -> None:
        description = games.description(recipe.game)
        self.start = recipe.start()
        if self.start:
            hidden = tuple(len(bias) for bias in self.start.weights.biases[:-1])
            options, here = self.start.card.options, recipe.options  # what this table has stands first
            known = {name: sorted(values, key=lambda each: each not in here.get(name, values[:1]))
                     for name, values in options.items()}  # fmt: skip
            recipe = replace(recipe, seats=self.start.card.seats, options=known, hidden=hidden)
        self.folder, self.recipe = folder, recipe
        self.game = Game(description, recipe.seats, {name: values[0] for name, values in recipe.options.items()})
        self._teachers = [Teacher(self.game, recipe.options, self.start) for _ in range(threads or os.cpu_count() or 1)]
        self.reads = self._teachers[0].reads
        actions = 1 if description.features else description.actions
        inputs, weights = sum(size for _, size in self.reads), self.start.weights if self.start else None
        self.learner = Learner(recipe, inputs, actions, device, weights)
        self._against = recipe.against or "hints"
        self._opponent = self._against if self._against in POLICIES or not self.start else self.start
        self._open()
        curve = (folder / CURVE).read_text("utf-8") if (folder / CURVE).exists() else ""
        self.curve: list[Row] = [json.loads(line) for line in curve.splitlines()]
        self._begun = perf_counter()

    @property
    def seconds(self) -> float:
        """That the run has taken, interruptions left out."""
        return perf_counter() - self._begun

    def follow(self, progress: RunObserver) -> list[Row]:
        """Follow the recipe to its end; the lines of the curve. Ctrl-C loses a few blocks of deals at most."""
        earlier = self.curve[-1]["seconds"] if self.curve else 0.0
        self._begun = perf_counter() - earlier
        previous = load_network(self.game.description, self.folder) if self.curve else self.start
        for number in range(len(self.curve), self.recipe.rounds):
            if self.recipe.against:
                self._respond(previous)
            with closing(self._played(-(-self.recipe.blocks * (number + 1) // self.recipe.rounds))) as blocks:
                while self.learner.spent < (number + 1) / self.recipe.rounds:
                    begun = perf_counter()
                    self.learner.learn(next(blocks))
                    self.learner.seconds += perf_counter() - begun
                    if self.recipe.against or self.learner.blocks % KEPT == 0 or self.learner.spent == 1:
                        self.learner.save(self.folder / CHECKPOINT)
                    done = self.recipe.deals_of(self.learner.blocks)
                    wanted = min(self.recipe.deals, round(done / self.learner.spent))  # at this pace, in minutes
                    progress.deals(done, wanted, self.learner.loss)
            self.learner.save(self.folder / CHECKPOINT)
            previous = self._judge(number, previous, progress)
        return self.curve

    def _respond(self, previous: Network | None) -> None:
        """Let the network of the round before respond; at first the one it learns on from, or the rules of thumb."""
        if previous is None:
            previous = self._network(ALWAYS, {"deals": 0, "positions": 0}, self.learner.weights())
        for teacher in self._teachers:
            teacher.respond(previous, POLICIES.get(self._against, FROZEN), self.start)
        self._teachers[0].play(generator(0), 10)  # compiles what is new: that is no part of the minutes

    def _played(self, end: int) -> Generator[Examples]:
        """The blocks below ``end`` that are not learned from, in order; the next ones are played meanwhile.

        A block is the same whoever plays it: its seed is that of the run and its number."""
        idle = list(self._teachers)

        def play(number: int) -> Examples:
            teacher = idle.pop()
            try:
                deals = self.recipe.deals_of(number + 1) - self.recipe.deals_of(number)
                return teacher.play(generator((self.recipe.seed, 1, number)), deals)
            finally:
                idle.append(teacher)

        pool = ThreadPoolExecutor(len(self._teachers))
        coming: deque[Future[Examples]] = deque()
        try:
            for number in range(self.learner.blocks, end):
                coming.append(pool.submit(play, number))
                if len(coming) > 2 * len(self._teachers):
                    yield coming.popleft().result()
            while coming:
                yield coming.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _judge(self, number: int, previous: Network | None, progress: RunObserver) -> Network:
        """Save the network of a round and write its line of the curve."""
        weights = self.learner.weights()
        row: Row = {"round": number + 1, "deals": self.recipe.deals_of(self.learner.blocks), "against": self._against}
        row |= {"positions": self.learner.positions, "loss": round(self.learner.loss, 4)}
        save_network(self.folder, self._card(row), weights)
        network = load_network(self.game.description, self.folder)
        row |= self._gain(network, self._opponent, self.game, self.recipe.judged)
        if previous is not None and not self.recipe.against:
            past = self._gain(network, previous, self.game, self.recipe.judged)
            row |= {"past_gain": past["gain"], "past_margin": past["margin"]}
        row["seconds"] = round(self.seconds, 1)
        if number == self.recipe.rounds - 1:
            network = self._finished(row, weights)
            save_network(self.folder, replace(network.card, results=self._results(network)), weights)
        with (self.folder / CURVE).open("a") as file:
            file.write(json.dumps(row) + "\n")
        self.curve.append(row)
        write_curve(self.folder, self.curve)
        progress.judged(row)
        return network

    def _finished(self, row: Row, weights: Weights) -> Network:
        """The network with the trust in the rules of thumb that gains most, on deals that judge nothing else."""
        networks = [self._network(trust, row, weights) for trust in TRUSTS]
        deals, seed = self.recipe.final, self.recipe.seed + 2
        return max(networks, key=lambda each: evaluate(each, self.game, self._opponent, deals=deals, seed=seed).mean)

    def _network(self, trust: float, row: Row, weights: Weights) -> Network:
        return Network(replace(self._card(row), trust=trust), weights, self.game.description)

    def _results(self, network: Network) -> list[Row]:
        """Gains of the finished network against hints: at the usual table, and with every other value it knows."""
        tables: list[dict[str, Value]] = [{}]
        varied = {} if self.recipe.against else self.recipe.options
        tables += [{name: value} for name, values in varied.items() for value in values[1:]]
        found = []
        for changed in tables:
            game = Game(self.game.description, self.recipe.seats, {**self.game.changed_options(), **changed})
            deals = -(-self.recipe.final // 4) if changed else self.recipe.final
            gain = self._gain(network, self._opponent, game, deals)
            found.append({"table": changed, "against": self._against, "deals": deals, **gain})
        if self.start and not self.recipe.against:
            gain = self._gain(network, self.start, self.game, self.recipe.final)
            found.append({"table": {}, "against": "the network it learned on from", "deals": self.recipe.final, **gain})
        return found

    def _gain(self, network: Network, against: str | Network, game: Game, deals: int) -> dict[str, float]:
        found = evaluate(network, game, against, deals=deals, seed=self.recipe.seed + 1)
        return {"gain": round(found.mean, 4), "margin": round(found.margin or 0.0, 4)}

    def _card(self, row: Row) -> ModelCard:
        description = self.game.description
        return ModelCard(
            game=description.name,
            rules_version=description.rules_version,
            seats=self.recipe.seats,
            options=self.recipe.options,
            indifferent=self.start.card.indifferent if self.start else (),
            planes=self.reads,
            trust=self.start.card.trust if self.recipe.against and self.start else MEANWHILE,
            recipe=self.recipe.as_dict() | self._origin(),
            training=self._training(row),
        )

    def _training(self, row: Row) -> dict[str, float]:
        """Hours, deals and positions so far, with those of the network that this one learned on from."""
        took = {"hours": round(self.seconds / 3600, 2), "deals": row["deals"], "positions": row["positions"]}
        before = self.start.card.training if self.start else {}
        return {name: round(number + before.get(name, 0), 2) for name, number in took.items()}

    def _origin(self) -> Row:
        """Origin of the weights that the run began with, for the model card."""
        if self.start is None:
            return {}
        card = self.start.card
        return {"learned_on_from": {"sha256": card.sha256, "recipe": card.recipe, "training": card.training}}

    def _open(self) -> None:
        """Make the folder, or check that it holds this run; go on from its checkpoint."""
        wanted = self.recipe.as_dict() | {"rules_version": self.game.description.rules_version, "planes": self.reads}
        file = self.folder / "recipe.json"
        self.folder.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(json.dumps(wanted, indent=1) + "\n", "utf-8")
        try:
            found = json.loads(file.read_text("utf-8"))
        except ValueError:
            raise TefudaError(f"{file} is damaged: it is not JSON") from None
        for name, value in json.loads(json.dumps(wanted)).items():
            if found.get(name) != value:
                told = "" if name == "planes" else f": {name} is {found.get(name)!r} there, not {value!r}"
                raise TefudaError(f"{self.folder} holds another run{told}; choose another folder")
        if (self.folder / CHECKPOINT).exists():
            self.learner.load(self.folder / CHECKPOINT)


def write_curve(folder: Path, curve: Sequence[Row]) -> None:
    """Write both anew; the curve is a line for each round."""
    shutil.rmtree(folder / EVENTS, ignore_errors=True)
    with SummaryWriter(folder / EVENTS) as events:
        for row in curve:
            for name, label in SCALARS.items():
                if name in row:
                    events.add_scalar(label, row[name], row["deals"])
    figure = Figure(figsize=(6, 5), layout="constrained")
    gain, loss = figure.subplots(2, 1, sharex=True)
    deals = [row["deals"] for row in curve]
    gain.errorbar(deals, [row["gain"] for row in curve], [row["margin"] for row in curve], marker="o", ms=4, capsize=2)
    gain.axhline(0, color="0.5", lw=0.8)
    gain.set_ylabel(f"gain a deal against {curve[-1].get('against', 'hints')}")
    loss.plot(deals, [row["loss"] for row in curve], marker="o", ms=4)
    loss.set_ylabel("loss")
    loss.set_xlabel("deals")
    figure.savefig(folder / PICTURE)
