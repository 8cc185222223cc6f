"""RLlib's PPO with a network of one's own that masks, one seat against bots.

    uv run --extra gymnasium --with "ray[rllib]" --with torch python examples/train_rllib.py
    … --game luk-fu --opponents random --minutes 10

RLlib steps its environments one by one, so most of the time goes into Python. Tested with Ray 2.60.0
and Gymnasium 1.4.0 and 1.2.2."""

import argparse
import logging
import sys
import time
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

try:
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPO, PPOConfig
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis import ValueFunctionAPI
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.tune.registry import register_env
    from torch import Tensor, nn
except ImportError:  # Ray itself may be there without what RLlib needs
    sys.exit('RLlib is not installed: uv run --extra gymnasium --with "ray[rllib]" --with torch python …')

from tefuda.research.evaluation import evaluate
from tefuda.research.gymnasium import environment_id

ENVIRONMENTS = 16
STEPS = 4096
"""Of all environments between two updates."""

HIDDEN = 128


class ActorCritic(TorchRLModule, ValueFunctionAPI):
    """Logits of the legal actions, and what the seat may expect to gain."""

    def setup(self) -> None:
        inputs, actions = self.observation_space["observation"].shape[0], int(self.action_space.n)
        self.body = nn.Sequential(nn.Linear(inputs, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.action, self.value = nn.Linear(HIDDEN, actions), nn.Linear(HIDDEN, 1)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Tensor]:
        seen = batch[Columns.OBS]
        logits = self.action(self.body(seen["observation"].float()))
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, -1e9)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        values: Tensor = self.value(self.body(batch[Columns.OBS]["observation"].float())).squeeze(-1)
        return values


def make(settings: dict[str, Any]) -> gymnasium.Env[Any, Any]:
    """The environment of one table, with rewards of about one size."""
    scale = settings["scale"]
    table = gymnasium.make(environment_id(settings["game"]), opponents=settings["opponents"], reward="gain")
    return gymnasium.wrappers.TransformReward(table, lambda reward: float(reward) / scale)


def spread(game: str, opponents: str, seed: int) -> float:
    """The standard deviation of what deals bring a random seat."""
    envs = gymnasium.make_vec(environment_id(game), num_envs=256, opponents=opponents, reward="gain")
    envs.reset(seed=seed)
    told = [envs.step(envs.raw.sample()) for _ in range(128)]
    envs.close()
    return float(np.concatenate([rewards[ends] for _, rewards, ends, _, _ in told]).std()) or 1.0


def train(game: str, opponents: str, minutes: float, seed: int) -> tuple[Any, int]:
    """Train for so many minutes; the module of the policy, and how many decisions it has made."""
    settings = {"game": game, "opponents": opponents, "scale": spread(game, opponents, seed)}
    register_env("tefuda", make)
    config = (
        PPOConfig()
        .environment("tefuda", env_config=settings)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=ENVIRONMENTS)
        .learners(num_learners=0)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActorCritic))
        .training(
            train_batch_size_per_learner=STEPS, minibatch_size=512, num_epochs=2, gamma=1.0, lambda_=0.95,
            lr=5e-4, entropy_coeff=0.01, vf_loss_coeff=0.5, use_kl_loss=False, clip_param=0.2, grad_clip=0.5,
        )
        .debugging(seed=seed, log_level=logging.ERROR)
    )  # fmt: skip
    algorithm: PPO = config.build_algo()
    decisions, until = 0, time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        found = algorithm.train()
        decisions = int(found["env_runners"]["num_env_steps_sampled_lifetime"])
    module = algorithm.get_module()
    algorithm.stop()
    ray.shutdown()
    return module, decisions


def policy_of(module: Any) -> Any:
    """The trained module as ``evaluate`` takes it: its likeliest action."""

    @torch.no_grad()
    def policy(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        seen = {"observation": torch.from_numpy(observations), "action_mask": torch.from_numpy(masks)}
        return np.asarray(module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS].argmax(1))

    return policy


def main(arguments: Any = None) -> None:
    """Train, and say what the policy gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--opponents", default="hints", help="bots in the other seats (hints)")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=1000, help="of the evaluation (1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    module, decisions = train(given.game, given.opponents, given.minutes, given.seed)
    print(f"{decisions:,} decisions")
    for bot in ("random", "hints"):
        print(f"gain a deal over {bot}: {evaluate(policy_of(module), given.game, against=bot, deals=given.deals)}")


if __name__ == "__main__":
    main()
