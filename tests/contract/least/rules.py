"""Least: dealing and playing."""

from tefuda.engine.kit import Ints, bits, clear_deal, deal_packets, implements, verbs
from tefuda.engine.kit.tricks import play_to_trick, playable_by_suit
from tests.contract.least.state import Phase, State

PACKET = 5
WHY = {"over": "LE-5", "turn": "LE-3", "held": "LE-2", "follow": "LE-3"}


@implements(verbs.deal, State)
def deal(state: State, deck: Ints) -> None:
    """LE-2: in packets, the first to the last seat."""
    clear_deal(state)
    deal_packets(state, deck, state.seats - 1, PACKET)
    state.phase, state.turn = Phase.PLAYING, 0


@implements(verbs.legal, State)
def legal(state: State, out: Ints) -> int:
    """LE-3."""
    return bits.list_into(playable_by_suit(state, state.hands[state.turn]), out)


@implements(verbs.apply, State)
def apply(state: State, action: int) -> None:
    """LE-3, LE-4."""
    if play_to_trick(state, action) and state.held[state.turn] == 0:
        state.phase = Phase.OVER
