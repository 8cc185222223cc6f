"""Measurements in compiled code: deals watched while they are played, and moments of them examined.

A *moment* is a full state in which the mover has several actions. Moments are kept while a deal is played and looked at
afterwards: under other options, as worlds that the mover thinks possible, or played on from each of its actions."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.play import HINTS, MOST_ACTIONS, UNWATCHED, ByPolicy, Player, new_loop, note, play_on
from tefuda.engine.raw import copy
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.rng import below
from tefuda.engine.verbs import generic, implements, rule
from tefuda.engine.views import observe

DECISIONS, CHOICES = 2, 3
"""Columns of a tally beside actions MADE and ILLEGAL advice: actions chosen among several, and how many
there were to choose among, summed."""

COUNTED = 4

OTHER_PLAYS, OTHER_ADVICE = range(2)
"""Differences of a moment read under other options: the legal actions, and what the rules of thumb say."""


class Moments(NamedTuple):
    """The observer that counts choices, and keeps the moments at which there is one."""

    counts: NDArray[np.int64]  #: [seat, DECISIONS or CHOICES], added to
    moments: States  #: the states, kept while there is room
    chosen: NDArray[np.int64]  #: the action made at each
    kept: NDArray[np.int64]  #: how many are kept, shape (1,)


@implements(note, Moments, inlined=True)
def note_moment(observer: Moments, state: StateRecord, seat: int, action: int, choices: int) -> None:
    """Count a choice among several actions, and keep its moment."""
    if choices > 1:
        observer.counts[seat, DECISIONS] += 1
        observer.counts[seat, CHOICES] += choices
        k = observer.kept[0]
        if k < len(observer.moments):
            copy(state, observer.moments[k])
            observer.chosen[k] = action
            observer.kept[0] += 1


@rule
def watch_each(
    states: States,
    policies: NDArray[np.int8],
    rngs: Rng,
    payoffs: Ints,
    counts: Ints,
    firsts: NDArray[np.int8],
    moments: States,
    chosen: Ints,
) -> int:
    """Play every deal to its end, as ``play.play_each`` does, and write down what happens; the number of moments kept.

    Args:
        states: shape (deals,), dealt, changed in place.
        policies: shape (deals, seats): RANDOM or HINTS.
        rngs: shape (deals, 1).
        payoffs: shape (deals, seats), filled.
        counts: shape (deals, seats, COUNTED), added to.
        firsts: shape (deals,), filled: the seat that acts first.
        moments, chosen: shape (room,): states with a choice, kept while there is room, and the action made at each.
    """
    actions, kept = np.empty(MOST_ACTIONS, np.int64), np.zeros(1, np.int64)
    for i in range(len(states)):
        firsts[i] = verbs.mover(states[i])
        player, observer = ByPolicy(policies[i], counts[i]), Moments(counts[i], moments, chosen, kept)
        play_on(player, observer, states[i], rngs[i], actions)
        verbs.payoff(states[i], payoffs[i])
    return int(kept[0])


@rule
def read_otherwise(moments: States, others: States, rngs: Rng, differs: NDArray[np.bool_]) -> None:
    """Tell if moments have other legal actions, or other advice, as ``others``: the same moments under other options.

    The rules of thumb draw from ``rngs``, shape (n, 1), each time the same numbers. ``differs``, shape (n, 2), is
    filled: OTHER_PLAYS, OTHER_ADVICE."""
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
def imagine_each(moments: States, k: int, rng: Rng, views: States, worlds: States) -> None:
    """Fill ``worlds`` with states that the mover of ``moments[k]`` thinks possible; ``views`` is a workplace of one."""
    observe(moments[k], verbs.mover(moments[k]), views[0])
    for w in range(len(worlds)):
        verbs.imagine(views[0], rng, worlds[w])


@rule
def try_each(
    moments: States, k: int, rng: Rng, tried: Ints, views: States, worlds: States, payoffs: Ints, incidents: Ints
) -> None:
    """Play ``moments[k]`` on by rules of thumb from each of some actions, in worlds that the mover believes in.

    Every action is tried in the same worlds, and with the same random numbers.

    Args:
        moments, k, rng: the moment and a generator.
        tried: legal actions of the mover.
        views: a workplace of one record.
        worlds: shape (worlds + 1,), filled with the worlds as they were drawn; the last is a workplace.
        payoffs: shape (worlds, actions, seats), filled.
        incidents: shape (worlds, actions, MOST_INCIDENTS), all 0, filled: what becomes of the mover.
    """
    seat, seats = verbs.mover(moments[k]), payoffs.shape[2]
    player = ByPolicy(np.full(seats, HINTS, np.int8), np.zeros((seats, 2), np.int64))
    observe(moments[k], seat, views[0])
    for w in range(len(payoffs)):
        verbs.believe(views[0], rng, worlds[w])
        try_in_world(player, worlds[w : w + 2], rng, tried, payoffs[w], seat, incidents[w])
        below(rng, 2)


_play_tried = new_loop()


@generic
def try_in_world(
    player: Player, worlds: States, rng: Rng, tried: Ints, payoffs: Ints, seat: int, incidents: Ints
) -> None:
    """Play ``worlds[0]`` on from each of some actions, each with the random numbers that ``rng`` would give next.

    Args:
        player: who plays on (``play.decide``).
        worlds: two records; the second is the workplace.
        rng: a generator, which stays as it is.
        tried: legal actions of the mover.
        payoffs: shape (actions or more, seats), filled.
        seat, incidents: shape (actions or more, MOST_INCIDENTS), all 0, filled for this seat; or of length 0.
    """
    actions, own = np.empty(MOST_ACTIONS, np.int64), np.empty(1, np.uint64)
    for a in range(len(tried)):
        copy(worlds[0], worlds[1])
        own[0] = rng[0]
        verbs.apply(worlds[1], tried[a])
        _play_tried(player, UNWATCHED, worlds[1], own, actions)
        verbs.payoff(worlds[1], payoffs[a])
        if len(incidents) > 0:
            verbs.incidents(worlds[1], seat, incidents[a])


@rule
def write_choices(states: States, movers: Ints, masks: NDArray[np.bool_]) -> None:
    """Write who acts in each state, and the legal actions into ``masks`` (states, actions), all false before."""
    actions = np.empty(MOST_ACTIONS, np.int64)
    for k in range(len(states)):
        movers[k] = verbs.mover(states[k])
        for j in range(verbs.legal(states[k], actions)):
            masks[k, actions[j]] = True
