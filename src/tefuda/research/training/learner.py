"""The network while it learns: PyTorch modules, the loss, and what is kept between blocks of deals."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from tefuda.bots.net import Weights
from tefuda.engine.errors import TefudaError
from tefuda.research.training.examples import Examples
from tefuda.research.training.recipe import Recipe

AVERAGED = 0.998
"""How much of the averaged weights, which the finished network has, each step keeps; single steps are noisy."""


class RatingNet(nn.Module):
    """Ratings of all actions.

    Args:
        inputs: numbers that it reads, of which most are 0: an observation, then a 1 for the advised action.
        hidden: numbers of hidden units.
        actions: that it rates.
    """

    def __init__(self, inputs: int, hidden: tuple[int, ...], actions: int) -> None:
        super().__init__()
        self.first = nn.EmbeddingBag(inputs, hidden[0], mode="sum")
        nn.init.normal_(self.first.weight, std=inputs**-0.5)
        self.bias = nn.Parameter(torch.zeros(hidden[0]))
        self.layers = nn.ModuleList(nn.Linear(*pair) for pair in pairwise((*hidden, actions)))

    def forward(self, places: Any, starts: Any, numbers: Any) -> Any:
        """Ratings of shape (positions, actions), from the inputs that are not 0.

        Args:
            places: int64: which inputs, position by position.
            starts: int64 of shape (positions,): where those of each position begin.
            numbers: float32: the inputs.
        """
        found = self.first(places, starts, per_sample_weights=numbers) + self.bias
        for layer in self.layers:
            found = layer(torch.relu(found))
        return found


class Batch:
    """Some positions as tensors.

    Attributes:
        inputs: arguments of ``RatingNet``.
        positions, actions: int64: of each action tried, its position and itself.
        gains: float32: of each action tried, in standard deviations, less the mean of its position.
        counts: float32 of shape (positions,): actions tried.
    """

    def __init__(self, examples: Examples, rows: NDArray[np.int64], spread: float, device: torch.device) -> None:
        inputs, counts = examples.inputs[rows], examples.counts[rows]
        firsts, ends = (np.cumsum(examples.counts) - examples.counts)[rows], np.cumsum(counts)
        entries = np.repeat(firsts, counts) + np.arange(ends[-1]) - np.repeat(ends - counts, counts)
        at, places = np.nonzero(inputs)
        position = np.arange(len(rows))
        after = np.searchsorted(at, position, "right")
        gains = examples.gains[entries] / spread
        means = np.add.reduceat(gains, ends - counts) / counts

        def tensor(array: NDArray[Any]) -> Any:
            return torch.from_numpy(array).to(device)

        numbers = np.insert(inputs[at, places].astype(np.float32), after, 1)
        places = np.insert(places, after, inputs.shape[1] + examples.actions[firsts].astype(np.int64))
        self.inputs = (tensor(places), tensor(np.searchsorted(at, position) + position), tensor(numbers))
        self.positions = tensor(np.repeat(position, counts))
        self.actions = tensor(examples.actions[entries].astype(np.int64))
        self.gains = tensor((gains - np.repeat(means, counts)).astype(np.float32))
        self.counts = tensor(counts.astype(np.float32))


def loss_of(ratings: Any, batch: Batch) -> Any:
    """Mean square error of what an action gains over the mean of the actions tried at its position."""
    rated = ratings[batch.positions, batch.actions]
    means = torch.zeros_like(batch.counts).index_add(0, batch.positions, rated) / batch.counts
    return nn.functional.mse_loss(rated - means[batch.positions], batch.gains)


class Learner:
    """A network, its optimizer, and how far it has come.

    Args:
        recipe: of the run.
        inputs, actions: sizes of the network.
        device: ``cpu`` or ``cuda``.

    Attributes:
        blocks: of deals learned from.
        positions: in them.
        loss: of the last block.
        spread: standard deviation of the gains in the first block, the unit of the ratings.

    Raises:
        TefudaError: the device is not there.
    """

    def __init__(self, recipe: Recipe, inputs: int, actions: int, device: str) -> None:
        if device == "cuda" and not torch.cuda.is_available():
            raise TefudaError("device: there is no CUDA device here; leave --device out to train on the CPU")
        self.recipe, self.device = recipe, torch.device(device)
        self.blocks, self.positions, self.loss, self.spread = 0, 0, float("nan"), 0.0
        torch.manual_seed(recipe.seed)
        self.net = RatingNet(inputs + actions, recipe.hidden, actions).to(self.device)
        self.averaged = AveragedModel(self.net, multi_avg_fn=get_ema_multi_avg_fn(AVERAGED))
        self.optimizer = torch.optim.Adam(self.net.parameters(), recipe.rate)

    def learn(self, examples: Examples) -> None:
        """The next block."""
        if self.blocks == 0:
            self.spread = max(float(examples.gains.std()), 1e-6)
        shuffled = np.random.default_rng((self.recipe.seed, 7, self.blocks)).permutation(len(examples.counts))
        parts = np.array_split(shuffled, -(-len(shuffled) // self.recipe.batch))
        losses = []
        for k, rows in enumerate(parts):
            for group in self.optimizer.param_groups:
                group["lr"] = self.recipe.rate * (1 - (self.blocks + k / len(parts)) / self.recipe.blocks)
            batch = Batch(examples, rows, self.spread, self.device)
            loss = loss_of(self.net(*batch.inputs), batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.averaged.update_parameters(self.net)
            losses.append(loss.item())
        self.blocks += 1
        self.positions += len(shuffled)
        self.loss = sum(losses) / len(losses)

    def weights(self) -> Weights:
        """What the bot needs of the averaged network."""
        net = self.averaged.module
        matrices = [net.first.weight, *(layer.weight.T for layer in net.layers)]
        biases = [net.bias, *(layer.bias for layer in net.layers)]
        matrices, biases = ([each.detach().cpu().numpy() for each in found] for found in (matrices, biases))
        return Weights(matrices, biases)

    def save(self, file: Path) -> None:
        """Write a checkpoint; it appears whole or not at all."""
        parts = {name: getattr(self, name).state_dict() for name in ("net", "averaged", "optimizer")}
        told = {name: getattr(self, name) for name in ("blocks", "positions", "loss", "spread")}
        torch.save(parts | told, file.with_suffix(".new"))
        file.with_suffix(".new").replace(file)

    def load(self, file: Path) -> None:
        """Go on from a checkpoint.

        Raises:
            TefudaError: the file is damaged, or belongs to another network.
        """
        try:
            state = torch.load(file, map_location=self.device, weights_only=True)
            for name in ("net", "averaged", "optimizer"):
                getattr(self, name).load_state_dict(state[name])
            self.blocks, self.positions = int(state["blocks"]), int(state["positions"])
            self.loss, self.spread = float(state["loss"]), float(state["spread"])
        except Exception as error:  # PyTorch raises whatever it meets in a file
            reason = str(error).splitlines()[0]
            raise TefudaError(f"{file} is damaged, or a checkpoint of another network: {reason}") from None
