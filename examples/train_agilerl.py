"""AgileRL's PPO at many tables at once, one seat against bots.

    uv run --extra gymnasium --with agilerl --with peft python examples/train_agilerl.py
    … --game luk-fu --opponents random --minutes 10

AgileRL collects from the vector environment of Gymnasium and learns; it looks for the legal actions among the infos.
One agent learns: its tournaments and mutations of a population go on top. Tested with AgileRL 2.58.0, which imports
PEFT without asking for it."""

import argparse
import sys
import time
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

try:
    import torch
    from agilerl.algorithms import PPO
    from agilerl.rollouts.on_policy import collect_rollouts
except ModuleNotFoundError:
    sys.exit("AgileRL is not installed: uv run --extra gymnasium --with agilerl --with peft python …")

from tefuda.research.evaluation import evaluate
from tefuda.research.gymnasium import environment_id

TABLES, STEPS = 256, 64
EPOCHS, MINIBATCH = 2, 2048
HIDDEN, LEARNING_RATE = 128, 5e-4

WHOLE_RETURNS = {"use_gae": False}
"""Every action is judged by what its deal brought. AgileRL's other estimate (GAE) ends a deal one action early, so that
what it brings, which comes with the last action, would teach no action but that one."""


class MaskAmongInfos(gymnasium.vector.VectorWrapper):
    """The environment as AgileRL reads it, with rewards of about one size."""

    scale = 1.0

    def reset(self, **options: Any) -> Any:
        seen, _ = self.env.reset(**options)
        return seen["observation"], {"action_mask": seen["action_mask"]}

    def step(self, actions: NDArray[np.int64]) -> Any:
        seen, rewards, ends, cut, _ = self.env.step(actions)
        return seen["observation"], rewards / self.scale, ends, cut, {"action_mask": seen["action_mask"]}


def spread(envs: Any, seed: int) -> float:
    """The standard deviation of what deals bring a random seat."""
    envs.reset(seed=seed)
    told = [envs.step(envs.raw.sample()) for _ in range(128)]
    return float(np.concatenate([rewards[ends] for _, rewards, ends, _, _ in told]).std()) or 1.0


def train(game: str, opponents: str, minutes: float, seed: int) -> tuple[PPO, int]:
    """Train for so many minutes; the agent, and how many decisions it has made."""
    torch.manual_seed(seed)
    np.random.seed(seed)
    table = gymnasium.make_vec(environment_id(game), num_envs=TABLES, opponents=opponents, reward="gain")
    envs = MaskAmongInfos(table)
    envs.scale = spread(table, seed)
    agent = PPO(
        table.single_observation_space["observation"], table.single_action_space,
        net_config={
            "latent_dim": HIDDEN, "encoder_config": {"hidden_size": [HIDDEN]}, "head_config": {"hidden_size": [HIDDEN]},
        },
        num_envs=TABLES, learn_step=TABLES * STEPS, batch_size=MINIBATCH, update_epochs=EPOCHS,
        lr=LEARNING_RATE, gamma=1.0, rollout_buffer_config=WHOLE_RETURNS,
    )  # fmt: skip
    seen, infos = envs.reset(seed=seed)
    last = [seen, np.zeros(TABLES, np.bool_), np.zeros(TABLES), infos]
    decisions, until = 0, time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        _, *last = collect_rollouts(
            agent, envs, last_obs=last[0], last_done=last[1], last_scores=last[2], last_info=last[3]
        )
        agent.learn()
        decisions += TABLES * STEPS
    envs.close()
    return agent, decisions


def policy_of(agent: PPO) -> Any:
    """The trained agent as ``evaluate`` takes it: its likeliest action."""

    @torch.no_grad()
    def policy(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        agent.actor(agent.preprocess_observation(observations), action_mask=masks)
        return np.asarray(agent.actor.head_net.dist.logits.argmax(1))

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
    agent, decisions = train(given.game, given.opponents, given.minutes, given.seed)
    print(f"{decisions:,} decisions")
    for bot in ("random", "hints"):
        print(f"gain a deal over {bot}: {evaluate(policy_of(agent), given.game, against=bot, deals=given.deals)}")


if __name__ == "__main__":
    main()
