"""Neural fictitious self-play: a network learns the best answer to how all have played, another what that average is.

    uv run --with torch python examples/train_nfsp.py
    … --game kakkuri --minutes 10

After Heinrich and Silver, *Deep Reinforcement Learning from Self-Play in Imperfect-Information Games* (2016), with both
networks shared by all seats. Before each deal each seat draws what it plays: now and then the best response, which a
double DQN learns from all decisions, else the average policy, which is taught what the best responses have done. No bot
and no rule of thumb takes part."""

import argparse
import copy
import sys
import time
from collections import deque
from itertools import pairwise
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
RESPOND, EXPLORE = 0.25, 0.06
"""How often a seat plays the best response in a deal, and how often that plays anything legal."""

REMEMBERED, KEPT = 16, 100_000
"""Rounds of play from which the best response learns, and decisions that the average policy is taught."""

UPDATES, RENEW = 24, 4
"""Steps of learning after a round, and rounds after which the targets of the best response are renewed."""

MINIBATCH = 1024
HIDDEN, LEARNING_RATE = 128, 1e-3


class Played(NamedTuple):
    """A round of play, all steps of all tables in a row."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    responds: Tensor  #: played by the best response
    later: Tensor  #: place of the same seat's next decision in the deal; −1 if the deal ended, −2 if not known
    brought: Tensor  #: what the deal's end brought, where later is −1


class Reservoir:
    """Decisions, each of all that there ever were as likely to be kept."""

    def __init__(self, *examples: Tensor) -> None:
        self.count, self.columns = 0, [each.new_empty((KEPT, *each.shape[1:])) for each in examples]

    def add(self, *columns: Tensor) -> None:
        numbers = self.count + torch.arange(len(columns[0]))
        places = torch.where(numbers < KEPT, numbers, (torch.rand(len(numbers)) * (numbers + 1)).long())
        self.count += len(numbers)
        for mine, new in zip(self.columns, columns, strict=True):
            mine[places[places < KEPT]] = new[places < KEPT]

    def draw(self, size: int) -> list[Tensor]:
        places = torch.randint(min(self.count, KEPT), (size,))
        return [each[places] for each in self.columns]


def network(env: VectorEnv) -> nn.Sequential:
    """Numbers for all actions: logits of the average policy, values of the best response."""
    sizes = env.observation.size, HIDDEN, HIDDEN, env.actions
    first, second, third = (nn.Linear(*pair) for pair in pairwise(sizes))
    return nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), third)


def rate(net: nn.Module, observations: Tensor, masks: Tensor) -> Tensor:
    """The network's numbers, −1e9 for what is not legal."""
    rated: Tensor = net(observations.float())
    return rated.masked_fill(~masks, -1e9)


