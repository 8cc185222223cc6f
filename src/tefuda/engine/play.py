"""The one loop that plays a deal on in compiled code, and deals played with it: one by one, or many on all cores.

Who decides and what is noted on the way are named tuples: their classes choose, while the loop is compiled, the
versions of ``decide`` and ``note`` (``verbs.implements``). Here are the players ``ByPolicy`` and ``Straying``;
networks, searches and learners bring their own."""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.raw import borrowed, overwrite
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.rng import below, chance, generators, shuffle
from tefuda.engine.verbs import Verb, generic, implements, inlined, rule

MOST_ACTIONS = 4096  #: room for the legal actions of any game in a kernel's buffer
MOST_CHANCE = 1 << 30  #: below this is the random number that every deal carries beside its deck

RANDOM, HINTS = range(2)  #: policies of a seat: a random legal action, or what ``advise`` says

POLICIES: Mapping[str, int] = MappingProxyType({"random": RANDOM, "hints": HINTS})
"""The bots that play in compiled code, by name."""

NO_ACTION = -1

MADE, ILLEGAL = range(2)  # columns of a tally, for each seat: actions made, and pieces of advice that were not legal


# The loop

Player = tuple[object, ...]  #: a named tuple that decides; its class chooses how (``decide``)

Observer = tuple[object, ...]  #: a named tuple that is written to; its class chooses what (``note``)


