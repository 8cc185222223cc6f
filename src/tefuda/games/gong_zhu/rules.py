"""Gong Zhu: dealing, exposing, playing. Each rule is named by its number on the rules page."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.verbs import implements, rule
from tefuda.games.gong_zhu.state import (
    CARDS,
    CLUB_TWO,
    EXPOSABLE,
    EXPOSABLE_CARDS,
    EXPOSE,
    EXPOSING,
    LEADS_C2,
    LEADS_DRAWN,
    LEADS_S2,
    MOST_SEATS,
    OVER,
    PLAYING,
    RANKS,
    SIMULTANEOUS,
    SPADE_SEVEN,
    SPADE_TWO,
    STATE,
    UNTIL_QUIET,
)

NOBODY = -1


@rule
def suit_of(card: int) -> int:
    """0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return card // RANKS


@rule
def suit_cards(suit: int) -> int:
    """All cards of a suit."""
    return bits.span(suit * RANKS, RANKS)


@rule
def next_seat(s: Any, seat: int) -> int:
    """Counter-clockwise (GZ-2)."""
    return seat + 1 if seat + 1 < s.seats else 0


@rule
def exposure_action(cards: int) -> int:
    """The number of the action that exposes this set of exposable cards."""
    action = EXPOSE
    for i in range(len(EXPOSABLE)):
        if bits.has(cards, EXPOSABLE[i]):
            action += 1 << i
    return action


@rule
def exposure_cards(action: int) -> int:
    """The cards that an exposing action exposes."""
    cards = bits.EMPTY
    for i in range(len(EXPOSABLE)):
        if bits.has(action - EXPOSE, i):
            cards |= bits.only(EXPOSABLE[i])
    return cards


# Dealing


@implements(verbs.deal, STATE)
def deal(state: Any, deck: Any) -> None:
    """GZ-2: all cards singly, the first to seat 0."""
    s = state
    clear_table(s)
    seat = 0
    for card in deck:
        s.hands[seat] |= bits.only(card)
        s.held[seat] += 1
        seat = next_seat(s, seat)
    decide_first_lead(s)
    s.turn = s.leads_first
    s.phase = EXPOSING if s.exposing else PLAYING  # GZ-7


@rule
def clear_table(s: Any) -> None:
    """Empty everything that belongs to one deal."""
    for seat in range(MOST_SEATS):
        s.hands[seat] = s.shown[seat] = s.exposed_by[seat] = s.pending[seat] = s.won[seat] = bits.EMPTY
        s.held[seat] = s.voids[seat] = 0
        s.trick[seat] = NOBODY
    s.exposed = bits.EMPTY
    s.answers = s.round_exposed = s.led = s.trick_size = s.fresh = s.best_seat = s.tricks = 0
    s.best_card = NOBODY


@rule
def decide_first_lead(s: Any) -> None:
    """GZ-3 for the first deal of a game; in later deals GZ-4 has already named the leader."""
    if s.leads_first != NOBODY:
        return
    if s.first_leader == LEADS_DRAWN:
        s.leads_first = s.chance % s.seats
        return
    card = first_leader_card(s)
    for seat in range(s.seats):
        if bits.has(s.hands[seat], card):
            s.leads_first = seat
            s.shown[seat] |= bits.only(card)  # leading first tells everybody who holds it


@rule
def first_leader_card(s: Any) -> int:
    """GZ-3: whose holder leads to the first trick of a game."""
    if s.first_leader == LEADS_S2:
        return SPADE_TWO
    return CLUB_TWO if s.first_leader == LEADS_C2 else SPADE_SEVEN


# Whose turn, and what he may do


@implements(verbs.mover, STATE)
def mover(state: Any) -> int:
    """GZ-7, GZ-14, GZ-16."""
    return -1 if state.phase == OVER else state.turn


@implements(verbs.legal, STATE)
def legal(state: Any, out: Any) -> int:
    """GZ-5 while exposing, else GZ-12 and GZ-13."""
    if state.phase == PLAYING:
        return bits.list_into(playable(state), out)
    if state.phase == EXPOSING:
        return list_exposures(may_expose(state, state.turn), out)
    return 0


@rule
def may_expose(s: Any, seat: int) -> int:
    """GZ-5: the cards this seat holds that it may still put face up."""
    return bits.without(s.hands[seat] & EXPOSABLE_CARDS, s.exposed)


@rule
def list_exposures(cards: int, out: Any) -> int:
    """GZ-5: one card, several or none."""
    choices = exposure_action(cards) - EXPOSE
    n = 0
    for choice in range(choices + 1):
        if bits.inside(choice, choices):
            out[n] = EXPOSE + choice
            n += 1
    return n


@rule
def playable(s: Any) -> int:
    """The cards that the seat on turn may play."""
    return may_lead(s, s.hands[s.turn]) if s.trick_size == 0 else may_follow(s, s.hands[s.turn])


@rule
def may_follow(s: Any, hand: int) -> int:
    """GZ-12, GZ-8, GZ-11."""
    of_suit = hand & suit_cards(suit_of(s.trick[0]))
    if of_suit == bits.EMPTY:
        return hand
    if s.fresh and s.exposed & of_suit:
        others = bits.without(of_suit, s.exposed)
        return others if others != bits.EMPTY else of_suit  # GZ-8: unless it is the only card of the suit
    return of_suit


