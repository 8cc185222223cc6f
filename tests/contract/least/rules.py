"""Least: dealing and playing."""

from tefuda.engine.kit import Ints, bits, clear_deal, deal_packets, implements, next_seat, rule, verbs
from tefuda.engine.kit.french import suit_of
from tefuda.engine.kit.tricks import add_to_trick, following, remove_from_hand, suit_led, take_trick
from tests.contract.least.state import Phase, State

PACKET = 5
WHY = {"over": "LE-5", "turn": "LE-3", "held": "LE-2", "follow": "LE-3"}


@implements(verbs.deal, State)
def deal(state: State, deck: Ints) -> None:
    """LE-2: in packets, the first to the last seat."""
    clear_deal(state)
    deal_packets(state, deck, state.seats - 1, PACKET)
    state.phase, state.turn = Phase.PLAYING, 0


@rule
def playable(s: State) -> int:
    """LE-3: cards of the suit led, if there are any."""
    hand = s.hands[s.turn]
    suited = following(s, hand) if s.trick_size > 0 else bits.EMPTY
    return suited if suited != bits.EMPTY else hand


@implements(verbs.legal, State)
def legal(state: State, out: Ints) -> int:
    """LE-3."""
    return bits.list_into(playable(state), out)


@implements(verbs.apply, State)
def apply(state: State, action: int) -> None:
    """LE-3, LE-4."""
    seat, suit = state.turn, suit_led(state, action)
    if suit_of(action) != suit:
        state.voids[seat] |= bits.only(suit)
    remove_from_hand(state, seat, action)
    add_to_trick(state, seat, action)
    state.turn = next_seat(state, seat)
    if state.trick_size == state.seats and take_trick(state) == 0:
        state.phase = Phase.OVER
