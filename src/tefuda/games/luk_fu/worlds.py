"""Luk Fu: full states that agree with all that one seat knows, and those in which the others' plays make sense.

The unseen cards lie in slots (``engine/worlds.py``): other hands, what others threw trick by trick, the
dead card or the sitter's. Singles that were not beaten bar cards from slots; sets that were not beaten and single leads
under restriction are events, about whole hands.

Nobody has to say play with a good hand, or throw what is worth least; but most do. What a beginner is taught
(``hints``) is held against the cards that a world gives the others: their declarations, and what they have thrown."""

from typing import NamedTuple

import numpy as np

from tefuda.engine.kit import NOBODY, Ints, Rng, begin_world, bits, implements, redrawn_chance, rule, verbs
from tefuda.engine.raw import copy, overwrite
from tefuda.engine.worlds import Slots, add_slot, cards_by_time, draw, empty_slots, first_slots
from tefuda.games.luk_fu import plays
from tefuda.games.luk_fu.cards import ALWAYS_OLD, HAND, PACK, RANKS, SUITS, suit_cards, suit_of
from tefuda.games.luk_fu.hints import Holding, cards_to_throw, declares
from tefuda.games.luk_fu.plays import SuitBounds, blockers, can_beat, higher_singles, leads_freely, old_cards, still_out
from tefuda.games.luk_fu.rules import ACTIVE, capture, next_active, note_bound
from tefuda.games.luk_fu.state import Phase, State

LED_SINGLE, DID_NOT_BEAT, THROWING = range(3)
"""Kinds of knowledge of a hand: a restricted single lead, cards thrown on a set or sequence, a throw in progress."""

KIND, WHO, WHEN, LED, COUNT, STILL_OUT, LATER = range(7)
"""Columns of an event: its kind; the player; the trick, from 0; the cards led, or the best on the table; how many cards
had to be thrown, or are still to be; what was out (``plays.still_out``); the cards that the player has played face
up since."""

_MOST_EVENTS = ACTIVE * HAND


class History(NamedTuple):
    """Findings of one pass over the public history. All arrays are int64."""

    events: Ints
    """of shape (events, 7): what other players did that not every hand would have allowed"""
    bars: Ints
    """of shape (seats, tricks): cards that a player cannot have held from that trick on"""
    thrown: Ints
    """of shape (seats, tricks): how many cards each has thrown face down"""


