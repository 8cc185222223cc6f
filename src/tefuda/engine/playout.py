"""Playing deals to their end in compiled code: one by one, or many on all cores."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.arrays import overwrite
from tefuda.engine.raw import borrowed
from tefuda.engine.rng import below, generators, shuffle
from tefuda.engine.verbs import inlined, rule

MOST_ACTIONS = 4096
"""Room for the legal actions of any game in a kernel's buffer."""

MOST_CHANCE = 1 << 30
"""Below this is the random number that every deal carries beside its deck."""

RANDOM, HINTS = range(2)
"""How a seat plays in a playout: a random legal action, or what ``advise`` says."""

NO_ACTION = -1

MADE, ILLEGAL = range(2)
"""What a tally counts for each seat: actions made, and pieces of advice that were not legal."""


@rule
def playout(states: Any, i: int, policies: Any, rng: Any, actions: Any, tally: Any) -> int:
    """Play ``states[i]`` from where it stands to the end of the deal.

    Advice is never trusted: what is not among the legal actions is counted, and a random legal action made instead.

    Args:
        states: array of one game's records, changed in place.
        i: index of the deal.
        policies: int8 of shape (seats,), RANDOM or HINTS.
        rng: a generator.
        actions: int64 buffer for legal actions.
        tally: int64 of shape (seats, 2), added to: MADE and ILLEGAL.

    Returns:
        How many actions were made.
    """
    rng, actions, tally = borrowed(rng), borrowed(actions), borrowed(tally)
    state = states[i]
    made = 0
    seat = verbs.mover(state)
    while seat >= 0:
        if policies[seat] == HINTS:
            action = advised_action(state, seat, rng, actions, tally)
        else:
            action = random_action(state, rng, actions)
        if action == NO_ACTION:
            return made
        verbs.apply(state, action)
        tally[seat, MADE] += 1
        made += 1
        seat = verbs.mover(state)
    return made


@rule
def advised_action(state: Any, seat: int, rng: Any, actions: Any, tally: Any) -> int:
    """What the rules of thumb advise the mover, if it is legal; arguments and what becomes of bad advice as above."""
    n = verbs.legal(state, actions)
    if n == 0:
        return NO_ACTION
    action = int(verbs.advise(state, rng))
    if is_among(action, actions, n):
        return action
    tally[seat, ILLEGAL] += 1
    return int(actions[below(rng, n)])


@inlined
def random_action(state: Any, rng: Any, actions: Any) -> int:
    """A legal action of the mover, each with the same chance; NO_ACTION in a position with cards missing."""
    members = verbs.legal_set(state)
    if members != bits.EMPTY:
        return bits.nth(members, below(rng, bits.size(members)))
    n = verbs.legal(state, actions)
    return NO_ACTION if n == 0 else int(actions[below(rng, n)])


@rule
def is_among(action: int, actions: Any, n: int) -> bool:
    """Whether it is one of the first ``n`` of ``actions``."""
    found = False
    for k in range(n):
        found |= actions[k] == action
    return found


@rule
def random_playout(states: Any, i: int, rng: Any, actions: Any) -> int:
    """``playout`` with every seat RANDOM; a kernel of its own because it is half as long."""
    rng, actions = borrowed(rng), borrowed(actions)
    state = states[i]
    made = 0
    while verbs.mover(state) >= 0:
        action = random_action(state, rng, actions)
        if action == NO_ACTION:
            return made
        verbs.apply(state, action)
        made += 1
    return made


@rule
def random_deals(states: Any, template: Any, pack: Any, rng: Any, payoffs: Any) -> int:
    """Shuffle, deal, play at random and score one deal for every row of ``payoffs``.

    Args:
        states: array of one record, the workplace.
        template: array of one record with the options and totals before the deal.
        pack: int64 card numbers of the pack, shuffled in place.
        rng: a generator.
        payoffs: int64 of shape (deals, seats), filled.

    Returns:
        How many actions were made in all.
    """
    actions = np.empty(MOST_ACTIONS, np.int64)
    made = 0
    for k in range(len(payoffs)):
        deal_at_random(states, 0, template, pack, rng)
        made += random_playout(states, 0, rng, actions)
        verbs.payoff(states[0], payoffs[k])
    return made


@rule
def deal_at_random(states: Any, i: int, template: Any, pack: Any, rng: Any) -> None:
    """Deal ``states[i]`` anew from the template, with a shuffled pack."""
    pack, rng = borrowed(pack), borrowed(rng)
    shuffle(rng, pack)
    states[i] = template[0]
    states[i].chance = below(rng, MOST_CHANCE)
    verbs.deal(states[i], pack)


@rule
def deal_each(states: Any, template: Any, pack: Any, rngs: Any) -> None:
    """Deal every state anew from the template, row k with the k-th generator; ``pack`` is int64 card numbers."""
    order = np.empty_like(pack)
    for i in range(len(states)):
        overwrite(order, pack)
        deal_at_random(states, i, template, order, rngs[i])


@rule
def play_each(states: Any, policies: Any, rngs: Any, payoffs: Any, tally: Any) -> int:
    """Play every deal to its end and score it; row k of each array belongs to deal k. How many actions were made."""
    actions = np.empty(MOST_ACTIONS, np.int64)
    made = 0
    for i in range(len(states)):
        made += playout(states, i, policies[i], rngs[i], actions, tally[i])
        verbs.payoff(states[i], payoffs[i])
    return made


def play_batch(
    states: NDArray[Any],
    policies: NDArray[np.int8],
    seed: int | NDArray[np.uint64],
    *,
    tally: NDArray[np.int64] | None = None,
    threads: int | None = None,
    chunk: int = 512,
    progress: Callable[[int], None] = lambda done: None,
) -> NDArray[np.int64]:
    """Play many deals to their end, on all cores; the result does not depend on how many.

    Args:
        states: records of shape (deals,), changed in place.
        policies: int8 of shape (deals, seats): RANDOM or HINTS.
        seed: of the choices made; deal k always uses the k-th generator of this seed. Or the generators themselves,
            uint64 of shape (deals, 1), changed in place.
        tally: int64 of shape (deals, seats, 2), added to: actions MADE and ILLEGAL advice of each seat.
        threads: as many as there are cores by default.
        chunk: deals that one task plays.
        progress: called with the number of deals that each finished task has played.

    Returns:
        int64 of shape (deals, seats): the payoffs.
    """
    rngs = seed if isinstance(seed, np.ndarray) else generators(seed, len(states))
    payoffs = np.zeros(policies.shape, np.int64)
    counts = np.zeros((*policies.shape, 2), np.int64) if tally is None else tally

    def play(start: int) -> int:
        part = slice(start, start + chunk)
        play_each(states[part], policies[part], rngs[part], payoffs[part], counts[part])
        return len(states[part])

    for done in in_threads(play, range(0, len(states), chunk), threads):
        progress(done)
    return payoffs


def in_threads(task: Callable[[int], int], arguments: Iterable[int], threads: int | None = None) -> Iterable[int]:
    """Run a task that releases the GIL for every argument; results in order. Ctrl-C drops what has not begun."""
    pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
    try:
        yield from pool.map(task, arguments)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
