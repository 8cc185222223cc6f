"""Sap Ng Wu: full states that agree with all that one seat knows."""

from typing import Any

import numpy as np

from tefuda.engine import verbs
from tefuda.engine.raw import copy
from tefuda.engine.record import EVERYTHING
from tefuda.engine.rng import below, shuffle
from tefuda.engine.verbs import implements, rule
from tefuda.games.sap_ng_wu.state import CARDS, COPIES, FACES, STATE, TWELVE, TWENTY_FOUR

NOWHERE = -1


@implements(verbs.imagine, STATE)
def imagine(view: Any, rng: Any, state: Any) -> None:
    """Deal the copies that the viewer has not seen to the other hands, every deal of the 84 cards equally likely.

    Hard knowledge is only how many cards each holds: nobody has to play what he could (SN-17). The one exception is
    supreme_partial = false (SN-5): who has laid his supreme cards has kept none.
    """
    copy(view, state)
    state.viewer = EVERYTHING
    state.chance = below(rng, 1 << 20) * view.seats + max(view.dealer, 0)
    places = np.empty(CARDS, np.int64)
    cards = np.empty(CARDS, np.int64)
    free = list_unseen(view, cards)
    taken = list_places(view, free, places)
    settled = settle_supreme(view, rng, cards[:free], places[:free]) if view.supreme_partial == 0 else 0
    shuffle(rng, places[settled:free])
    for k in range(taken):
        if places[k] != NOWHERE:
            state.hands[places[k], cards[k]] += 1


@rule
def list_unseen(view: Any, cards: Any) -> int:
    """Write the copies that lie neither in the viewer's hand nor open nor beaten, supreme cards first; how many."""
    n = 0
    for k in range(FACES):
        face = (TWELVE, TWENTY_FOUR)[k] if k < 2 else other_face(k - 2)
        left = COPIES - view.table[face] - view.discards[face]
        for seat in range(view.seats):
            left -= view.hands[seat, face] + view.won[seat, face] + view.laid[seat, face]
        for _ in range(left):
            cards[n] = face
            n += 1
    return n


@rule
def other_face(k: int) -> int:
    """The k-th face that is not a supreme card."""
    face = k
    if face >= min(TWELVE, TWENTY_FOUR):
        face += 1
    if face >= max(TWELVE, TWENTY_FOUR):
        face += 1
    return face


@rule
def list_places(view: Any, cards: int, places: Any) -> int:
    """Write where so many unseen cards may be: a hidden hand for each of its cards, NOWHERE for the rest."""
    n = 0
    for seat in range(view.seats):
        if seat != view.viewer:
            for _ in range(view.held[seat]):
                places[n] = seat
                n += 1
    for k in range(n, cards):
        places[k] = NOWHERE
    return cards


@rule
def settle_supreme(view: Any, rng: Any, cards: Any, places: Any) -> int:
    """SN-5, all or none: choose places for the supreme cards among hands that have laid none; how many cards that are.

    Each takes one of the places still open to it with equal chance; all cards have the same places open to them, so
    that every allocation is equally likely.
    """
    settled = 0
    while settled < len(cards) and (cards[settled] == TWELVE or cards[settled] == TWENTY_FOUR):
        chosen, open_places = -1, 0
        for k in range(settled, len(cards)):
            if places[k] == NOWHERE or view.laid[places[k], TWELVE] == 0:
                open_places += 1
                if below(rng, open_places) == 0:
                    chosen = k
        if chosen < 0:
            raise ValueError("no hands agree with what is known")
        places[settled], places[chosen] = places[chosen], places[settled]
        settled += 1
    return settled