class Learner:
    """Both networks and what they remember."""

    def __init__(self, game: str, seed: int) -> None:
        torch.manual_seed(seed)
        self.env = VectorEnv(game, TABLES, reward="gain", skip_forced=True)
        self.best, self.average = network(self.env), network(self.env)
        self.target = copy.deepcopy(self.best)
        self.optimizers = [torch.optim.Adam(net.parameters(), LEARNING_RATE) for net in (self.best, self.average)]
        self.rounds: deque[Played] = deque(maxlen=REMEMBERED)
        self.batch = self.env.reset(seed=seed)
        self.responding = torch.rand(TABLES, self.env.seats) < RESPOND
        self.taught: Reservoir | None = None
        self.scale = 0.0  # the spread of what deals bring

    @torch.no_grad()
    def choose(self, batch: Batch) -> tuple[Tensor, ...]:
        """What is seen, what each table's seat does, and whether that is its best response."""
        observations, masks = torch.from_numpy(batch.observations), torch.from_numpy(batch.masks)
        responds = self.responding[torch.arange(TABLES), torch.from_numpy(batch.seats).long()]
        actions = rate(self.average, observations, masks).softmax(1).multinomial(1).squeeze(1)
        best = rate(self.best, observations, masks).argmax(1)
        best = torch.where(torch.rand(TABLES) < EXPLORE, torch.from_numpy(self.env.sample()), best)
        return observations, masks, torch.where(responds, best, actions), responds

    def play(self) -> None:
        """Play a round, and remember it."""
        rows: list[tuple[Tensor, ...]] = []
        told: list[tuple[Any, ...]] = []
        for _ in range(STEPS):
            rows.append(self.choose(self.batch))
            seats, self.batch = self.batch.seats, self.env.step(rows[-1][2])
            told.append((seats, self.batch.rewards, self.batch.ends))
            anew = torch.from_numpy(self.batch.ends)[:, None]
            self.responding = torch.where(anew, torch.rand(self.responding.shape) < RESPOND, self.responding)
        self.scale = self.scale or float(np.concatenate([rewards[ends] for _, rewards, ends in told]).std()) or 1.0
        later, brought = follow(told)
        columns = [torch.stack(column).flatten(0, 1) for column in zip(*rows, strict=True)]
        played = Played(*[*columns, later, brought])
        self.rounds.append(played)
        first = [column[played.responds] for column in played[:3]]
        self.taught = self.taught or Reservoir(*first)
        self.taught.add(*first)

    def learn(self) -> None:
        """Some steps of both networks."""
        assert self.taught is not None
        for _ in range(UPDATES):
            played = self.rounds[int(torch.randint(len(self.rounds), ()))]
            rows = torch.randint(len(played.actions), (MINIBATCH,))
            rows = rows[played.later[rows] > -2]
            values = self.best(played.observations[rows].float()).gather(1, played.actions[rows, None]).squeeze(1)
            fault = nn.functional.smooth_l1_loss(values, self.worth(played, rows))
            observations, masks, actions = self.taught.draw(MINIBATCH)
            unlike = nn.functional.cross_entropy(rate(self.average, observations, masks), actions)
            for optimizer, loss in zip(self.optimizers, (fault, unlike), strict=True):
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

    @torch.no_grad()
    def worth(self, played: Played, rows: Tensor) -> Tensor:
        """What the decisions led to: the end of the deal, or the same seat's next decision."""
        later = played.later[rows].clamp(min=0)
        observations, masks = played.observations[later], played.masks[later]
        chosen = rate(self.best, observations, masks).argmax(1, keepdim=True)
        after = self.target(observations.float()).gather(1, chosen).squeeze(1)
        return torch.where(played.later[rows] < 0, played.brought[rows] / self.scale, after)


def follow(told: list[tuple[Any, ...]]) -> tuple[Tensor, Tensor]:
    """Where each decision's seat decides next, and what the end of the deal brought it, from seats, rewards and ends of
    each step."""
    tables = np.arange(TABLES)
    after, paid = np.full(told[0][1].shape, -2), np.zeros(told[0][1].shape, np.float32)
    later, brought = np.empty((STEPS, TABLES), np.int64), np.empty((STEPS, TABLES), np.float32)
    for step, (seats, rewards, ends) in reversed(list(enumerate(told))):
        after[ends], paid[ends] = -1, rewards[ends]
        later[step], brought[step] = after[tables, seats], paid[tables, seats]
        after[tables, seats] = step * TABLES + tables
    return torch.from_numpy(later).flatten(), torch.from_numpy(brought).flatten()


def train(game: str, minutes: float, seed: int) -> tuple[nn.Module, int]:
    """Train for so many minutes; the average policy, and how many decisions all have made."""
    learner, until, rounds = Learner(game, seed), time.monotonic() + 60 * minutes, 0
    while time.monotonic() < until:
        if rounds % RENEW == 0:
            learner.target.load_state_dict(learner.best.state_dict())
        learner.play()
        learner.learn()
        rounds += 1
    learner.env.close()
    return learner.average, rounds * TABLES * STEPS


def policy_of(average: nn.Module) -> Any:
    """The average policy as ``evaluate`` takes it: its likeliest action."""

    @torch.no_grad()
    def policy(observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.asarray(rate(average, torch.from_numpy(observations), torch.from_numpy(masks)).argmax(1))

    return policy


def main(arguments: Any = None) -> None:
    """Train, and say what the average policy gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=1000, help="of the evaluation (1000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    average, decisions = train(given.game, given.minutes, given.seed)
    print(f"{decisions:,} decisions")
    for bot in ("random", "hints"):
        print(f"gain a deal over {bot}: {evaluate(policy_of(average), given.game, against=bot, deals=given.deals)}")


if __name__ == "__main__":
    main()
