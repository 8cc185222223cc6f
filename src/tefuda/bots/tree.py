"""The tree of an information-set Monte Carlo search, in compiled code, for every game alike.

One tree, seen with the searcher's eyes: a node stands for what the searcher would have seen happen since the root, in
whatever world. Every simulation draws a world from the view (``imagine``), walks down the tree making only actions that
are legal in that world, adds a node, plays the deal out and adds the payoffs up along its way. At every node the seat
that acts chooses by its own payoff; an action's exploration counts the times it was there to be chosen, not the
visits of the node (Cowling, Powley and Whitehouse, 2012). Actions that others cannot tell apart, such as cards laid
face down (``disguise``), lead to one node when somebody else than the searcher makes them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.playout import MOST_ACTIONS, is_among
from tefuda.engine.rng import below, chance
from tefuda.engine.verbs import rule

NONE = -1
LONGEST = 1024
"""Actions from the root that a simulation remembers; beyond them it only plays out."""

EDGE = np.dtype(
    [
        ("action", np.int32),
        ("disguise", np.int32),
        ("next", np.int32),
        ("child", np.int32),
        ("visits", np.int32),
        ("available", np.int32),
        ("total", np.float64),
        ("squares", np.float64),
    ],
    align=True,
)
"""An action at a node: what others see of it; the node's next edge; the node it leads to; simulations that took it, and
that could have; sum of the mover's payoffs and of their squares."""


class Tree(NamedTuple):
    """The tree and the workplace of its simulations."""

    first: NDArray[np.int32]
    """[node]: its first edge"""
    edges: NDArray[Any]
    used: NDArray[np.int64]
    """how many nodes and edges there are"""
    spread: NDArray[np.float64]
    """simulations, mean and sum of squared deviations of the searcher's payoff"""
    legal: NDArray[np.int64]
    marks: NDArray[np.int64]
    """[action]: when it was last found legal; the last entry is the time"""
    path: NDArray[np.int64]
    """[step, 2]: edges of the present simulation, and who took them"""
    payoffs: NDArray[np.int64]
    worlds: NDArray[Any]
    """the world drawn, and the copy that is played"""


class Settings(NamedTuple):
    """How to search.

    Attributes:
        exploration: weight of the exploration term, in standard deviations of the searcher's payoff.
        widening: a node whose edges were taken N times is due this × √N edges; many, and every action is tried at once.
        hints: percentage of the playouts' moves that the game's rules of thumb make; the others are random.
        worlds: simulations that share a world.
    """

    exploration: float = 0.7
    widening: float = 0.5
    hints: int = 100
    worlds: int = 1


DEFAULT = Settings()


def new_tree(record: np.dtype[Any], actions: int, seats: int, nodes: int) -> Tree:
    """An empty tree with room for this many nodes, and as many edges."""
    return Tree(
        first=np.full(nodes, NONE, np.int32),
        edges=np.zeros(nodes, EDGE),
        used=np.zeros(2, np.int64),
        spread=np.zeros(3),
        legal=np.zeros(MOST_ACTIONS, np.int64),
        marks=np.zeros(actions + 1, np.int64),
        path=np.zeros((LONGEST, 2), np.int64),
        payoffs=np.zeros(seats, np.int64),
        worlds=np.zeros(2, record),
    )


@rule
def search(tree: Tree, views: Any, settings: Settings, rng: Any, simulations: int) -> None:
    """Run this many simulations from the view ``views[0]``, whose viewer is to act."""
    for k in range(simulations):
        if k % settings.worlds == 0:
            verbs.imagine(views[0], rng, tree.worlds[0])
        tree.worlds[1] = tree.worlds[0]
        simulate(tree, views[0].viewer, settings, rng)


@rule
def clear(tree: Tree) -> None:
    """Forget everything; the root remains."""
    tree.used[0], tree.used[1] = 1, 0
    tree.first[0] = NONE
    tree.spread[:] = 0.0


@rule
def simulate(tree: Tree, searcher: int, settings: Settings, rng: Any) -> None:
    """One simulation in ``worlds[1]``."""
    state = tree.worlds[1]
    steps = descend(tree, searcher, settings, rng)
    play_out(state, settings.hints, rng, tree.legal)
    verbs.payoff(state, tree.payoffs)
    for k in range(steps):
        edge = tree.edges[tree.path[k, 0]]
        payoff = float(tree.payoffs[tree.path[k, 1]])
        edge.visits += 1
        edge.total += payoff
        edge.squares += payoff * payoff
    note_spread(tree.spread, float(tree.payoffs[searcher]))


@rule
def note_spread(spread: Any, payoff: float) -> None:
    """Welford's running mean and sum of squared deviations."""
    spread[0] += 1.0
    deviation = payoff - spread[1]
    spread[1] += deviation / spread[0]
    spread[2] += deviation * (payoff - spread[1])


