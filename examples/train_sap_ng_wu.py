"""Train a small policy on Sap Ng Wu, and see whether it beats random play.

    uv run --with torch python examples/train_sap_ng_wu.py [--small] [--plot learning.png]

All seats of all tables are played by one network, which learns from its own deals (policy gradient with a learned
baseline). Observations and masks reach PyTorch without being copied. Then the policy sits down with random players,
another seat at every table, and the payoffs of its seat are counted. Random play earns 0 on average there, whatever the
seat, for the payoffs of a deal sum to 0."""

import argparse
import sys
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError:
    sys.exit("PyTorch is not installed: uv run --with torch …")

from tefuda.research.vector import VectorEnv

GAME = "sap-ng-wu"
HIDDEN = 128
LEARNING_RATE = 1e-3
PARTS = 8
"""Steps along the gradient after each rollout."""

ENTROPY = 0.01
"""How much the policy is paid for staying open."""


class Size(NamedTuple):
    """How long a training is: tables, steps between updates, updates, deals a table in the evaluation."""

    tables: int
    steps: int
    updates: int
    deals: int


USUAL = Size(512, 256, 150, 20)
SMALL = Size(128, 128, 15, 8)


class Policy(nn.Module):
    """Logits of all actions, and what the seat may expect to receive."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.action, self.value = nn.Linear(HIDDEN, actions), nn.Linear(HIDDEN, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[torch.distributions.Categorical, Tensor]:
        hidden = self.body(observations.float())
        logits = self.action(hidden).masked_fill(~masks, -torch.inf)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)


class Rollout(NamedTuple):
    """Some steps of all tables: axis 0 the step, axis 1 the table."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    received: Tensor
    """what the seat that acted receives at the end of that deal"""
    known: Tensor
    """whether the deal came to its end"""


@torch.no_grad()
def play(env: VectorEnv, policy: Policy, steps: int) -> Rollout:
    """Let the policy play every seat, and remember it."""
    batch = env.reset(seed=int(torch.randint(2**31, ())))
    # The arrays of an environment stay where they are, so these tensors always show the present.
    observations, masks = torch.from_dlpack(batch.observations), torch.from_dlpack(batch.masks)
    assert observations.data_ptr() == batch.observations.ctypes.data, "DLPack has copied"
    kept = [torch.empty((steps, *tensor.shape), dtype=tensor.dtype) for tensor in (observations, masks)]
    actions = torch.empty((steps, env.tables), dtype=torch.int64)
    seats, rewards, ends = [], [], []
    for step in range(steps):
        kept[0][step], kept[1][step] = observations, masks
        actions[step] = policy(observations, masks)[0].sample()
        seats.append(batch.seats.copy())
        batch = env.step(actions[step])
        rewards.append(batch.rewards.copy())
        ends.append(batch.ends.copy())
    received, known = returns(np.array(seats), np.array(rewards), np.array(ends))
    return Rollout(kept[0], kept[1], actions, torch.from_numpy(received), torch.from_numpy(known))


def returns(
    seats: NDArray[np.int8], rewards: NDArray[np.float32], ends: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """For every action what its seat receives at the end of the deal, and whether that end was reached."""
    tables = np.arange(ends.shape[1])
    received, known = np.zeros(ends.shape, np.float32), np.zeros(ends.shape, np.bool_)
    payoffs, reached = np.zeros_like(rewards[0]), np.zeros_like(ends[0])
    for step in reversed(range(len(ends))):
        payoffs = np.where(ends[step][:, None], rewards[step], payoffs)
        reached = reached | ends[step]
        received[step], known[step] = payoffs[tables, seats[step]], reached
    return received, known


def learn(policy: Policy, optimizer: torch.optim.Optimizer, rollout: Rollout) -> None:
    """A step along the gradient for each part of what was played."""
    known = rollout.known
    observations, masks, actions, received = (
        each[known] for each in (rollout.observations, rollout.masks, rollout.actions, rollout.received)
    )
    for part in torch.randperm(len(actions)).chunk(PARTS):
        choice, value = policy(observations[part], masks[part])
        advantage = received[part] - value
        weight = (advantage - advantage.mean()).detach() / (advantage.std() + 1e-6)
        gain = (choice.log_prob(actions[part]) * weight).mean() + ENTROPY * choice.entropy().mean()
        loss = 0.5 * advantage.square().mean() - gain
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()


@torch.no_grad()
def evaluate(policy: Policy, tables: int, deals: int, seed: int) -> NDArray[np.float32]:
    """The payoffs of the policy's seat among random players: the first deals of every table, so many of each.

    Returns:
        float32 of shape (tables · deals,).
    """
    env = VectorEnv(GAME, tables, skip_forced=True)
    batch = env.reset(seed)
    learner = np.arange(tables) % env.seats
    payoffs, finished = np.zeros((tables, deals), np.float32), np.zeros(tables, np.int64)
    while finished.min() < deals:
        actions = env.sample()
        mine = np.flatnonzero(batch.seats == learner)
        choice, _ = policy(torch.from_numpy(batch.observations[mine]), torch.from_numpy(batch.masks[mine]))
        actions[mine] = choice.sample().numpy()
        batch = env.step(actions)
        counted = np.flatnonzero(batch.ends & (finished < deals))
        payoffs[counted, finished[counted]] = batch.rewards[counted, learner[counted]]
        finished[counted] += 1
    return payoffs.ravel()


def train(size: Size, seed: int, record: list[float]) -> Policy:
    """Train; into ``record`` goes how the policy does among random players, at the start and five times more."""
    torch.manual_seed(seed)
    env = VectorEnv(GAME, size.tables, skip_forced=True)
    policy = Policy(env.observation.size, env.actions)
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE)
    for update in track(range(size.updates), "training"):
        if update % (size.updates // 5) == 0:
            record.append(float(evaluate(policy, size.tables, 2, seed=1).mean()))
        learn(policy, optimizer, play(env, policy, size.steps))
    record.append(float(evaluate(policy, size.tables, 2, seed=1).mean()))
    return policy


def interval(payoffs: NDArray[np.float32]) -> tuple[float, float]:
    """Mean and half the width of its 95% interval."""
    return float(payoffs.mean()), float(1.96 * payoffs.std(ddof=1) / np.sqrt(len(payoffs)))


def plot(record: list[float], path: str) -> None:
    """The course of the training as a picture."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    axes.axhline(0, color="0.7", linewidth=1)
    axes.plot(np.linspace(0, 100, len(record)), record, marker="o")
    axes.set(xlabel="training, %", ylabel="counters a deal", title="Sap Ng Wu: a policy among random players")
    figure.savefig(path, dpi=150)


def main(arguments: Any = None) -> tuple[float, float]:
    """Train, evaluate, print; the mean payoff among random players and half its 95% interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="under a minute, enough to beat random play")
    parser.add_argument("--seed", type=int, default=1, help="of deals and weights (1)")
    parser.add_argument("--plot", metavar="FILE", help="draw the course of the training (needs matplotlib)")
    given = parser.parse_args(arguments)
    size, record = SMALL if given.small else USUAL, list[float]()
    policy = train(size, given.seed, record)
    mean, half = interval(evaluate(policy, size.tables, size.deals, seed=given.seed + 1000))
    print(f"counters a deal among random players: {mean:+.2f} ± {half:.2f} ({size.tables * size.deals} deals)")
    print("during training:", " ".join(f"{value:+.2f}" for value in record))
    if given.plot:
        plot(record, given.plot)
    return mean, half


if __name__ == "__main__":
    main()
