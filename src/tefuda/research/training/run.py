"""A training run in a folder: deals, checkpoints, the curve so far. It goes on where it was interrupted.

| file | holds |
|---|---|
| recipe.json | the recipe; another recipe is refused |
| deals/N.npz | the N-th part of the deals: the same whoever plays it (its seed is that of the run and N) |
| checkpoint.pt | the learner after the last epoch |
| curve.jsonl | a line for each round: seconds, positions, loss, gain against hints and the round before |
| net.npz, net.json | the network after the last finished round, which ``net:FOLDER`` plays |
"""

import json
import os
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from tefuda import games
from tefuda.bots.net import ModelCard, Network, Weights, load_network, save_network
from tefuda.bots.search import SearchBot
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import Value
from tefuda.engine.rng import generator
from tefuda.research.evaluation import evaluate
from tefuda.research.training.curve import write_curve
from tefuda.research.training.examples import Examples, Teacher, joined
from tefuda.research.training.learner import Learner, Targets
from tefuda.research.training.recipe import Recipe
from tefuda.table.game import Game

CURVE, CHECKPOINT = "curve.jsonl", "checkpoint.pt"

PART = 100
"""Deals in a file; a round ends with a whole one."""

FINAL = 2000
"""Duplicate deals that the finished network is judged by at a table, for its model card."""

TRUSTS = (0.0, 0.1, 0.25, 0.5, 0.85, 1.2, 1.6)
"""How far the finished network may trust the rules of thumb (``ModelCard.trust``)."""


class Progress(Protocol):
    """Who is told how far a run has come."""

    def deals(self, done: int, wanted: int) -> None:
        """So many deals of so many are played."""

    def epoch(self, done: int, wanted: int, loss: float) -> None:
        """So many epochs of so many are finished."""

    def judged(self, row: dict[str, Any]) -> None:
        """A round is finished; its line of the curve."""


