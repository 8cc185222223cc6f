"""Luk Fu: full states that agree with all that one seat knows.

The unseen cards lie in slots (``engine/worlds.py``): other hands, what others threw trick by trick, the
dead card or the sitter's. Singles that were not beaten bar cards from slots; sets that were not beaten and single leads
under restriction are events, about whole hands.
"""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.constrained_worlds import add_slot, cards_by_time, draw, empty_slots, first_slots
from tefuda.engine.kit.session import NOBODY, begin_world, redrawn_chance
from tefuda.engine.verbs import implements, rule
from tefuda.games.luk_fu.cards import HAND, PACK
from tefuda.games.luk_fu.history import (
    LATER,
    WHEN,
    WHO,
    History,
    allows,
    known_to_viewer,
    leaders_of,
    played_since,
    read_history,
)
from tefuda.games.luk_fu.old_cards import within_bounds
from tefuda.games.luk_fu.rules import ACTIVE, capture
from tefuda.games.luk_fu.state import State

IN_HAND, APART = HAND, HAND + 1
"""``when`` of a slot that no trick fills: cards still held, the card of nobody or of the sitter."""

_MOST_SLOTS = ACTIVE * (HAND + 1) + 1


@implements(verbs.imagine, State)
def imagine(view: State, rng: Any, state: State) -> None:
    """A world drawn at random from those that agree with the public history and what the viewer holds."""
    history = read_history(view)
    slots = open_slots(view, history)
    draw(view, rng, unseen_cards(view), slots, history.events)
    lay_out(view, rng, slots, state)


@rule
def unseen_cards(view: State) -> int:
    """The cards that the viewer cannot place."""
    return bits.without(PACK, known_to_viewer(view))


@rule
def lay_out(view: State, rng: Any, slots: Any, state: State) -> None:
    """The world with these cards in the slots, and what follows from them: thrown, dealt and captured cards."""
    begin_world(view, state)
    state.chance = redrawn_chance(view, rng, view.dealer)
    for k in range(len(slots.who)):
        who, when, cards = slots.who[k], slots.when[k], slots.cards[k]
        if when == IN_HAND:
            state.hands[who] = cards
        elif when < HAND:
            state.thrown[who, when] = cards
        elif who == NOBODY:
            state.dead = cards
        else:
            state.sitter_card[who] = cards
    for seat in range(view.seats):
        if seat != view.viewer and seat != view.sitter:
            for number in range(HAND):
                state.discards[seat] |= state.thrown[seat, number]
            state.dealt[seat] = state.hands[seat] | state.discards[seat] | played_since(view, seat, 0)
    leaders = leaders_of(view)
    for number in range(view.number):
        capture(state, leaders[number + 1], number)


# Slots


@rule
def open_slots(view: State, history: History) -> Any:
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
        barred |= bits.without(PACK, within_bounds(view.bounds, seat))
        n = add_slot(slots, n, seat, IN_HAND, bits.wide(view.held[seat]), barred)
    apart = 0 if view.viewer == view.sitter and view.sitter != NOBODY else 1 - bits.size(view.turned_up)
    n = add_slot(slots, n, bits.wide(view.sitter), APART, apart, bits.EMPTY)
    return first_slots(slots, n)


@implements(verbs.contradictions, State)
def contradictions(view: State, slots: Any, events: Any) -> int:
    """How many events could not have happened with these cards."""
    wrong = 0
    for k in range(len(events)):
        event = events[k]
        before, thrown, later = cards_by_time(slots, event[WHO], event[WHEN])
        if not allows(view, event, event[LATER] | thrown | later, before, thrown):
            wrong += 1
    return wrong
