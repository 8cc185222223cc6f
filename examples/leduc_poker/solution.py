"""The exact solution of Leduc poker by counterfactual regret minimization (CFR+), and how exploitable its bots are.

    uv run --with ./examples/leduc_poker python examples/leduc_poker/solution.py

The whole tree of the game is built once from its rules. An information set is a sequence of views: two moments are one
if they look the same to the seat that acts, and their pasts looked the same too. Nothing here knows poker, so any game
with some ten thousand histories is solved in the same way.
"""

import itertools

import numpy as np
from numpy.typing import NDArray

import tefuda
from tefuda.bots.players import Bot, bot
from tefuda.engine.rng import generator

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

END = -1


class GameTree:
    """Every way in which a deal can go. Nodes and information sets are numbers.

    Attributes:
        levels: the nodes at each distance from the deal, int64 arrays.
        mover: int64 of shape (nodes,): the seat that acts; END when the deal is over.
        moment: int64 of shape (nodes,): the mover's information set; END when the deal is over.
        children: int64 of shape (nodes, actions): the node after an action; END where that is not legal.
        payoffs: float64 of shape (nodes, seats), as people count them; 0 before the end.
        legal: bool of shape (information sets, actions).
        deals: for each information set, a deal at one of its moments.
    """

    def __init__(self, game: tefuda.Game) -> None:
        self.seats = game.seats
        self.deals: list[tefuda.Deal] = []
        self._rows: list[tuple[int, int, Ints, Floats]] = []
        self._pasts: dict[tuple[int, int, bytes], int] = {}
        self._moments: dict[int, int] = {}
        dealt = (game.deal(deck=np.array(deck), chance=0) for deck in itertools.permutations(game.pack.tolist()))
        level = [
            self._add(deal, [END] * self.seats) for deal in {deal.state.tobytes(): deal for deal in dealt}.values()
        ]
        self.levels: list[Ints] = []
        while level:
            self.levels.append(np.array([node for node, _, _ in level]))
            level = [after for place in level for after in self._follow(*place)]
        movers, moments, children, payoffs = zip(*self._rows, strict=True)
        self.mover, self.moment = np.array(movers), np.array(moments)
        self.children, self.payoffs = np.array(children), np.array(payoffs)
        self.legal = np.zeros((len(self.deals), game.description.actions), bool)
        asked = self.moment != END
        self.legal[self.moment[asked]] = self.children[asked] != END

    def _follow(self, node: int, deal: tefuda.Deal, pasts: list[int]) -> list[tuple[int, tefuda.Deal, list[int]]]:
        """The nodes after each legal action."""
        found = []
        for action in [] if deal.over else deal.legal_actions():
            after = deal.copy()
            after.act(action)
            found.append(self._add(after, pasts))
            self._rows[node][2][action] = found[-1][0]
        return found

    def _add(self, deal: tefuda.Deal, pasts: list[int]) -> tuple[int, tefuda.Deal, list[int]]:
        """A node: its number, the deal, and for each seat a number for all that it has seen."""
        views = [deal.view(seat).array.tobytes() for seat in range(self.seats)]
        seen = [self._pasts.setdefault((seat, pasts[seat], view), len(self._pasts)) for seat, view in enumerate(views)]
        moment, payoffs = END, np.zeros(self.seats)
        if deal.over:
            payoffs = np.array(deal.payoff()) / deal.game.description.rules.unit
        else:
            moment = self._moments.setdefault(seen[deal.mover], len(self._moments))
            self.deals[moment:] = self.deals[moment:] or [deal]
        self._rows.append((deal.mover, moment, np.full(deal.game.description.actions, END), payoffs))
        return len(self._rows) - 1, deal, seen

    def reach(self, policy: Floats) -> Floats:
        """With which probability each seat plays towards each node: float64 of shape (nodes, seats)."""
        reach = np.ones((len(self.mover), self.seats))
        for nodes, actions, after in self._steps():
            reach[after] = reach[nodes]
            reach[after, self.mover[nodes]] *= policy[self.moment[nodes], actions]
        return reach

    def values(self, policy: Floats, best: int = END) -> Floats:
        """What each node is worth to each seat: float64 of shape (nodes, seats).

        Args:
            policy: float64 of shape (information sets, actions): probabilities.
            best: a seat that answers the policy of the others as well as can be.
        """
        values, choice = self.payoffs.copy(), policy.copy()
        others = np.delete(self.reach(policy), best, axis=1).prod(axis=1) if best != END else None
        for nodes, actions, after in reversed(list(self._steps())):
            if others is not None:
                mine = self.mover[nodes] == best
                worth = np.zeros(policy.shape)
                np.add.at(worth, (self.moment[nodes], actions), mine * others[nodes] * values[after, best])
                asked = np.unique(self.moment[nodes[mine]])
                choice[asked] = np.eye(policy.shape[1])[np.where(self.legal, worth, -np.inf)[asked].argmax(axis=1)]
            np.add.at(values, nodes, choice[self.moment[nodes], actions][:, None] * values[after])
        return values

    def value(self, policy: Floats, best: int = END) -> Floats:
        """What a deal is worth to each seat: float64 of shape (seats,)."""
        worth: Floats = self.values(policy, best)[self.levels[0]].mean(axis=0)
        return worth

    def exploitability(self, policy: Floats) -> float:
        """What the best answer to a policy gains over it, on average over the seats."""
        fair = self.value(policy)
        return float(np.mean([self.value(policy, seat)[seat] - fair[seat] for seat in range(self.seats)]))

    def uniform(self) -> Floats:
        """The policy that makes every legal action as often."""
        policy: Floats = self.legal / self.legal.sum(axis=1, keepdims=True)
        return policy

    def policy_of(self, player: Bot) -> Floats:
        """What a bot does at each information set."""
        policy = np.zeros(self.legal.shape)
        for moment, deal in enumerate(self.deals):
            policy[moment, player.choose(deal.view(deal.mover), deal.legal_actions(), generator(moment))] = 1
        return policy

    def _steps(self) -> list[tuple[Ints, Ints, Ints]]:
        """From the deal on: nodes at a distance, the actions from them, the nodes after these."""
        steps = []
        for nodes in self.levels[:-1]:
            row, actions = np.nonzero(self.children[nodes] != END)
            steps.append((nodes[row], actions, self.children[nodes[row], actions]))
        return steps


