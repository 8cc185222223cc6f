"""Decisions a second of thousands of tables at once, beside Pgx, RLCard and OpenSpiel, in one run.

    uv run --group bench-research python -m bench.vector [--rounds 5] [--seconds 1.0] [--tables 16384]

A decision is an action chosen among several legal ones; forced actions are made but not counted. Every line chooses at
random, and the choice is included, as are dealing, play, scoring and the legal actions. All lines are measured in turn,
round after round, so that a machine that slows down or speeds up meets all of them. Compiling is not included.

Decisions a second of the clock depend on what else the machine does; decisions a second of processor time, all threads
together, depend on it less."""

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from bench import speed
from bench.versus_openspiel import deal_one

from tefuda.research.vector import VectorEnv
from tefuda.table.game import load

STEPS = 100
"""Steps of all tables that one run of a task makes."""

WHOLE_DEAL = 80
"""Actions of a history that hold any deal of Gong Zhu."""

PGX_TABLES = 1024
RLCARD_GAMES = ("bridge", "mahjong", "leduc-holdem")

Task = Callable[[], int]
"""Something that makes decisions and says how many."""


class Contender(NamedTuple):
    """What is measured: one line of the table, with what it includes and a task that makes decisions."""

    name: str
    note: str
    task: Task


class Figure(NamedTuple):
    """Decisions a second of the clock (median) and of processor time (median, slowest and fastest round)."""

    decisions: float
    by_processor: float
    slowest: float
    fastest: float


def our_lines(tables: int) -> list[Contender]:
    """Gong Zhu, with and without observations, on one core and on all."""
    kinds: list[tuple[str, dict[str, Any]]] = [
        ("no observations", {"observations": False}),
        ("observations", {}),
        ("observations, packed", {"packed": True}),
        (f"history of {WHOLE_DEAL}", {"observations": False, "history": WHOLE_DEAL}),
        ("observations, history", {"history": WHOLE_DEAL}),
        ("observations, to keep", {"fresh": True}),
    ]
    cores = os.cpu_count() or 1
    lines = []
    for threads in sorted({1, cores}):
        for what, options in kinds:
            settings = {"skip_forced": True, "fresh": False, **options}
            task = our_task(VectorEnv("gong-zhu", tables, threads=threads, **settings))
            lines.append(Contender(f"Tefuda, {threads} thread{'s' * (threads > 1)}: {what}", f"{tables} tables", task))
    return [*lines, Contender("Tefuda, 1 thread: playouts", "whole deals in one compiled loop", playouts())]


def our_task(env: VectorEnv) -> Task:
    """Random decisions at every table; forced actions are made by the environment."""
    env.reset(seed=1)

    def run() -> int:
        for _ in range(STEPS):
            env.step(env.sample())
        return STEPS * env.tables

    return run


def seat_lines(tables: int) -> list[Contender]:
    """One seat against bots that play at random: our own interface, and Gymnasium's round it."""
    import gymnasium

    import tefuda.research.gymnasium

    name = tefuda.research.gymnasium.environment_id("gong-zhu")
    raw = VectorEnv("gong-zhu", tables, bots=dict.fromkeys(range(1, 4), "random"), rotate=True, fresh=False)
    lines = [Contender("Tefuda, one seat", f"{tables} tables, observations", our_task(raw))]
    for copies in (False, True):
        envs: Any = gymnasium.make_vec(name, tables, copy=copies).unwrapped
        note = "the same, copied" if copies else "the same"
        lines.append(Contender("Tefuda, one seat: Gymnasium", note, gymnasium_task(envs)))
    return lines


def gymnasium_task(envs: Any) -> Task:
    """Random actions of the seat that learns."""
    envs.reset(seed=1)

    def run() -> int:
        for _ in range(STEPS):
            envs.step(envs.raw.sample())
        return STEPS * int(envs.num_envs)

    return run


def playouts() -> Task:
    """Random deals without a call from Python for each step: what the rules alone cost."""
    game = load("gong-zhu")
    task, (steps, _, decisions) = speed.random_deals(game), speed.count_decisions(game, 0)
    return lambda: round(task().moves * decisions / steps)


