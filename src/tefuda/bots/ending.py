"""Endings: the last plays of a deal, when the worlds that fit a view are so few that each can be played to its end.

Every play of the searcher is tried in every world. There the others see all cards and make the most of them for
themselves (max^n: each maximises their own gain, of equal actions the first); the searcher plans once for all worlds
that look the same to them, whatever they have seen by then. That is exact if all worlds were found, and says what a
play is worth against players who guess right. Others' mistakes, which a search by playouts lives on, do not count."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import recorder, verbs
from tefuda.engine.objective import write_gains
from tefuda.engine.play import MOST_ACTIONS
from tefuda.engine.raw import copy, same
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.rng import below, generator
from tefuda.engine.verbs import rule
from tefuda.engine.views import observe

MOST_WORLDS, SAMPLE = 1700, 300
"""Worlds that are all solved (with three cards in each of four hands there are 1,680); where there are more, so many
of them are, and the result is not exact."""

POSITIONS = 300_000  #: positions that are looked at, over all worlds; where there are more, it is no ending yet
MOST_STEPS = 48  #: actions until the end
MOST_CHOICES = 64  #: actions among which somebody chooses
MOST_LEVELS = 24  #: twice the decisions that the searcher has yet to make

FEWEST_WORLDS, SLACK = 30, 4
"""Worlds without which nothing is solved; and by how much the number of positions may have been underrated."""

SAME = 1e-6  #: gains that differ by less are equal but for rounding
PROBES = 8  #: random lines by which the number of positions is estimated (Knuth, 1975)

MISSED = 9.0
"""Of N worlds that are equally likely, one is still missing after N (ln N + MISSED) draws in one case of e^MISSED."""


class EndingSearch(NamedTuple):
    """The workplace of a solution."""

    line: States  #: [step] the positions of the line that is looked at, in one world
    worths: NDArray[np.float64]  #: [step, seat] what they are worth
    choices: Ints  #: [step, k] their legal actions
    best: Ints  #: [step] the best of these
    #: [level × room + k] worlds that look the same to the searcher, and, on odd levels, those after an action
    worlds: States
    views: States  #: what the searcher sees of two of them
    options: Ints  #: [level, k] the searcher's legal actions
    payoffs: Ints
    left: Ints  #: positions that may still be looked at, of shape (1,)
    room: int  #: worlds of a level


def new_ending_search(record: np.dtype[np.void], seats: int, worlds: int) -> EndingSearch:
    """Make a workplace for an ending of so many worlds."""
    return EndingSearch(
        line=np.zeros(MOST_STEPS + 1, record),
        worths=np.zeros((MOST_STEPS + 1, seats)),
        choices=np.zeros((MOST_STEPS + 1, MOST_CHOICES), np.int64),
        best=np.zeros(MOST_STEPS + 1, np.int64),
        worlds=np.zeros(MOST_LEVELS * worlds, record),
        views=np.zeros(2, record),
        options=np.zeros((MOST_LEVELS, MOST_CHOICES), np.int64),
        payoffs=np.zeros(seats, np.int64),
        left=np.zeros(1, np.int64),
        room=worlds,
    )


@dataclass(frozen=True)
class SolvedEnding:
    """The solution of an ending."""

    actions: Sequence[int]  #: the mover's, kernel numbers
    worths: NDArray[np.float64]  #: of shape (actions,): the mover's mean gain after each, in the game's smallest unit
    worlds: int  #: in how many worlds
    exact: bool  #: True if these are all


def solve_ending(view: States, rng: Rng, positions: int = POSITIONS) -> SolvedEnding | None:
    """Solve the ending at which the viewer of ``view``, one record, is to act; None if it is none yet.

    ``positions`` is how many may be looked at, about, over all worlds."""
    size = tree_size(view, rng, positions // FEWEST_WORLDS)
    if size > positions // FEWEST_WORLDS:
        return None
    worlds, exact = draw_worlds(view, rng, min(MOST_WORLDS, int(positions / size)))
    solved = solve_worlds(worlds, int(view[0]["viewer"]), SLACK * positions)
    return None if solved is None else SolvedEnding(*solved, len(worlds), exact)


def solve_worlds(worlds: States, seat: int, positions: int) -> tuple[list[int], NDArray[np.float64]] | None:
    """Solve some worlds that look the same to ``seat``, who is to act: its actions, and its mean gain after each; None
    if there are more positions."""
    search = new_ending_search(worlds.dtype, int(worlds[0]["seats"]), len(worlds))
    search.worlds[: len(worlds)], search.left[0] = worlds, positions
    actions = search.options[0, : verbs.legal(worlds[0], search.options[0])].tolist()
    totals = np.array([worth_after(search, 0, len(worlds), seat, each) for each in actions])
    return None if search.left[0] < 0 else (actions, totals / len(worlds))


def compile_ending(view: States) -> None:
    """Compile or load what solves the endings of a game, from any of its views."""
    tree_size(view, generator(0), 1)
    worth_after(new_ending_search(view.dtype, int(view[0]["seats"]), 1), 0, 0, 0, 0)


def tree_size(view: States, rng: Rng, most: int) -> float:
    """Estimate how many positions a world has from here to the end; infinite if about ``most`` or more."""
    legal, worlds, total = np.zeros(MOST_ACTIONS, np.int64), np.zeros(PROBES, view.dtype), 0.0
    recorder.imagine_each(view, 0, rng, view.copy(), worlds)
    for k in range(PROBES):
        state, product, steps = worlds[k], 1, 0
        while verbs.mover(state) >= 0:
            n = int(verbs.legal(state, legal))
            product, steps = product * n, steps + 1
            if steps == MOST_STEPS or n > MOST_CHOICES or product > most * PROBES:
                return inf
            total += product / PROBES
            verbs.apply(state, legal[below(rng, n)])
    return total


def draw_worlds(view: States, rng: Rng, most: int) -> tuple[States, bool]:
    """Draw all the worlds that fit a view, if there are no more than ``most``, else a sample; True if they are all."""
    drawn, many = 0, np.zeros(most, view.dtype)
    found, whole = view[:0], f"V{view.itemsize}"  # compared byte by byte
    while not drawn or drawn < len(found) * (log(len(found)) + MISSED):
        recorder.imagine_each(view, 0, rng, view.copy(), many)
        many["chance"] = (found if drawn else many)["chance"][0]  # what chance has in store is of no use any more
        drawn += most
        found = np.unique(np.concatenate([found.view(whole), many.view(whole)])).view(view.dtype)
        if len(found) > most:
            return many[:SAMPLE], False
    return found, True


@rule
def worth_after(search: EndingSearch, level: int, n: int, seat: int, action: int) -> float:
    """Sum over ``n`` worlds, which look the same to ``seat``, of their gain if they make this action, then their best.

    The worlds stand at ``level``; those after the action at the next, those that then look the same at the one after.
    """
    here, after, group = level * search.room, (level + 1) * search.room, (level + 2) * search.room
    total, going = 0.0, 0
    for k in range(n):
        state = search.worlds[after + going]
        copy(search.worlds[here + k], state)
        verbs.apply(state, action)
        if advance(search, state, seat):
            total += search.worths[0, seat]
        else:
            going += 1
    if going > 0 and level + 4 > MOST_LEVELS:
        search.left[0] = -1
    while going > 0 and search.left[0] >= 0:
        alike, others = gather(search, after, going, group, seat)
        count = verbs.legal(search.worlds[group], search.options[level + 2])
        best = -np.inf
        for k in range(count):
            best = max(best, worth_after(search, level + 2, alike, seat, search.options[level + 2, k]))
        total += best
        going = others
    return total


@rule
def gather(search: EndingSearch, start: int, n: int, group: int, seat: int) -> tuple[int, int]:
    """Move the worlds that look to ``seat`` like the first of these ``n`` from ``start`` to ``group``; the numbers of
    those moved and of those left."""
    moved, kept = 0, 0
    observe(search.worlds[start], seat, search.views[0])
    for k in range(n):
        observe(search.worlds[start + k], seat, search.views[1])
        if same(search.views[0], search.views[1]):
            copy(search.worlds[start + k], search.worlds[group + moved])
            moved += 1
        else:
            copy(search.worlds[start + k], search.worlds[start + kept])
            kept += 1
    return moved, kept


@rule
def advance(search: EndingSearch, state: StateRecord, seat: int) -> bool:
    """Make the others' best actions until ``seat`` is to act; True at the end, whose worth ``worths[0]`` then is."""
    mover = verbs.mover(state)
    while mover >= 0 and mover != seat:
        copy(state, search.line[0])
        if not solve(search, 0):
            return True
        verbs.apply(state, search.best[0])
        mover = verbs.mover(state)
    if mover < 0:
        write_worth(search, state, 0)
    return mover < 0


@rule
def write_worth(search: EndingSearch, state: StateRecord, step: int) -> None:
    """Write what a finished deal is worth to each seat."""
    verbs.payoff(state, search.payoffs)
    write_gains(state, search.payoffs, search.worths[step])


@rule
def solve(search: EndingSearch, step: int) -> bool:
    """Find the best action at ``line[step]``, all cards open, and what the deal is worth then; False without room."""
    state, worths = search.line[step], search.worths
    mover = verbs.mover(state)
    if mover < 0:
        write_worth(search, state, step)
        return True
    n = verbs.legal(state, search.choices[step])
    search.left[0] -= n
    if search.left[0] < 0 or step == MOST_STEPS:
        return False
    for k in range(n):
        action, following = search.choices[step, k], search.line[step + 1]
        copy(state, following)
        verbs.apply(following, action)
        if not solve(search, step + 1):
            return False
        if k == 0 or worths[step + 1, mover] > worths[step, mover] + SAME:
            worths[step] = worths[step + 1]
            search.best[step] = action
    return True
