"""Information-set Monte Carlo search, in compiled code, for every game alike.

There is one tree, seen with the searcher's eyes (``descend``): a node stands for what the searcher would have seen
happen since the root, in whatever world. Every simulation draws a world from the view (``imagine``), walks down the
tree making only actions that are legal in that world, adds a node, plays it out and adds up along its way what the deal
is worth to each seat: its payoff, or its gain over the others (``engine/objective.py``). At every node the seat that
acts chooses by what it is worth to itself; an action's exploration counts the times it was there to be chosen, not the
visits of the node (Cowling, Powley and Whitehouse, 2012). Actions that others cannot tell apart, such as cards laid
face down (``disguise``), lead to one node when somebody else than the searcher makes them.

At the root all actions are tried in each world, and race (``race``); or, without a race, the searcher too chooses by
what an action is worth and how often it was tried."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots import action_elimination as race
from tefuda.bots import search_tree
from tefuda.bots.action_elimination import MOST_RACERS, ROUNDS, RUNNING, Race, new_race
from tefuda.bots.net import Network
from tefuda.bots.net_player import CompiledNet, new_net_player
from tefuda.bots.search_tree import NONE, ROOT, SearchSettings, Tree, Trees, add_edge, clear, deviation, faded
from tefuda.engine import verbs
from tefuda.engine.objective import write_worths
from tefuda.engine.play import MOST_ACTIONS, NO_ACTION, UNWATCHED, decide, is_among, new_loop
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.rng import below, chance
from tefuda.engine.verbs import implements, rule


class Mixed(NamedTuple):
    """The player that mixes rules of thumb with chance."""

    hints: int  #: percentage of the choices that the rules of thumb make; the others are random


@implements(decide, Mixed, inlined=True)
def decide_mixed(player: Mixed, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    """Choose a random action, or this often in a hundred what is advised."""
    n = int(verbs.legal(state, legal))
    if n < 2:
        return (int(legal[0]) if n == 1 else NO_ACTION), n
    action = int(legal[below(rng, n)])
    if player.hints > 0 and chance(rng, player.hints):
        advised = int(verbs.advise(state, rng))
        if is_among(advised, legal, n):
            action = advised
    return action, n


class Search(NamedTuple):
    """A tree, and the workplace of its simulations."""

    trees: Trees  #: one record of ``tree_type``
    worlds: States  #: the world drawn, and the copy that is played
    legal: NDArray[np.int64]
    payoffs: NDArray[np.int64]
    worths: NDArray[np.float64]
    race: Race
    net: CompiledNet


def new_search(
    record: np.dtype[np.void], actions: int, seats: int, nodes: int, network: Network | None = None
) -> Search:
    """An empty tree with room for this many nodes, and its workplace; ``network`` plays where ``settings.net`` is 1."""
    made = Search(
        trees=np.zeros(1, search_tree.tree_type(actions, nodes)),
        worlds=np.zeros(2, record),
        legal=np.zeros(MOST_ACTIONS, np.int64),
        payoffs=np.zeros(seats, np.int64),
        worths=np.zeros(seats),
        race=new_race(),
        net=new_net_player(record, network),
    )
    clear(made.trees)
    return made


@rule
def search(s: Search, views: States, settings: SearchSettings, rng: Rng, simulations: int) -> None:
    """Run this many simulations from the view ``views[0]``, whose viewer is to act."""
    seat, done = views[0].viewer, 0
    while done < simulations:
        if chance(rng, settings.belief):
            verbs.believe(views[0], rng, s.worlds[0])
        else:
            verbs.imagine(views[0], rng, s.worlds[0])
        if s.trees[0].first[ROOT] == NONE:
            open_root(s, settings, rng)
        if settings.race > 0.0:
            done += race_round(s, seat, settings, rng, simulations - done)
        else:
            together = min(settings.worlds, simulations - done)
            for _ in range(together):
                simulate(s, NONE, seat, settings, rng)
            done += together
    if settings.race > 0.0:
        write_leads(s)


@rule
def open_root(s: Search, settings: SearchSettings, rng: Rng) -> None:
    """Note what the searcher is advised, by ratings if there are any, else by rules of thumb; begin the race."""
    tree, state = s.trees[0], s.worlds[0]
    n = verbs.legal(state, s.legal)
    if tree.rated:
        tree.advised = s.legal[0]
        for k in range(n):
            if tree.bonus[s.legal[k]] > tree.bonus[tree.advised]:
                tree.advised = s.legal[k]
    else:
        tree.advised = verbs.advise(state, rng)
        tree.bonus[tree.advised] = settings.prior
    if settings.race > 0.0:
        racers = min(n, MOST_RACERS, len(tree.edges))
        for k in range(racers, n):  # the advised action takes part, however many there are
            if s.legal[k] == tree.advised:
                s.legal[racers - 1] = tree.advised
        for k in range(racers):
            s.race.edges[k] = add_edge(tree, ROOT, s.legal[k])
        race.begin(s.race, racers)


@rule
def race_round(s: Search, seat: int, settings: SearchSettings, rng: Rng, most: int) -> int:
    """Try all who run in this world, or the first of them if that is too many; how many were tried."""
    n: int = s.race.numbers[RUNNING]
    tree, kept = s.trees[0], NONE
    for k in range(min(n, most)):
        i = s.race.running[k]
        edge = s.race.edges[i]
        simulate(s, edge, seat, settings, rng)
        s.race.worths[i] = s.worths[seat]
        s.race.bonus[i] = faded(tree.edges[edge].bonus, s.race.numbers[ROUNDS], settings.fading) * deviation(tree)
        if settings.trust > 0.0 and tree.edges[edge].action == tree.advised:
            kept = i
    if n > most:
        return most
    race.note_round(s.race)
    race.run_heat(s.race, settings.race, kept)
    return n


@rule
def write_leads(s: Search) -> None:
    """Write by how much each action that still races was better than the advised one."""
    tree, rounds, advised = s.trees[0], s.race.numbers[ROUNDS], NONE
    running = s.race.running[: s.race.numbers[RUNNING] if rounds > 0 else 0]
    for action in range(len(tree.sums)):
        tree.sums[action].rounds = 0.0
    for i in running:
        if tree.edges[s.race.edges[i]].action == tree.advised:
            advised = i
    for i in running:
        sums = tree.sums[tree.edges[s.race.edges[i]].action]
        sums.rounds = rounds
        if advised != NONE:
            sums.lead, sums.doubt = race.lead(s.race, i, advised)


_play_out = new_loop()


@rule
def simulate(s: Search, first: int, searcher: int, settings: SearchSettings, rng: Rng) -> None:
    """One simulation in a copy of the world that was drawn, which begins with the edge ``first`` if it is one."""
    s.worlds[1] = s.worlds[0]
    tree, state, payoffs, worths = s.trees[0], s.worlds[1], s.payoffs, s.worths
    steps = descend(tree, first, state, searcher, settings, rng, s.legal)
    if settings.net:
        _play_out(s.net, UNWATCHED, state, rng, s.legal)
    else:
        _play_out(Mixed(settings.hints), UNWATCHED, state, rng, s.legal)
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
        search_tree.note_worth(tree, worths[seat])


@rule
def descend(
    tree: Tree, first: int, state: StateRecord, searcher: int, settings: SearchSettings, rng: Rng, legal: Ints
) -> int:
    """Walk down to a new node, or to the end of the deal, by the edge ``first`` if it is one; how many were taken."""
    node, steps = 0, 0
    seat = verbs.mover(state)
    while seat >= 0 and node != NONE and steps < min(settings.depth, search_tree.LONGEST):
        n = verbs.legal(state, legal)
        if n == 0:  # a position with cards missing
            return steps
        edge = first if first != NONE and steps == 0 else choose(tree, node, state, settings, rng, legal, n)
        if edge == NONE:
            return steps
        tree.path[steps], tree.movers[steps] = edge, seat
        steps += 1
        action = tree.edges[edge].action
        fresh = tree.edges[edge].visits < settings.patience and n > 1
        if tree.edges[edge].child == NONE and not fresh:
            tree.edges[edge].disguise = action if seat == searcher else verbs.disguise(state, action)
            search_tree.attach(tree, node, edge)
        verbs.apply(state, action)
        node = NONE if fresh else tree.edges[edge].child
        seat = verbs.mover(state)
    return steps


@rule
def choose(tree: Tree, node: int, state: StateRecord, settings: SearchSettings, rng: Rng, legal: Ints, n: int) -> int:
    """The edge to take: a new one while the node is due another, else the most promising; NONE if there is no room.

    What is advised is tried first, the others at random."""
    tree.time += 2
    time = tree.time
    for k in range(n):
        tree.marks[legal[k]] = time
    best: int
    best, known, trials = search_tree.most_promising(tree, node, settings, time)
    due = settings.widening * np.sqrt(trials) if node != ROOT and settings.widening > 0.0 else n
    if known == n or (known > 0 and known >= due):
        return best
    if known == 0 and settings.advised:
        advised = tree.advised if node == ROOT else int(verbs.advise(state, rng))
        if is_among(advised, legal, n):
            return add_edge(tree, node, advised)
    skip = below(rng, n - known)
    for k in range(n):
        if tree.marks[legal[k]] == time:
            if skip == 0:
                return add_edge(tree, node, legal[k])
            skip -= 1
    return NONE
