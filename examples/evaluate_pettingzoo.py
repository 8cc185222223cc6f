"""Evaluate an agent through PettingZoo: it sits down with others at a table of any game, deal after deal.

    uv run --extra pettingzoo python examples/evaluate_pettingzoo.py gong-zhu --deals 200

The agent here is a rule anyone can read: of the cards that it may play it plays the one with the lowest number, and
it says the least that it can. The others play at random. Replace ``cautious`` by what your library has trained: it gets
what PettingZoo gives every agent, an observation and a mask."""

import argparse
import sys
from typing import Any

import numpy as np

try:
    from tefuda.research.pettingzoo import env
except ModuleNotFoundError as error:
    sys.exit(str(error))


def cautious(observation: dict[str, Any], chance: np.random.Generator) -> int:
    """The legal action with the lowest number."""
    return int(observation["action_mask"].argmax())


def at_random(observation: dict[str, Any], chance: np.random.Generator) -> int:
    """Any legal action."""
    return int(chance.choice(np.flatnonzero(observation["action_mask"])))


def payoffs(game: str, agent: Any, deals: int, seed: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """What the agent has received in each deal; it moves on a seat after every deal."""
    table, chance = env(game), np.random.default_rng(seed)
    received = np.zeros(deals)
    for deal in range(deals):
        table.reset(seed=seed + deal)
        mine = table.possible_agents[deal % len(table.possible_agents)]
        for name in table.agent_iter():
            observation, reward, terminated, truncated, _ = table.last()
            if name == mine:
                received[deal] += reward
            if terminated or truncated:
                table.step(None)
            else:
                table.step((agent if name == mine else at_random)(observation, chance))
    return received


def main(arguments: Any = None) -> tuple[float, float]:
    """Play, print; the agent's mean payoff less that of random play in the same seats, and half its 95% interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="gong-zhu", help="which game (gong-zhu)")
    parser.add_argument("--deals", type=int, default=200, help="how many (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals (1)")
    given = parser.parse_args(arguments)
    lead = payoffs(given.game, cautious, given.deals, given.seed) - payoffs(
        given.game, at_random, given.deals, given.seed
    )
    mean, half = float(lead.mean()), float(1.96 * lead.std(ddof=1) / np.sqrt(given.deals))
    print(f"{given.game}: {mean:+.1f} ± {half:.1f} a deal more than random play in the same seats of the same deals")
    return mean, half


if __name__ == "__main__":
    main()
