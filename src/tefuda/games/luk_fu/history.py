"""Luk Fu: what the public history of a deal tells of the cards that one viewer cannot see."""

from typing import Any, NamedTuple

import numpy as np

from tefuda.engine import bits
from tefuda.engine.verbs import rule
from tefuda.games.luk_fu.cards import ALWAYS_OLD, HAND, PACK, RANKS, SUITS, suit_cards, suit_of
from tefuda.games.luk_fu.combinations import can_beat, higher_singles
from tefuda.games.luk_fu.old_cards import blockers, leads_freely, old_cards, restricted_singles, still_out
from tefuda.games.luk_fu.rules import ACTIVE, next_active, note_bound
from tefuda.games.luk_fu.state import Phase, State

LED_SINGLE, DID_NOT_BEAT, THROWING = range(3)
"""What may be known of a hand: a restricted single lead, cards thrown on a set or sequence, a throw in progress."""

KIND, WHO, WHEN, LED, COUNT, STILL_OUT, LATER = range(7)
"""Columns of an event: its kind; the player; the trick, from 0; the cards led, or the best on the table; how many cards
had to be thrown, or are still to be; what was out (``old_cards.still_out``); the cards that the player has played face
up since."""

_MOST_EVENTS = ACTIVE * HAND


class History(NamedTuple):
    """What one pass over the public history finds. All arrays are int64."""

    leaders: Any
    """of shape (tricks + 1,): who led each trick, and leads next or decides; by number up to the present one"""
    events: Any
    """of shape (events, 7): what other players did that not every hand would have allowed"""
    bars: Any
    """of shape (seats, tricks): cards that a player cannot have held from that trick on"""
    thrown: Any
    """of shape (seats, tricks): how many cards each has thrown face down"""


@rule
def read_history(view: State) -> Any:
    """One pass over the tricks, from the first that is known; a ``History``."""
    seats = len(view.hands)
    history = History(
        np.zeros(HAND + 1, np.int64), np.zeros((_MOST_EVENTS, LATER + 1), np.int64),
        np.zeros((seats, HAND), np.int64), np.zeros((seats, HAND), np.int64),
    )  # fmt: skip
    find_leaders(view, history.leaders)
    bounds = np.full((seats, SUITS), RANKS)
    tricks = tricks_before(view, history.leaders)
    faceup = bits.wide(view.faceup)
    for seat in range(view.seats):
        faceup = bits.without(faceup, played_since(view, seat, 0))
    n = 0
    for number in range(view.number + (1 if view.phase == Phase.FOLLOWING else 0)):
        leader = history.leaders[number]
        n = read_lead(view, history, n, leader, number, faceup, bounds, tricks[leader])
        n = read_follows(view, history, n, leader, number, bounds)
        for seat in range(view.seats):
            faceup |= view.played[seat, number]
        if number < view.number:
            tricks[history.leaders[number + 1]] += bits.size(view.played[leader, number])
    return History(history.leaders, history.events[:n], history.bars, history.thrown)


@rule
def find_leaders(view: State, leaders: Any) -> None:
    """LF-37, LF-38: who played face up last leads the next trick."""
    leaders[0] = view.first_leader
    for number in range(view.number):
        leaders[number + 1] = seat = leaders[number]
        for _ in range(ACTIVE - 1):
            seat = next_active(view, seat)
            if view.played[seat, number] != bits.EMPTY:
                leaders[number + 1] = seat


@rule
def tricks_before(view: State, leaders: Any) -> Any:
    """Tricks credited before the first trick that is known, none in a deal that was played from the start."""
    tricks = np.zeros(len(view.tricks), np.int64)
    for seat in range(view.seats):
        tricks[seat] = view.tricks[seat]
    for number in range(view.number):
        tricks[leaders[number + 1]] -= bits.size(view.played[leaders[number], number])
    return tricks


@rule
def played_since(view: State, seat: int, number: int) -> int:
    """What a seat has played face up from this trick on."""
    cards = bits.EMPTY
    for later in range(number, HAND):
        cards |= view.played[seat, later]
    return cards


