"""Gong Zhu: dealing, exposing, playing. Each rule is named by its number on the rules page."""

from tefuda.engine.kit import NOBODY, Ints, bits, clear_deal, deal_packets, implements, next_seat, rule, verbs
from tefuda.engine.kit.french import CARDS, HEARTS, SUITS, suit_cards, suit_of
from tefuda.engine.kit.tricks import add_to_trick, following, remove_from_hand, suit_led, take_trick
from tefuda.games.gong_zhu.cards import ALL_HEARTS, CLUB_TWO, EXPOSABLE_CARDS, FULL_TABLE, SPADE_SEVEN, SPADE_TWO
from tefuda.games.gong_zhu.scoring import hand_size
from tefuda.games.gong_zhu.state import ALWAYS_OPEN, EXPOSE, EXPOSURES, ExposeOrder, FirstLeader, Phase, State

FIRST_LEADERS = (SPADE_TWO, CLUB_TWO, SPADE_SEVEN, NOBODY, SPADE_TWO)
"""GZ-3: by the values of ``first_leader``, the card whose holder leads to the first trick of a game; −1: by lot."""


@implements(verbs.deal, State)
def deal(state: State, deck: Ints) -> None:
    """GZ-2: all cards singly, the first to seat 0; in the miniature for two the last lie aside."""
    clear_deal(state)
    dealt = hand_size(state) * state.seats
    deal_packets(state, deck[:dealt], 0, 1)
    for card in deck[dealt:]:
        state.aside |= bits.only(card)
    decide_first_lead(state)
    for seat in range(state.seats):
        show_exposed(state, seat, state.hands[seat] & ALWAYS_OPEN[state.always_open])
    state.turn = state.leads_first
    state.phase = Phase.EXPOSING if asks_exposing(state) else Phase.PLAYING  # GZ-7


@rule
def asks_exposing(s: State) -> bool:
    """GZ-5: players choose what they expose."""
    return s.exposing and ALWAYS_OPEN[s.always_open] == bits.EMPTY


@rule
def decide_first_lead(s: State) -> None:
    """GZ-3 for the first deal of a game; in later deals GZ-4 has already named the leader."""
    if s.leads_first != NOBODY:
        return
    if s.first_leader == FirstLeader.DRAWN or s.seats < FULL_TABLE:  # a miniature has none of the cards that decide
        s.leads_first = s.chance % s.seats
        return
    card = FIRST_LEADERS[s.first_leader]
    for seat in range(s.seats):
        if bits.has(s.hands[seat], card):
            s.leads_first = seat
            s.shown[seat] |= bits.only(card)  # leading first tells everybody who holds it


@implements(verbs.legal, State)
def legal(state: State, out: Ints) -> int:
    """GZ-5 while exposing, else GZ-12 and GZ-13."""
    if state.phase == Phase.PLAYING:
        return bits.list_into(playable(state), out)
    if state.phase == Phase.EXPOSING:
        return list_exposures(may_expose(state, state.turn), out)
    return 0


@implements(verbs.legal_set, State)
def legal_set(state: State) -> int:
    """The cards that may be played, once exposing is over."""
    return playable(state) if state.phase == Phase.PLAYING else bits.EMPTY


@rule
def may_expose(s: State, seat: int) -> int:
    """GZ-5: the cards this seat holds that it may still put face up."""
    return bits.without(s.hands[seat] & EXPOSABLE_CARDS, s.exposed)


@rule
def list_exposures(cards: int, out: Ints) -> int:
    """GZ-5: one card, several or none."""
    n = 0
    for k in range(len(EXPOSURES)):
        if bits.inside(EXPOSURES[k], cards):
            out[n] = EXPOSE + k
            n += 1
    return n


@rule
def exposure_action(cards: int) -> int:
    """The action that exposes this set of cards."""
    k = 0
    while EXPOSURES[k] != cards:
        k += 1
    return EXPOSE + k


@rule
def playable(s: State) -> int:
    """The cards that the seat on turn may play."""
    return may_lead(s, s.hands[s.turn]) if s.trick_size == 0 else may_follow(s, s.hands[s.turn])


@rule
def may_follow(s: State, hand: int) -> int:
    """GZ-12, GZ-8, GZ-11."""
    of_suit = following(s, hand)
    if of_suit == bits.EMPTY:
        return hand
    if s.fresh and s.exposed & of_suit:
        others = bits.without(of_suit, s.exposed)
        return others if others != bits.EMPTY else of_suit  # GZ-8: unless it is the only card of the suit
    return of_suit


@rule
def may_lead(s: State, hand: int) -> int:
    """GZ-13, GZ-9, GZ-10."""
    if must_lead_two(s, hand):
        return bits.only(FIRST_LEADERS[s.first_leader])
    free = hand
    if hand & s.exposed != bits.EMPTY:
        free = bits.without(hand, barred_from_lead(s, hand))
        free = free if free != bits.EMPTY else hand  # GZ-10
    others = bits.without(free, ALL_HEARTS)
    return others if s.hearts_broken and others != bits.EMPTY and not hearts_open(s) else free