class TrainingRun:
    """A recipe being followed in a folder.

    Args:
        folder: made if it is not there.
        recipe: what to do.
        device: ``cpu`` or ``cuda``.
        threads: in which deals are played; as many as there are cores by default.

    Raises:
        TefudaError: the folder holds a run of another recipe, or the device is not there.
    """

    def __init__(self, folder: Path, recipe: Recipe, device: str = "cpu", threads: int | None = None) -> None:
        self.folder, self.recipe = folder, recipe
        description = games.description(recipe.game)
        self.game = Game(description, recipe.seats, {name: values[0] for name, values in recipe.options.items()})
        self._teachers = [self._teacher() for _ in range(threads or os.cpu_count() or 1)]
        self.observation = self._teachers[0].observation
        self.learner = Learner(recipe, self.observation.size, description.actions, device)
        self._open()
        self.curve = self._read_curve()
        self._begun = perf_counter()

    @property
    def seconds(self) -> float:
        """That the run has taken, interruptions left out."""
        return perf_counter() - self._begun

    def follow(self, progress: Progress) -> list[dict[str, Any]]:
        """Follow the recipe to its end; the lines of the curve. Ctrl-C loses an epoch or some deals at most."""
        earlier = self.curve[-1]["seconds"] if self.curve else 0.0
        self._begun = perf_counter() - earlier
        previous = load_network(self.game.description, self.folder) if self.curve else None
        for number in range(self.recipe.rounds):
            if number < len(self.curve):
                continue
            parts = -(-self.recipe.deals * (number + 1) // (self.recipe.rounds * PART))
            examples = self.examples(parts, progress)
            self._fit(number, examples, progress)
            previous = self._judge(number, parts * PART, len(examples.counts), previous, progress)
        return self.curve

    def examples(self, count: int, progress: Progress) -> Examples:
        """The first so many parts of the deals, of which those that are missing are played now."""
        (self.folder / "deals").mkdir(exist_ok=True)
        parts: list[Examples | None] = [self._kept(k) for k in range(count)]
        missing = [k for k, part in enumerate(parts) if part is None]
        done = len(parts) - len(missing)
        for k, part in self._played(missing):
            parts[k] = part
            done += 1
            progress.deals(done * PART, count * PART)
        return joined([part for part in parts if part is not None])

    def _teacher(self) -> Teacher:
        settings = {**self.game.description.search, "relative": 1}
        searching = SearchBot(settings=settings).settings_for(self.game.description)
        return Teacher(self.game, self.recipe.options, self.recipe.simulations, searching)

    def _played(self, numbers: Sequence[int]) -> Iterator[tuple[int, Examples]]:
        """Parts of the deals, as they are finished."""
        idle = list(self._teachers)

        def play(number: int) -> tuple[int, Examples]:
            teacher, rng = idle.pop(), generator((self.recipe.seed, 1, number))
            part = joined([teacher.play(rng) for _ in range(PART)])
            idle.append(teacher)
            file = self._part(number)
            np.savez_compressed(file.with_suffix(".new.npz"), **part._asdict())
            file.with_suffix(".new.npz").replace(file)
            return number, part

        pool = ThreadPoolExecutor(len(self._teachers))
        try:
            yield from pool.map(play, numbers)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _part(self, number: int) -> Path:
        return self.folder / "deals" / f"{number}.npz"

    def _kept(self, number: int) -> Examples | None:
        """A part of the deals, if it has been played; a damaged file is played again."""
        with suppress(OSError, ValueError, KeyError, zipfile.BadZipFile), np.load(self._part(number)) as file:
            return Examples(**{name: file[name] for name in Examples._fields})
        return None

    def _fit(self, number: int, examples: Examples, progress: Progress) -> None:
        """The epochs of a round that are not finished."""
        targets = Targets(examples, self.recipe.temperature, self.game.description.actions)
        wanted = self.recipe.epochs_of(number)
        end = sum(self.recipe.epochs_of(k) for k in range(number + 1))
        while self.learner.epochs < end:
            left = end - self.learner.epochs
            self.learner.learn(targets, left, falling=number == self.recipe.rounds - 1)
            self.learner.save(self.folder / CHECKPOINT)
            progress.epoch(wanted - left + 1, wanted, self.learner.loss)

    def _judge(self, number: int, deals: int, positions: int, previous: Network | None, progress: Progress) -> Network:
        """Save the network of a round and write its line of the curve."""
        weights = self.learner.weights()
        row: dict[str, Any] = {"round": number + 1, "deals": deals, "positions": positions}
        row["loss"] = round(self.learner.loss, 4)
        save_network(self.folder, self._card(row, []), weights)
        network = load_network(self.game.description, self.folder)
        row |= self._gain(network, "hints", self.game, self.recipe.judged)
        if previous is not None:
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

    def _finished(self, row: dict[str, Any], weights: Weights) -> Network:
        """With the trust in the rules of thumb that gains most, on deals that judge nothing else."""
        cards = [replace(self._card(row, []), trust=trust) for trust in TRUSTS]
        networks = [Network(card, weights, self.game.description) for card in cards]
        seed = self.recipe.seed + 2
        return max(networks, key=lambda each: evaluate(each, self.game, "hints", deals=FINAL, seed=seed).mean)

    def _results(self, network: Network) -> list[dict[str, Any]]:
        """What the finished network gains against hints: at the usual table, and with every other value it knows."""
        tables: list[dict[str, Value]] = [{}]
        tables += [{name: value} for name, values in self.recipe.options.items() for value in values[1:]]
        found = []
        for changed in tables:
            game = Game(self.game.description, self.recipe.seats, {**self.game.changed_options(), **changed})
            deals = FINAL // 4 if changed else FINAL
            gain = self._gain(network, "hints", game, deals)
            found.append({"table": changed, "against": "hints", "deals": deals, **gain})
        return found

    def _gain(self, network: Network, against: str | Network, game: Game, deals: int) -> dict[str, float]:
        found = evaluate(network, game, against, deals=deals, seed=self.recipe.seed + 1)
        return {"gain": round(found.mean, 4), "margin": round(found.margin or 0.0, 4)}

    def _card(self, row: dict[str, Any], results: list[dict[str, Any]]) -> ModelCard:
        description = self.game.description
        return ModelCard(
            game=description.name,
            rules_version=description.rules_version,
            seats=self.recipe.seats,
            options=self.recipe.options,
            indifferent=(),
            planes=[(plane.name, plane.size) for plane in self.observation.planes],
            recipe=self.recipe.as_dict(),
            training={"hours": round(self.seconds / 3600, 2), "deals": row["deals"], "positions": row["positions"]},
            results=results,
        )

    def _open(self) -> None:
        """Make the folder, or check that it holds this run; go on from its checkpoint."""
        planes = [[plane.name, plane.size] for plane in self.observation.planes]
        wanted = self.recipe.as_dict() | {"rules_version": self.game.description.rules_version, "planes": planes}
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

    def _read_curve(self) -> list[dict[str, Any]]:
        file = self.folder / CURVE
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
