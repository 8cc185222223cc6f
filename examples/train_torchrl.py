"""TorchRL's PPO at many tables at once, one seat against bots.

    uv run --extra gymnasium --with torchrl python examples/train_torchrl.py
    … --game luk-fu --opponents random --minutes 10

TorchRL wraps the vector environment of Gymnasium, collects, estimates the advantages, and brings the loss.
Tested with TorchRL 0.14.1 and TensorDict 0.14.3."""

import argparse
import sys
import time
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

try:
    import torch
    from tensordict.nn import TensorDictModule
    from torch import Tensor, nn
    from torchrl.collectors import Collector
    from torchrl.envs import GymWrapper
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE
except ModuleNotFoundError:
    sys.exit("TorchRL is not installed: uv run --extra gymnasium --with torchrl python …")

from tefuda.research.evaluation import evaluate
from tefuda.research.gymnasium import environment_id

TABLES, STEPS = 256, 64
EPOCHS, MINIBATCH = 2, 2048
HIDDEN, LEARNING_RATE = 128, 5e-4


class Perceptron(nn.Module):
    """Numbers from an observation."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, outputs)
        )

    def forward(self, observations: Tensor) -> Tensor:
        numbers: Tensor = self.layers(observations.float())
        return numbers


class Chances(MaskedCategorical):
    """The chances of the legal actions; masks are int8 in the environment."""

    def __init__(self, logits: Tensor, mask: Tensor) -> None:
        super().__init__(logits=logits, mask=mask.bool())


def train(game: str, opponents: str, minutes: float, seed: int) -> tuple[Perceptron, int]:
    """Train for so many minutes; the network of the policy, and how many decisions it has made."""
    torch.manual_seed(seed)
    settings = {"opponents": opponents, "reward": "gain", "autoreset_mode": "Disabled"}
    table = GymWrapper(
        gymnasium.make_vec(environment_id(game), num_envs=TABLES, **settings), categorical_action_encoding=True
    )
    table.set_seed(seed)
    spaces = table.single_observation_space
    inputs, actions = spaces["observation"].shape[0], spaces["action_mask"].shape[0]
    net = Perceptron(inputs, actions)
    actor = ProbabilisticActor(
        TensorDictModule(net, ["observation"], ["logits"]), in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=Chances, return_log_prob=True, spec=table.action_spec,
    )  # fmt: skip
    critic = ValueOperator(Perceptron(inputs, 1), ["observation"])
    advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5)
    optimizer = torch.optim.Adam(loss.parameters(), LEARNING_RATE, eps=1e-5)
    collector = Collector(table, actor, frames_per_batch=TABLES * STEPS, auto_register_policy_transforms=False)
    decisions, until, scale = 0, time.monotonic() + 60 * minutes, 0.0
    for played in collector:
        rewards = played["next", "reward"]
        scale = scale or float(rewards[played["next", "done"]].std()) or 1.0
        rewards /= scale
        with torch.no_grad():
            advantages(played)
        decisions += played.numel()
        rows = played.reshape(-1)
        for part in (part for _ in range(EPOCHS) for part in torch.randperm(len(rows)).split(MINIBATCH)):
            parts = loss(rows[part])
            optimizer.zero_grad()
            (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()
        if time.monotonic() > until:
            break
    table.close()
    return net, decisions


def policy_of(net: Perceptron) -> Any:
    """The trained network as ``evaluate`` takes it: its likeliest action."""

    @torch.no_grad()
    def policy(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.asarray(net(torch.from_numpy(observations)).masked_fill(~torch.from_numpy(masks), -1e9).argmax(1))

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
    net, decisions = train(given.game, given.opponents, given.minutes, given.seed)
    print(f"{decisions:,} decisions")
    for bot in ("random", "hints"):
        print(f"gain a deal over {bot}: {evaluate(policy_of(net), given.game, against=bot, deals=given.deals)}")


if __name__ == "__main__":
    main()
