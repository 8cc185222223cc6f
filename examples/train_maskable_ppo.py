"""MaskablePPO of sb3-contrib, one seat against bots.

    uv run --extra gymnasium --with sb3-contrib python examples/train_maskable_ppo.py
    … --game luk-fu --opponents random --minutes 10

Stable-Baselines3 steps its environments one by one, so most of the time goes into Python. ``train_ppo.py`` does the
same at many tables at once."""

import argparse
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.vec_env import VecNormalize
except ModuleNotFoundError:
    sys.exit("sb3-contrib is not installed: uv run --extra gymnasium --with sb3-contrib python …")

from tefuda.research.evaluation import evaluate
from tefuda.research.gymnasium import environment_id

ENVIRONMENTS = 16
STEPS = 256
"""Of each environment between two updates."""


class TimeLimit(BaseCallback):
    """Ends the training after so many minutes."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self._until = time.monotonic() + 60 * minutes

    def _on_step(self) -> bool:
        return time.monotonic() < self._until


def train(game: str, opponents: str, minutes: float, seed: int) -> MaskablePPO:
    """Train for so many minutes. Rewards are what the seat gains over the others, brought to one size."""
    settings = {"opponents": opponents, "reward": "gain", "render_mode": None}
    envs = make_vec_env(environment_id(game), ENVIRONMENTS, seed=seed, env_kwargs=settings)
    model = MaskablePPO(
        "MultiInputPolicy",
        VecNormalize(envs, norm_obs=False, gamma=1.0),
        n_steps=STEPS, batch_size=512, n_epochs=4, gamma=1.0, ent_coef=0.01, learning_rate=5e-4, seed=seed,
        device="cpu",
    )  # fmt: skip
    return model.learn(sys.maxsize, TimeLimit(minutes))


def policy_of(model: MaskablePPO) -> Any:
    """The trained model as ``evaluate`` takes it."""

    def policy(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        seen = {"observation": observations, "action_mask": masks.astype(np.int8)}
        return np.asarray(model.predict(seen, action_masks=masks, deterministic=True)[0])

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
    model = train(given.game, given.opponents, given.minutes, given.seed)
    print(f"{model.num_timesteps:,} decisions")
    for bot in ("random", "hints"):
        print(f"gain a deal over {bot}: {evaluate(policy_of(model), given.game, against=bot, deals=given.deals)}")


if __name__ == "__main__":
    main()
