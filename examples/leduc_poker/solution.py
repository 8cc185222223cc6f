"""The exact solution of Leduc poker by counterfactual regret minimization (CFR+), and how exploitable its bots are.

    uv run --with ./examples/leduc_poker python examples/leduc_poker/solution.py

``tefuda.research.tree`` does the work: it builds the whole tree of the game from its rules."""

import tefuda
from tefuda.bots.players import bot
from tefuda.research.tree import GameTree, every_deal, solve


def main() -> None:
    tree = GameTree(*every_deal(tefuda.load("leduc-poker")))
    print(f"{len(tree.mover):,} histories, {len(tree.deals)} information sets")
    policies = {"random": tree.uniform(), **{name: tree.policy_of(bot(name)) for name in ("hints", "search:2000it")}}
    policies["CFR+"] = solve(tree, 1000)
    for name, policy in policies.items():
        print(f"{name:14} exploitability {tree.exploitability(policy):.4f} chips a deal")
    print(f"the first to act gains {tree.value(policies['CFR+'])[0]:+.4f} chips a deal")


if __name__ == "__main__":
    main()
