"""Dealing singly and in packets: the rule that deals a deck, and the deck that deals given hands."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits
from tefuda.engine.kit.session import next_seat
from tefuda.engine.verbs import rule


@rule
def deal_packets(s: Any, deck: NDArray[np.int64], first: int, packet: int) -> None:
    """All these cards in packets of so many, the first to this seat; ``hands`` are sets, ``held`` counts them."""
    seat, left = first, packet
    for card in deck:
        if left == 0:
            seat, left = next_seat(s, seat), packet
        s.hands[seat] |= bits.only(card)
        s.held[seat] += 1
        left -= 1


def deck_of(hands: Sequence[Sequence[int]], packet: int = 1, rest: Sequence[int] = ()) -> NDArray[np.int64]:
    """The deck that deals these hands in packets of so many cards, the first of them to the first hand.

    Args:
        hands: equally many card numbers each, in the order in which they are dealt.
        packet: cards that are dealt at once.
        rest: the cards that come after them.
    """
    rounds = (hand[begin : begin + packet] for begin in range(0, len(hands[0]), packet) for hand in hands)
    return np.array([*chain.from_iterable(rounds), *rest], np.int64)
