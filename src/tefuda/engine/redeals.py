"""The luck in a deal's payoffs: what could not have been foreseen by those who decided.

At every decision that the rules of thumb would have made otherwise, the action made is compared with what it was worth
on average in other deals that agree with everything the player had seen. What it brought beyond that is luck: of the
hidden cards, not of the choice. Summed over a deal it is a control variate whose expectation is exactly 0 (in the
literature: AIVAT, with imagined observations drawn by a Markov chain).

The other deals come from the one that was dealt. Two cards change places in the deck, and the deal is played again as
far as the decision. Players by rules of thumb must choose the same actions with the same random numbers, random ones
must be allowed to; everybody else must see the same at each of their turns, and then acts as before, whoever they are.
Otherwise the swap is taken back. This chain leaves the distribution of decks given the history as it is (Metropolis and
Hastings), and the deck that was dealt is a draw from that distribution: so every deck on the way is one too, however
slowly the chain mixes. Actions that are known to be drawn at random are compared with the other legal ones instead.

What an action is worth is estimated by playing on by rules of thumb from which players stray a little. A poor estimate
makes the control variate weak, not wrong."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import verbs
from tefuda.engine.play import MOST_ACTIONS, UNWATCHED, Straying, is_among, play_on
from tefuda.engine.raw import copy, overwrite, same
from tefuda.engine.record import Ints, Rng, StateRecord, States
from tefuda.engine.rng import below
from tefuda.engine.verbs import rule
from tefuda.engine.views import observe

ADVISED, UNIFORM, OPAQUE = range(3)
"""Origins of an action: by the rules of thumb; each legal one as likely; or in a way of which only this is known,
that it depended on what the seat saw."""

STRAYS = 10  #: percentage of the actions in playouts that are random
SWAPS = 1000  #: swaps tried at a decision
PLAYOUTS = 60  #: playouts from each action in the deal that was dealt; in every other deal there is one

NOW, SEEN, AGAIN, KEPT = range(4)
"""Places in the workplace: a deal that is played again, what a seat sees there, a playout, a deal that agrees."""

WORKPLACE = 4

_FINE = 1 << 20  # steps of a probability


class PlayedDeal(NamedTuple):
    """A deal that was played, as kernels read it."""

    before: States  #: records of shape (1,): before dealing
    deck: Ints  #: int64 card numbers, in the order dealt
    actions: Ints  #: int64 of shape (n,)
    origins: Ints  #: int64 of shape (n,): ADVISED, UNIFORM or OPAQUE
    rngs: Rng  #: uint64 of shape (n, 2): the table's generator before and after each action was chosen
    strays: Ints  #: int64 of shape (seats,): percentage of a seat's actions in playouts that are random
    path: States  #: records of shape (n + 1,): the states; filled by ``retrace``
    views: States  #: records of shape (n,): what each OPAQUE mover saw; filled by ``retrace``


@rule
def write_luck(
    before: States,
    deck: Ints,
    actions: Ints,
    origins: Ints,
    rngs: Rng,
    strays: Ints,
    rng: Rng,
    path: States,
    luck: NDArray[np.float64],
) -> None:
    """Write the part of every seat's payoff that was luck into ``luck`` (seats,); its expectation is 0.

    Other arguments are those of ``PlayedDeal``, and ``rng``, of which nothing but the luck depends."""
    n = len(actions)
    p = PlayedDeal(before, deck, actions, origins, rngs, strays, path[: n + 1], path[n + 1 : 2 * n + 1])
    work, legal = path[2 * n + 1 :], np.empty(MOST_ACTIONS, np.int64)
    retrace(p)
    for t in range(n):
        count = verbs.legal(p.path[t], legal)
        if origins[t] == UNIFORM and count > 1:
            add_luck_of_draw(p, t, rng, work, legal[:count].copy(), luck)
        elif origins[t] == OPAQUE and count > 1:
            advised = np.empty(1, np.uint64)
            advised[0] = rngs[t, 0]
            other = int(verbs.advise(p.path[t], advised))
            if other != actions[t]:
                add_luck_of_cards(p, t, other, rng, work, luck)


@rule
def retrace(p: PlayedDeal) -> None:
    """Fill ``p.path`` and ``p.views``."""
    copy(p.before[0], p.path[0])
    verbs.deal(p.path[0], p.deck)
    for t in range(len(p.actions)):
        if p.origins[t] == OPAQUE:
            observe(p.path[t], verbs.mover(p.path[t]), p.views[t])
        copy(p.path[t], p.path[t + 1])
        verbs.apply(p.path[t + 1], p.actions[t])


@rule
def add_luck_of_draw(p: PlayedDeal, t: int, rng: Rng, work: States, legal: Ints, luck: NDArray[np.float64]) -> None:
    """Add what a random action is worth beyond the mean of all that might have been drawn."""
    worth = np.zeros(len(luck))
    for _ in range(PLAYOUTS):
        below(rng, 2)
        for action in legal:
            play_again(p, p.path, t, action, rng[0], work, worth)
            made = 1.0 if action == p.actions[t] else 0.0
            luck += (made - 1.0 / len(legal)) * worth / PLAYOUTS


@rule
def add_luck_of_cards(p: PlayedDeal, t: int, other: int, rng: Rng, work: States, luck: NDArray[np.float64]) -> None:
    """Add by how much a choice was better than ``other`` here, beyond the mean over deals that agree."""
    lead, deck = np.zeros(len(luck)), p.deck.copy()
    for _ in range(PLAYOUTS):
        luck += lead_over(p, p.path, t, t, other, rng, work, lead) / PLAYOUTS
    lead_over(p, p.path, t, t, other, rng, work, lead)
    before = agreement(p, deck, t, work)
    for _ in range(SWAPS):
        one, two = below(rng, len(deck)), below(rng, len(deck))
        if deck[one] != deck[two]:
            deck[one], deck[two] = deck[two], deck[one]
            found = agreement(p, deck, t, work)
            if found >= before or below(rng, _FINE) < math.exp(found - before) * _FINE:
                before = found
                copy(work[NOW], work[KEPT])
                lead_over(p, work, KEPT, t, other, rng, work, lead)
            else:
                deck[one], deck[two] = deck[two], deck[one]
        luck -= lead / SWAPS


@rule
def lead_over(
    p: PlayedDeal, states: States, k: int, t: int, other: int, rng: Rng, work: States, lead: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Write each seat's lead in a playout of ``states[k]``, after the action made at t over another; return it."""
    below(rng, 2)
    worth = np.zeros(len(lead))
    play_again(p, states, k, p.actions[t], rng[0], work, lead)
    play_again(p, states, k, other, rng[0], work, worth)
    lead -= worth
    return lead


