"""What the laboratory measures in compiled code: deals watched while they are played, and moments of them examined.

A *moment* is a full state in which the mover has several actions. Moments are kept while a deal is played and looked at
afterwards: under other options, as worlds that the mover thinks possible, or played on from each of its actions.
"""

from typing import Any

import numpy as np

from tefuda.engine import verbs
from tefuda.engine.playout import HINTS, ILLEGAL, MADE, MOST_ACTIONS, is_among, playout
from tefuda.engine.raw import copy
from tefuda.engine.rng import below
from tefuda.engine.verbs import rule
from tefuda.engine.views import observe

DECISIONS, CHOICES = 2, 3
"""What is counted for each seat beside actions MADE and ILLEGAL advice: actions chosen among several, and how many
there were to choose among, summed."""

COUNTED = 4

OTHER_PLAYS, OTHER_ADVICE = range(2)
"""What may differ where a moment is read under other options: the legal actions, and what the rules of thumb say."""


@rule
def watch_each(
    states: Any, policies: Any, rngs: Any, payoffs: Any, counts: Any, firsts: Any, moments: Any, chosen: Any
) -> int:
    """Play every deal to its end, as ``playout.play_each`` does, and write down what happens.

    Args:
        states: records of shape (deals,), dealt, changed in place.
        policies: int8 of shape (deals, seats): RANDOM or HINTS.
        rngs: uint64 of shape (deals, 1): generators.
        payoffs: int64 of shape (deals, seats), filled.
        counts: int64 of shape (deals, seats, COUNTED), added to.
        firsts: int8 of shape (deals,), filled: who acts first.
        moments: records of shape (room,): every state with a choice is kept while there is room, deal after deal.
        chosen: int64 of shape (room,): the action made at each.

    Returns:
        How many moments were kept.
    """
    actions = np.empty(MOST_ACTIONS, np.int64)
    kept = 0
    for i in range(len(states)):
        firsts[i] = verbs.mover(states[i])
        kept = watch(states, i, policies[i], rngs[i], actions, counts[i], moments, chosen, kept)
        verbs.payoff(states[i], payoffs[i])
    return kept


@rule
def watch(
    states: Any, i: int, policies: Any, rng: Any, actions: Any, counts: Any, moments: Any, chosen: Any, kept: int
) -> int:
    """One deal of ``watch_each``; how many moments are kept after it."""
    state = states[i]
    seat = verbs.mover(state)
    while seat >= 0:
        n = verbs.legal(state, actions)
        if n == 0:
            return kept
        action = int(verbs.advise(state, rng)) if policies[seat] == HINTS else actions[below(rng, n)]
        if policies[seat] == HINTS and not is_among(action, actions, n):
            counts[seat, ILLEGAL] += 1
            action = actions[below(rng, n)]
        counts[seat, MADE] += 1
        if n > 1:
            counts[seat, DECISIONS] += 1
            counts[seat, CHOICES] += n
            if kept < len(moments):
                moments[kept] = states[i]
                chosen[kept] = action
                kept += 1
        verbs.apply(state, action)
        seat = verbs.mover(state)
    return kept


@rule
def read_otherwise(moments: Any, others: Any, rngs: Any, differs: Any) -> None:
    """Whether the same moments under other options have other legal actions, and other advice.

    Args:
        moments: records of shape (n,).
        others: the same with other options, shape (n,).
        rngs: uint64 of shape (n, 1): for the rules of thumb; each reading draws the same numbers.
        differs: bool of shape (n, 2), filled: OTHER_PLAYS, OTHER_ADVICE.
    """
    actions, found = np.empty(MOST_ACTIONS, np.int64), np.empty(MOST_ACTIONS, np.int64)
    again = np.empty(1, np.uint64)
    for k in range(len(moments)):
        again[0] = rngs[k, 0]
        same = verbs.mover(moments[k]) == verbs.mover(others[k])
        if same:
            n = verbs.legal(moments[k], actions)
            same = n == verbs.legal(others[k], found)
            for place in range(n):
                same = same and actions[place] == found[place]
        differs[k, OTHER_PLAYS] = not same
        differs[k, OTHER_ADVICE] = True
        if verbs.mover(moments[k]) == verbs.mover(others[k]):
            advice = int(verbs.advise(moments[k], rngs[k]))
            differs[k, OTHER_ADVICE] = advice != int(verbs.advise(others[k], again))