def pgx_lines() -> list[Contender]:
    """Bridge bidding of Pgx: the choice and 100 steps of all tables in one compiled call."""
    import jax
    import jax.numpy as jnp
    from pgx.bridge_bidding import BridgeBidding, _load_sample_hash
    from pgx.experimental import auto_reset

    with tempfile.TemporaryDirectory() as folder:  # the table of double-dummy results: the few boards in its own tests
        boards = Path(folder) / "boards.npy"
        np.save(boards, np.stack([np.asarray(part) for part in _load_sample_hash()]))
        env = BridgeBidding(str(boards))
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: Any, carried: Any) -> Any:
        state, key = carried
        key, choosing, dealing = jax.random.split(key, 3)
        actions = jax.random.categorical(choosing, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
        return step(state, actions, jax.random.split(dealing, PGX_TABLES)), key

    several = jax.jit(lambda carried: jax.lax.fori_loop(0, STEPS, one, carried))
    carried = [
        (jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), PGX_TABLES)), jax.random.PRNGKey(1))
    ]

    def run() -> int:
        carried[0] = jax.block_until_ready(several(carried[0]))
        return STEPS * PGX_TABLES

    return [Contender("Pgx: bridge bidding", f"{PGX_TABLES} tables, JAX on the CPU, observations", run)]


def rlcard_lines() -> list[Contender]:
    """RLCard's own environments, one table each."""
    import rlcard

    return [
        Contender(f"RLCard: {name}", "one table, observations", rlcard_task(rlcard.make(name))) for name in RLCARD_GAMES
    ]


def rlcard_task(env: Any) -> Task:
    """A game from its deal to its payoffs."""
    chance = random.Random(1)

    def run() -> int:
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            decisions += len(legal) > 1
            state, _ = env.step(legal[int(chance.random() * len(legal))])
        env.get_payoffs()
        return decisions

    return run


def openspiel_lines() -> list[Contender]:
    """Hearts through OpenSpiel's Python interface, one table."""
    import pyspiel

    game, chance = pyspiel.load_game("hearts"), random.Random(1)

    def run() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                deal_one(state, chance)
                continue
            actions = state.legal_actions()
            decisions += len(actions) > 1
            state.apply_action(actions[int(chance.random() * len(actions))])
        state.returns()
        return decisions

    return [Contender("OpenSpiel: hearts, Python loop", "one table, no observations", run)]


def other_lines() -> list[Contender]:
    """Those of the other libraries that are installed; of the others, one line says so."""
    lines = []
    for name, package, made in (
        ("Pgx", "pgx", pgx_lines),
        ("RLCard", "rlcard", rlcard_lines),
        ("OpenSpiel", "pyspiel", openspiel_lines),
    ):
        try:
            lines += made()
        except ImportError as error:
            if (error.name or "").partition(".")[0] not in (package, "jax"):
                raise
            print(f"{name} is left out, for it is not installed: uv run --group bench-research", file=sys.stderr)
    return lines


def measure(lines: list[Contender], rounds: int, seconds: float) -> list[Figure]:
    """Measure all lines in turn, round after round."""
    for line in lines:
        line.task()
    rates: list[list[tuple[float, float]]] = [[] for _ in lines]
    for k in range(rounds):
        for line, found in zip(lines, rates, strict=True):
            found.append(rate(line.task, seconds))
        print(f"round {k + 1} of {rounds} done", file=sys.stderr)
    return [figure(found) for found in rates]


def rate(task: Task, seconds: float) -> tuple[float, float]:
    """Decisions a second of the clock and of processor time, in so many seconds of the clock."""
    begun, used, decisions = perf_counter(), process_time(), 0
    while perf_counter() - begun < seconds:
        decisions += task()
    return decisions / (perf_counter() - begun), decisions / (process_time() - used)


def figure(rates: list[tuple[float, float]]) -> Figure:
    """What the rounds come to."""
    clock, processor = zip(*rates, strict=True)
    return Figure(median(clock), median(processor), min(processor), max(processor))


def show(lines: list[Contender], figures: list[Figure]) -> None:
    """Print the table."""
    print(f"{'':42}{'decisions/s':>13}{'of processor time':>19}{'slowest … fastest round':>26}")
    for line, each in zip(lines, figures, strict=True):
        spread = f"{each.slowest:,.0f} … {each.fastest:,.0f}"
        print(f"{line.name:42}{each.decisions:>13,.0f}{each.by_processor:>19,.0f}{spread:>26}  {line.note}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="times that every line is measured (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement (1.0)")
    parser.add_argument("--tables", type=int, default=16384, help="Gong Zhu tables at once (16384)")
    arguments = parser.parse_args()
    if min(arguments.rounds, arguments.tables) < 1:
        parser.error("--rounds and --tables: at least 1")
    load_average = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    machine = {**speed.machine(), "load": load_average}
    print(", ".join(f"{name} {value}" for name, value in machine.items()))
    lines = our_lines(arguments.tables) + seat_lines(arguments.tables) + other_lines()
    show(lines, measure(lines, arguments.rounds, arguments.seconds))


if __name__ == "__main__":
    main()
