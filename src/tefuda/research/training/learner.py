"""The network while it learns: PyTorch modules, the loss, and what is kept between blocks of deals."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.optim.swa_utils import AveragedModel

from tefuda.bots.net import Weights
from tefuda.engine.errors import TefudaError
from tefuda.engine.files import whole
from tefuda.research.training.examples import Examples
from tefuda.research.training.recipe import Recipe

AVERAGED = 0.998
"""The share of the averaged weights, those of the finished network, that a step keeps; early steps keep less."""

UNIT_POSITIONS = 10_000  #: positions by which the unit of the ratings is found, if a network learns on
LEAST_SCALE = 0.01  #: scale of ratings that say nothing of the gains


class RatingNet(nn.Module):
    """Ratings of so many actions, by layers with these numbers of hidden units.

    It reads so many inputs, of which most are 0: an observation, then a 1 for the advised action."""

    def __init__(self, inputs: int, hidden: tuple[int, ...], actions: int) -> None:
        super().__init__()
        self.first = nn.EmbeddingBag(inputs, hidden[0], mode="sum")
        nn.init.normal_(self.first.weight, std=inputs**-0.5)
        self.bias = nn.Parameter(torch.zeros(hidden[0]))
        self.layers = nn.ModuleList(nn.Linear(*pair) for pair in pairwise((*hidden, actions)))

    def begin_with(self, start: Weights) -> None:
        """Take over the weights of another network; inputs that it did not read count nothing at first."""
        matrices = [torch.from_numpy(each) for each in start.matrices]
        biases = [torch.from_numpy(each) for each in start.biases]
        with torch.no_grad():
            self.first.weight.zero_()
            self.first.weight[: len(matrices[0])] = matrices[0]
            self.bias.copy_(biases[0])
            for layer, matrix, bias in zip(self.layers, matrices[1:], biases[1:], strict=True):
                layer.weight.copy_(matrix.T)
                layer.bias.copy_(bias)

    def forward(self, places: torch.Tensor, starts: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        """Ratings of shape (rows, actions), from the inputs that are not 0: which they are, position by position
        (int64), where those of each position begin (int64 of shape (positions,)), and the inputs (float32)."""
        return self.rest(self.first(places, starts, per_sample_weights=numbers))

    def rest(self, found: torch.Tensor) -> torch.Tensor:
        """Ratings, from what the inputs add up to."""
        found = found + self.bias
        for layer in self.layers:
            found = layer(torch.relu(found))
        return found


class PlayNet(RatingNet):
    """Ratings of single plays, from so many features of each; ``hidden`` are numbers of hidden units."""

    def __init__(self, inputs: int, hidden: tuple[int, ...]) -> None:
        super().__init__(inputs, hidden, 1)

    def forward(self, plays: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        """Ratings of shape (plays, 1), from float32 of shape (plays, inputs), of which many are not 0."""
        return self.rest(plays @ self.first.weight)


class Minibatch:
    """Some positions as tensors: ``inputs``, the arguments of the network, and ``counts`` of actions tried (float32).

    Of each action tried there are its position, its gain in standard deviations (float32), less the mean of its
    position, and where the network rates it: row and column are its position and itself; with features of plays, its
    place among all and 0."""

    def __init__(self, examples: Examples, rows: NDArray[np.int64], spread: float, device: torch.device) -> None:
        counts = examples.counts[rows]
        firsts, ends = (np.cumsum(examples.counts) - examples.counts)[rows], np.cumsum(counts)
        entries = np.repeat(firsts, counts) + np.arange(ends[-1]) - np.repeat(ends - counts, counts)
        gains = examples.gains[entries] / spread
        means = np.add.reduceat(gains, ends - counts) / counts

        def tensor(array: NDArray[np.generic]) -> torch.Tensor:
            return torch.from_numpy(array).to(device)

        self.positions = tensor(np.repeat(np.arange(len(rows)), counts))
        if len(examples.inputs) == len(examples.actions):
            self.inputs: tuple[torch.Tensor, ...] = (tensor(examples.inputs[entries].astype(np.float32)),)
            self.rows, self.columns = tensor(np.arange(len(entries))), tensor(np.zeros(len(entries), np.int64))
        else:
            self.inputs = tuple(map(tensor, sparse(examples.inputs[rows], examples.actions[firsts])))
            self.rows, self.columns = self.positions, tensor(examples.actions[entries].astype(np.int64))
        self.gains = tensor((gains - np.repeat(means, counts)).astype(np.float32))
        self.counts = tensor(counts.astype(np.float32))


def sparse(inputs: NDArray[np.int8], advised: NDArray[np.int16]) -> tuple[NDArray[np.generic], ...]:
    """Arguments of ``RatingNet``: the inputs that are not 0, and a 1 for the advised action."""
    at, places = np.nonzero(inputs)
    position = np.arange(len(inputs))
    after = np.searchsorted(at, position, "right")
    numbers = np.insert(inputs[at, places].astype(np.float32), after, 1)
    places = np.insert(places, after, inputs.shape[1] + advised.astype(np.int64))
    return places, np.searchsorted(at, position) + position, numbers


def centred(ratings: torch.Tensor, batch: Minibatch) -> torch.Tensor:
    """Ratings of the actions tried, less their mean at each position."""
    rated = ratings[batch.rows, batch.columns]
    means = torch.zeros_like(batch.counts).index_add(0, batch.positions, rated) / batch.counts
    return rated - means[batch.positions]


class Learner:
    """A network, its optimizer, and how far it has come. ``TefudaError`` if the device is not there.

    Args:
        actions: that it rates at once; 1 if its inputs are features of a play.
        device: ``cpu`` or ``cuda``.
        start: weights to learn on from, of a network with the recipe's hidden units; it may lack the inputs that stand
            for the advised action. Its ratings may have any unit.

    It counts the ``blocks`` of deals learned from and the ``positions`` in them, the run their ``seconds``. ``loss`` is
    that of the last block, ``spread`` the standard deviation of the gains in the first, the unit of the ratings."""

    def __init__(self, recipe: Recipe, inputs: int, actions: int, device: str, start: Weights | None = None) -> None:
        if device == "cuda" and not torch.cuda.is_available():
            raise TefudaError("device: there is no CUDA device here; leave --device out to train on the CPU")
        self.recipe, self.device = recipe, torch.device(device)
        self.blocks, self.positions, self.seconds, self.loss, self.spread = 0, 0, 0.0, float("nan"), 0.0
        torch.manual_seed(recipe.seed)
        net = PlayNet(inputs, recipe.hidden) if actions == 1 else RatingNet(inputs + actions, recipe.hidden, actions)
        if start is not None:
            net.begin_with(start)
        self._learns_on = start is not None
        self.net = net.to(self.device)
        self.averaged = AveragedModel(self.net, avg_fn=lambda w, new, n: w.lerp(new, max(1 - AVERAGED, 9 / (9 + n))))
        self.optimizer = torch.optim.Adam(self.net.parameters(), recipe.rate)

    @property
    def spent(self) -> float:
        """Share of the recipe's deals or minutes that is used up, whichever is more; 1 at most."""
        in_time = self.seconds / 60 / self.recipe.minutes if self.recipe.minutes else 0
        return min(1.0, max(self.blocks / self.recipe.blocks, in_time))

    def learn(self, examples: Examples) -> None:
        """The next block."""
        if self.blocks == 0:
            self.spread = max(float(examples.gains.std()), 1e-6)
            if self._learns_on:
                self._fit_unit(examples)
        shuffled = np.random.default_rng((self.recipe.seed, 7, self.blocks)).permutation(len(examples.counts))
        parts = np.array_split(shuffled, -(-len(shuffled) // self.recipe.batch))
        losses, left = [], 1 - self.spent
        for k, rows in enumerate(parts):
            for group in self.optimizer.param_groups:
                group["lr"] = self.recipe.rate * max(0.0, left - k / len(parts) / self.recipe.blocks)
            batch = Minibatch(examples, rows, self.spread, self.device)
            loss = nn.functional.mse_loss(centred(self.net(*batch.inputs), batch), batch.gains)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.averaged.update_parameters(self.net)
            losses.append(loss.item())
        self.blocks += 1
        self.positions += len(shuffled)
        self.loss = sum(losses) / len(losses)

    def _fit_unit(self, examples: Examples) -> None:
        """Scale the ratings to the unit of the gains, by least squares over some positions."""
        batch = Minibatch(examples, np.arange(min(len(examples.counts), UNIT_POSITIONS)), self.spread, self.device)
        with torch.no_grad():
            rated = centred(self.net(*batch.inputs), batch)
            scale = float((rated * batch.gains).sum() / (rated * rated).sum().clamp(min=1e-6))
            for parameter in self.net.layers[-1].parameters():
                parameter *= max(scale, LEAST_SCALE)

    def weights(self) -> Weights:
        """Weights of the averaged network, for the bot."""
        net = self.averaged.module
        matrices = [net.first.weight, *(layer.weight.T for layer in net.layers)]
        biases = [net.bias, *(layer.bias for layer in net.layers)]
        matrices, biases = ([each.detach().cpu().numpy() for each in found] for found in (matrices, biases))
        return Weights(matrices, biases)

    def save(self, file: Path) -> None:
        """Write a checkpoint; it appears whole or not at all."""
        parts = {name: getattr(self, name).state_dict() for name in ("net", "averaged", "optimizer")}
        told = {name: getattr(self, name) for name in ("blocks", "positions", "seconds", "loss", "spread")}
        with whole(file) as fresh:
            torch.save(parts | told, fresh)

    def load(self, file: Path) -> None:
        """Go on from a checkpoint; ``TefudaError`` if the file is damaged, or belongs to another network."""
        try:
            state = torch.load(file, map_location=self.device, weights_only=True)
            for name in ("net", "averaged", "optimizer"):
                getattr(self, name).load_state_dict(state[name])
            self.blocks, self.positions = int(state["blocks"]), int(state["positions"])
            self.loss, self.spread = float(state["loss"]), float(state["spread"])
            self.seconds = float(state.get("seconds", 0.0))
        except Exception as error:  # PyTorch raises whatever it meets in a file
            reason = str(error).splitlines()[0]
            raise TefudaError(f"{file} is damaged, or a checkpoint of another network: {reason}") from None