@rule
def imagine_each(moments: Any, k: int, rng: Any, views: Any, worlds: Any) -> None:
    """Fill ``worlds`` with states that the mover of ``moments[k]`` thinks possible; ``views`` is a workplace of one."""
    observe(moments[k], verbs.mover(moments[k]), views[0])
    for w in range(len(worlds)):
        verbs.imagine(views[0], rng, worlds[w])


@rule
def try_each(moments: Any, k: int, rng: Any, tried: Any, views: Any, worlds: Any, payoffs: Any, incidents: Any) -> None:
    """Play a moment on by rules of thumb from each of some actions, in worlds that the mover believes in.

    Every action is tried in the same worlds, and with the same random numbers.

    Args:
        moments, k: the moment.
        rng: a generator.
        tried: int64 of shape (actions,): legal actions of the mover.
        views: a workplace of one record.
        worlds: records of shape (worlds + 1,): filled with the worlds as they were drawn; the last is a workplace.
        payoffs: int64 of shape (worlds, actions, seats), filled.
        incidents: int64 of shape (worlds, actions, MOST_INCIDENTS), all 0, filled: what becomes of the mover.
    """
    seat = verbs.mover(moments[k])
    observe(moments[k], seat, views[0])
    for w in range(len(payoffs)):
        verbs.believe(views[0], rng, worlds[w])
        try_in_world(worlds[w : w + 2], rng, tried, payoffs[w], seat, incidents[w])
        below(rng, 2)


@rule
def try_in_world(worlds: Any, rng: Any, tried: Any, payoffs: Any, seat: int, incidents: Any) -> None:
    """Play ``worlds[0]`` on by rules of thumb from each of some actions, each with the random numbers that ``rng``,
    which stays as it is, would give next.

    Args:
        worlds: of two records; the second is the workplace.
        rng: a generator.
        tried: int64 of shape (actions,): legal actions of the mover.
        payoffs: int64 of shape (actions or more, seats), filled.
        seat: whose incidents are written.
        incidents: int64 of shape (actions or more, MOST_INCIDENTS), all 0, filled; or of length 0, and left so.
    """
    seats = payoffs.shape[1]
    policies, tally = np.full(seats, HINTS, np.int8), np.zeros((seats, 2), np.int64)
    actions, own = np.empty(MOST_ACTIONS, np.int64), np.empty(1, np.uint64)
    for a in range(len(tried)):
        copy(worlds[0], worlds[1])
        own[0] = rng[0]
        verbs.apply(worlds[1], tried[a])
        playout(worlds, 1, policies, own, actions, tally)
        verbs.payoff(worlds[1], payoffs[a])
        if len(incidents) > 0:
            verbs.incidents(worlds[1], seat, incidents[a])


@rule
def list_legal(moments: Any, k: int, out: Any) -> int:
    """Write the legal actions of ``moments[k]`` into ``out`` (int64); how many there are."""
    n: int = verbs.legal(moments[k], out)
    return n


@rule
def mover_of(moments: Any, k: int) -> int:
    """Who acts in ``moments[k]``."""
    seat: int = verbs.mover(moments[k])
    return seat


@rule
def write_choices(states: Any, movers: Any, masks: Any) -> None:
    """Who acts in each state, and what they may do.

    Args:
        states: records of shape (n,).
        movers: int64 of shape (n,), filled.
        masks: bool of shape (n, actions), all false; the legal actions become true.
    """
    actions = np.empty(MOST_ACTIONS, np.int64)
    for k in range(len(states)):
        movers[k] = verbs.mover(states[k])
        for j in range(verbs.legal(states[k], actions)):
            masks[k, actions[j]] = True