@rule
def play_again(
    p: PlayedDeal, states: States, k: int, action: int, seed: np.uint64, work: States, worth: NDArray[np.float64]
) -> None:
    """Play ``states[k]`` to its end from this action on, by rules of thumb from which seats stray; the payoffs."""
    rng, legal, payoffs = np.empty(1, np.uint64), np.empty(MOST_ACTIONS, np.int64), np.zeros(len(worth), np.int64)
    rng[0] = seed
    copy(states[k], work[AGAIN])
    verbs.apply(work[AGAIN], action)
    play_on(Straying(p.strays), UNWATCHED, work[AGAIN], rng, legal)
    verbs.payoff(work[AGAIN], payoffs)
    overwrite(worth, payoffs)


@rule
def agreement(p: PlayedDeal, deck: Ints, t: int, work: States) -> float:
    """The likelihood, as a logarithm, of the history before action t with this deck; −∞ if it is impossible.

    ``work[NOW]`` becomes the state before action t."""
    legal, rng = np.empty(MOST_ACTIONS, np.int64), np.empty(1, np.uint64)
    state, total = work[NOW], 0.0
    copy(p.before[0], state)
    verbs.deal(state, deck)
    if not looks_alike(state, p.path[0], verbs.mover(p.path[t]), work):
        return -math.inf
    for k in range(t + 1):
        seat = verbs.mover(state)
        if seat != verbs.mover(p.path[k]):
            return -math.inf
        if p.origins[k] == OPAQUE:
            observe(state, seat, work[SEEN])
            if not same(work[SEEN], p.views[k]):
                return -math.inf
        if k < t:
            total += likelihood(p, state, k, legal, rng)
            if total == -math.inf:
                return total
            verbs.apply(state, p.actions[k])
    return total


@rule
def likelihood(p: PlayedDeal, state: StateRecord, k: int, legal: Ints, rng: Rng) -> float:
    """The likelihood of action k in this state, as a logarithm, up to a constant of all states that look alike."""
    if p.origins[k] == ADVISED:
        rng[0] = p.rngs[k, 0]
        same_again = int(verbs.advise(state, rng)) == p.actions[k] and rng[0] == p.rngs[k, 1]
        return 0.0 if same_again else -math.inf
    if p.origins[k] == UNIFORM:
        n = verbs.legal(state, legal)
        return -math.log(n) if is_among(p.actions[k], legal, n) else -math.inf
    return 0.0


@rule
def looks_alike(one: StateRecord, two: StateRecord, seat: int, work: States) -> bool:
    """True if a seat sees the same in two states: so most swaps that cannot agree are found before any play."""
    observe(one, seat, work[SEEN])
    observe(two, seat, work[AGAIN])
    return same(work[SEEN], work[AGAIN])