@rule
def read_history(view: State) -> History:
    """One pass over the tricks, from the first that is known."""
    shape = (len(view.hands), HAND)
    history = History(
        np.zeros((_MOST_EVENTS, LATER + 1), np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    )
    leaders, bounds = leaders_of(view), np.full((len(view.hands), SUITS), RANKS)
    faceup = bits.wide(view.faceup)
    for seat in range(view.seats):
        faceup = bits.without(faceup, played_since(view, seat, 0))
    n = 0
    for number in range(view.number + (1 if view.phase == Phase.FOLLOWING else 0)):
        leader = leaders[number]
        n = read_lead(view, history, n, leader, number, faceup, bounds, tricks_then(view, leaders, number))
        n = read_follows(view, history, n, leader, number, bounds)
        for seat in range(view.seats):
            faceup |= view.played[seat, number]
    return History(history.events[:n], history.bars, history.thrown)


@rule
def leaders_of(view: State) -> Ints:
    """LF-37, LF-38: who led each trick that is known, and leads or decides after the last; int64 by number."""
    leaders = np.zeros(HAND + 1, np.int64)
    leaders[0] = view.first_leader
    for number in range(view.number):
        leaders[number + 1] = seat = leaders[number]
        for _ in range(ACTIVE - 1):
            seat = next_active(view, seat)
            if view.played[seat, number] != bits.EMPTY:
                leaders[number + 1] = seat
    return leaders


@rule
def tricks_then(view: State, leaders: Ints, number: int) -> int:
    """LF-38: the tricks that the leader of this trick had been credited before it."""
    tricks = bits.wide(view.tricks[leaders[number]])
    for later in range(number, view.number):
        if leaders[later + 1] == leaders[number]:
            tricks -= bits.size(view.played[leaders[later], later])
    return tricks


@rule
def played_since(view: State, seat: int, number: int) -> int:
    """Cards that a seat has played face up from this trick on."""
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
    view: State, history: History, n: int, leader: int, number: int, faceup: int, bounds: SuitBounds, tricks: int
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

    A lead that is always old comes from a hand of old cards, so there it holds for every suit."""
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
def read_follows(view: State, history: History, n: int, leader: int, number: int, bounds: SuitBounds) -> int:
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


@rule
def allows(s: State, event: Ints, hand: int, before: int, thrown: int) -> bool:
    """True if an event, a row of ``History.events`` of this view, could have happened with this hand when the player's
    turn came, after they threw ``before`` in earlier tricks, and with ``thrown`` in this one."""
    if event[KIND] == DID_NOT_BEAT:
        return not can_beat(s, hand, event[LED], event[COUNT])
    if event[KIND] == THROWING:
        return bits.size(bits.above(bits.without(hand, thrown), bits.highest(thrown))) >= event[COUNT]
    dealt = hand | before | bits.without(played_since(s, event[WHO], 0), event[LATER])
    old = old_cards(s, hand, hand | before, dealt, event[STILL_OUT])
    return bits.inside(event[LED], plays.restricted_singles(hand, old))


# Worlds that agree with the history
IN_HAND, APART = HAND, HAND + 1
"""``when`` of a slot that no trick fills: cards still held, the card of nobody or of the sitter."""

_MOST_SLOTS = ACTIVE * (HAND + 1) + 1


@implements(verbs.imagine, State)
def imagine(view: State, rng: Rng, state: State) -> None:
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
def lay_out(view: State, rng: Rng, slots: Slots, state: State) -> None:
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


@rule
def open_slots(view: State, history: History) -> Slots:
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
        barred |= bits.without(PACK, plays.within_bounds(view.bounds, seat))
        n = add_slot(slots, n, seat, IN_HAND, bits.wide(view.held[seat]), barred)
    apart = 0 if view.viewer == view.sitter and view.sitter != NOBODY else 1 - bits.size(view.turned_up)
    n = add_slot(slots, n, bits.wide(view.sitter), APART, apart, bits.EMPTY)
    return first_slots(slots, n)


@implements(verbs.contradictions, State)
def contradictions(view: State, slots: Slots, events: Ints) -> int:
    """Number of events that could not have happened with these cards."""
    wrong = 0
    for k in range(len(events)):
        event = events[k]
        before, thrown, later = cards_by_time(slots, event[WHO], event[WHEN])
        if not allows(view, event, event[LATER] | thrown | later, before, thrown):
            wrong += 1
    return wrong


# Worlds in which what the others did makes sense
RECORD = State.RECORD

DRAWS = 8  # worlds drawn at most for one in which the declarations make sense; the last is taken if none does


@implements(verbs.believe, State)
def believe(view: State, rng: Rng, state: State) -> None:
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


@rule
def throw_least_useful(view: State, slots: Slots, events: Ints, seat: int) -> None:
    """Let those be thrown of the cards that this seat holds and has thrown that are worth least (LF-31), if may be."""
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


@rule
def lay_back(view: State, before: State) -> None:
    """Restore what all knew when they declared: nothing but how many cards each held."""
    copy(view, before)
    before.led_count = before.placed = before.to_throw = 0
    before.bounds[:] = RANKS
    for seat in range(view.seats):
        before.held[seat] = 0 if seat == view.sitter else HAND


@rule
def declarations_make_sense(view: State, world: State, before: State) -> bool:
    """True if those who have declared (LF-9), the viewer apart, had the hands for what they said."""
    seat = bits.wide(view.eldest)
    for _ in range(view.answers):
        if seat != view.viewer:
            out = bits.without(PACK, world.dealt[seat])
            if declares(before, Holding(seat, world.dealt[seat], out)) != (seat == view.declarer):
                return False
        seat = next_active(view, seat)
    return True
