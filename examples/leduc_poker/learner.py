"""A player that learns Leduc poker by itself, in seconds, and beats the rules of thumb: a table of values, no network.

    uv run --with ./examples/leduc_poker python examples/leduc_poker/learner.py

At every table ``hints`` plays one seat and the learner the other; at half of the tables the learner acts first. What
each action has brought on average after each observation is all that is learned (Monte Carlo control). Then
``evaluate`` plays duplicate deals, in which both sit in both seats with the same cards."""

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.estimates import Estimate
from tefuda.research.evaluation import evaluate
from tefuda.research.vector import VectorEnv

GAME = "leduc-poker"
TABLES = 2048
OPENNESS = 0.2
"""Share of decisions in which the learner tries any action."""

MOST_DECISIONS = 4
"""Of a seat in a deal: a check or a bet, and an answer, in each of two rounds."""


class ValueTable:
    """What each action was worth on average wherever something was observed; grows as more is observed."""

    def __init__(self, actions: int) -> None:
        self.sums, self.visits = np.zeros((0, actions)), np.zeros((0, actions))
        self._rows: dict[bytes, int] = {}

    def rows(self, observations: NDArray[np.int8]) -> NDArray[np.int64]:
        """The row of every observation; new ones get rows of 0."""
        different, where = np.unique(observations, axis=0, return_inverse=True)
        found = [self._rows.setdefault(each.tobytes(), len(self._rows)) for each in different]
        new = ((0, len(self._rows) - len(self.sums)), (0, 0))
        self.sums, self.visits = np.pad(self.sums, new), np.pad(self.visits, new)
        rows: NDArray[np.int64] = np.array(found)[where.ravel()]
        return rows

    def best(self, rows: NDArray[np.int64], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The legal action with the highest mean; those never tried count 0."""
        means = self.sums[rows] / np.maximum(self.visits[rows], 1)
        best: NDArray[np.int64] = np.where(masks, means, -np.inf).argmax(axis=1)
        return best

    def policy(self, observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """What the learner does when it no longer tries anything."""
        return self.best(self.rows(observations), masks)


def learn(steps: int, seed: int) -> ValueTable:
    """Play so many decisions at every table against ``hints``."""
    env = VectorEnv(GAME, TABLES, bots={1: "hints"}, rotate=True, reward="gain")
    values, chance = ValueTable(env.actions), np.random.default_rng(seed)
    tables, learner = np.arange(TABLES), env.learners.argmax(axis=1)
    made, count = np.zeros((TABLES, MOST_DECISIONS, 2), np.int64), np.zeros(TABLES, np.int64)
    batch = env.reset(seed)
    for _ in range(steps):
        rows = values.rows(batch.observations)
        actions = np.where(chance.random(TABLES) < OPENNESS, env.sample(), values.best(rows, batch.masks))
        made[tables, count] = np.stack([rows, actions], axis=1)
        count += 1
        batch = env.step(actions)
        for number in range(MOST_DECISIONS):
            over = np.flatnonzero(batch.ends & (count > number))
            cells = tuple(made[over, number].T)
            np.add.at(values.sums, cells, batch.rewards[over, learner[over]])
            np.add.at(values.visits, cells, 1)
        count[batch.ends] = 0
    return values


def main(arguments: list[str] | None = None) -> Estimate:
    """Learn, evaluate, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1000, help="decisions at each of the tables (1000)")
    parser.add_argument("--deals", type=int, default=20_000, help="of the evaluation (20000)")
    parser.add_argument("--seed", type=int, default=1, help="of everything (1)")
    given, begun = parser.parse_args(arguments), time.perf_counter()
    values = learn(given.steps, given.seed)
    print(f"{given.steps * TABLES:,} decisions in {time.perf_counter() - begun:.0f} s, {len(values.sums)} observations")
    found = evaluate(values.policy, GAME, against="hints", deals=given.deals, seed=given.seed + 1)
    print(f"gains {found} chips a deal against hints")
    return found


if __name__ == "__main__":
    main()
