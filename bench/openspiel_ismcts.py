"""Tefuda's games through OpenSpiel: what its Python interface, its rollouts and its search reach with them.

    uv run --extra openspiel python -m bench.openspiel_ismcts [--game gong-zhu] [--seconds 2] [--moments 4 20 40]

Simulations a second of OpenSpiel's Python ``ISMCTSBot``, with playouts in compiled code and with OpenSpiel's own,
beside those of Tefuda's ``search`` from the same views; and random deals through ``evaluate_bots`` and through a loop
in Python. One thread; every task runs once before it is timed."""

import argparse
import random
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

try:
    import tefuda.research.openspiel as openspiel
except ImportError as error:
    sys.exit(str(error))

import pyspiel
from bench.ismcts import ISMCTSBot, ISMCTSSettings

from tefuda.bots.search import Budget, SearchBot
from tefuda.engine.rng import generator
from tefuda.table.view import View

SIMULATIONS = 500


def moment(game: Any, actions: int, seed: int = 1) -> Any:
    """A state after so many random actions."""
    chance, state = random.Random(seed), game.new_initial_state()
    while state.is_chance_node() or actions > 0 or len(state.legal_actions()) < 2:
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
            actions -= 1
    return state


def rate(task: Callable[[], int], seconds: float) -> float:
    """How much of its work a task does a second."""
    task()
    begun, done = perf_counter(), 0
    while perf_counter() - begun < seconds:
        done += task()
    return done / (perf_counter() - begun)


def searches(state: Any, seconds: float) -> list[float]:
    """Simulations a second of the three searches."""
    budget = Budget(iterations=SIMULATIONS)
    theirs = [ISMCTSBot(1, ISMCTSSettings(budget, compiled_rollouts=compiled)) for compiled in (True, False)]
    seat, description = state.current_player(), state.node.rules.description
    ours, view, rng = SearchBot(budget), View(description, state.node.states, seat), generator(1)

    def step(bot: Any) -> int:
        bot.step(state)
        return SIMULATIONS

    def think() -> int:
        ours.think(view, rng)
        return SIMULATIONS

    return [*(rate(lambda bot=bot: step(bot), seconds) for bot in theirs), rate(think, seconds)]  # type: ignore[misc]


def deals(game: Any, seconds: float) -> tuple[float, float]:
    """Random deals a second, by ``evaluate_bots`` and by a loop in Python."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(game.num_players())]
    chance, seeds = random.Random(1), iter(range(1, sys.maxsize))

    def evaluate() -> int:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return 1

    def loop() -> int:
        state = moment(game, 0, next(seeds))
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        state.returns()
        return 1

    return rate(evaluate, seconds), rate(loop, seconds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="gong-zhu")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement (2.0)")
    parser.add_argument("--moments", type=int, nargs="+", default=[4, 20, 40], help="random actions made before")
    given = parser.parse_args()
    game = pyspiel.load_game(openspiel.short_name(given.game))
    by_bots, by_loop = deals(game, given.seconds)
    print(f"{game}: {by_bots:,.0f} random deals/s by evaluate_bots, {by_loop:,.0f} by a loop in Python\n")
    print(f"{'simulations a second after':28}{'ISMCTSBot':>14}{'own rollouts':>14}{'search':>12}")
    for actions in given.moments:
        compiled, own, ours = searches(moment(game, actions), given.seconds)
        print(f"{f'{actions} actions':28}{compiled:14,.0f}{own:14,.0f}{ours:12,.0f}", flush=True)


if __name__ == "__main__":
    main()