@Verb
def decide(player: Player, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    """Choose the mover's action; ``legal`` is a buffer of ``MOST_ACTIONS``. The action, and among how many it was
    chosen; NO_ACTION and 0 in a position with cards missing."""


@Verb
def note(observer: Observer, state: StateRecord, seat: int, action: int, choices: int) -> None:
    """Write down an action that is about to be made, and among how many it was chosen."""


Loop = Callable[[Player, Observer, StateRecord, Rng, Ints], int]


def new_loop() -> Loop:
    """Make a loop like ``play_on``, for deals that are played on while a player of another loop decides.

    Numba takes a function within itself for recursion, and what it then keeps of the inner one cannot be loaded."""

    @generic
    def play_on(player: Player, observer: Observer, state: StateRecord, rng: Rng, legal: Ints) -> int:
        """Play a deal from where it stands to its end; the number of actions made."""
        player, observer, rng, legal = borrowed(player), borrowed(observer), borrowed(rng), borrowed(legal)
        made = 0
        seat = verbs.mover(state)
        while seat >= 0:
            action, choices = decide(player, state, seat, rng, legal)
            if choices == 0:
                return made
            note(observer, state, seat, action, choices)
            verbs.apply(state, action)
            made += 1
            seat = verbs.mover(state)
        return made

    return play_on


play_on = new_loop()
"""Play a deal from where it stands to its end, with a buffer of ``MOST_ACTIONS``; the number of actions made."""


class Unwatched(NamedTuple):
    """The observer that notes nothing."""


UNWATCHED = Unwatched()


@implements(note, Unwatched, inlined=True)
def note_nothing(observer: Unwatched, state: StateRecord, seat: int, action: int, choices: int) -> None:
    """Note nothing."""


# Players


@inlined
def legal_or_random(advised: int, rng: Rng, legal: Ints, n: int) -> int:
    """The advised action if it is one of the first ``n`` of ``legal``, else a random one of them: advice is never
    trusted."""
    return advised if is_among(advised, legal, n) else int(legal[below(rng, n)])


@rule
def is_among(action: int, actions: Ints, n: int) -> bool:
    """True if it is one of the first ``n`` of ``actions``."""
    found = False
    for k in range(n):
        found |= actions[k] == action
    return found


@inlined
def random_action(state: StateRecord, rng: Rng, legal: Ints) -> tuple[int, int]:
    """A legal action of the mover, each with the same chance, and how many there are."""
    members = verbs.legal_set(state)
    if members != bits.EMPTY:
        n = bits.size(members)
        return bits.nth(members, below(rng, n)), n
    n = int(verbs.legal(state, legal))
    return (int(legal[below(rng, n)]) if n > 0 else NO_ACTION), n


class ByPolicy(NamedTuple):
    """The player that makes random actions in some seats and those of the rules of thumb in others."""

    policies: NDArray[np.int8]  #: [seat] RANDOM or HINTS
    tally: NDArray[np.int64]  #: [seat, MADE or ILLEGAL], added to


@implements(decide, ByPolicy, inlined=True)
def decide_by_policy(player: ByPolicy, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    """Choose as the seat's policy says, and count the action."""
    if player.policies[seat] == HINTS:
        n = int(verbs.legal(state, legal))
        if n == 0:
            return NO_ACTION, 0
        advised = int(verbs.advise(state, rng))
        action = legal_or_random(advised, rng, legal, n)
        player.tally[seat, ILLEGAL] += action != advised
    else:
        action, n = random_action(state, rng, legal)
    player.tally[seat, MADE] += n > 0
    return action, n


class Straying(NamedTuple):
    """The player that follows the rules of thumb, but strays from them now and then."""

    strays: NDArray[np.int64]  #: [seat] percentage of the actions that are random


@implements(decide, Straying, inlined=True)
def decide_straying(player: Straying, state: StateRecord, seat: int, rng: Rng, legal: Ints) -> tuple[int, int]:
    """Choose what is advised, or any legal action this often in a hundred."""
    n = int(verbs.legal(state, legal))
    if n == 0:
        return NO_ACTION, 0
    if n == 1 or chance(rng, player.strays[seat]):
        return int(legal[below(rng, n)]), n
    return legal_or_random(int(verbs.advise(state, rng)), rng, legal, n), n


# Deals


@rule
def deal_at_random(states: States, i: int, template: States, pack: Ints, rng: Rng) -> None:
    """Deal ``states[i]`` anew from the template, with a shuffled pack."""
    pack, rng = borrowed(pack), borrowed(rng)
    shuffle(rng, pack)
    states[i] = template[0]
    states[i].chance = below(rng, MOST_CHANCE)
    verbs.deal(states[i], pack)


@rule
def deal_each(states: States, template: States, pack: Ints, rngs: Rng) -> None:
    """Deal every state anew from the template, row k with the k-th generator; ``pack`` is int64 card numbers."""
    order = np.empty_like(pack)
    for i in range(len(states)):
        overwrite(order, pack)
        deal_at_random(states, i, template, order, rngs[i])


@rule
def play_each(states: States, policies: NDArray[np.int8], rngs: Rng, payoffs: Ints, tally: Ints) -> int:
    """Play every deal to its end and score it; row k of each array belongs to deal k. The number of actions made."""
    actions = np.empty(MOST_ACTIONS, np.int64)
    made = 0
    for i in range(len(states)):
        made += play_on(ByPolicy(policies[i], tally[i]), UNWATCHED, states[i], rngs[i], actions)
        verbs.payoff(states[i], payoffs[i])
    return made


def play_batch(
    states: States,
    policies: NDArray[np.int8],
    seed: int | NDArray[np.uint64],
    *,
    tally: NDArray[np.int64] | None = None,
    threads: int | None = None,
    chunk: int = 512,
) -> NDArray[np.int64]:
    """Play many deals to their end, on all cores; the result does not depend on how many.

    Args:
        states: records of shape (deals,), changed in place.
        policies: int8 of shape (deals, seats): RANDOM or HINTS.
        seed: of the choices made; deal k always uses the k-th generator of this seed. Or the generators themselves,
            uint64 of shape (deals, 1), changed in place.
        tally: int64 of shape (deals, seats, 2 or more), added to: actions MADE and ILLEGAL advice of each seat.
        threads: as many as there are cores by default.
        chunk: deals that one task plays. Ctrl-C drops what has not begun.

    Returns:
        int64 of shape (deals, seats): the payoffs.
    """
    rngs = seed if isinstance(seed, np.ndarray) else generators(seed, len(states))
    payoffs = np.zeros(policies.shape, np.int64)
    counts = np.zeros((*policies.shape, 2), np.int64) if tally is None else tally

    def play(start: int) -> None:
        part = slice(start, start + chunk)
        play_each(states[part], policies[part], rngs[part], payoffs[part], counts[part])

    pool = ThreadPoolExecutor(threads or os.cpu_count() or 1)
    try:
        list(pool.map(play, range(0, len(states), chunk)))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return payoffs
