"""The tree of an information-set Monte Carlo search, in compiled code, for every game alike.

Usually one tree, seen with the searcher's eyes (``descend``; ``descend_each`` keeps one for every seat): a node stands
for what the searcher would have seen happen since the root, in whatever world. Every simulation draws a world from the
view (``imagine``), walks down the tree making only actions that are legal in that world, adds a node, plays it out
and adds up along its way what the deal is worth to each seat: its payoff, or its gain over the others
(``engine/objective.py``). At every node the seat that acts chooses by what it is worth to itself; an action's
exploration counts the times it was there to be chosen, not the visits of the node (Cowling, Powley and Whitehouse,
2012). Actions that others cannot tell apart, such as cards laid face down (``disguise``), lead to one node when
somebody else than the searcher makes them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.objective import write_worths
from tefuda.engine.playout import MOST_ACTIONS, is_among
from tefuda.engine.record import StateRecord
from tefuda.engine.rng import below, chance
from tefuda.engine.verbs import rule

NONE, ROOT = -1, 0
LONGEST = 1024
"""Actions from the root that a simulation remembers; beyond them it only plays out."""


def with_attributes(fields: np.dtype[Any]) -> np.dtype[Any]:
    """The same, its records' fields attributes also where the code runs uncompiled."""
    return np.dtype((StateRecord, fields))


EDGE = with_attributes(
    np.dtype(
        [
            ("action", np.int16),
            ("disguise", np.int16),
            ("advised", np.int32),
            ("next", np.int32),
            ("child", np.int32),
            ("visits", np.int32),
            ("available", np.int32),
            ("worth", np.float64),
        ],
        align=True,
    )
)
"""An action at a node, in half a cache line: what others see of it; 1 if the rules of thumb advised it; the node's next
edge; the node it leads to; simulations that took it, and that could have; mean of what they were worth to the
mover."""

SUMS = with_attributes(
    np.dtype([("payoff", np.float64), ("payoff_squared", np.float64), ("worth_squared", np.float64)], align=True)
)
"""Of an action at the root: sums over its simulations, of the searcher's payoffs, their squares, and its worths'."""


class Search(NamedTuple):
    """A tree, and the workplace of its simulations."""

    trees: NDArray[Any]
    """one record of ``tree_type``"""
    worlds: NDArray[Any]
    """the world drawn, and the copy that is played"""
    legal: NDArray[np.int64]
    payoffs: NDArray[np.int64]
    worths: NDArray[np.float64]


def tree_type(actions: int, seats: int, nodes: int) -> np.dtype[Any]:
    """A tree with room for this many nodes, and as many edges: one record, so that compiled code hands on one pointer.

    nodes_used, edges_used; the time, which marks are made with; the number of worths of all seats, their mean and sum
    of squared deviations; [action] what is summed at the root; [action] when it was last
    found legal; the edges; [step] the edges of the present simulation, and who took them; [node] its first edge.
    """
    return with_attributes(
        np.dtype(
            [
                ("nodes_used", np.int64),
                ("edges_used", np.int64),
                ("time", np.int64),
                ("worths", np.int64),
                ("mean_worth", np.float64),
                ("deviations", np.float64),
                ("sums", SUMS, actions),
                ("marks", np.int64, actions),
                ("edges", EDGE, nodes),
                ("path", np.int32, LONGEST),
                ("movers", np.int32, LONGEST),
                ("at", np.int32, seats),
                ("first", np.int32, nodes),
            ],
            align=True,
        )
    )


class SearchSettings(NamedTuple):
    """How to search.

    Attributes:
        relative: what a seat plays for; 1: its team's payoff less the mean of the others', 0: its payoff alone. These
            differ where payoffs do not sum to 0.
        exploration: weight of the exploration term, in standard deviations of what deals are worth to the seats.
        advised: 1: what the rules of thumb advise is tried first at a new node.
        widening: a node whose edges were taken N times is due this × √N edges; 0: every action is tried at once, as
            they always are at the root.
        bias: added to the worth of what the rules of thumb advise, in the same deviations, over 1 + its visits.
        hints: percentage of the playouts' moves that the rules of thumb make; the others are random.
        belief: percentage of the worlds in which what others did makes sense (``believe``); the others are any that
            agree with the view.
        worlds: simulations that share a world.
        patience: simulations that take an action before its node grows; until then a playout follows it.
        depth: actions from the root that are chosen in the tree; a playout makes the others.
        trust: what the rules of thumb advise is made unless another action was found better by so many standard errors.
        observers: 1: one tree, of what the searcher sees; 0: one for every seat, each of what that seat sees.
    """

    relative: int = 0
    exploration: float = 1.0
    advised: int = 1
    widening: float = 0.5
    bias: float = 0.0
    hints: int = 100
    belief: int = 90
    worlds: int = 1
    patience: int = 1
    depth: int = LONGEST
    trust: float = 0.0
    observers: int = 1


