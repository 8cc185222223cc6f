"""Leduc poker: full states that agree with what one seat knows."""

import numpy as np

from leduc_poker.state import CARDS, State
from tefuda.engine import bits, verbs
from tefuda.engine.kit import NOBODY, Rng, begin_world, redrawn_chance
from tefuda.engine.verbs import implements
from tefuda.engine.worlds import deal_unseen


@implements(verbs.imagine, State)
def imagine(view: State, rng: Rng, state: State) -> None:
    """Any card that is not seen may be in the other hand, any other in the middle, which is the last place here."""
    begin_world(view, state)
    state.chance = redrawn_chance(view, rng, NOBODY)
    places, room, barred = np.zeros(3, np.int64), np.ones(3, np.int64), np.zeros(3, np.int64)
    places[0], places[1] = view.hands[0] | view.shown[0], view.hands[1] | view.shown[1]
    places[2] = bits.only(view.board) if view.board != NOBODY else bits.EMPTY
    for k in range(3):
        room[k] -= bits.size(places[k])
    unseen = bits.without(bits.span(0, CARDS), places[0] | places[1] | places[2])
    deal_unseen(rng, unseen, room, barred, places)
    state.hands[0], state.hands[1], state.hidden = places[0], places[1], bits.lowest(places[2])
    state.undealt = bits.without(bits.span(0, CARDS), places[0] | places[1] | places[2])
