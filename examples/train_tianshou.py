"""Tianshou's multi-agent DQN on PettingZoo: every seat is an agent, and all share one network.

    uv run --extra pettingzoo --with "tianshou>=2" python examples/train_tianshou.py
    … --game sap-ng-wu --minutes 10

Tianshou steps its environments one by one and learns after every few steps, so it sees far fewer deals than the
examples on ``VectorEnv``; it is here to show that the environment fits."""

import argparse
import logging
import sys
import time
from contextlib import redirect_stderr
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import torch
    from tianshou.algorithm import DQN
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv
    from tianshou.trainer import OffPolicyTrainerParams
    from tianshou.utils.net.common import Net
except ModuleNotFoundError:
    sys.exit('Tianshou is not installed: uv run --extra pettingzoo --with "tianshou>=2" python …')

from tefuda.research.evaluation import evaluate
from tefuda.research.pettingzoo import env

ENVIRONMENTS = 8
STEPS = 512
"""Of all environments between two rounds of learning."""

KEPT = 100_000
"""Steps that are remembered."""

WHOLE_DEAL = 128
"""Steps to the end of a deal at most. Tianshou takes the next player's observation for an agent's own next one, so
nothing may be learned from what the network says of it: the target of an action is what the deal brought in the end."""


class Scaled(PettingZooEnv):
    """Tianshou's view of a deal, with rewards of about one size."""

    def __init__(self, game: str, scale: float) -> None:
        self._scale = scale
        super().__init__(env(game, reward="gain"))

    def step(self, action: Any) -> Any:
        seen, rewards, *rest = super().step(action)
        return seen, [reward / self._scale for reward in rewards], *rest


def train(game: str, minutes: float, seed: int) -> tuple[Any, int]:
    """Train for so many minutes; the policy of all seats, and how many decisions they have made."""
    logging.getLogger("tianshou").setLevel(logging.ERROR)
    torch.manual_seed(seed)
    np.random.seed(seed)
    scale = float(np.std([each for k in range(64) for each in random_rewards(game, seed + k)])) or 1.0
    table = Scaled(game, scale)
    inputs = table.observation_space["observation"].shape
    net = Net(state_shape=inputs, action_shape=table.action_space.n, hidden_sizes=(256, 256))
    policy = DiscreteQLearningPolicy(
        model=net, action_space=table.action_space, observation_space=table.observation_space, eps_training=0.1
    )
    shared: Any = DQN(policy=policy, optim=AdamOptimizerFactory(lr=5e-4), gamma=1.0, n_step_return_horizon=WHOLE_DEAL)
    agents = MultiAgentOffPolicyAlgorithm(algorithms=[shared] * len(table.agents), env=table)
    envs = DummyVectorEnv([lambda: Scaled(game, scale)] * ENVIRONMENTS)
    collector = Collector(agents, envs, VectorReplayBuffer(KEPT, ENVIRONMENTS), exploration_noise=True)
    until, decisions = time.monotonic() + 60 * minutes, 0
    collector.reset()
    while time.monotonic() < until:
        params = OffPolicyTrainerParams(
            training_collector=collector, max_epochs=1, epoch_num_steps=8 * STEPS, collection_step_num_env_steps=STEPS,
            batch_size=512, update_step_num_gradient_steps_per_sample=0.04, verbose=False, show_progress=False,
        )  # fmt: skip
        with redirect_stderr(StringIO()):  # a bar for every round of learning, which no setting turns off
            agents.run_training(params)
        decisions += 8 * STEPS
    return policy, decisions


def random_rewards(game: str, seed: int) -> list[float]:
    """What a deal between random players brings the seats."""
    table = env(game, reward="gain")
    table.reset(seed=seed)
    found: list[float] = []
    for agent in table.agent_iter():
        seen, _, terminated, truncated, _ = table.last()
        found = [float(reward) for reward in table.rewards.values()] or found
        done = terminated or truncated or seen is None
        table.step(None if done else table.action_space(agent).sample(seen["action_mask"]))
    return found


def policy_of(trained: Any) -> Any:
    """The trained policy as ``evaluate`` takes it."""

    @torch.no_grad()
    def policy(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        values = trained.model(torch.from_numpy(observations).float())[0].numpy()
        return np.asarray(np.where(masks, values, -np.inf).argmax(1))

    return policy


def main(arguments: Any = None) -> None:
    """Train, and say what the policy gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=1000, help="of the evaluation (1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    trained, decisions = train(given.game, given.minutes, given.seed)
    print(f"{decisions:,} decisions")
    for bot in ("random", "hints"):
        print(f"gain a deal over {bot}: {evaluate(policy_of(trained), given.game, against=bot, deals=given.deals)}")


if __name__ == "__main__":
    main()
