"""Luk Fu: worlds in which what the others did makes sense.

Nobody has to say play with a good hand, or throw what is worth least; but most do. What a beginner is taught
(``hints``) is held against the cards that a world gives the others: their declarations, and what they have thrown.
"""

from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.constrained_worlds import draw
from tefuda.engine.raw import copy, overwrite
from tefuda.engine.verbs import implements, rule
from tefuda.games.luk_fu.cards import HAND, PACK, RANKS
from tefuda.games.luk_fu.hints import Holding, cards_to_throw, declares
from tefuda.games.luk_fu.history import read_history
from tefuda.games.luk_fu.rules import next_active
from tefuda.games.luk_fu.state import State
from tefuda.games.luk_fu.worlds import IN_HAND, lay_out, open_slots, unseen_cards

RECORD = State.RECORD

DRAWS = 8
"""Worlds drawn at most for one in which the declarations make sense; the last is taken if none does."""


@implements(verbs.believe, State)
def believe(view: State, rng: Any, state: State) -> None:
    """A world in which everybody has declared as their hand deserves, and thrown what they need least."""
    before = np.empty(1, RECORD)
    lay_back(view, before[0])
    history = read_history(view)
    slots = open_slots(view, history)
    for _ in range(DRAWS):
        draw(view, rng, unseen_cards(view), slots, history.events)
        for seat in range(view.seats):
            throw_least_useful(view, slots, history.events, seat)
        lay_out(view, rng, slots, state)
        if declarations_make_sense(view, state, before[0]):
            return


# What was thrown


@rule
def throw_least_useful(view: State, slots: Any, events: Any, seat: int) -> None:
    """Of the cards that this seat holds and has thrown, those worth least were thrown (LF-31), if that may be."""
    pool = bits.EMPTY
    for k in range(len(slots.who)):
        if slots.who[k] == seat and slots.when[k] <= IN_HAND:
            pool |= slots.cards[k]
    if pool == bits.EMPTY:
        return
    drawn = slots.cards.copy()
    out = bits.without(PACK, pool | view.faceup | view.turned_up)
    for k in range(len(slots.who)):
        if slots.who[k] == seat and slots.when[k] < HAND:
            holding = Holding(seat, pool, out)
            slots.cards[k] = cards_to_throw(view, holding, bits.without(pool, slots.barred[k]), slots.room[k])
            pool = bits.without(pool, slots.cards[k])
    possible = bits.size(pool) == view.held[seat]
    for k in range(len(slots.who)):
        if slots.who[k] == seat and slots.when[k] == IN_HAND:
            slots.cards[k] = pool
            possible = possible and (pool & slots.barred[k]) == bits.EMPTY
    if not possible or verbs.contradictions(view, slots, events) > 0:
        overwrite(slots.cards, drawn)


# What was declared


@rule
def lay_back(view: State, before: State) -> None:
    """What all knew when they declared: nothing but how many cards each held."""
    copy(view, before)
    before.led_count = before.placed = before.to_throw = 0
    before.bounds[:] = RANKS
    for seat in range(view.seats):
        before.held[seat] = 0 if seat == view.sitter else HAND


@rule
def declarations_make_sense(view: State, world: State, before: State) -> bool:
    """Whether those who have declared (LF-9), the viewer apart, had the hands for what they said."""
    seat = bits.wide(view.eldest)
    for _ in range(view.answers):
        if seat != view.viewer:
            out = bits.without(PACK, world.dealt[seat])
            if declares(before, Holding(seat, world.dealt[seat], out)) != (seat == view.declarer):
                return False
        seat = next_active(view, seat)
    return True
