"""Luk Fu: full states that agree with all that one seat knows.

The unseen cards lie in slots (``engine/slots.py``): other hands, what others threw trick by trick, the dead or the
sitter's card. Singles that were not beaten bar cards from slots; sets that were not beaten and single leads under
restriction are events, about whole hands.
"""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.constrained_worlds import add_slot, draw, empty_slots, first_slots
from tefuda.engine.raw import copy
from tefuda.engine.record import EVERYTHING
from tefuda.engine.rng import below
from tefuda.engine.verbs import implements, rule
from tefuda.games.luk_fu.history import (
    LATER,
    WHEN,
    WHO,
    allows,
    known_to_viewer,
    played_since,
    read_history,
    winner_of_trick,
)
from tefuda.games.luk_fu.old_cards import above_bounds
from tefuda.games.luk_fu.rules import NOBODY
from tefuda.games.luk_fu.state import CARDS, HAND, MOST_SEATS, STATE

IN_HAND, APART = HAND, HAND + 1
"""``when`` of a slot that no trick fills: cards still held, the card of nobody or of the sitter."""

_MOST_SLOTS = 3 * HAND + MOST_SEATS + 1


@implements(verbs.imagine, STATE)
def imagine(view: Any, rng: Any, state: Any) -> None:
    """A world drawn at random from those that agree with the public history and what the viewer holds."""
    history = read_history(view)
    slots = open_slots(view, history)
    draw(view, rng, unseen_cards(view), slots, history.events)
    lay_out(view, rng, slots, state)


@rule
def unseen_cards(view: Any) -> int:
    """The cards that the viewer cannot place."""
    return bits.without(bits.span(0, CARDS), known_to_viewer(view))


@rule
def lay_out(view: Any, rng: Any, slots: Any, state: Any) -> None:
    """The world with these cards in the slots; the lots to be drawn are any."""
    copy(view, state)
    state.viewer = EVERYTHING
    state.chance = below(rng, 1 << 20) * view.seats + view.dealer
    for k in range(len(slots.who)):
        fill_slot(state, slots.who[k], slots.when[k], slots.cards[k])
    complete(view, state)


# Slots


@rule
def open_slots(view: Any, history: Any) -> Any:
    """Every place of unseen cards, how many lie there, and what cannot."""
    slots = empty_slots(_MOST_SLOTS)
    n = 0
    for seat in range(view.seats):
        if seat == view.viewer or seat == view.sitter:
            continue
        barred = bits.EMPTY
        for number in range(HAND):
            barred |= history.bars[seat, number]
            n = add_slot(slots, n, seat, number, history.thrown[seat, number], barred)
        n = add_slot(slots, n, seat, IN_HAND, bits.wide(view.held[seat]), barred | above_bounds(view, seat))
    apart = 0 if view.viewer == view.sitter and view.sitter != NOBODY else 1 - bits.size(view.turned_up)
    n = add_slot(slots, n, bits.wide(view.sitter), APART, apart, bits.EMPTY)
    return first_slots(slots, n)


@rule
def fill_slot(state: Any, who: int, when: int, cards: int) -> None:
    """Lay the drawn cards where they belong."""
    if when == IN_HAND:
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


@implements(verbs.contradictions, STATE)
def contradictions(view: Any, slots: Any, events: Any) -> int:
    """How many events could not have happened with these cards."""
    wrong = 0
    for k in range(len(events)):
        event = events[k]
        hand, before, thrown = event[LATER], bits.EMPTY, bits.EMPTY
        for j in range(len(slots.who)):
            if slots.who[j] == event[WHO] and slots.when[j] != APART:
                if slots.when[j] < event[WHEN]:
                    before |= slots.cards[j]
                else:
                    hand |= slots.cards[j]
                if slots.when[j] == event[WHEN]:
                    thrown = slots.cards[j]
        if not allows(view, event, hand, before, thrown):
            wrong += 1
    return wrong
