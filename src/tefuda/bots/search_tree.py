"""The tree of an information-set Monte Carlo search: what it is made of, and how to search.

A node stands for what the searcher would have seen happen since the root, in whatever world; an edge for an action.
``tree_search`` grows it."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.record import AnyState, StateRecord
from tefuda.engine.verbs import rule

NONE, ROOT = -1, 0
LONGEST = 1024  #: actions from the root that a simulation remembers; beyond them it only plays out


def with_attributes(fields: list[Any]) -> np.dtype[np.void]:
    """Make an aligned record dtype whose fields are attributes also where the code runs uncompiled."""
    return np.dtype((StateRecord, np.dtype(fields, align=True)))


EDGE = with_attributes(
    [
        ("action", np.int16),
        ("disguise", np.int16),
        ("bonus", np.float32),
        ("next", np.int32),
        ("child", np.int32),
        ("visits", np.int32),
        ("available", np.int32),
        ("worth", np.float64),
    ]
)
"""An action at a node, in half a cache line: what others see of it; what is added to its worth, in deviations; the
node's next edge; the node it leads to; simulations that took it, and that could have; mean of what they were worth to
the mover."""

SUMS = with_attributes(
    [(name, np.float64) for name in ("payoff", "payoff_squared", "worth_squared", "rounds", "lead", "doubt")]
)
"""Of an action at the root: sums over its simulations, of the searcher's payoffs, their squares, and its worths'; and,
if it raced to the end, the rounds, by how much it was better than what is advised, and the variance of that."""


def tree_type(actions: int, nodes: int) -> np.dtype[np.void]:
    """A tree with room for this many nodes, and as many edges: one record, so that compiled code hands on one pointer.

    nodes_used, edges_used; the time, which marks are made with; 1 if somebody has rated the actions at the root; which
    of them is advised; the number of worths of all seats, their mean and sum of squared deviations; [action] what is
    summed at the root; [action] the bonus of an edge there; [action] when it was last found legal; the edges; [step]
    the edges of the present simulation, and who took them; [node] its first edge."""
    return with_attributes(
        [
            *((name, np.int64) for name in ("nodes_used", "edges_used", "time", "rated", "advised", "worths")),
            *((name, np.float64) for name in ("mean_worth", "deviations")),
            ("sums", SUMS, actions),
            ("bonus", np.float32, actions),
            ("marks", np.int64, actions),
            ("edges", EDGE, nodes),
            ("path", np.int32, LONGEST),
            ("movers", np.int32, LONGEST),
            ("first", np.int32, nodes),
        ]
    )


class SearchSettings(NamedTuple):
    """Settings of a search."""

    #: what a seat plays for; 1: its team's payoff less the mean of the others', 0: its payoff alone.
    relative: int = 0
    exploration: float = 1.0  #: weight of the exploration term, in deviations of what deals are worth to the seats
    advised: int = 1  #: 1: what the rules of thumb advise is tried first at a new node
    #: a node whose edges were taken N times is due this × √N edges; 0: all at once, as always at the root
    widening: float = 0.5
    #: at the root all actions are tried in the same worlds until they are worse by so many standard errors; 0: each in
    #: worlds of its own, the more often, the more promising it is
    race: float = 0.0
    #: at the root, weight of the network's ratings beside the worths, in the same deviations. Where the game has no
    #: network that knows the table, the rules of thumb rate what they advise 1, all else 0.
    prior: float = 0.0
    #: worlds in which an action must be tried until its rating weighs half as much beside what is known; 0: never fades
    fading: int = 100
    net: int = 0  #: 1: the network that comes with the game makes every move of the playouts, at tables that it knows
    hints: int = 100  #: percentage of the playouts' moves that the rules of thumb make; the others are random
    belief: int = 90  #: percentage of the worlds in which what others did makes sense (``believe``)
    worlds: int = 1  #: simulations that share a world, where actions do not race
    patience: int = 1  #: simulations that take an action before its node grows; until then a playout follows it
    depth: int = LONGEST  #: actions from the root that are chosen in the tree; a playout makes the others
    #: positions that are looked at, about, where so few are left in all worlds that fit the view that each can be
    #: played to its end; then nothing is left to chance (``ending``). 0: never
    endings: int = 30_000
    #: what is advised, by the network if ``prior`` asks it, else by the rules of thumb, is made unless another action
    #: was found better by so many standard errors
    trust: float = 0.0


DEFAULT = SearchSettings()


Tree = AnyState  #: a record of ``tree_type``

Trees = NDArray[np.void]  #: one of them, as an array


@rule
def clear(trees: Trees) -> None:
    """Forget everything but the root."""
    tree = trees[0]
    tree.nodes_used, tree.edges_used = ROOT + 1, 0
    tree.first[ROOT] = NONE
    tree.worths, tree.mean_worth, tree.deviations = 0, 0.0, 0.0
    tree.rated, tree.advised = 0, NONE
    tree.bonus[:] = 0.0
    for action in range(len(tree.sums)):
        sums = tree.sums[action]
        sums.payoff, sums.payoff_squared, sums.worth_squared = 0.0, 0.0, 0.0
        sums.rounds, sums.lead, sums.doubt = 0.0, 0.0, 0.0


@rule
def deviation(tree: Tree) -> float:
    """Standard deviation of what deals are worth to the seats, as far as is known."""
    return float(np.sqrt(tree.deviations / max(tree.worths, 1)))


@rule
def note_worth(tree: Tree, worth: float) -> None:
    """Welford's running mean and sum of squared deviations, of what deals are worth to all seats.

    Not of the searcher's alone: an action that ends a seat's part in the deal (passing, dropping out) brings it the
    same whatever happens, and the more it is tried, the smaller would be the scale on which the others look worse."""
    tree.worths += 1
    deviation = worth - tree.mean_worth
    tree.mean_worth += deviation / tree.worths
    tree.deviations += deviation * (worth - tree.mean_worth)


@rule
def faded(bonus: float, tries: int, fading: int) -> float:
    """A rating's bonus after so many tries (``SearchSettings.fading``)."""
    return bonus * fading / (fading + tries) if fading > 0 else bonus


