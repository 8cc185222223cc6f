"""Drawing worlds in which what players did makes sense: unseen cards in *slots* (a hand, a card thrown face down).

Some slots cannot hold some cards; that the dealing of unseen cards respects (``worlds``). Other knowledge is about
whole hands: what a player did was possible with this hand only. A game says how many such *events* a world contradicts
(the verb ``contradictions``). A few worlds are drawn and the first that agrees is taken: that is exactly uniform. If
none does, one is mended by swapping cards until it agrees, and then stirred by swaps that keep it so: a Markov chain
whose stationary distribution is uniform over all worlds that agree.
"""

from typing import Any, NamedTuple

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.rng import below, chance
from tefuda.engine.verbs import rule
from tefuda.engine.worlds import deal_unseen

DRAWS = 6
"""Worlds drawn before one is mended."""

MENDING = 4000
"""Swaps tried to mend one; after that another is drawn."""

ATTEMPTS = 50
"""Worlds that mending is tried on."""

STIRRING = 20
"""Swaps tried, for each unseen card, when a mended world is stirred."""

BOLD = 4
"""How often in a hundred a swap that makes a world worse is kept while mending."""


class Slots(NamedTuple):
    """Where unseen cards are; int64 arrays with one entry for each slot."""

    who: Any
    """seat; −1 for a place that belongs to nobody"""
    when: Any
    """what the game says of it, such as the trick in which the cards were thrown"""
    room: Any
    """how many cards lie there"""
    barred: Any
    """set of cards that cannot lie there"""
    cards: Any
    """set of cards drawn"""


@rule
def empty_slots(most: int) -> Any:
    """Room for so many slots; ``first_slots`` cuts it to those that there are."""
    numbers = np.zeros((5, most), np.int64)
    return Slots(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])


@rule
def add_slot(slots: Any, n: int, who: int, when: int, room: int, barred: int) -> int:
    """One more slot, if any cards lie there; how many there are then."""
    if room == 0:
        return n
    slots.who[n], slots.when[n], slots.room[n], slots.barred[n] = who, when, room, barred
    return n + 1


@rule
def first_slots(slots: Any, n: int) -> Any:
    """The first ``n`` slots."""
    return Slots(slots.who[:n], slots.when[:n], slots.room[:n], slots.barred[:n], slots.cards[:n])


@rule
def cards_by_time(slots: Any, who: int, when: int) -> tuple[int, int, int]:
    """The cards of one player's slots, as three sets: those of an earlier ``when``, of this one, of a later one."""
    before = then = later = bits.EMPTY
    for k in range(len(slots.who)):
        if slots.who[k] == who:
            if slots.when[k] < when:
                before |= slots.cards[k]
            elif slots.when[k] == when:
                then |= slots.cards[k]
            else:
                later |= slots.cards[k]
    return before, then, later


@rule
def draw(view: Any, rng: Any, unseen: int, slots: Any, events: Any) -> None:
    """Fill the slots with cards that agree with every event.

    Args:
        view: whose game tells ``contradictions``.
        rng: a generator.
        unseen: set of the unseen cards, at least as many as there is room.
        slots: their ``cards`` are written.
        events: int64 of shape (events, columns), handed on to ``contradictions``. (Not a type of the game's own:
            compiled code is kept under the types of its arguments; finding it again would load the games they are of.)

    Raises:
        ValueError: no such cards have been found.
    """
    for attempt in range(DRAWS + ATTEMPTS):
        slots.cards[:] = bits.EMPTY
        deal_unseen(rng, unseen, slots.room, slots.barred, slots.cards)
        wrong = verbs.contradictions(view, slots, events)
        if wrong == 0 and attempt < DRAWS:
            return
        if attempt >= DRAWS and swap_cards(view, rng, slots, events, wrong, MENDING) == 0:
            swap_cards(view, rng, slots, events, 0, STIRRING * bits.size(unseen))
            return
    raise ValueError("no hands agree with what is known")


@rule
def swap_cards(view: Any, rng: Any, slots: Any, events: Any, wrong: int, swaps: int) -> int:
    """Try to swap two cards of different slots so often; how many events contradict the outcome.

    With contradictions, stops at none; without, keeps to worlds that have none.
    """
    mending = wrong > 0
    for _ in range(swaps):
        a, b = below(rng, len(slots.who)), below(rng, len(slots.who))
        first = bits.nth(slots.cards[a], below(rng, slots.room[a]))
        second = bits.nth(slots.cards[b], below(rng, slots.room[b]))
        if a == b or bits.has(slots.barred[a], second) or bits.has(slots.barred[b], first):
            continue
        exchange(slots.cards, a, first, b, second)
        now = verbs.contradictions(view, slots, events)
        if now <= wrong or (mending and chance(rng, BOLD)):
            wrong = now
        else:
            exchange(slots.cards, a, second, b, first)
        if mending and wrong == 0:
            return 0
    return wrong


@rule
def exchange(cards: Any, a: int, first: int, b: int, second: int) -> None:
    """Card ``first`` goes from slot a to slot b, ``second`` the other way."""
    cards[a] = bits.without(cards[a], bits.only(first)) | bits.only(second)
    cards[b] = bits.without(cards[b], bits.only(second)) | bits.only(first)