DEFAULT = SearchSettings()


def new_search(record: np.dtype[Any], actions: int, seats: int, nodes: int) -> Search:
    """An empty tree with room for this many nodes, and its workplace."""
    made = Search(
        trees=np.zeros(1, tree_type(actions, seats, nodes)),
        worlds=np.zeros(2, record),
        legal=np.zeros(MOST_ACTIONS, np.int64),
        payoffs=np.zeros(seats, np.int64),
        worths=np.zeros(seats),
    )
    clear(made.trees)
    return made


@rule
def search(s: Search, views: Any, settings: SearchSettings, rng: Any, simulations: int) -> None:
    """Run this many simulations from the view ``views[0]``, whose viewer is to act."""
    for k in range(simulations):
        if k % settings.worlds == 0:
            if chance(rng, settings.belief):
                verbs.believe(views[0], rng, s.worlds[0])
            else:
                verbs.imagine(views[0], rng, s.worlds[0])
        s.worlds[1] = s.worlds[0]
        simulate(s.trees[0], s.worlds[1], views[0].viewer, settings, rng, s.legal, s.payoffs, s.worths)


@rule
def clear(trees: Any) -> None:
    """Forget everything; a root for every seat remains, the searcher's first."""
    tree = trees[0]
    tree.nodes_used, tree.edges_used = len(tree.at), 0
    tree.first[: len(tree.at)] = NONE
    tree.worths, tree.mean_worth, tree.deviations = 0, 0.0, 0.0
    for action in range(len(tree.sums)):
        sums = tree.sums[action]
        sums.payoff, sums.payoff_squared, sums.worth_squared = 0.0, 0.0, 0.0


@rule
def simulate(
    tree: Any, state: Any, searcher: int, settings: SearchSettings, rng: Any, legal: Any, payoffs: Any, worths: Any
) -> None:
    """One simulation in this world."""
    if settings.observers == 1:
        steps = descend(tree, state, searcher, settings, rng, legal)
    else:
        steps = descend_each(tree, state, searcher, settings, rng, legal)
    play_out(state, settings.hints, rng, legal)
    verbs.payoff(state, payoffs)
    write_worths(state, settings.relative, payoffs, worths)
    for k in range(steps):
        edge = tree.edges[tree.path[k]]
        edge.visits += 1
        edge.worth += (worths[tree.movers[k]] - edge.worth) / edge.visits
    if steps > 0:
        sums, payoff = tree.sums[tree.edges[tree.path[0]].action], float(payoffs[searcher])
        sums.payoff += payoff
        sums.payoff_squared += payoff**2
        sums.worth_squared += worths[searcher] ** 2
    for seat in range(len(worths)):
        note_worth(tree, worths[seat])


@rule
def note_worth(tree: Any, worth: float) -> None:
    """Welford's running mean and sum of squared deviations, of what deals are worth to all seats.

    Not of the searcher's alone: an action that ends a seat's part in the deal (passing, dropping out) brings it the
    same whatever happens, and the more it is tried, the smaller would be the scale on which the others look worse.
    """
    tree.worths += 1
    deviation = worth - tree.mean_worth
    tree.mean_worth += deviation / tree.worths
    tree.deviations += deviation * (worth - tree.mean_worth)


@rule
def descend(tree: Any, state: Any, searcher: int, settings: SearchSettings, rng: Any, legal: Any) -> int:
    """Walk down to a new node, or to the end of the deal; how many edges were taken."""
    node, steps = 0, 0
    seat = verbs.mover(state)
    while seat >= 0 and node != NONE and steps < min(settings.depth, LONGEST):
        n = verbs.legal(state, legal)
        if n == 0:  # a position with cards missing
            return steps
        edge = choose(tree, node, state, settings, rng, legal, n)
        if edge == NONE:
            return steps
        tree.path[steps], tree.movers[steps] = edge, seat
        steps += 1
        action = tree.edges[edge].action
        fresh = tree.edges[edge].visits < settings.patience and n > 1
        if tree.edges[edge].child == NONE and not fresh:
            tree.edges[edge].disguise = action if seat == searcher else verbs.disguise(state, action)
            attach(tree, node, edge)
        verbs.apply(state, action)
        node = NONE if fresh else tree.edges[edge].child
        seat = verbs.mover(state)
    return steps


