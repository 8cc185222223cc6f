"""Simulations a second of the search bot, on one core, from the first choice of a deal; beside OpenSpiel's ISMCTS.

    uv run --group bench python bench/search_speed.py

Every line is run in turn, round after round; medians, with the slowest and the fastest round. Hearts is the nearest
game that OpenSpiel has; its C++ ``ISMCTSBot`` plays it with random rollouts."""

import argparse
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import tefuda
from tefuda.bots import search_tree, tree_search
from tefuda.bots.net import load_network
from tefuda.bots.search import NODES
from tefuda.bots.search_tree import DEFAULT, SearchSettings
from tefuda.engine.rng import generator
from tefuda.games import description, names

RANDOM = SearchSettings(hints=0, advised=0)
"""Nothing of the rules of thumb: random playouts, new actions tried at random."""

NET = SearchSettings(net=1, depth=1)
"""The network plays out."""

Searching = Callable[[int], None]
"""Runs so many simulations from the first choice of a deal."""


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rounds", type=int, default=7)
    asked.add_argument("--simulations", type=int, default=20_000, help="a round, of the random searches")
    asked.add_argument("--seed", type=int, default=3)
    given = asked.parse_args()
    lines: dict[str, tuple[Searching, int]] = {}
    for name in names():
        lines[f"{name}, random playouts"] = ours(name, RANDOM, given.seed), given.simulations
        lines[f"{name}, hint playouts"] = ours(name, DEFAULT, given.seed), given.simulations // 5
        if description(name).files.net:
            lines[f"{name}, net playouts"] = ours(name, NET, given.seed), given.simulations // 50
    try:
        lines["OpenSpiel ISMCTS, hearts"] = openspiels(given.seed), given.simulations // 5
    except ImportError:
        print("OpenSpiel is left out: uv run --group bench … installs it")
    times: dict[str, list[float]] = {line: [] for line in lines}
    for search, _ in lines.values():
        search(10)
    for _ in range(given.rounds):
        for line, (search, simulations) in lines.items():
            begun = time.perf_counter()
            search(simulations)
            times[line].append(simulations / (time.perf_counter() - begun))
    for line, found in times.items():
        print(f"{line:28} {median(found):10,.0f} simulations/s   {min(found):10,.0f} … {max(found):10,.0f}")


def ours(name: str, settings: SearchSettings, seed: int) -> Searching:
    """Searches from the first choice of one of our deals."""
    game = tefuda.load(name)
    deal = game.deal(seed)
    while len(deal.legal_actions()) == 1:
        deal.act(deal.legal_actions()[0])
    view, rng = deal.view(deal.mover), generator(seed)
    network = load_network(game.description) if settings.net else None
    searching = tree_search.new_search(game.description.record, game.description.actions, game.seats, NODES, network)

    def search(simulations: int) -> None:
        search_tree.clear(searching.trees)
        tree_search.search(searching, view.array, settings, rng, simulations)

    return search


def openspiels(seed: int) -> Searching:
    """Searches of OpenSpiel from the first choice of a deal of Hearts."""
    import pyspiel

    state: Any = pyspiel.load_game("hearts").new_initial_state()
    dice = random.Random(seed)
    while state.is_chance_node():
        state.apply_action(dice.choice(state.chance_outcomes())[0])

    def search(simulations: int) -> None:
        bot = pyspiel.ISMCTSBot(
            seed,
            pyspiel.RandomRolloutEvaluator(1, seed),
            1.0,
            simulations,
            -1,
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,
            False,
        )
        bot.step(state)

    return search


if __name__ == "__main__":
    main()
