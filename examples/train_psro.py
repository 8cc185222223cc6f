"""Policy-space response oracles: a population grows by the best response to a mixture of its policies.

    uv run --with torch python examples/train_psro.py
    … --game kakkuri --minutes 10

After Lanctot and others, *A Unified Game-Theoretic Approach to Multiagent Reinforcement Learning* (NeurIPS 2017). The
population begins with ``random``. PPO learns each response, from the latest one, with one seat against policies drawn
from the mixture. Duplicate deals estimate what each policy gains against each other, and projected replicator dynamics
find the next mixture. No rule of thumb takes part. In games for more than two no equilibrium is promised."""

import argparse
import sys
import time
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError:
    sys.exit("PyTorch is not installed: uv run --with torch python …")

from tefuda.bots.net import ModelCard, Network, Weights
from tefuda.engine.estimates import Estimate
from tefuda.research.evaluation import evaluate
from tefuda.research.vector import Batch, VectorEnv

RESPONSES = 5
"""How many policies are learned, each in an equal part of the time."""

GROUPS, TABLES, STEPS = 6, 48, 64
"""Groups of tables, each with its own draw of opponents, and the size of a round."""

EPOCHS, MINIBATCH = 2, 2048
HIDDEN, LEARNING_RATE = 128, 5e-4
LAMBDA, CLIP, ENTROPY, VALUE = 0.95, 0.2, 0.01, 0.5
PAYOFF_DEALS = 100
"""On which the gain of one policy against another is estimated."""

LEAST = 0.01
"""What each policy keeps of the mixture."""

Player = Network | str


class ActorCritic(nn.Module):
    """The policy, and what the seat may expect to gain."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.action, self.value = nn.Linear(HIDDEN, actions), nn.Linear(HIDDEN, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[torch.distributions.Categorical, Tensor]:
        hidden = self.body(observations.float())
        logits = self.action(hidden).masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)

    def player(self, env: VectorEnv) -> Network:
        """The policy as it is now, which then makes its likeliest action in compiled code."""
        layers: list[Any] = [self.body[0], self.body[2], self.action]
        arrays = [[each.numpy(force=True).T.copy() for each in (layer.weight, layer.bias)] for layer in layers]
        weights, biases = zip(*arrays, strict=True)
        game, planes = env.game.description, [(plane.name, plane.size) for plane in env.observation.planes]
        card = ModelCard(game.name, game.rules_version, env.seats, {}, (), planes)
        return Network(card, Weights(weights, biases), game)


def look(batches: list[Batch]) -> tuple[Tensor, Tensor]:
    """What the learner sees at the tables of all groups, and its legal actions."""
    observations, masks = (np.concatenate([batch[k] for batch in batches]) for k in (0, 1))
    return torch.from_numpy(observations), torch.from_numpy(masks)


@torch.no_grad()
def play(envs: list[VectorEnv], policy: ActorCritic) -> tuple[list[Tensor], Tensor, Tensor, Tensor]:
    """A round: what was seen, done, how likely that was; values, with those of what comes next; rewards and ends."""
    rows, values, told = [], [], []
    batches = [env.batch() for env in envs]
    for _ in range(STEPS):
        observations, masks = look(batches)
        choice, value = policy(observations, masks)
        actions = choice.sample()
        rows.append((observations, masks, actions, choice.log_prob(actions)))
        values.append(value)
        batches = [env.step(part) for env, part in zip(envs, actions.split(TABLES), strict=True)]
        own = [batch.rewards[env.learners] for env, batch in zip(envs, batches, strict=True)]
        told.append((np.concatenate(own), np.concatenate([batch.ends for batch in batches])))
    values.append(policy(*look(batches))[1])
    rewards, ends = (torch.from_numpy(np.stack(column)) for column in zip(*told, strict=True))
    return [torch.cat(column) for column in zip(*rows, strict=True)], torch.stack(values), rewards, ends


def learn(
    policy: ActorCritic, optimizer: torch.optim.Optimizer, played: list[Tensor], gains: Tensor, to: Tensor
) -> None:
    """PPO's clipped steps; ``gains`` are the advantages, ``to`` the targets of the values."""
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for part in (part for _ in range(EPOCHS) for part in torch.randperm(len(gains)).split(MINIBATCH)):
        observations, masks, actions, before = (each[part] for each in played)
        choice, value = policy(observations, masks)
        ratio = (choice.log_prob(actions) - before).exp()
        improvement = torch.minimum(ratio * gains[part], ratio.clamp(1 - CLIP, 1 + CLIP) * gains[part])
        loss = (VALUE * (value - to[part]).square() - improvement - ENTROPY * choice.entropy()).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimizer.step()