def solve(tree: GameTree, iterations: int) -> Floats:
    """A policy that comes nearer to an equilibrium the longer it is computed (CFR+, linear averaging).

    Tammelin, "Solving Large Imperfect Information Games Using CFR+", 2014.
    """
    regret, average = np.zeros(tree.legal.shape), np.zeros(tree.legal.shape)
    uniform = tree.uniform()
    asked = np.nonzero(tree.moment != END)[0]
    moments, movers = tree.moment[asked], tree.mover[asked]
    for iteration in range(1, iterations + 1):
        total = regret.sum(axis=1, keepdims=True)
        policy = np.where(total > 0, regret / np.where(total > 0, total, 1), uniform)
        reach, values = tree.reach(policy)[asked], tree.values(policy)
        own = reach[np.arange(len(asked)), movers]
        reach[np.arange(len(asked)), movers] = 1
        others = reach.prod(axis=1)
        after = np.where(tree.legal[moments], values[tree.children[asked], movers[:, None]], 0)
        gain = np.where(tree.legal[moments], after - values[asked, movers][:, None], 0)
        np.add.at(regret, moments, others[:, None] * gain)
        regret = np.maximum(regret, 0)
        np.add.at(average, moments, iteration * own[:, None] * policy[moments])
    average /= average.sum(axis=1, keepdims=True)
    return average


def main() -> None:
    tree = GameTree(tefuda.load("leduc-poker"))
    print(f"{len(tree.mover):,} histories, {len(tree.deals)} information sets")
    policies = {"random": tree.uniform(), **{name: tree.policy_of(bot(name)) for name in ("hints", "search:2000it")}}
    policies["CFR+"] = solve(tree, 1000)
    for name, policy in policies.items():
        print(f"{name:14} exploitability {tree.exploitability(policy):.4f} chips a deal")
    print(f"the first to act gains {tree.value(policies['CFR+'])[0]:+.4f} chips a deal")


if __name__ == "__main__":
    main()
