"""The network while it learns: PyTorch modules, the loss, and what is kept between epochs."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tefuda.bots.net import Weights
from tefuda.engine.errors import TefudaError
from tefuda.research.training.examples import Examples
from tefuda.research.training.recipe import Recipe

VALUE_SHARE = 0.3
"""Of the loss: how well the gain of the whole deal is foreseen, beside which play is good."""

NEVER = -1e9
"""The rating of an action that was not legal, in the loss."""


class RatingNet(nn.Module):
    """Ratings of all actions, and the gain that is foreseen."""

    def __init__(self, inputs: int, hidden: tuple[int, ...], actions: int) -> None:
        super().__init__()
        sizes = (inputs, *hidden)
        self.hidden = nn.ModuleList(nn.Linear(*pair) for pair in pairwise(sizes))
        self.ratings, self.gain = nn.Linear(sizes[-1], actions), nn.Linear(sizes[-1], 1)

    def forward(self, inputs: Any) -> tuple[Any, Any]:
        """Of inputs of shape (positions, inputs): (positions, actions) and (positions,)."""
        for layer in self.hidden:
            inputs = torch.relu(layer(inputs))
        return self.ratings(inputs), self.gain(inputs).squeeze(-1)


class Targets:
    """What is to be learned of each position: how much each tried action is wanted, and the deal's gain.

    An action is wanted e times as much as one that is worse by ``temperature`` standard deviations of all gains, and
    more if it was tried often, for its value is then surer.
    """

    def __init__(self, examples: Examples, temperature: float, actions: int) -> None:
        self.examples, self.actions = examples, actions
        self._first = np.concatenate([[0], np.cumsum(examples.counts)[:-1]]).astype(np.int64)
        spread = max(float(examples.gains.std()), 1e-6)
        self._gains = examples.gains / spread
        best = np.maximum.reduceat(examples.worths, self._first)
        behind = examples.worths - np.repeat(best, examples.counts)
        wanted = np.exp(behind / (temperature * spread)) * np.sqrt(examples.visits)
        self._wanted = (wanted / np.repeat(np.add.reduceat(wanted, self._first), examples.counts)).astype(np.float32)

    def of(self, rows: NDArray[np.int64]) -> tuple[Any, Any, Any, Any]:
        """Inputs, wanted shares, which actions were tried, and gains of some positions, as tensors."""
        counts = self.examples.counts[rows]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        entries = np.repeat(self._first[rows], counts) + within
        wanted = np.zeros((len(rows), self.actions), np.float32)
        tried = np.zeros((len(rows), self.actions), np.bool_)
        place = (np.repeat(np.arange(len(rows)), counts), self.examples.actions[entries])
        wanted[place], tried[place] = self._wanted[entries], True
        arrays = (self.examples.inputs[rows].astype(np.float32), wanted, tried, self._gains[rows])
        return tuple(map(torch.from_numpy, arrays))


class Learner:
    """A network, its optimizer, and how far it has come.

    Args:
        recipe: of the run.
        inputs, actions: sizes of the network.
        device: ``cpu`` or ``cuda``.

    Attributes:
        epochs: finished, in all rounds.
        loss: mean of the last epoch.

    Raises:
        TefudaError: the device is not there.
    """

    def __init__(self, recipe: Recipe, inputs: int, actions: int, device: str) -> None:
        if device == "cuda" and not torch.cuda.is_available():
            raise TefudaError("device: there is no CUDA device here; leave --device out to train on the CPU")
        self.recipe, self.device = recipe, torch.device(device)
        self.epochs, self.loss = 0, float("nan")
        torch.manual_seed(recipe.seed)
        self.net = RatingNet(inputs, recipe.hidden, actions).to(self.device)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), recipe.rate, weight_decay=1e-4)

    def learn(self, targets: Targets, left: int, falling: bool) -> None:
        """One epoch.

        Args:
            targets: of all positions.
            left: epochs of the round that are left, this one included.
            falling: whether the learning rate falls to 0 over them.
        """
        shuffled = np.random.default_rng((self.recipe.seed, 7, self.epochs)).permutation(len(targets.examples.counts))
        steps = range(0, len(shuffled), self.recipe.batch)
        total = 0.0
        for start in steps:
            share = (left - start / len(shuffled)) / self.recipe.last_epochs if falling else 1.0
            for group in self.optimizer.param_groups:
                group["lr"] = self.recipe.rate * share
            loss = self._loss(*(each.to(self.device) for each in targets.of(shuffled[start : start + steps.step])))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        self.epochs += 1
        self.loss = total / len(steps)

    def _loss(self, inputs: Any, wanted: Any, tried: Any, gains: Any) -> Any:
        ratings, foreseen = self.net(inputs)
        chosen = torch.log_softmax(ratings.masked_fill(~tried, NEVER), 1)
        return -(wanted * chosen).sum(1).mean() + VALUE_SHARE * nn.functional.mse_loss(foreseen, gains)

    def weights(self) -> Weights:
        """What the bot needs of the network."""
        layers = [*self.net.hidden, self.net.ratings]
        return Weights(
            [layer.weight.detach().cpu().numpy().T for layer in layers],
            [layer.bias.detach().cpu().numpy() for layer in layers],
        )

    def save(self, file: Path) -> None:
        """Write a checkpoint; it appears whole or not at all."""
        parts = {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save(parts | {"epochs": self.epochs, "loss": self.loss}, file.with_suffix(".new"))
        file.with_suffix(".new").replace(file)

    def load(self, file: Path) -> None:
        """Go on from a checkpoint.

        Raises:
            TefudaError: the file is damaged, or belongs to another network.
        """
        try:
            state = torch.load(file, map_location=self.device, weights_only=True)
            self.net.load_state_dict(state["net"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.epochs, self.loss = int(state["epochs"]), float(state["loss"])
        except Exception as error:  # PyTorch raises whatever it meets in a file
            reason = str(error).splitlines()[0]
            raise TefudaError(f"{file} is damaged, or a checkpoint of another network: {reason}") from None
