"""OpenSpiel's algorithms on a game of Tefuda, from start to end.

    uv run --extra openspiel python examples/openspiel_algorithm.py            # about a minute
    uv run --extra openspiel python examples/openspiel_algorithm.py --small    # some seconds

1. External-sampling MCCFR learns the last two tricks of a deal of Gong Zhu; OpenSpiel's NashConv says how far from
   equilibrium it still is.
2. OpenSpiel's Python information-set Monte Carlo tree search plays whole deals against random bots (``evaluate_bots``).
3. Worlds sampled from what one player knows cannot be told from the true deal: the player's information state is the
   same in all.
"""

import argparse
import random
import sys
from typing import Any

import numpy as np

try:
    import tefuda.research.openspiel  # noqa: F401 - registers the games
except ImportError as error:
    sys.exit(str(error))

import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.algorithms.external_sampling_mccfr import ExternalSamplingSolver
from open_spiel.python.policy import UniformRandomPolicy

EXPLORATION = 100.0  # weight of trying what was tried seldom, in points: about the spread of a random deal


def learn_the_last_tricks(iterations: int) -> None:
    """MCCFR on a cut-down deal."""
    game = pyspiel.load_game("tefuda_gong_zhu", {"last": 8, "worlds": 8})
    print(f"{game}\n{'iterations':>12}{'NashConv':>12}\n{0:12}{nash_conv(game, UniformRandomPolicy(game)):12.2f}")
    solver = ExternalSamplingSolver(game)
    np.random.seed(1)
    for part in range(1, 4):
        for _ in range(iterations // 3):
            solver.iteration()
        print(f"{part * iterations // 3:12}{nash_conv(game, solver.average_policy()):12.2f}")


def search_against_random(deals: int, simulations: int) -> None:
    """OpenSpiel's search in seat 0, against three uniform random bots."""
    game = pyspiel.load_game("tefuda_gong_zhu")
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    searcher = ismcts.ISMCTSBot(game, rollouts, EXPLORATION, simulations, random_state=np.random.RandomState(1))
    gains = []
    for deal in range(1, deals + 1):
        others = [pyspiel.make_uniform_random_bot(seat, deal) for seat in range(1, 4)]
        returns = pyspiel.evaluate_bots(game.new_initial_state(), [searcher, *others], deal)
        gains.append(returns[0] - np.mean(returns[1:]))
    half = 1.96 * np.std(gains, ddof=1) / np.sqrt(deals)
    print(f"\nISMCTSBot, {simulations} simulations: {np.mean(gains):+.0f} ± {half:.0f} points a deal over random bots")


def sample_worlds(seed: int) -> None:
    """Sample worlds in every state of a random deal; count those in which the player would know something else."""
    chance, game = random.Random(seed), pyspiel.load_game("tefuda_gong_zhu")
    sampler, state = pyspiel.UniformProbabilitySampler(0.0, 1.0), game.new_initial_state()
    sampled = contradict = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
            continue
        if state.move_number() % 4 == 0:
            for player in range(game.num_players()):
                world = state.resample_from_infostate(player, sampler)
                sampled += 1
                contradict += world.information_state_string(player) != state.information_state_string(player)
        state.apply_action(chance.choice(state.legal_actions()))
    print(f"{contradict} of {sampled} sampled worlds contradict what a player knows")


def main(arguments: Any = None) -> None:
    """Run all three."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="some seconds instead of a minute")
    small = parser.parse_args(arguments).small
    learn_the_last_tricks(150 if small else 1500)
    search_against_random(5 if small else 50, 50 if small else 500)
    sample_worlds(1)


if __name__ == "__main__":
    main()
