"""Deals, decisions and moves a second of every game on this machine, by tasks that other programs here use too.

    uv run python -m bench.speed [GAME …] [--seconds 2.0]

Each figure is the median of ``REPETITIONS``. A move is one action of a player as the kernel counts them (through the
table's Python interface: one play); chance is not counted. A decision is a play that its player chose among several:
forced answers, and the further steps of one play, are moves but not decisions. Compiling is not included: every task
runs once before it is timed."""

import argparse
import os
import platform
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from math import nan
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from bench.at_random import AT_RANDOM
from rich.console import Console
from rich.table import Table

from tefuda import games
from tefuda.engine import play, rng, verbs
from tefuda.engine.notation import SUMMARY
from tefuda.engine.play import HINTS, MOST_ACTIONS, RANDOM, UNWATCHED, deal_at_random, deal_each, play_on
from tefuda.engine.record import Ints, Rng, States, duplicate
from tefuda.engine.verbs import rule
from tefuda.research.vector import VectorEnv
from tefuda.table.game import Game, load

REPETITIONS = 5

DEALS = 256  #: deals that a task on one core plays at a time

DEALS_IN_PARALLEL = 8192

TABLES = 4096  #: tables of the ``VectorEnv``
COUNTED = 100  #: deals in which decisions are counted among moves


class TaskResult(NamedTuple):
    """Result of one run of a task, and the seconds that count."""

    deals: int
    moves: int
    seconds: float

    def __add__(self, other: Any) -> "TaskResult":
        return TaskResult(*(a + b for a, b in zip(self, other, strict=True)))


Task = Callable[[], TaskResult]


@dataclass(frozen=True)
class Throughput:
    """Medians of several repetitions of a task: deals and moves a second, and moves of the extreme repetitions.

    Decisions a second follow from their share of the moves in other deals of the same kind; NaN if none was counted."""

    name: str
    note: str
    deals: float
    moves: float
    slowest: float
    fastest: float
    decisions: float = nan


@dataclass(frozen=True)
class Measurement:
    """A figure to measure: a game's task, and the policy of every seat; moves may be ``whole_plays``, not steps."""

    name: str
    note: str
    task: Callable[[Game], Task]
    policy: int = RANDOM
    whole_plays: bool = False

    def of(self, game: Game, seconds: float) -> Throughput:
        """Measure for this many seconds in all."""
        task = self.task(game)
        task()
        found = summary(self.name, self.note, [repeat(task, seconds / REPETITIONS) for _ in range(REPETITIONS)])
        steps, plays, decisions = count_decisions(game, self.policy)
        return replace(found, decisions=found.moves * decisions / (plays if self.whole_plays else steps))


def count_decisions(game: Game, policy: int) -> tuple[int, int, int]:
    """Steps, whole plays, and plays chosen among several, in ``COUNTED`` deals of this policy."""
    generator = rng.generator(1)
    steps = plays = decisions = 0
    for number in range(COUNTED):
        deal = game.deal((1, number))
        while not deal.over:
            made, several = len(deal.history), False
            while len(deal.history) == made:
                actions = deal.legal_actions()
                several |= len(actions) > 1
                state = deal.state
                hinted = policy == HINTS
                deal.act(verbs.advise(state, generator) if hinted else actions[rng.below(generator, len(actions))])
                steps += 1
            decisions += several
        plays += len(deal.history)
    return steps, plays, decisions


def repeat(task: Task, seconds: float) -> TaskResult:
    """Run a task until the seconds that count reach this many; at least once."""
    total = task()
    while total.seconds < seconds:
        total = total + task()
    return total


def summary(name: str, note: str, repetitions: list[TaskResult]) -> Throughput:
    """Medians and extremes."""
    moves = [work.moves / work.seconds for work in repetitions]
    deals = median(work.deals / work.seconds for work in repetitions)
    return Throughput(name, note, deals, median(moves), min(moves), max(moves))


@rule
def play_at_random(states: States, template: States, pack: Ints, generator: Rng, payoffs: Ints) -> int:
    """Deal, play at random and score a deal for every row of ``payoffs``, shape (deals, seats); the number of actions
    made.

    ``states``, one record, is the workplace, ``template`` the record before the deal; ``pack``, card numbers, is
    shuffled in place."""
    actions = np.empty(MOST_ACTIONS, np.int64)
    made = 0
    for k in range(len(payoffs)):
        deal_at_random(states, 0, template, pack, generator)
        made += play_on(AT_RANDOM, UNWATCHED, states[0], generator, actions)
        verbs.payoff(states[0], payoffs[k])
    return made


def random_deals(game: Game) -> Task:
    """Deals at random in one compiled loop."""
    states, pack, generator = duplicate(game.template), game.pack.copy(), rng.generator(1)
    payoffs = np.zeros((DEALS, game.seats), np.int64)

    def run() -> TaskResult:
        begun = perf_counter()
        made = play_at_random(states, game.template, pack, generator, payoffs)
        return TaskResult(DEALS, made, perf_counter() - begun)

    return run