def respond(policy: ActorCritic, envs: list[VectorEnv], scale: float, seconds: float) -> int:
    """Teach the policy to gain as much as it can at these tables; how many decisions it has made."""
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE, eps=1e-5)
    decisions, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        played, values, rewards, ends = play(envs, policy)
        gains, later = torch.zeros_like(rewards), torch.zeros(GROUPS * TABLES)
        for step in reversed(range(STEPS)):
            goes_on = (~ends[step]).float()
            surprise = rewards[step] / scale + goes_on * values[step + 1] - values[step]
            gains[step] = later = surprise + LAMBDA * goes_on * later
        learn(policy, optimizer, played, gains.flatten(), (gains + values[:-1]).flatten())
        decisions += rewards.numel()
    return decisions


def mix(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mixture of policies that projected replicator dynamics find, the mean of their second half, since they may go
    round in circles. ``gains[i, j]`` is what policy i gains in one seat where j plays the others; against a mixture it
    is taken to gain the mean over the mixture's policies."""
    shares, rate = np.full(len(gains), 1 / len(gains)), 0.01 / (np.abs(gains).max() or 1.0)
    path = np.empty((20_000, len(gains)))
    for step in range(len(path)):
        fitness = gains @ shares
        shares = np.maximum(shares * (1 + rate * (fitness - shares @ fitness)), LEAST)
        path[step] = shares = shares / shares.sum()
    return np.asarray(path[len(path) // 2 :].mean(0))


def train(game: str, minutes: float, seed: int) -> tuple[list[Player], NDArray[np.float64], int]:
    """Train for so many minutes; the population, its mixture, and how many decisions have been learned from."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    plain = VectorEnv(game, GROUPS * TABLES, reward="gain", skip_forced=True)
    plain.reset(seed=seed)
    first = [plain.step(plain.sample()) for _ in range(4 * STEPS)]
    scale = float(np.concatenate([batch.rewards[batch.ends] for batch in first]).std()) or 1.0
    policy = ActorCritic(plain.observation.size, plain.actions)
    population: list[Player] = ["random"]
    gains, mixture, decisions = np.zeros((RESPONSES + 1, RESPONSES + 1)), np.ones(1), 0
    for size in range(1, RESPONSES + 1):
        drawn = random.choice(len(population), (GROUPS, plain.seats - 1), p=mixture)
        bots = [{seat: population[k] for seat, k in enumerate(row, 1)} for row in drawn]
        envs = [VectorEnv(game, TABLES, reward="gain", skip_forced=True, bots=each, rotate=True) for each in bots]
        for k, env in enumerate(envs):
            env.reset(seed=(seed, size, k))
        decisions += respond(policy, envs, scale, 60 * minutes / RESPONSES)
        population.append(policy.player(plain))
        for i, j in product(range(size + 1), repeat=2):
            if size in (i, j) and i != j:  # a policy gains nothing against itself
                gains[i, j] = evaluate(population[i], game, population[j], deals=PAYOFF_DEALS, seed=seed).mean
        mixture = mix(gains[: size + 1, : size + 1])
        print(f"mixture of {size + 1}: {' '.join(f'{share:.2f}' for share in mixture)}")
    return population, mixture, decisions


def main(arguments: Any = None) -> None:
    """Train, and say what the mixture gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=1000, help="of the evaluation (1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    population, mixture, decisions = train(given.game, given.minutes, given.seed)
    print(f"{decisions:,} decisions")
    for bot in ("random", "hints"):
        found = [evaluate(each, given.game, bot, deals=given.deals) for each in population]
        gain = float(mixture @ [each.mean for each in found])
        # The margin is at most this: all policies get the same cards.
        margin = float(mixture @ [each.margin or 0.0 for each in found])
        print(f"gain a deal over {bot}: {Estimate(gain, margin)}")


if __name__ == "__main__":
    main()