@rule
def add_event(
    view: State, history: History, n: int, kind: int, seat: int, number: int, cards: int, count: int, out: int
) -> int:
    """One more event; how many there are then."""
    event = history.events[n]
    event[KIND], event[WHO], event[WHEN] = kind, seat, number
    event[LED], event[COUNT], event[STILL_OUT] = cards, count, out
    event[LATER] = played_since(view, seat, number)
    return n + 1


@rule
def read_lead(
    view: State, history: History, n: int, leader: int, number: int, faceup: int, bounds: Any, tricks: int
) -> int:
    """LF-18, LF-19: a single that another player led under restriction tells of the rest of their hand."""
    lead = view.played[leader, number]
    if bits.size(lead) != 1 or leader == view.viewer or leads_freely(view, leader, tricks):
        return n
    out = still_out(view, leader, faceup, bounds)
    history.bars[leader, number] |= barred_by_lead(view, leader, lead, out)
    return add_event(view, history, n, LED_SINGLE, leader, number, lead, 1, out)


@rule
def barred_by_lead(view: State, leader: int, lead: int, out: int) -> int:
    """Cards that would have been fresh and of a stronger suit: those below a card that the viewer knows elsewhere.

    A lead that is always old comes from a hand of old cards, so there it holds for every suit.
    """
    elsewhere = bits.without(known_to_viewer(view), played_since(view, leader, 0))
    theirs = bits.without(PACK, elsewhere)
    blocking = blockers(view, theirs, theirs, out)
    weakest = 0 if lead & ALWAYS_OLD != bits.EMPTY else suit_of(bits.lowest(lead)) + 1
    barred = bits.EMPTY
    for suit in range(weakest, SUITS):
        of_suit = blocking & suit_cards(suit)
        if of_suit != bits.EMPTY:
            barred |= bits.below(suit_cards(suit), bits.highest(of_suit))
    return bits.without(barred, ALWAYS_OLD)


@rule
def known_to_viewer(view: State) -> int:
    """Every card whose place the viewer knows."""
    cards = view.faceup | view.turned_up
    for seat in range(view.seats):  # of other seats these are blank
        cards |= view.hands[seat] | view.discards[seat] | view.sitter_card[seat]
    return cards


@rule
def read_follows(view: State, history: History, n: int, leader: int, number: int, bounds: Any) -> int:
    """LF-30: who threw could not beat, which bars single cards (LF-25) or is an event."""
    best, count = view.played[leader, number], bits.size(view.played[leader, number])
    finished = number < view.number
    followers = ACTIVE - 1 if finished else view.placed + (1 if view.to_throw > 0 else 0)
    seat = leader
    for k in range(followers):
        seat = next_active(view, seat)
        if view.played[seat, number] != bits.EMPTY:
            best = view.played[seat, number]
            continue
        begun = not finished and k == view.placed
        history.thrown[seat, number] = count - view.to_throw if begun else count
        note_bound(bounds, seat, best, count)
        if seat == view.viewer:
            continue
        if count == 1:
            history.bars[seat, number] |= higher_singles(PACK, best)
        else:
            n = add_event(view, history, n, DID_NOT_BEAT, seat, number, best, count, bits.EMPTY)
        if begun:
            n = add_event(view, history, n, THROWING, seat, number, best, bits.wide(view.to_throw), bits.EMPTY)
    return n


# Whether a hand would have allowed it


@rule
def allows(s: State, event: Any, hand: int, before: int, thrown: int) -> bool:
    """Whether an event could have happened.

    Args:
        s: the view that tells of it.
        event: a row of ``History.events``.
        hand: what the player held when their turn came.
        before: what they had thrown in earlier tricks.
        thrown: what they threw in this trick.
    """
    if event[KIND] == DID_NOT_BEAT:
        return not can_beat(s, hand, event[LED], event[COUNT])
    if event[KIND] == THROWING:
        return bits.size(bits.above(bits.without(hand, thrown), bits.highest(thrown))) >= event[COUNT]
    dealt = hand | before | bits.without(played_since(s, event[WHO], 0), event[LATER])
    old = old_cards(s, hand, hand | before, dealt, event[STILL_OUT])
    return bits.inside(event[LED], restricted_singles(hand, old))