def policy_deals(game: Game, policy: int) -> Task:
    """Deals in which every seat follows a policy, one after the other on one core."""
    shape = (DEALS, game.seats)
    states, rngs = np.zeros(DEALS, game.template.dtype), rng.generators(1, DEALS)
    policies, payoffs = np.full(shape, policy, np.int8), np.zeros(shape, np.int64)
    tally = np.zeros((*shape, 2), np.int64)

    def run() -> TaskResult:
        begun = perf_counter()
        deal_each(states, game.template, game.pack, rngs)
        made = play.play_each(states, policies, rngs, payoffs, tally)
        return TaskResult(DEALS, made, perf_counter() - begun)

    return run


def parallel_deals(game: Game) -> Task:
    """Deals at random on all cores, from the dealt state."""
    dealt = np.zeros(DEALS_IN_PARALLEL, game.template.dtype)
    deal_each(dealt, game.template, game.pack, rng.generators(1, len(dealt)))
    rngs = rng.generators(2, len(dealt))
    policies = np.full((len(dealt), game.seats), RANDOM, np.int8)
    tally = np.zeros((*policies.shape, 2), np.int64)

    def run() -> TaskResult:
        states = duplicate(dealt)
        tally[:] = 0
        begun = perf_counter()
        play.play_batch(states, policies, rngs, tally=tally)
        seconds = perf_counter() - begun
        return TaskResult(len(dealt), int(tally[:, :, play.MADE].sum()), seconds)

    return run


def table_deals(game: Game) -> Task:
    """Whole deals through the table's Python interface."""
    chance = random.Random(1)

    def run() -> TaskResult:
        begun = perf_counter()
        deal = game.deal(chance.getrandbits(32))
        while not deal.over:
            plays = deal.legal()
            word = plays[int(chance.random() * len(plays))]
            if not SUMMARY.fullmatch(word):
                deal.play(word)
                continue
            made = len(deal.history)
            while len(deal.history) == made:  # cards thrown face down, one by one
                actions = deal.legal_actions()
                deal.act(actions[int(chance.random() * len(actions))])
        deal.payoff()
        return TaskResult(1, len(deal.history), perf_counter() - begun)

    return run


def vector_steps(game: Game) -> Task:
    """One move at each table of a ``VectorEnv``, a call; the moves are chosen between the calls."""
    env = VectorEnv(game, TABLES, observations=False, fresh=False, threads=1)
    env.reset(seed=1)

    def run() -> TaskResult:
        chosen = env.sample()
        begun = perf_counter()
        batch = env.step(chosen)
        return TaskResult(int(batch.ends.sum()), TABLES, perf_counter() - begun)

    return run


RANDOM_DEALS = Measurement("random deals, one core", "shuffling, dealing, play and scoring, compiled", random_deals)
HINT_DEALS = Measurement(
    "hints deals, one core",
    "the same, every seat a hint bot, answers checked",
    partial(policy_deals, policy=HINTS),
    HINTS,
)
PARALLEL_DEALS = Measurement("random deals, all cores", "play and scoring of dealt deals", parallel_deals)
TABLE_DEALS = Measurement(
    "table API, one table", "deal, legal() and play() of words, payoff: Python", table_deals, whole_plays=True
)
VECTOR_STEPS = Measurement(
    f"VectorEnv, {TABLES:,} tables, one core",
    "check, move, scoring, new deals, legal masks; neither the choice nor observations",
    vector_steps,
)

MEASUREMENTS = (RANDOM_DEALS, HINT_DEALS, PARALLEL_DEALS, TABLE_DEALS, VECTOR_STEPS)


def machine() -> dict[str, str | int | bool]:
    """All that the figures depend on besides the game."""
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "tefuda": version("tefuda"),
        "compiled": not verbs.UNCOMPILED,
    }


def cpu_model() -> str:
    """The processor's name, if the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def main() -> None:
    """Measure the games that are named, or all of them; a table for each, then the machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all games if none is named")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    asked = parser.parse_args()
    console = Console(width=120, highlight=False)
    for name in asked.games or games.names():
        console.print(table_of(name, asked.seconds), "")
    told = ", ".join(f"{key} {value}" for key, value in machine().items())
    console.print(f"Medians of {REPETITIONS} repetitions; the spread is from the slowest to the fastest.\n{told}")


def table_of(name: str, seconds: float) -> Table:
    """Every figure of a game, each measured for so many seconds; standard error says which is being measured."""
    game, table = load(name), Table(title=name, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for heading in ("", "deals/s", "decisions/s", "moves/s", "spread", "included"):
        table.add_column(heading, justify="left" if heading in ("", "included") else "right")
    for measurement in MEASUREMENTS:
        sys.stderr.write(f"{name}: {measurement.name} (compiled first if it is new) …\n")
        found = measurement.of(game, seconds)
        rates = (f"{rate:,.0f}" for rate in (found.deals, found.decisions, found.moves))
        table.add_row(found.name, *rates, f"{(found.fastest - found.slowest) / found.moves:.0%}", found.note)
    return table


if __name__ == "__main__":
    main()
