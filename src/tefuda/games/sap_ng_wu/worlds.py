"""Sap Ng Wu: full states that agree with all that one seat knows."""

import numpy as np

from tefuda.engine.kit import NOBODY, Ints, Rng, begin_world, below, implements, redrawn_chance, rule, shuffle, verbs
from tefuda.games.sap_ng_wu.plays import CARDS, FACES, SUPREME, TWELVE
from tefuda.games.sap_ng_wu.rules import unseen
from tefuda.games.sap_ng_wu.state import State

SUPREMES_FIRST = (*SUPREME, *(face for face in range(FACES) if face not in SUPREME))
"""All faces, in the order in which the unseen cards are listed."""


@implements(verbs.imagine, State)
def imagine(view: State, rng: Rng, state: State) -> None:
    """Deal the copies that the viewer has not seen to the other hands, every deal of the pack equally likely.

    Hard knowledge is only how many cards each holds: nobody has to play what they could (SN-17). The one exception is
    supreme_partial = false (SN-5): a player who has laid supreme cards has kept none."""
    begin_world(view, state)
    state.chance = redrawn_chance(view, rng, view.dealer)
    places, cards = np.empty(CARDS, np.int64), np.empty(CARDS, np.int64)
    count = list_unseen(view, cards)
    list_places(view, places[:count])
    settled = 0 if view.supreme_partial else settle_supreme(view, rng, cards[:count], places[:count])
    shuffle(rng, places[settled:count])
    for k in range(count):
        if places[k] != NOBODY:
            state.hands[places[k], cards[k]] += 1
        else:
            state.aside[cards[k]] += 1


@rule
def list_unseen(view: State, cards: Ints) -> int:
    """Write the copies that the viewer has not seen, supreme cards first; how many."""
    n = 0
    for k in range(FACES):
        for _ in range(unseen(view, view.viewer, SUPREMES_FIRST[k])):
            cards[n] = SUPREMES_FIRST[k]
            n += 1
    return n


@rule
def list_places(view: State, places: Ints) -> None:
    """Write where unseen cards may be: a hidden hand for each of its cards, NOBODY for the rest."""
    n = 0
    places[:] = NOBODY
    for seat in range(view.seats):
        if seat != view.viewer:
            for _ in range(view.held[seat]):
                places[n] = seat
                n += 1


@rule
def settle_supreme(view: State, rng: Rng, cards: Ints, places: Ints) -> int:
    """SN-5, all or none: choose places for the supreme cards among hands that have laid none; how many cards that are.

    Each takes one of the places still open to it with equal chance; all cards have the same places open to them, so
    that every allocation is equally likely."""
    settled = 0
    while settled < len(cards) and cards[settled] in SUPREME:
        chosen, open_places = NOBODY, 0
        for k in range(settled, len(cards)):
            if places[k] == NOBODY or view.laid[places[k], TWELVE] == 0:
                open_places += 1
                if below(rng, open_places) == 0:
                    chosen = k
        if chosen < 0:
            raise ValueError("no hands agree with what is known")
        places[settled], places[chosen] = places[chosen], places[settled]
        settled += 1
    return settled
