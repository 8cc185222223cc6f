"""PPO in one file, in the manner of CleanRL, on a vector environment of Gymnasium.

    uv run --extra gymnasium --with torch python examples/train_ppo.py
    … --game luk-fu --opponents net --minutes 10

One seat of every table learns, bots play the others. Deals end at different steps at different tables; the advantages
know (generalized advantage estimation, with the reward at the end of the deal)."""

import argparse
import sys
import time
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError:
    sys.exit("PyTorch is not installed: uv run --extra gymnasium --with torch python …")

from tefuda.research.evaluation import evaluate
from tefuda.research.gymnasium import environment_id

TABLES, STEPS = 256, 64
EPOCHS, MINIBATCH = 3, 2048
HIDDEN = 256
LEARNING_RATE = 5e-4
LAMBDA = 0.95
"""Of the advantages. Nothing is discounted: a deal is short, and pays at its end."""

CLIP, ENTROPY, VALUE = 0.2, 0.01, 0.5


class ActorCritic(nn.Module):
    """Logits of all actions, and what the seat may expect to gain."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.action, self.value = nn.Linear(HIDDEN, actions), nn.Linear(HIDDEN, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[torch.distributions.Categorical, Tensor]:
        hidden = self.body(observations.float())
        logits = self.action(hidden).masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)


class Rollout(NamedTuple):
    """Some steps of all tables: axis 0 the step, axis 1 the table."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    chances: Tensor
    """logarithms of the chances with which the actions were chosen"""
    values: Tensor
    """with one row more, for what comes after the last step"""
    rewards: Tensor
    ends: Tensor


class Scale:
    """Brings rewards of any game to one size: the standard deviation of those that were seen."""

    def __init__(self) -> None:
        self.count, self.squares = 1, 1.0

    def __call__(self, rewards: Tensor, ends: Tensor) -> Tensor:
        paid = rewards[ends]
        self.count += len(paid)
        self.squares += float(paid.square().sum())
        return rewards / (self.squares / self.count) ** 0.5


def look(seen: dict[str, NDArray[np.int8]]) -> tuple[Tensor, Tensor]:
    """Observations and masks as tensors."""
    return torch.from_numpy(seen["observation"]), torch.from_numpy(seen["action_mask"]).bool()


@torch.no_grad()
def play(envs: gymnasium.vector.VectorEnv[Any, Any, Any], seen: Any, policy: ActorCritic) -> tuple[Rollout, Any]:
    """Play some steps; what was played, and what is seen after it."""
    rows: list[tuple[Tensor, ...]] = []
    for _ in range(STEPS):
        observations, masks = look(seen)
        choice, value = policy(observations, masks)
        actions = choice.sample()
        seen, rewards, ends, _, _ = envs.step(actions.numpy())
        told = torch.from_numpy(rewards).float(), torch.from_numpy(ends)
        rows.append((observations, masks, actions, choice.log_prob(actions), value, *told))
    columns = [torch.stack(column) for column in zip(*rows, strict=True)]
    columns[4] = torch.cat([columns[4], policy(*look(seen))[1][None]])
    return Rollout(*columns), seen


def advantages(rollout: Rollout) -> Tensor:
    """How much better than expected each action was; what comes after the end of a deal does not count."""
    found, later = torch.zeros_like(rollout.rewards), torch.zeros(TABLES)
    for step in reversed(range(STEPS)):
        goes_on = (~rollout.ends[step]).float()
        surprise = rollout.rewards[step] + goes_on * rollout.values[step + 1] - rollout.values[step]
        found[step] = later = surprise + LAMBDA * goes_on * later
    return found


def learn(policy: ActorCritic, optimizer: torch.optim.Optimizer, rollout: Rollout) -> None:
    """PPO's clipped step."""
    gains = advantages(rollout)
    targets = (gains + rollout.values[:-1]).flatten()
    gains = gains.flatten()
    played = [each.flatten(0, 1) for each in rollout[:4]]
    for _ in range(EPOCHS):
        for part in torch.randperm(len(gains)).split(MINIBATCH):
            observations, masks, actions, before = (each[part] for each in played)
            choice, value = policy(observations, masks)
            ratio = (choice.log_prob(actions) - before).exp()
            gain = (gains[part] - gains[part].mean()) / (gains[part].std() + 1e-8)
            improvement = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            fault = (value - targets[part]).square().mean()
            loss = VALUE * fault - improvement - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def train(game: str, opponents: str, minutes: float, seed: int) -> tuple[ActorCritic, int]:
    """Train for so many minutes; the policy, and how many decisions it has made."""
    torch.manual_seed(seed)
    settings = {"opponents": opponents, "reward": "gain"}
    envs = gymnasium.make_vec(environment_id(game), num_envs=TABLES, **settings)
    spaces = envs.single_observation_space
    policy = ActorCritic(spaces["observation"].shape[0], spaces["action_mask"].shape[0])
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE, eps=1e-5)
    seen, _ = envs.reset(seed=seed)
    scale, decisions, until = Scale(), 0, time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        rollout, seen = play(envs, seen, policy)
        learn(policy, optimizer, rollout._replace(rewards=scale(rollout.rewards, rollout.ends)))
        decisions += TABLES * STEPS
    envs.close()
    return policy, decisions


def policy_of(model: ActorCritic) -> Any:
    """The trained model as ``evaluate`` takes it: its likeliest action."""

    @torch.no_grad()
    def policy(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        choice, _ = model(torch.from_numpy(observations), torch.from_numpy(masks))
        return np.asarray(choice.probs.argmax(1))

    return policy


def main(arguments: Any = None) -> None:
    """Train, and say what the policy gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--opponents", default="hints", help="bots in the other seats: random, hints or net (hints)")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=1000, help="of the evaluation (1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    model, decisions = train(given.game, given.opponents, given.minutes, given.seed)
    print(f"{decisions:,} decisions")
    for bot in ("random", "hints"):
        print(f"gain a deal over {bot}: {evaluate(policy_of(model), given.game, against=bot, deals=given.deals)}")


if __name__ == "__main__":
    main()