@rule
def descend(tree: Tree, searcher: int, settings: Settings, rng: Any) -> int:
    """Walk down to a new node, or to the end of the deal; how many edges were taken."""
    state = tree.worlds[1]
    node, steps = 0, 0
    seat = verbs.mover(state)
    while seat >= 0 and node != NONE and steps < LONGEST:
        n = verbs.legal(state, tree.legal)
        if n == 0:  # a position with cards missing
            return steps
        edge = choose(tree, node, n, settings, rng, state)
        if edge == NONE:
            return steps
        tree.path[steps, 0], tree.path[steps, 1] = edge, seat
        steps += 1
        action = tree.edges[edge].action
        fresh = tree.edges[edge].visits == 0 and n > 1
        if tree.edges[edge].child == NONE and not fresh:
            tree.edges[edge].disguise = action if seat == searcher else verbs.disguise(state, action)
            attach(tree, node, edge)
        verbs.apply(state, action)
        node = NONE if fresh else tree.edges[edge].child
        seat = verbs.mover(state)
    return steps


@rule
def choose(tree: Tree, node: int, n: int, settings: Settings, rng: Any, state: Any) -> int:
    """The edge to take: a new one while the node is due another, else the most promising; NONE if there is no room.

    What the rules of thumb advise is tried first, the others at random. A node whose edges were taken N times is due
    ``widening`` × √N edges.
    """
    time = tree.marks[-1] + 2
    tree.marks[-1] = time
    for k in range(n):
        tree.marks[tree.legal[k]] = time
    best: int
    best, known, trials = most_promising(tree, node, settings, time)
    if known == n or (known > 0 and known >= settings.widening * np.sqrt(trials)):
        return best
    if known == 0:
        advised = int(verbs.advise(state, rng))
        if is_among(advised, tree.legal, n):
            return add_edge(tree, node, advised)
    skip = below(rng, n - known)
    for k in range(n):
        if tree.marks[tree.legal[k]] == time:
            if skip == 0:
                return add_edge(tree, node, tree.legal[k])
            skip -= 1
    return NONE


@rule
def most_promising(tree: Tree, node: int, settings: Settings, time: int) -> Any:
    """Of the edges whose actions are legal: the most promising, their number, and how often they were taken.

    Their actions' marks become ``time + 1``.
    """
    scale = max(np.sqrt(tree.spread[2] / max(tree.spread[0], 1.0)), 1e-9)
    best, best_worth, known, trials = NONE, -np.inf, 0, 0
    edge = tree.first[node]
    while edge != NONE:
        e = tree.edges[edge]
        if tree.marks[e.action] == time:
            tree.marks[e.action] = time + 1
            known += 1
            trials += e.visits
            e.available += 1
            worth = e.total / (e.visits * scale) + settings.exploration * np.sqrt(np.log(e.available) / e.visits)
            if worth > best_worth:
                best, best_worth = edge, worth
        edge = e.next
    return best, known, trials


@rule
def add_edge(tree: Tree, node: int, action: int) -> int:
    """A new edge of this node; NONE if there is no room."""
    edge: int = tree.used[1]
    if edge == len(tree.edges):
        return NONE
    tree.used[1] += 1
    e = tree.edges[edge]
    e.action, e.next, e.child = action, tree.first[node], NONE
    e.visits, e.available, e.total, e.squares = 0, 1, 0.0, 0.0
    tree.first[node] = edge
    return edge


@rule
def attach(tree: Tree, node: int, edge: int) -> None:
    """Give the edge its node: that of another edge which looks the same to the searcher, or a new one."""
    shown = tree.edges[edge].disguise
    other = tree.first[node]
    while other != NONE:
        e = tree.edges[other]
        if e.child != NONE and e.disguise == shown:
            tree.edges[edge].child = e.child
            return
        other = e.next
    if tree.used[0] < len(tree.first):
        tree.edges[edge].child = tree.used[0]
        tree.first[tree.used[0]] = NONE
        tree.used[0] += 1


@rule
def play_out(state: Any, hints: int, rng: Any, actions: Any) -> None:
    """To the end of the deal; this percentage of the moves by the rules of thumb, the others at random."""
    seat = verbs.mover(state)
    while seat >= 0:
        n = verbs.legal(state, actions)
        if n == 0:
            return
        action = actions[0]
        if n > 1:
            action = actions[below(rng, n)]
            if hints > 0 and chance(rng, hints):
                advised = int(verbs.advise(state, rng))
                if is_among(advised, actions, n):
                    action = advised
        verbs.apply(state, action)
        seat = verbs.mover(state)
