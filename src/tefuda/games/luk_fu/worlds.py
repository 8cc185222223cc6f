"""Luk Fu: full states that agree with all that one seat knows.

The unseen cards lie in *slots*: other hands, what others threw trick by trick, the dead or the sitter's card. Some
slots cannot hold some cards; that the general dealing of unseen cards respects. Other knowledge is about whole hands
(a set that was not beaten, a single lead under restriction): a few worlds are drawn and the first that agrees is taken.
If none does, one is mended by swapping cards until it agrees, and then stirred by swaps that keep it so: a Markov chain
whose stationary distribution is uniform over all worlds that agree.
"""

from typing import Any, NamedTuple

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.raw import copy
from tefuda.engine.record import EVERYTHING
from tefuda.engine.rng import below, chance
from tefuda.engine.verbs import implements, rule
from tefuda.engine.worlds import deal_unseen
from tefuda.games.luk_fu.history import allows, known_to_viewer, played_since, read_history, winner_of_trick
from tefuda.games.luk_fu.old import above_bounds
from tefuda.games.luk_fu.rules import NOBODY
from tefuda.games.luk_fu.state import CARDS, HAND, MOST_SEATS, STATE

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

_IN_HAND, _APART = HAND, HAND + 1
_MOST_SLOTS = 3 * HAND + MOST_SEATS + 1


class Slots(NamedTuple):
    """Where unseen cards are; one entry each."""

    who: Any
    """seat; −1 for the dead card"""
    when: Any
    """trick in which they were thrown; _IN_HAND, _APART"""
    room: Any
    barred: Any
    cards: Any


@implements(verbs.imagine, STATE)
def imagine(view: Any, rng: Any, state: Any) -> None:
    """A world drawn at random from those that agree with the public history and what the viewer holds."""
    copy(view, state)
    state.viewer = EVERYTHING
    state.chance = below(rng, 1 << 20) * view.seats + view.dealer
    history = read_history(view)
    slots = open_slots(view, history)
    unseen = bits.without(bits.span(0, CARDS), known_to_viewer(view))
    draw(view, rng, unseen, slots, history.events)
    for k in range(len(slots.who)):
        fill_slot(state, slots.who[k], slots.when[k], slots.cards[k])
    complete(view, state)


# Slots


@rule
def open_slots(view: Any, history: Any) -> Any:
    """Every place of unseen cards, how many lie there, and what cannot."""
    numbers = np.zeros((5, _MOST_SLOTS), np.int64)
    slots = Slots(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    n = 0
    for seat in range(view.seats):
        if seat == view.viewer or seat == view.sitter:
            continue
        barred = bits.EMPTY
        for number in range(HAND):
            barred |= history.bars[seat, number]
            n = add_slot(slots, n, seat, number, history.thrown[seat, number], barred)
        n = add_slot(slots, n, seat, _IN_HAND, bits.wide(view.held[seat]), barred | above_bounds(view, seat))
    apart = 0 if view.viewer == view.sitter and view.sitter != NOBODY else 1 - bits.size(view.turned_up)
    n = add_slot(slots, n, bits.wide(view.sitter), _APART, apart, bits.EMPTY)
    return Slots(slots.who[:n], slots.when[:n], slots.room[:n], slots.barred[:n], slots.cards[:n])


@rule
def add_slot(slots: Any, n: int, who: int, when: int, room: int, barred: int) -> int:
    """One more slot, if any cards lie there; how many there are then."""
    if room == 0:
        return n
    slots.who[n], slots.when[n], slots.room[n], slots.barred[n] = who, when, room, barred
    return n + 1


@rule
def fill_slot(state: Any, who: int, when: int, cards: int) -> None:
    """Lay the drawn cards where they belong."""
    if when == _IN_HAND:
        state.hands[who] = cards
    elif when < HAND:
        state.thrown[who, when] = cards
    elif who == NOBODY:
        state.dead = cards
    else:
        state.sitter_card[who] = cards


@rule
def complete(view: Any, state: Any) -> None:
    """What follows from the cards: all that each has thrown, what he was dealt, what was captured."""
    for seat in range(view.seats):
        if seat != view.viewer and seat != view.sitter:
            for number in range(HAND):
                state.discards[seat] |= state.thrown[seat, number]
            state.dealt[seat] = state.hands[seat] | state.discards[seat] | played_since(view, seat, 0)
    leader = bits.wide(view.first_leader)
    for number in range(view.number):
        leader = winner_of_trick(view, leader, number)
        for seat in range(view.seats):
            if seat != leader:
                state.captured[leader] |= state.played[seat, number] | state.thrown[seat, number]


# Drawing, mending, stirring


@rule
def draw(view: Any, rng: Any, unseen: int, slots: Any, events: Any) -> None:
    """Fill the slots with cards that agree with every event.

    Raises:
        ValueError: none have been found.
    """
    for attempt in range(DRAWS + ATTEMPTS):
        slots.cards[:] = bits.EMPTY
        deal_unseen(rng, unseen, slots.room, slots.barred, slots.cards)
        wrong = contradictions(view, slots, events)
        if wrong == 0 and attempt < DRAWS:
            return
        if attempt >= DRAWS and swap_cards(view, rng, slots, events, wrong, MENDING) == 0:
            swap_cards(view, rng, slots, events, 0, STIRRING * bits.size(unseen))
            return
    raise ValueError("no hands agree with what is known")


@rule
def contradictions(view: Any, slots: Any, events: Any) -> int:
    """How many events could not have happened with these cards."""
    wrong = 0
    for k in range(len(events.who)):
        hand, before, thrown = events.later[k], bits.EMPTY, bits.EMPTY
        for j in range(len(slots.who)):
            if slots.who[j] == events.who[k] and slots.when[j] != _APART:
                if slots.when[j] < events.when[k]:
                    before |= slots.cards[j]
                else:
                    hand |= slots.cards[j]
                if slots.when[j] == events.when[k]:
                    thrown = slots.cards[j]
        if not allows(view, events, k, hand, before, thrown):
            wrong += 1
    return wrong


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
        now = contradictions(view, slots, events)
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
