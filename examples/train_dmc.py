"""Deep Monte Carlo: a network learns what every action brings in the end, from the deals that it plays with itself.

    uv run --with torch python examples/train_dmc.py
    … --game ma-diao --minutes 10

The way of DouZero in its simplest form: all seats play what the network values most, now and then anything; what a deal
has brought a seat is the target of every action that it made there. No bot and no rule of thumb takes part."""

import argparse
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError:
    sys.exit("PyTorch is not installed: uv run --with torch python …")

from tefuda.research.evaluation import evaluate
from tefuda.research.vector import VectorEnv

TABLES, STEPS = 512, 128
MINIBATCH = 2048
HIDDEN = 256
LEARNING_RATE = 5e-4
EXPLORE = 0.1
"""How often a seat plays anything legal."""


class Values(nn.Module):
    """What each action brings the seat in the end, in standard deviations of what deals bring."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, actions)
        )

    def forward(self, observations: Tensor) -> Tensor:
        values: Tensor = self.layers(observations.float())
        return values

    @torch.no_grad()
    def choose(self, observations: Tensor, masks: Tensor) -> Tensor:
        """The legal action of the greatest value at each table."""
        return self(observations).masked_fill(~masks, -torch.inf).argmax(1)


def play(env: VectorEnv, values: Values) -> tuple[Tensor, Tensor, NDArray[np.float32]]:
    """Play some steps; what was seen, what was done, and what that brought, where the deal has ended."""
    batch, tables = env.reset(seed=int(torch.randint(2**31, ()))), np.arange(env.tables)
    observations = np.empty((STEPS, *batch.observations.shape), np.int8)
    actions, seats, rewards, ends = [], [], [], []
    for step in range(STEPS):
        observations[step] = batch.observations
        chosen = values.choose(torch.from_numpy(batch.observations), torch.from_numpy(batch.masks)).numpy()
        anything = np.random.random(env.tables) < EXPLORE
        chosen[anything] = env.sample()[anything]
        actions.append(chosen)
        seats.append(batch.seats.copy())
        batch = env.step(chosen)
        rewards.append(batch.rewards.copy())
        ends.append(batch.ends.copy())
    brought, paid = np.full((STEPS, env.tables), np.nan, np.float32), np.full_like(rewards[0], np.nan)
    for step in reversed(range(STEPS)):
        paid = np.where(ends[step][:, None], rewards[step], paid)
        brought[step] = paid[tables, seats[step]]
    return torch.from_numpy(observations), torch.from_numpy(np.array(actions)), brought


def learn(values: Values, optimizer: torch.optim.Optimizer, seen: Tensor, done: Tensor, brought: Tensor) -> None:
    """Bring the values of the actions made nearer to what they brought."""
    for part in torch.randperm(len(done)).split(MINIBATCH):
        valued = values(seen[part]).gather(1, done[part, None]).squeeze(1)
        loss = (valued - brought[part]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def train(game: str, minutes: float, seed: int) -> tuple[Values, int]:
    """Train for so many minutes; the network, and how many decisions it has made."""
    torch.manual_seed(seed)
    np.random.seed(seed)
    env = VectorEnv(game, TABLES, reward="gain", skip_forced=True)
    values = Values(env.observation.size, env.actions)
    optimizer = torch.optim.Adam(values.parameters(), LEARNING_RATE)
    decisions, until = 0, time.monotonic() + 60 * minutes
    scale = 0.0
    while time.monotonic() < until:
        observations, actions, brought = play(env, values)
        known = ~np.isnan(brought)
        scale = scale or float(brought[known].std())
        decisions += actions.numel()
        learn(values, optimizer, observations[known], actions[known], torch.from_numpy(brought[known]) / scale)
    env.close()
    return values, decisions


def policy_of(values: Values) -> Any:
    """The network as ``evaluate`` takes it."""

    def policy(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.asarray(values.choose(torch.from_numpy(observations), torch.from_numpy(masks)))

    return policy


def main(arguments: Any = None) -> None:
    """Train, and say what the network gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=1000, help="of the evaluation (1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    values, decisions = train(given.game, given.minutes, given.seed)
    print(f"{decisions:,} decisions")
    for bot in ("random", "hints"):
        print(f"gain a deal over {bot}: {evaluate(policy_of(values), given.game, against=bot, deals=given.deals)}")


if __name__ == "__main__":
    main()
