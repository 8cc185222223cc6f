"""Gong Zhu: full states that agree with all that one seat knows."""

from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.raw import copy
from tefuda.engine.record import EVERYTHING
from tefuda.engine.rng import below
from tefuda.engine.verbs import implements, rule
from tefuda.engine.worlds import deal_unseen
from tefuda.games.gong_zhu.rules import may_expose, suit_cards
from tefuda.games.gong_zhu.scoring import deck_in_use
from tefuda.games.gong_zhu.state import EXPOSING, MOST_SEATS, SIMULTANEOUS, STATE, SUITS


@implements(verbs.imagine, STATE)
def imagine(view: Any, rng: Any, state: Any) -> None:
    """Deal the cards that the viewer has not seen to the other hands.

    Hard knowledge respected: how many cards each holds, cards shown in a hand (exposed; the card that named the first
    leader, GZ-3), suits a player is known not to hold (``note_voids``).
    """
    copy(view, state)
    state.viewer = EVERYTHING
    state.chance = imagined_chance(view, rng)
    room = np.zeros(MOST_SEATS, np.int64)
    barred = np.zeros(MOST_SEATS, np.int64)
    hands = np.zeros(MOST_SEATS, np.int64)
    for seat in range(view.seats):
        hands[seat] = view.hands[seat] | view.shown[seat]
        room[seat] = view.held[seat] - bits.size(hands[seat])
        barred[seat] = void_cards(view, seat)
    deal_unseen(rng, unseen(view), room, barred, hands)
    for seat in range(view.seats):
        state.hands[seat] = hands[seat]
    imagine_pending(view, rng, state)


@rule
def imagined_chance(view: Any, rng: Any) -> int:
    """The deal's random number: only the drawn first leader followed from it, and it has to give the same one."""
    return below(rng, 1 << 20) * view.seats + max(view.leads_first, 0)


@rule
def unseen(view: Any) -> int:
    """The cards that are neither in the viewer's hand, nor shown, nor played."""
    seen = bits.EMPTY
    for seat in range(view.seats):
        seen |= view.hands[seat] | view.shown[seat] | view.won[seat]
    for place in range(view.trick_size):
        seen |= bits.only(view.trick[place])
    return bits.without(deck_in_use(view), seen)


@rule
def void_cards(view: Any, seat: int) -> int:
    """The cards of the suits that this seat is known not to hold."""
    cards = bits.EMPTY
    for suit in range(SUITS):
        if bits.has(view.voids[seat], suit):
            cards |= suit_cards(suit)
    return cards


@rule
def imagine_pending(view: Any, rng: Any, state: Any) -> None:
    """GZ-7, simultaneous: those who have already chosen, the viewer apart, chose any of what they may expose."""
    if view.phase != EXPOSING or view.expose_order != SIMULTANEOUS:
        return
    for k in range(view.answers):
        seat = (view.leads_first + k) % view.seats
        if seat != view.viewer:
            state.pending[seat] = bits.EMPTY
            cards = may_expose(state, seat)
            while cards != bits.EMPTY:
                if below(rng, 2) == 1:
                    state.pending[seat] |= bits.only(bits.lowest(cards))
                cards = bits.without_lowest(cards)