@rule
def descend_each(tree: Any, state: Any, searcher: int, settings: SearchSettings, rng: Any, legal: Any) -> int:
    """``descend`` with a tree for every seat, each of what that seat sees (multiple-observer search)."""
    seats, steps = state.seats, 0
    for seat in range(seats):
        tree.at[seat] = (seat - searcher) % seats  # the searcher's is the root
    seat = verbs.mover(state)
    while seat >= 0 and tree.at[seat] != NONE and steps < min(settings.depth, LONGEST):
        n = verbs.legal(state, legal)
        if n == 0:
            return steps
        edge = choose(tree, tree.at[seat], state, settings, rng, legal, n)
        if edge == NONE:
            return steps
        tree.path[steps], tree.movers[steps] = edge, seat
        steps += 1
        action = tree.edges[edge].action
        fresh = tree.edges[edge].visits < settings.patience and n > 1
        seen = verbs.disguise(state, action)
        verbs.apply(state, action)
        if fresh:
            return steps
        for other in range(seats):
            tree.at[other] = follow(tree, tree.at[other], edge if other == seat else NONE, seen)
        seat = verbs.mover(state)
    return steps


@rule
def follow(tree: Any, node: int, edge: int, seen: int) -> int:
    """The node after an edge, or, where somebody else moved, after what was seen of it; NONE if there is no room."""
    if node == NONE:
        return NONE
    if edge == NONE:
        edge = tree.first[node]
        while edge != NONE and tree.edges[edge].action != seen:
            edge = tree.edges[edge].next
        if edge == NONE:
            edge = add_edge(tree, node, seen, 0)
            if edge == NONE:
                return NONE
    if tree.edges[edge].child == NONE:
        tree.edges[edge].child = new_node(tree)
    child: int = tree.edges[edge].child
    return child


@rule
def new_node(tree: Any) -> int:
    """A node without edges; NONE if there is no room."""
    node: int = tree.nodes_used
    if node == len(tree.first):
        return NONE
    tree.nodes_used += 1
    tree.first[node] = NONE
    return node


@rule
def choose(tree: Any, node: int, state: Any, settings: SearchSettings, rng: Any, legal: Any, n: int) -> int:
    """The edge to take: a new one while the node is due another, else the most promising; NONE if there is no room.

    What the rules of thumb advise is tried first, the others at random.
    """
    tree.time += 2
    time = tree.time
    for k in range(n):
        tree.marks[legal[k]] = time
    best: int
    best, known, trials = most_promising(tree, node, settings, time)
    due = settings.widening * np.sqrt(trials) if node != ROOT and settings.widening > 0.0 else n
    if known == n or (known > 0 and known >= due):
        return best
    if known == 0 and settings.advised:
        advised = int(verbs.advise(state, rng))
        if is_among(advised, legal, n):
            return add_edge(tree, node, advised, 1)
    skip = below(rng, n - known)
    for k in range(n):
        if tree.marks[legal[k]] == time:
            if skip == 0:
                return add_edge(tree, node, legal[k], 0)
            skip -= 1
    return NONE


@rule
def most_promising(tree: Any, node: int, settings: SearchSettings, time: int) -> Any:
    """Of the edges whose actions are legal: the most promising, their number, and how often they were taken.

    Their actions' marks become ``time + 1``.
    """
    scale = 1.0 / max(np.sqrt(tree.deviations / max(tree.worths, 1)), 1e-9)
    best, best_worth, known, trials = NONE, -np.inf, 0, 0
    edge = tree.first[node]
    while edge != NONE:
        e = tree.edges[edge]
        # An edge that was only seen (descend_each) has no visits: who moves here may depend on hidden cards.
        if tree.marks[e.action] == time and e.visits > 0:
            tree.marks[e.action] = time + 1
            known += 1
            trials += e.visits
            e.available += 1
            worth = e.worth * scale + settings.exploration * np.sqrt(np.log(e.available) / e.visits)
            worth += settings.bias * e.advised / (1.0 + e.visits)
            if worth > best_worth:
                best, best_worth = edge, worth
        edge = e.next
    return best, known, trials


@rule
def add_edge(tree: Any, node: int, action: int, advised: int) -> int:
    """A new edge of this node; NONE if there is no room."""
    edge: int = tree.edges_used
    if edge == len(tree.edges):
        return NONE
    tree.edges_used += 1
    e = tree.edges[edge]
    e.action, e.next, e.child, e.advised = action, tree.first[node], NONE, advised
    e.visits, e.available, e.worth = 0, 1, 0.0
    tree.first[node] = edge
    return edge


@rule
def attach(tree: Any, node: int, edge: int) -> None:
    """Give the edge its node: that of another edge which looks the same to the searcher, or a new one."""
    shown = tree.edges[edge].disguise
    other = tree.first[node]
    while other != NONE:
        e = tree.edges[other]
        if e.child != NONE and e.disguise == shown:
            tree.edges[edge].child = e.child
            return
        other = e.next
    tree.edges[edge].child = new_node(tree)


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