@rule
def hearts_open(s: State) -> bool:
    """GZ-13 with hearts_broken: a heart has been played in an earlier trick of this deal."""
    won = bits.EMPTY
    for seat in range(s.seats):
        won |= s.won[seat]
    return won & ALL_HEARTS != bits.EMPTY


@rule
def must_lead_two(s: State, hand: int) -> bool:
    """GZ-3 with first_leader=C2 or S2_led: who holds that two leads it to the first trick of a game."""
    if s.first_leader != FirstLeader.C2 and s.first_leader != FirstLeader.S2_LED:
        return False
    return s.deals == 0 and s.tricks == 0 and bits.has(hand, FIRST_LEADERS[s.first_leader])


@rule
def barred_from_lead(s: State, hand: int) -> int:
    """GZ-9: the exposed cards in this hand whose suit has not been led."""
    barred = bits.EMPTY
    exposed = hand & s.exposed
    while exposed != bits.EMPTY:
        card = bits.lowest(exposed)
        exposed = bits.without_lowest(exposed)
        excepted = s.exposed_singleton_lead and bits.size(hand & suit_cards(suit_of(card))) == 1
        if not bits.has(s.led, suit_of(card)) and not excepted:
            barred |= bits.only(card)
    return barred


@implements(verbs.apply, State)
def apply(state: State, action: int) -> None:
    """Expose cards, or play one."""
    if action < CARDS:
        play_card(state, action)
    else:
        expose(state, EXPOSURES[action - EXPOSE])


@implements(verbs.disguise, State)
def disguise(state: State, action: int) -> int:
    """GZ-7: of simultaneous answers only that they have been given."""
    hidden = state.phase == Phase.EXPOSING and state.expose_order == ExposeOrder.SIMULTANEOUS
    return EXPOSE if hidden else action


@rule
def expose(s: State, cards: int) -> None:
    """GZ-5 and GZ-7: one seat's answer, and what follows when the round is complete."""
    seat = s.turn
    if s.expose_order == ExposeOrder.SIMULTANEOUS:
        s.pending[seat] = cards
    else:
        show_exposed(s, seat, cards)
        s.round_exposed = s.round_exposed or cards != bits.EMPTY
    s.turn = next_seat(s, seat)
    s.answers += 1
    if s.answers == s.seats:
        end_round_of_exposing(s)


@rule
def show_exposed(s: State, seat: int, cards: int) -> None:
    """GZ-5: face up before the player, still part of the hand."""
    s.exposed |= cards
    s.exposed_by[seat] |= cards
    s.shown[seat] |= cards


@rule
def end_round_of_exposing(s: State) -> None:
    """GZ-7: another round in until_quiet if somebody exposed a card in this one; else play begins."""
    if s.expose_order == ExposeOrder.SIMULTANEOUS:
        for seat in range(s.seats):
            show_exposed(s, seat, s.pending[seat])
            s.pending[seat] = bits.EMPTY
    again = s.expose_order == ExposeOrder.UNTIL_QUIET and s.round_exposed
    if not again:
        open_forced_fourth(s)
        s.phase = Phase.PLAYING
    s.answers = 0
    s.round_exposed = False


@rule
def open_forced_fourth(s: State) -> None:
    """forced_fourth_exposure: with exactly three cards open the fourth opens too."""
    closed = bits.without(EXPOSABLE_CARDS, s.exposed)
    if s.forced_fourth_exposure and bits.size(closed) == 1:
        for seat in range(s.seats):
            if bits.inside(closed, s.hands[seat]):
                show_exposed(s, seat, closed)


@rule
def play_card(s: State, card: int) -> None:
    """GZ-12 to GZ-16: one card to the trick; the winner of a full one takes it and leads, until no card is left.

    An exposed card in the first trick of its suit shows a void, as not following does: following with it needs that it
    is the only one (GZ-8), and leading it that it is a singleton or that only exposed cards are left, all of different
    suits (GZ-9, GZ-10). With hearts_broken the lead of the first heart shows a hand of hearts and of exposed cards that
    GZ-9 bars, so in the other suits none but those shown. Written out, it is faster than by ``play_to_trick``."""
    seat, suit = s.turn, suit_of(card)
    remove_from_hand(s, seat, card)
    if s.trick_size == 0:
        if s.hearts_broken and suit == HEARTS and not hearts_open(s):
            s.voids[seat] |= bits.without(bits.span(0, SUITS), bits.only(HEARTS))
        s.fresh = not bits.has(s.led, suit)
        s.led |= 1 << suit
    led = suit_led(s, card)
    if suit != led or (s.fresh and bits.has(s.exposed, card)):
        s.voids[seat] |= 1 << led
    add_to_trick(s, seat, card)
    if s.trick_size < s.seats:
        s.turn = next_seat(s, seat)
        return
    s.fresh = False
    if take_trick(s) == 0:
        s.phase = Phase.OVER
