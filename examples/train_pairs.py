"""Pairs of deals: a network learns when to depart from the rules of thumb, and beats them.

    uv run --with torch python examples/train_pairs.py
    … --game gong-zhu --minutes 10 --folder my-net

Two tables get the same cards and the same random numbers, and rules of thumb play in every seat. At one decision the
second table makes another play; then both go on. The difference at the end is what that play has brought: luck that
both tables share has gone out of it. The network learns these differences, and the player makes the play that the rules
of thumb advise unless it rates another higher by a margin. ``tefuda train`` learns in the same way in compiled code."""

import argparse
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError:
    sys.exit("PyTorch is not installed: uv run --with torch python …")

from tefuda.bots.net import ModelCard, Network, Weights, save_network
from tefuda.research.evaluation import evaluate
from tefuda.research.vector import VectorEnv

PAIRS = 2048
MINIBATCH = 2048
HIDDEN = 128
LEARNING_RATE = 2e-3
MARGINS = (0.02, 0.05, 0.1, 0.2, 0.4)
"""Among which the player's is chosen, in standard deviations of what deals bring."""


@dataclass
class Departures:
    """Other plays than the advised ones; axis 0 is the pair of tables.

    Attributes:
        observations: of the seats that departed.
        advised, made: the actions.
        brought: what the one made brought that seat more than the advised one.
    """

    observations: NDArray[np.int8]
    advised: NDArray[np.int64]
    made: NDArray[np.int64]
    brought: NDArray[np.float32]


def play(env: VectorEnv, random: np.random.Generator, longest: int) -> tuple[Departures, int, float]:
    """A deal at every table; the departures, the steps of the longest deal, and how far gains scatter.

    Args:
        env: its tables 2k and 2k + 1 are pairs.
        random: draws the deals, and when each pair parts.
        longest: steps in which the pairs part.
    """
    batch = env.reset(np.repeat(random.integers(2**62, size=PAIRS), 2))
    part_at = random.integers(longest, size=PAIRS)
    first, second = np.arange(0, env.tables, 2), np.arange(1, env.tables, 2)
    observations = np.zeros((PAIRS, env.observation.size), np.int8)
    found = Departures(observations, np.zeros(PAIRS, np.int64), np.zeros(PAIRS, np.int64), np.zeros(PAIRS, np.float32))
    seats, over, gains = np.zeros(PAIRS, np.int64), np.zeros(env.tables, np.bool_), np.zeros((env.tables, env.seats))
    step = 0
    while not over.all():
        chosen, anything = env.advise(), env.sample()
        together = part_at >= step
        chosen[second[together]] = chosen[first[together]]
        now = np.flatnonzero((part_at == step) & ~over[first])
        found.observations[now], seats[now] = batch.observations[first[now]], batch.seats[first[now]]
        found.advised[now], found.made[now] = chosen[first[now]], anything[first[now]]
        chosen[second[now]] = found.made[now]
        batch = env.step(chosen, waiting=over)
        ended = batch.ends & ~over
        gains[ended] = batch.rewards[ended]
        over |= ended
        step += 1
    pairs = np.arange(PAIRS)
    found.brought[:] = gains[second, seats] - gains[first, seats]
    departed = pairs[found.made != found.advised]
    kept = Departures(*(array[departed] for array in vars(found).values()))
    return kept, step, float(gains.std())


def learn(net: nn.Module, optimizer: torch.optim.Optimizer, found: Departures, spread: float) -> None:
    """Bring what the network rates one play over the other nearer to what it brought."""
    observations = torch.from_numpy(found.observations).float()
    advised, made = torch.from_numpy(found.advised)[:, None], torch.from_numpy(found.made)[:, None]
    brought = torch.from_numpy(found.brought / np.float32(spread))
    for rows in torch.randperm(len(brought)).split(MINIBATCH):
        ratings: Tensor = net(observations[rows])
        more = (ratings.gather(1, made[rows]) - ratings.gather(1, advised[rows])).squeeze(1)
        loss = (more - brought[rows]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def train(game: str, minutes: float, seed: int) -> tuple[nn.Sequential, VectorEnv, int]:
    """Train for so many minutes; the network, the tables, and from how many departures it has learned."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    env = VectorEnv(game, 2 * PAIRS, reward="gain", skip_forced=True)
    net = nn.Sequential(nn.Linear(env.observation.size, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, env.actions))
    optimizer = torch.optim.Adam(net.parameters(), LEARNING_RATE)
    _, longest, spread = play(env, random, 1)
    departures, began = 0, time.monotonic()
    while (passed := (time.monotonic() - began) / (60 * minutes)) < 1:
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - passed)
        found, _, _ = play(env, random, longest)
        learn(net, optimizer, found, spread)
        departures += len(found.made)
    env.close()
    return net, env, departures


def player(net: nn.Sequential, env: VectorEnv, deals: int) -> Network:
    """The network as a bot, with the margin that gains most in so many deals."""
    layers = [layer for layer in net if isinstance(layer, nn.Linear)]
    weights = Weights(
        [layer.weight.detach().numpy().T for layer in layers], [layer.bias.detach().numpy() for layer in layers]
    )
    description = env.game.description
    planes = [(plane.name, plane.size) for plane in env.observation.planes]
    card = ModelCard(description.name, description.rules_version, env.seats, {}, (), planes)
    bots = [Network(replace(card, trust=margin), weights, description) for margin in MARGINS]
    return max(bots, key=lambda bot: evaluate(bot, env.game, deals=deals, seed=1).mean)


def main(arguments: Any = None) -> None:
    """Train, and say what the network gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="luk-fu")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=4000, help="of the evaluation (4000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="keep the network there; net:FOLDER plays it")
    given = parser.parse_args(arguments)
    net, env, departures = train(given.game, given.minutes, given.seed)
    bot = player(net, env, given.deals)
    print(f"{departures:,} decisions")
    for against in ("random", "hints"):
        print(f"gain a deal over {against}: {evaluate(bot, env.game, against=against, deals=given.deals)}")
    if given.folder:
        given.folder.mkdir(parents=True, exist_ok=True)
        save_network(given.folder, bot.card, bot.weights)


if __name__ == "__main__":
    main()