@rule
def new_node(tree: Tree) -> int:
    """A node without edges; NONE if there is no room."""
    node: int = tree.nodes_used
    if node == len(tree.first):
        return NONE
    tree.nodes_used += 1
    tree.first[node] = NONE
    return node


@rule
def most_promising(tree: Tree, node: int, settings: SearchSettings, time: int) -> tuple[int, int, int]:
    """The most promising edge whose action is legal, the number of such edges, and how often they were taken.

    Their actions' marks become ``time + 1``."""
    scale = 1.0 / max(deviation(tree), 1e-9)
    best, best_worth, known, trials = NONE, -np.inf, 0, 0
    edge = tree.first[node]
    while edge != NONE:
        e = tree.edges[edge]
        if tree.marks[e.action] == time:
            tree.marks[e.action] = time + 1
            known += 1
            trials += e.visits
            e.available += 1
            worth = (
                e.worth * scale
                + faded(e.bonus, e.visits, settings.fading)
                + settings.exploration * np.sqrt(np.log(e.available) / e.visits)
            )
            if worth > best_worth:
                best, best_worth = edge, worth
        edge = e.next
    return best, known, trials


@rule
def add_edge(tree: Tree, node: int, action: int) -> int:
    """A new edge of this node; NONE if there is no room."""
    edge: int = tree.edges_used
    if edge == len(tree.edges):
        return NONE
    tree.edges_used += 1
    e = tree.edges[edge]
    e.action, e.next, e.child = action, tree.first[node], NONE
    e.visits, e.available, e.worth = 0, 1, 0.0
    e.bonus = tree.bonus[action] if node == ROOT else 0.0
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
    tree.edges[edge].child = new_node(tree)
