"""Leduc poker: full states that agree with what one seat knows."""

from typing import Any

import numpy as np

from leduc_poker.state import CARDS, State
from tefuda.engine import bits, verbs
from tefuda.engine.kit.session import NOBODY, begin_world, redrawn_chance
from tefuda.engine.rng import below
from tefuda.engine.verbs import implements, rule


@implements(verbs.imagine, State)
def imagine(view: State, rng: Any, state: State) -> None:
    """Any card that is not seen may be in the other hand, any other in the middle."""
    begin_world(view, state)
    state.chance = redrawn_chance(view, rng, NOBODY)
    unseen = bits.span(0, CARDS)
    if view.board != NOBODY:
        unseen = bits.without(unseen, bits.only(view.board))
    for seat in range(view.seats):
        state.hands[seat] = view.hands[seat] | view.shown[seat]
        unseen = bits.without(unseen, state.hands[seat])
    for seat in range(view.seats):
        if state.hands[seat] == bits.EMPTY:
            state.hands[seat] = bits.only(drawn(rng, unseen))
            unseen = bits.without(unseen, state.hands[seat])
    state.hidden = view.board if view.board != NOBODY else drawn(rng, unseen)


@rule
def drawn(rng: Any, cards: int) -> int:
    """One card of a set, each as likely."""
    numbers = np.empty(CARDS, np.int64)
    return numbers[below(rng, bits.list_into(cards, numbers))]
