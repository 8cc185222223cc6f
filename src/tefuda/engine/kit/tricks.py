"""Tricks with a French pack and no trumps: the highest card of the suit led wins, and its player leads next.

Rules of a game are made of these; what a game adds (which card may be led, what a trick pays) it writes itself."""

import numpy as np

from tefuda.engine import bits
from tefuda.engine.kit.french import CARD_WORDS, SUIT_LETTERS, SUITS, rank_of, suit_cards, suit_of
from tefuda.engine.kit.kept import BitSet, CardNumber, CardSet, PerSeat, SeatNumber, Small
from tefuda.engine.kit.session import NOBODY, SessionState, next_seat
from tefuda.engine.kit.state import field
from tefuda.engine.record import Rng, Visible
from tefuda.engine.verbs import rule
from tefuda.engine.worlds import deal_unseen


class TrickState(SessionState):
    """A moment of a deal that is played in tricks."""

    __slots__ = ()

    hands: PerSeat[CardSet] = field("cards held", Visible.OWNER)
    held: PerSeat[Small] = field("how many cards each holds, 0–13")
    shown: PerSeat[CardSet] = field("cards in each hand that everybody knows to be there")
    led: BitSet = field("suits led in this deal, as bits", of=SUIT_LETTERS)
    voids: PerSeat[BitSet] = field("suits of which each is known to hold only shown cards", of=SUIT_LETTERS, past=True)
    trick: PerSeat[CardNumber] = field(
        "cards of the trick in progress in the order played, −1 after the last", in_order=True, start=NOBODY
    )
    trick_size: Small = field("cards in the trick in progress")
    best_card: CardNumber = field("the card that wins the trick so far, −1 in an empty trick", start=NOBODY)
    best_seat: SeatNumber = field("who played it")
    tricks: Small = field("tricks finished, 0–13")
    won: PerSeat[CardSet] = field("cards taken in tricks", past=True)


@rule
def following(s: TrickState, hand: int) -> int:
    """The cards of a hand that are of the suit led; none if it has none."""
    return hand & suit_cards(suit_of(s.trick[0]))


@rule
def playable_by_suit(s: TrickState, hand: int) -> int:
    """The cards of a hand that may be played if suit has to be followed, and nothing else is asked."""
    suited = following(s, hand) if s.trick_size > 0 else bits.EMPTY
    return hand if suited == bits.EMPTY else suited


@rule
def remove_from_hand(s: TrickState, seat: int, card: int) -> None:
    """A card leaves the hand of a seat."""
    s.hands[seat] = bits.without(s.hands[seat], bits.only(card))
    s.shown[seat] = bits.without(s.shown[seat], bits.only(card))
    s.held[seat] -= 1


@rule
def suit_led(s: TrickState, card: int) -> int:
    """The suit led to the trick to which this card is about to be added."""
    return suit_of(card) if s.trick_size == 0 else suit_of(s.trick[0])


@rule
def add_to_trick(s: TrickState, seat: int, card: int) -> None:
    """The card lies in the trick, and wins it so far if it is the highest of the suit led."""
    s.trick[s.trick_size] = card
    s.trick_size += 1
    if s.trick_size == 1 or (suit_of(card) == suit_of(s.best_card) and card > s.best_card):
        s.best_card, s.best_seat = card, seat


@rule
def take_trick(s: TrickState) -> int:
    """The winner takes the cards and leads; how many cards are left in the hands."""
    winner, left = s.best_seat, 0
    for place in range(s.seats):
        s.won[winner] |= bits.only(s.trick[place])
        s.trick[place] = NOBODY
        left += s.held[place]
    s.turn = winner
    s.trick_size = 0
    s.best_card = NOBODY
    s.tricks += 1
    return left


@rule
def play_to_trick(s: TrickState, card: int) -> bool:
    """The seat on turn plays a card, and everybody sees if it does not follow suit; True if that ends the trick.

    Then the winner has taken it and is on turn."""
    seat, suit = bits.wide(s.turn), suit_led(s, card)
    if s.trick_size == 0:
        s.led |= bits.only(suit)
    elif suit_of(card) != suit:
        s.voids[seat] |= bits.only(suit)
    remove_from_hand(s, seat, card)
    add_to_trick(s, seat, card)
    s.turn = next_seat(s, seat)
    if s.trick_size < s.seats:
        return False
    take_trick(s)
    return True


@rule
def unplayed(s: TrickState, deck: int) -> int:
    """The cards of the deck that are still in hands."""
    played = bits.EMPTY
    for seat in range(s.seats):
        played |= s.won[seat]
    for place in range(s.trick_size):
        played |= bits.only(s.trick[place])
    return bits.without(deck, played)


@rule
def void_cards(s: TrickState, seat: int) -> int:
    """The cards of the suits of which this seat is known to hold none but those shown."""
    cards = bits.EMPTY
    for suit in range(SUITS):
        if bits.has(s.voids[seat], suit):
            cards |= suit_cards(suit)
    return cards


@rule
def imagine_hands(view: TrickState, rng: Rng, state: TrickState, deck: int) -> None:
    """Deal the cards that the viewer has not seen to the other hands.

    Hard knowledge respected: how many cards each holds, cards shown, suits a player is known not to hold."""
    seats = len(view.hands)
    room, barred, hands = np.zeros(seats, np.int64), np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    unseen = unplayed(view, deck)
    for seat in range(view.seats):
        hands[seat] = view.hands[seat] | view.shown[seat]
        room[seat] = view.held[seat] - bits.size(hands[seat])
        barred[seat] = void_cards(view, seat)
        unseen = bits.without(unseen, hands[seat])
    deal_unseen(rng, unseen, room, barred, hands)
    for seat in range(view.seats):
        state.hands[seat] = hands[seat]


@rule
def higher(out: int, card: int) -> int:
    """Number of these cards that beat this one."""
    return bits.size(bits.above(out & suit_cards(suit_of(card)), card))


@rule
def can_win(s: TrickState, card: int) -> bool:
    """True if this card would be the best of the trick so far."""
    return s.trick_size == 0 or (suit_of(card) == suit_of(s.best_card) and rank_of(card) > rank_of(s.best_card))


def leader(view: TrickState) -> int:
    """The seat that has led to the trick in progress, or is to."""
    return int((view.turn - view.trick_size) % view.seats)


def card_by(view: TrickState, seat: int) -> str:
    """The card that a seat has played to the trick in progress; empty if none yet."""
    place = (seat - leader(view)) % view.seats
    return CARD_WORDS[view.trick[place]] if place < view.trick_size else ""


def finished_trick(before: TrickState, word: str, after: TrickState) -> dict[str, str]:
    """The play that ended a trick, as fields of a text: its number, its plays, and the seat that took it."""
    cards = [CARD_WORDS[card] for card in before.trick[: before.trick_size]] + [word]
    plays = ", ".join(f"#{(leader(before) + place) % before.seats} {card}" for place, card in enumerate(cards))
    return {"number": str(after.tricks), "plays": plays, "seat": f"#{after.turn}"}
