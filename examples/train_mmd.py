"""Magnetic mirror descent in self-play: all seats share a policy, which a slowly following copy of it holds back.

    uv run --with torch python examples/train_mmd.py
    … --game kakkuri --minutes 10

After Sokota and others, *A Unified Approach to Reinforcement Learning, Quantal Response Equilibria, and Two-Player
Zero-Sum Games* (ICLR 2023): each step gains as much as it can, less its divergence from the policy before it (the
mirror descent) and from a magnet. The magnet here moves, so that what it holds fast does not cost strength in the end.
No bot and no rule of thumb takes part. In games for more than two nothing is proved of where this leads."""

import argparse
import copy
import sys
import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError:
    sys.exit("PyTorch is not installed: uv run --with torch python …")

from tefuda.research.evaluation import evaluate
from tefuda.research.vector import Batch, VectorEnv

TABLES, STEPS = 256, 64
EPOCHS, MINIBATCH = 2, 2048
HIDDEN, LEARNING_RATE = 128, 5e-4
LAMBDA = 0.95
"""Of the advantages, from one decision of a seat to its next. Nothing is discounted."""

MAGNET, MIRROR, VALUE = 0.05, 0.5, 0.5
"""Weights of the divergences from the magnet and from the policy before the step, and of the value's fault."""

FOLLOW = 0.01
"""How far the magnet goes towards the policy after each step."""


class ActorCritic(nn.Module):
    """Logarithms of the chances of all actions, and what the seat may expect to gain."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.action, self.value = nn.Linear(HIDDEN, actions), nn.Linear(HIDDEN, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.body(observations.float())
        logits = self.action(hidden).masked_fill(~masks, -1e9)
        return logits.log_softmax(-1), self.value(hidden).squeeze(-1)


class Decisions(NamedTuple):
    """Decisions of all seats, in a row."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    before: Tensor  #: logarithms of the chances of all actions at the time
    gains: Tensor  #: how much better than expected the action was
    targets: Tensor  #: of the values


def advantages(seats: Any, values: Any, rewards: Any, ends: Any) -> Any:
    """How much better than expected each action was, seen from the same seat's next decision or the end of the deal;
    NaN where neither is known. Axis 0 is the step, axis 1 the table; axis 2 of the rewards is the seat."""
    found, tables = np.empty_like(values), np.arange(values.shape[1])
    worth, later = np.full_like(rewards[0], np.nan), np.zeros_like(rewards[0])  # of what comes next for each seat
    for step in reversed(range(len(values))):
        over = ends[step]
        worth[over], later[over] = rewards[step][over], 0
        own = (tables, seats[step])
        found[step] = worth[own] - values[step] + LAMBDA * later[own]
        worth[own], later[own] = values[step], np.nan_to_num(found[step])
    return found


@torch.no_grad()
def play(env: VectorEnv, batch: Batch, policy: ActorCritic, scale: float) -> tuple[Decisions, Batch]:
    """Play some steps; the decisions of which it is known where they led, and what is seen after them."""
    rows: list[tuple[Tensor, ...]] = []
    told: list[tuple[Any, ...]] = []
    for _ in range(STEPS):
        observations, masks = torch.from_numpy(batch.observations), torch.from_numpy(batch.masks)
        chances, value = policy(observations, masks)
        actions = chances.exp().multinomial(1)
        seats, batch = batch.seats, env.step(actions.squeeze(1))
        rows.append((observations, masks, actions, chances))
        told.append((seats, value.numpy(), batch.rewards / scale, batch.ends))
    seen = [torch.stack(column).flatten(0, 1) for column in zip(*rows, strict=True)]
    seats, values, rewards, ends = (np.stack(column) for column in zip(*told, strict=True))
    gains = torch.from_numpy(advantages(seats, values, rewards, ends)).flatten()
    known = ~gains.isnan()
    targets = gains + torch.from_numpy(values).flatten()
    return Decisions(*(column[known] for column in (*seen, gains, targets))), batch


def learn(policy: ActorCritic, magnet: ActorCritic, optimizer: torch.optim.Optimizer, played: Decisions) -> None:
    """Some steps of mirror descent, held back by the magnet."""
    with torch.no_grad():
        held, _ = magnet(played.observations, played.masks)
    gains = (played.gains - played.gains.mean()) / (played.gains.std() + 1e-8)
    for _ in range(EPOCHS):
        for part in torch.randperm(len(gains)).split(MINIBATCH):
            chances, value = policy(played.observations[part], played.masks[part])
            before, made = played.before[part], played.actions[part]
            ratio = (chances - before).gather(1, made).squeeze(1).exp()
            pull = MAGNET * (chances - held[part]) + MIRROR * (chances - before)
            fault = (value - played.targets[part]).square()
            loss = ((chances.exp() * pull).sum(1) + VALUE * fault - ratio * gains[part]).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
    with torch.no_grad():
        for own, other in zip(magnet.parameters(), policy.parameters(), strict=True):
            own.lerp_(other, FOLLOW)


def spread(env: VectorEnv, seed: int) -> float:
    """The standard deviation of what deals bring random players, which brings rewards to one size."""
    env.reset(seed=seed)
    batches = [env.step(env.sample()) for _ in range(4 * STEPS)]
    return float(np.concatenate([batch.rewards[batch.ends] for batch in batches]).std()) or 1.0


def train(game: str, minutes: float, seed: int) -> tuple[ActorCritic, int]:
    """Train for so many minutes; the policy, and how many decisions it has made."""
    torch.manual_seed(seed)
    env = VectorEnv(game, TABLES, reward="gain", skip_forced=True)
    policy = ActorCritic(env.observation.size, env.actions)
    magnet = copy.deepcopy(policy)
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE, eps=1e-5)
    scale, batch, decisions = spread(env, seed), env.reset(seed=seed), 0
    until = time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        played, batch = play(env, batch, policy, scale)
        learn(policy, magnet, optimizer, played)
        decisions += TABLES * STEPS
    env.close()
    return policy, decisions


def policy_of(model: ActorCritic) -> Any:
    """The trained model as ``evaluate`` takes it: its likeliest action."""

    @torch.no_grad()
    def policy(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.asarray(model(torch.from_numpy(observations), torch.from_numpy(masks))[0].argmax(1))

    return policy


def main(arguments: Any = None) -> None:
    """Train, and say what the policy gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=1000, help="of the evaluation (1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    model, decisions = train(given.game, given.minutes, given.seed)
    print(f"{decisions:,} decisions")
    for bot in ("random", "hints"):
        print(f"gain a deal over {bot}: {evaluate(policy_of(model), given.game, against=bot, deals=given.deals)}")


if __name__ == "__main__":
    main()
