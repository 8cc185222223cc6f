"""Nested play: all seats of a deal that is played on search for a moment at every choice, each from its own view.

No judge here plays better, and none is slower: a deal takes a tenth of a second and more. It confirms what the judges
of ``play_estimates`` find in hints and reviews, judges problems beside them, and measures them all."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.play_estimates import Rollouts
from tefuda.bots.search_tree import DEFAULT, NONE, ROOT, SearchSettings, Trees, clear
from tefuda.bots.tree_search import Search, new_search, search
from tefuda.engine import verbs
from tefuda.engine.description import Description
from tefuda.engine.objective import gain_weights
from tefuda.engine.play import NO_ACTION, decide, is_among
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.recorder import try_in_world
from tefuda.engine.rng import generators
from tefuda.engine.verbs import MOST_INCIDENTS, implements, rule
from tefuda.engine.views import observe, observe_all

SIMULATIONS = 60  #: simulations of each choice; twice as many where the answer must not depend on the number
NODES = 512  #: room of a tree


class NestedPlayer(NamedTuple):
    """The player that searches in every seat."""

    search: Search
    settings: SearchSettings
    simulations: int
    views: States  #: a view of the seat that acts


@implements(decide, NestedPlayer)
def decide_by_search(player: NestedPlayer, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    """Search from the mover's view, and choose what was tried most; what the rules of thumb advise if no world is found
    that fits the view, which happens once in millions of choices."""
    n = int(verbs.legal(state, legal))
    if n < 2:
        return (int(legal[0]) if n == 1 else NO_ACTION), n
    observe(state, seat, player.views[0])
    clear(player.search.trees)
    try:
        search(player.search, player.views, player.settings, rng, player.simulations)
        action = most_tried(player.search.trees)
    except Exception:
        action = int(verbs.advise(state, rng))
    return (action if is_among(action, legal, n) else int(legal[0])), n


@rule
def most_tried(trees: Trees) -> int:
    """The action of the root that most simulations began with."""
    tree, best, most = trees[0], NONE, -1
    edge = tree.first[ROOT]
    while edge != NONE:
        if tree.edges[edge].visits > most:
            best, most = int(tree.edges[edge].action), tree.edges[edge].visits
        edge = tree.edges[edge].next
    return best


@rule
def try_nested(
    player: NestedPlayer, views: States, worlds: States, rngs: Rng, tried: Ints, payoffs: Ints, incidents: Ints
) -> None:
    """Play on from each of the actions ``tried`` in every world, by nested play; ``views`` is the mover's view.

    Filled are ``worlds``, shape (worlds + 1,), with those that the mover believes in (the last is a workplace),
    ``payoffs``, shape (worlds, actions, seats), and ``incidents``, shape (worlds, actions, MOST_INCIDENTS), all 0
    before: what becomes of the mover. ``rngs`` has shape (worlds, 1); a world's serves all actions."""
    for w in range(len(payoffs)):
        verbs.believe(views[0], rngs[w], worlds[w])
        try_in_world(player, worlds[w : w + 2], rngs[w], tried, payoffs[w], views[0].viewer, incidents[w])


def roll_out_nested(
    game: Description,
    state: NDArray[np.void],
    seat: int,
    actions: Sequence[int],
    seeds: tuple[int, ...],
    worlds: int,
    simulations: int = SIMULATIONS,
) -> Rollouts:
    """Play on from each action of the mover, ``seat``, whose view alone is read, in so many worlds."""
    seats, views = int(state[0]["seats"]), observe_all(state, np.array([seat]))
    search = new_search(state.dtype, game.actions, seats, NODES)
    player = NestedPlayer(search, DEFAULT, simulations, np.zeros(1, state.dtype))
    drawn, shape = np.zeros(worlds + 1, state.dtype), (worlds, len(actions))
    payoffs, incidents = np.zeros((*shape, seats), np.int64), np.zeros((*shape, MOST_INCIDENTS), np.int64)
    try_nested(player, views, drawn, generators(seeds, worlds), np.array(actions, np.int64), payoffs, incidents)
    return Rollouts(payoffs @ gain_weights(state[0])[:, seat], incidents, drawn[:worlds])
