"""Gong Zhu in Tefuda beside Hearts in OpenSpiel: deals and moves a second on one core.

    uv run --group bench python -m bench.versus_openspiel [--rounds 5] [--seconds 1.0]

Hearts is the nearest game that OpenSpiel has: four players, 13 tricks, the same pack; before play it passes three cards
(3 deals of 4), where Gong Zhu offers cards for exposing. So compare moves a second as well as deals.

The process pins itself to one core. All lines are measured in turn, round after round, so that a machine that slows
down or speeds up meets all of them; the table gives each line's median over the rounds, with its slowest and fastest
round. A move is an action of a player; chance is not counted. Compiling and loading are not included."""

import argparse
import os
import random
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

from bench import speed
from bench.speed import Task, TaskResult, Throughput

from tefuda.table.game import load

MISSING = "open_spiel is not installed: run `uv run --group bench python -m bench.versus_openspiel`"

SEATS = 4
DEALT = 16
"""Dealt states from which rollouts start in turn: some with passing, some without."""

ROLLOUTS = 250
GAMES = 100
DEALS_IN_HEARTS = 53
"""Chance nodes of a deal of Hearts: the direction of the pass, and 52 cards one by one."""


class Line(NamedTuple):
    """One line of the table."""

    name: str
    included: str
    task: Task


def our_lines() -> list[Line]:
    """Gong Zhu, with the rules' defaults."""
    game = load("gong-zhu")
    chosen = (speed.RANDOM_DEALS, speed.VECTOR_STEPS, speed.TABLE_DEALS)
    return [Line(f"Tefuda: {each.name}", each.note, each.task(game)) for each in chosen]


def their_lines(pyspiel: Any) -> list[Line]:
    """Hearts, with OpenSpiel's defaults, by its three ways from the fastest to the most flexible."""
    game = pyspiel.load_game("hearts")
    return [
        Line("OpenSpiel: C++ rollouts", "play and scoring; from a dealt state, no dealing", rollouts(pyspiel, game)),
        Line("OpenSpiel: C++ bots", "dealing, play, scoring: evaluate_bots, one call a deal", bots(pyspiel, game)),
        Line("OpenSpiel: Python loop", "dealing, legal_actions, apply_action, returns", python_loop(game)),
    ]


def rollouts(pyspiel: Any, game: Any) -> Task:
    """Rollouts of the C++ evaluator: a tree search of one simulation evaluates its root, and nothing else."""
    states = [dealt_state(game, random.Random(seed)) for seed in range(DEALT)]
    moves = [moves_from(state) for state in states]
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    searcher = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)  # one simulation, 100 MB, not solving

    def run() -> TaskResult:
        begun = perf_counter()
        for state in states:
            searcher.mcts_search(state)
        seconds = perf_counter() - begun
        return TaskResult(ROLLOUTS * DEALT, ROLLOUTS * sum(moves), seconds)

    return run


def dealt_state(game: Any, chance: random.Random) -> Any:
    """A state in which the cards have been dealt and a player is to act."""
    state = game.new_initial_state()
    while state.is_chance_node():
        deal_one(state, chance)
    return state


def deal_one(state: Any, chance: random.Random) -> None:
    """One chance node. The outcomes of Hearts are equally likely, so the cheap way to draw is right."""
    outcomes = state.chance_outcomes()
    state.apply_action(outcomes[int(chance.random() * len(outcomes))][0])


def moves_from(state: Any) -> int:
    """How many moves follow until the end of the deal; in Hearts it does not depend on them."""
    state = state.clone()
    made = 0
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        made += 1
    return made


def bots(pyspiel: Any, game: Any) -> Task:
    """Uniform random bots, wholly in C++."""
    players = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(SEATS)]
    seeds = iter(range(1, sys.maxsize))

    def run() -> TaskResult:
        moves = 0
        begun = perf_counter()
        for _ in range(GAMES):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, players, next(seeds))
            moves += state.move_number() - DEALS_IN_HEARTS
        return TaskResult(GAMES, moves, perf_counter() - begun)

    return run


def python_loop(game: Any) -> Task:
    """The loop of OpenSpiel's own examples, with the cheapest random choices."""
    chance = random.Random(1)

    def run() -> TaskResult:
        moves = 0
        begun = perf_counter()
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                deal_one(state, chance)
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(chance.random() * len(actions))])
                moves += 1
        state.returns()
        return TaskResult(1, moves, perf_counter() - begun)

    return run


def pin() -> str:
    """Keep to one core, if the system lets us; what happened, in words."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned to a core: this system does not offer it"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"pinned to core {core}"


def measure(lines: list[Line], rounds: int, seconds: float, progress: Callable[[int], None]) -> list[Throughput]:
    """Measure all lines in turn, round after round."""
    for line in lines:
        line.task()
    work: list[list[TaskResult]] = [[] for _ in lines]
    for k in range(rounds):
        for line, done in zip(lines, work, strict=True):
            done.append(speed.repeat(line.task, seconds))
        progress(k + 1)
    return [speed.summary(line.name, line.included, done) for line, done in zip(lines, work, strict=True)]


def show(figures: list[Throughput]) -> None:
    """Print the table; ratios are how many times as fast the first line is."""
    ours = figures[0]
    rates = f"{'deals/s':>12}{'moves/s':>14}{'slowest … fastest round':>28}"
    print(f"{'':44}{rates}{'first: ×deals':>15}{'×moves':>12}")
    for each in figures:
        spread = f"{each.slowest:,.0f} … {each.fastest:,.0f}"
        ratios = f"{ours.deals / each.deals:>15.1f}{ours.moves / each.moves:>12.1f}"
        print(f"{each.name:44}{each.deals:>12,.0f}{each.moves:>14,.0f}{spread:>28}{ratios}")
    print("\nIncluded:")
    for each in figures:
        print(f"  {each.name:44}{each.note}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="times that every line is measured (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement (1.0)")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds: at least 1")
    try:
        import pyspiel
    except ImportError:
        sys.exit(MISSING)
    where = pin()
    versions = ", ".join(f"{name} {value}" for name, value in speed.machine().items())
    print(f"{where}; {versions}; open_spiel {getattr(pyspiel, '__version__', '(version unknown)')}")
    print(f"Gong Zhu (Tefuda) and Hearts (OpenSpiel), {arguments.rounds} rounds of {arguments.seconds} s a line\n")
    lines = our_lines() + their_lines(pyspiel)
    show(measure(lines, arguments.rounds, arguments.seconds, lambda k: print(f"round {k} done", file=sys.stderr)))


if __name__ == "__main__":
    main()
