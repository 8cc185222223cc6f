"""Exact answers where a game's whole tree fits in memory: information sets, best answers, and CFR+.

    import tefuda
    from tefuda.research.tree import GameTree, every_deal, solve

    tree = GameTree(*every_deal(tefuda.load("leduc-poker")))    # a game of another package: examples/leduc_poker
    tree.exploitability(solve(tree, 1000))

CFR+ is counterfactual regret minimization. An information set is a sequence of views: two moments are one if they look
the same to the seat that acts, and their pasts looked the same too. Nothing here knows any game, so every game with
some hundred thousand histories, or the end of a deal of a larger one, is solved in the same way."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, permutations
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.players import Bot, ask
from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.objective import Reward, seat_worths
from tefuda.engine.raw import copy
from tefuda.engine.record import Ints, States, records
from tefuda.engine.rng import generator
from tefuda.engine.verbs import rule
from tefuda.table.deal import Deal
from tefuda.table.game import Game

Floats = NDArray[np.float64]

END = -1

MOST_ORDERS = factorial(9)  #: orders of a pack, equal cards not told apart, of which every one is gone through
BLOCK = 4096  #: orders dealt in one call


def every_deal(game: Game) -> tuple[list[Deal], list[int]]:
    """All deals of a small pack that differ, and how many orders of it bring each, as ``all_deals`` finds them."""
    states, counts = all_deals(game)
    return [Deal(game, states[k : k + 1].copy()) for k in range(len(states))], counts


class GameTree:
    """Every way in which one of these deals can go. Nodes and information sets are numbers.

    Args:
        deals: all before anything that is to be decided, of one game.
        counts: how often each comes among equally likely cases; 1 by default.
        reward: what players play for: their payoff, or their gain.

    Attributes:
        levels: the nodes at each distance from the deal, int64 arrays.
        mover: int64 of shape (nodes,): the seat that acts; END when the deal is over.
        moment: int64 of shape (nodes,): the mover's information set; END when the deal is over.
        actions: int64 of shape (actions,): those that are legal anywhere, by their kernel numbers, ascending.
        children: int64 of shape (nodes, actions): the node after an action; END where that is not legal.
        payoffs: float64 of shape (nodes, seats): what players play for, as people count it; 0 before the end.
        weight: float64 of shape (nodes,): how likely chance makes the node, times the number of deals given.
        legal: bool of shape (information sets, actions).
        deals: for each information set, a deal at one of its moments.
    """

    def __init__(self, deals: Sequence[Deal], counts: Sequence[int] = (), reward: Reward = "payoff") -> None:
        game = deals[0].game
        self.seats = game.seats
        self._worths = seat_worths(deals[0].state, reward) / game.description.rules.unit
        self.deals: list[Deal] = []
        chances = np.array(counts or [1] * len(deals), np.float64)
        chances *= len(deals) / chances.sum()
        self._rows: list[tuple[int, int, dict[int, int], Floats]] = []
        self._pasts: dict[tuple[int, int, bytes], int] = {}
        self._moments: dict[int, int] = {}
        level = [self._add(deal, [END] * self.seats) for deal in deals]
        self.levels: list[Ints] = []
        while level:
            self.levels.append(np.array([node for node, _, _ in level]))
            level = [after for place in level for after in self._follow(*place)]
        movers, moments, children, payoffs = zip(*self._rows, strict=True)
        self.mover, self.moment, self.payoffs = np.array(movers), np.array(moments), np.array(payoffs)
        self.actions = np.array(sorted(set().union(*children)), np.int64)
        self.children = np.full((len(children), len(self.actions)), END)
        for node, after in enumerate(children):
            self.children[node, np.searchsorted(self.actions, list(after))] = list(after.values())
        self.legal = np.zeros((len(self.deals), len(self.actions)), bool)
        asked = self.moment != END
        self.legal[self.moment[asked]] = self.children[asked] != END
        self.weight = np.zeros(len(self.mover))
        self.weight[self.levels[0]] = chances
        for nodes, _, after in self._steps:
            self.weight[after] = self.weight[nodes]

    def _follow(self, node: int, deal: Deal, pasts: list[int]) -> list[tuple[int, Deal, list[int]]]:
        """The nodes after each legal action."""
        found = []
        for action in [] if deal.over else deal.legal_actions():
            after = deal.copy()
            after.act(action)
            found.append(self._add(after, pasts))
            self._rows[node][2][action] = found[-1][0]
        return found

    def _add(self, deal: Deal, pasts: list[int]) -> tuple[int, Deal, list[int]]:
        """A node: its number, the deal, and for each seat a number for all that it has seen."""
        views = [deal.view(seat).array.tobytes() for seat in range(self.seats)]
        seen = [self._pasts.setdefault((seat, pasts[seat], view), len(self._pasts)) for seat, view in enumerate(views)]
        moment, payoffs = END, np.zeros(self.seats)
        if deal.over:
            payoffs = np.array(deal.payoff()) @ self._worths
        else:
            moment = self._moments.setdefault(seen[deal.mover], len(self._moments))
            self.deals[moment:] = self.deals[moment:] or [deal]
        self._rows.append((deal.mover, moment, {}, payoffs))
        return len(self._rows) - 1, deal, seen

    def reach(self, policy: Floats) -> Floats:
        """The probability with which each seat plays towards each node: float64 of shape (nodes, seats)."""
        reach = np.ones((len(self.mover), self.seats))
        for nodes, actions, after in self._steps:
            reach[after] = reach[nodes]
            reach[after, self.mover[nodes]] *= policy[self.moment[nodes], actions]
        return reach

    def values(self, policy: Floats, best: int = END) -> Floats:
        """The worth of each node to each seat: float64 of shape (nodes, seats). The policy is float64 of shape
        (information sets, actions): probabilities; ``best`` is a seat that answers the policy of the others as well as
        can be."""
        values, choice = self.payoffs.copy(), policy.copy()
        others = None
        if best != END:
            others = self.weight * np.delete(self.reach(policy), best, axis=1).prod(axis=1)
        for nodes, actions, after in reversed(self._steps):
            if others is not None:
                mine = self.mover[nodes] == best
                worth = np.zeros(policy.shape)
                np.add.at(worth, (self.moment[nodes], actions), mine * others[nodes] * values[after, best])
                asked = np.unique(self.moment[nodes[mine]])
                choice[asked] = 0
                choice[asked, np.where(self.legal[asked], worth[asked], -np.inf).argmax(axis=1)] = 1
            np.add.at(values, nodes, choice[self.moment[nodes], actions][:, None] * values[after])
        return values

    def value(self, policy: Floats, best: int = END) -> Floats:
        """The worth of a deal to each seat: float64 of shape (seats,)."""
        deals = self.levels[0]
        worth: Floats = (self.weight[deals, None] * self.values(policy, best)[deals]).mean(axis=0)
        return worth

    def exploitability(self, policy: Floats) -> float:
        """The gain of the best answer to a policy over it, on average over the seats."""
        fair = self.value(policy)
        gains = [self.value(policy, seat)[seat] - fair[seat] for seat in range(self.seats)]
        return max(0.0, float(np.mean(gains)))  # not less than nothing, but for rounding

    def uniform(self) -> Floats:
        """The policy that makes every legal action as often."""
        policy: Floats = self.legal / self.legal.sum(axis=1, keepdims=True)
        return policy

    def policy_of(self, player: Bot, times: int = 1, progress: Callable[[], object] = lambda: None) -> Floats:
        """A bot's policy: shares of its answers at each information set. ``times`` is how often it is asked at each,
        more than once if it leaves something to chance; ``progress`` is called after each."""
        policy = np.zeros(self.legal.shape)
        for moment, deal in enumerate(self.deals):
            has_choice = self.legal[moment].sum() > 1
            policy[moment] = self._answers(player, moment, deal, times) if has_choice else self.legal[moment]
            progress()
        return policy

    def _answers(self, player: Bot, moment: int, deal: Deal, times: int) -> Floats:
        view, legal = deal.view(deal.mover), deal.legal_actions()
        made = [ask(player, view, legal, generator((moment, k)), f"information set {moment}") for k in range(times)]
        return np.bincount(np.searchsorted(self.actions, made), minlength=len(self.actions)) / times

    @cached_property
    def _steps(self) -> list[tuple[Ints, Ints, Ints]]:
        """Steps from the deal on: nodes at a distance, the actions from them, the nodes after these."""
        steps = []
        for nodes in self.levels[:-1]:
            row, actions = np.nonzero(self.children[nodes] != END)
            steps.append((nodes[row], actions, self.children[nodes[row], actions]))
        return steps


def solve(tree: GameTree, iterations: int, progress: Callable[[], object] = lambda: None) -> Floats:
    """A policy that comes nearer to an equilibrium the longer it is computed (CFR+, linear averaging).

    Tammelin, "Solving Large Imperfect Information Games Using CFR+", 2014. ``progress`` is called after each of the
    iterations, in which the whole tree is gone through."""
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
        np.add.at(regret, moments, (tree.weight[asked] * others)[:, None] * gain)
        regret = np.maximum(regret, 0)
        np.add.at(average, moments, iteration * own[:, None] * policy[moments])
        progress()
    average /= average.sum(axis=1, keepdims=True)
    return average


# Every deal of a small pack: its orders one after the other, dealt in compiled code


def count_orders(game: Game) -> int:
    """Orders in which the pack may lie, equal cards not told apart; ``TefudaError`` for more than ``MOST_ORDERS``."""
    orders = factorial(len(game.pack)) // prod(map(factorial, Counter(game.pack.tolist()).values()))
    if orders > MOST_ORDERS:
        raise TefudaError(f"{game.name} has {len(game.pack)} cards, too many to go through all deals")
    return orders


def all_deals(game: Game) -> tuple[States, list[int]]:
    """All deals that differ, records of shape (deals,), dealt, and how many orders of the pack bring each. The random
    number is 0 in all. ``TefudaError`` if the pack has more than ``MOST_ORDERS`` orders."""
    if game.description.begins:
        return all_beginnings(game)
    orders, deck = count_orders(game), np.sort(game.pack)
    states, counts = np.repeat(game.template, min(BLOCK, orders)), Counter[bytes]()
    for first in range(0, orders, BLOCK):
        dealt = states[: orders - first]
        deal_orders(game.template, deck, dealt)
        counts.update(map(bytes, dealt.view(np.uint8).reshape(len(dealt), -1)))
    raw = np.frombuffer(b"".join(counts), np.uint8).copy()
    return records(raw, game.template.dtype, (len(counts),)), list(counts.values())


def all_beginnings(game: Game) -> tuple[States, list[int]]:
    """All beginnings of a tiny game that differ, as ``Description.begins`` has them, and how often each comes."""
    begins, position = game.description.begins, game.description.begins.table("position")
    known, rest = position.words("hands", [""] * game.seats), begins.get("rest")
    ways = Counter(shares(sorted(begins.text("dealt").split()), begins["each"], in_order=rest is not None))
    states = np.repeat(game.template, len(ways))
    for state, (*hands, left) in zip(states, ways, strict=True):
        fields = {**position, "hands": [f"{had} {' '.join(new)}" for had, new in zip(known, hands, strict=True)]}
        game.description.setup.position(state, {**fields, rest: " ".join(left)} if rest else fields)
    return states, list(ways.values())


def shares(cards: list[str], each: list[int], *, in_order: bool) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way to give so many cards to each; the last share is what is left, in every order if that matters."""
    if not each:
        yield from zip(permutations(cards if in_order else ()))
        return
    for given in combinations(range(len(cards)), each[0]):
        left = [card for k, card in enumerate(cards) if k not in given]
        for others in shares(left, each[1:], in_order=in_order):
            yield (tuple(cards[k] for k in given), *others)


@rule
def deal_orders(template: States, deck: Ints, states: States) -> None:
    """Deal this order of the deck, and those after it; ``deck`` becomes the next one."""
    for k in range(len(states)):
        copy(template[0], states[k])
        verbs.deal(states[k], deck)
        step_order(deck)


@rule
def step_order(deck: Ints) -> None:
    """The next order in the dictionary's sense; after the last one the first."""
    pivot = len(deck) - 2
    while pivot >= 0 and deck[pivot] >= deck[pivot + 1]:
        pivot -= 1
    if pivot >= 0:
        larger = len(deck) - 1
        while deck[larger] <= deck[pivot]:
            larger -= 1
        deck[pivot], deck[larger] = deck[larger], deck[pivot]
    deck[pivot + 1 :] = deck[pivot + 1 :][::-1].copy()