@rule
def may_lead(s: Any, hand: int) -> int:
    """GZ-13, GZ-9, GZ-10."""
    if must_lead_club_two(s, hand):
        return bits.only(CLUB_TWO)
    if hand & s.exposed == bits.EMPTY:
        return hand
    free = bits.without(hand, barred_from_lead(s, hand))
    return free if free != bits.EMPTY else hand  # GZ-10


@rule
def must_lead_club_two(s: Any, hand: int) -> bool:
    """GZ-3 with first_leader=C2: who holds it leads it to the first trick of a game."""
    return s.first_leader == LEADS_C2 and s.deals == 0 and s.tricks == 0 and bits.has(hand, CLUB_TWO)


@rule
def barred_from_lead(s: Any, hand: int) -> int:
    """GZ-9: the exposed cards in this hand whose suit has not been led."""
    barred = bits.EMPTY
    exposed = hand & s.exposed
    while exposed != bits.EMPTY:
        card = bits.lowest(exposed)
        exposed = bits.without_lowest(exposed)
        if not bits.has(s.led, suit_of(card)) and not excepted_singleton(s, hand, card):
            barred |= bits.only(card)
    return barred


@rule
def excepted_singleton(s: Any, hand: int, card: int) -> bool:
    """GZ-9 with exposed_singleton_lead."""
    return s.exposed_singleton_lead == 1 and bits.size(hand & suit_cards(suit_of(card))) == 1


# Moves


@implements(verbs.apply, STATE)
def apply(state: Any, action: int) -> None:
    """Expose cards, or play one."""
    if action < CARDS:
        play_card(state, action)
    else:
        expose(state, exposure_cards(action))


@implements(verbs.disguise, STATE)
def disguise(state: Any, action: int) -> int:
    """GZ-7: of simultaneous answers only that they have been given."""
    return EXPOSE if state.phase == EXPOSING and state.expose_order == SIMULTANEOUS else action


@rule
def expose(s: Any, cards: int) -> None:
    """GZ-5 and GZ-7: one seat's answer, and what follows when the round is complete."""
    seat = s.turn
    if s.expose_order == SIMULTANEOUS:
        s.pending[seat] = cards
    else:
        show_exposed(s, seat, cards)
    s.turn = next_seat(s, seat)
    s.answers += 1
    if s.answers == s.seats:
        end_round_of_exposing(s)


@rule
def show_exposed(s: Any, seat: int, cards: int) -> None:
    """GZ-5: face up before the player, still part of his hand."""
    s.exposed |= cards
    s.exposed_by[seat] |= cards
    s.shown[seat] |= cards
    if cards != bits.EMPTY:
        s.round_exposed = 1


@rule
def end_round_of_exposing(s: Any) -> None:
    """GZ-7: another round in until_quiet if somebody exposed a card in this one; else play begins."""
    if s.expose_order == SIMULTANEOUS:
        for seat in range(s.seats):
            show_exposed(s, seat, s.pending[seat])
            s.pending[seat] = bits.EMPTY
    again = s.expose_order == UNTIL_QUIET and s.round_exposed == 1
    if not again:
        open_forced_fourth(s)
        s.phase = PLAYING
    s.answers = s.round_exposed = 0


@rule
def open_forced_fourth(s: Any) -> None:
    """forced_fourth_exposure: with exactly three cards open the fourth opens too."""
    closed = bits.without(EXPOSABLE_CARDS, s.exposed)
    if s.forced_fourth_exposure == 1 and bits.size(closed) == 1:
        for seat in range(s.seats):
            if bits.inside(closed, s.hands[seat]):
                show_exposed(s, seat, closed)


@rule
def play_card(s: Any, card: int) -> None:
    """GZ-12 to GZ-16: one card to the trick, and the trick's end with the last one."""
    seat = s.turn
    s.hands[seat] = bits.without(s.hands[seat], bits.only(card))
    s.shown[seat] = bits.without(s.shown[seat], bits.only(card))
    s.held[seat] -= 1
    suit = suit_of(card)
    if s.trick_size == 0:
        s.fresh = 0 if bits.has(s.led, suit) else 1
        s.led |= 1 << suit
    note_voids(s, seat, card)
    s.trick[s.trick_size] = card
    s.trick_size += 1
    if s.trick_size == 1 or (suit == suit_of(s.best_card) and card > s.best_card):
        s.best_card, s.best_seat = card, seat
    if s.trick_size == s.seats:
        take_trick(s)
    else:
        s.turn = next_seat(s, seat)


@rule
def note_voids(s: Any, seat: int, card: int) -> None:
    """What everybody learns about the rest of the hand from this card.

    Not following shows a void (GZ-12). So does an exposed card in the first trick of its suit: following with it needs
    that it is the only one (GZ-8), and leading it that it is a singleton or that only exposed cards are left, all of
    different suits (GZ-9, GZ-10).
    """
    suit = suit_of(card)
    led = suit if s.trick_size == 0 else suit_of(s.trick[0])
    if suit != led:
        s.voids[seat] |= 1 << led
    elif s.fresh and bits.has(s.exposed, card):
        s.voids[seat] |= 1 << suit


@rule
def take_trick(s: Any) -> None:
    """GZ-14, GZ-15, GZ-16: the winner takes the cards and leads; after the last card the deal is over."""
    winner = s.best_seat
    left = 0
    for place in range(s.seats):
        s.won[winner] |= bits.only(s.trick[place])
        s.trick[place] = NOBODY
        left += s.held[place]
    s.trick_size = s.fresh = 0
    s.best_card = NOBODY
    s.tricks += 1
    s.turn = winner
    if left == 0:
        s.phase = OVER
