"""Luk Fu: who has won, what a deal pays, who deals next, when the session is over."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.description import Bounds
from tefuda.engine.raw import copy
from tefuda.engine.verbs import implements, rule
from tefuda.games.luk_fu.combinations import has_long_combination, rank_of
from tefuda.games.luk_fu.rules import ACTIVE, NOBODY
from tefuda.games.luk_fu.state import (
    CAPTURED,
    CARDS,
    ELDEST,
    FIVE_TIGERS,
    HAND,
    ONE,
    PER_CARD,
    RANK_CARDS,
    RED_CARDS,
    SPECIAL_CARD,
    STATE,
)

PAR = 5
"""LF-46: the tricks that pay nothing."""


def pack(state: Any) -> NDArray[np.int64]:
    """LF-5: the card numbers of the pack, ascending."""
    return np.arange(CARDS, dtype=np.int64)


@rule
def winner_of(s: Any) -> int:
    """LF-41 to LF-43, LF-45: who got to six tricks last; −1 for a draw (LF-44) or a deal thrown in (LF-10)."""
    return bits.wide(s.last_to_six)


@rule
def multiplier(s: Any, tricks: int) -> int:
    """LF-48."""
    if s.multiplier_10_12 == 0 or tricks < 10:
        return 1
    return 3 if tricks == HAND else 2


@rule
def red_cards(s: Any, winner: int) -> int:
    """LF-49: the red cards that pay a chip each, if the table plays so."""
    if s.red_bonus == 0:
        return bits.EMPTY
    cards = s.won[winner]
    if s.red_scope == CAPTURED:
        cards |= s.captured[winner]
    return cards & RED_CARDS


@rule
def price(s: Any, winner: int) -> int:
    """LF-46: what one loser pays the winner, X."""
    tricks = bits.wide(s.tricks[winner])
    return (tricks - PAR) * multiplier(s, tricks) + bits.size(red_cards(s, winner))


@rule
def sitters(s: Any) -> int:
    """LF-50: the sitter's card, turned up or not, as a set; empty with three players."""
    return s.turned_up if s.turned_up != bits.EMPTY or s.sitter == NOBODY else s.sitter_card[s.sitter]


@rule
def matching_cards(s: Any, winner: int) -> int:
    """LF-50: the winner's own winning cards of the sitter's rank; L is of the ones' rank."""
    card = sitters(s)
    if card == bits.EMPTY:
        return bits.EMPTY
    rank = rank_of(bits.lowest(card))
    cards = s.won[winner] & RANK_CARDS[rank]
    return cards | (s.won[winner] & SPECIAL_CARD) if rank == ONE else cards


@rule
def sitter_price(s: Any, winner: int) -> int:
    """LF-50: what one loser pays the sitter, Y."""
    if s.sitter_bonus == 0:
        return 0
    count = bits.size(matching_cards(s, winner))
    return count if s.sitter_bonus_mode == PER_CARD else min(count, 1)


@rule
def passed_improperly(s: Any, winner: int) -> bool:
    """LF-51: eldest has won after passing with a quad or a sequence of four or more."""
    return (
        s.pass_penalty == 1 and winner == s.eldest and winner != s.declarer and has_long_combination(s, s.dealt[winner])
    )


@implements(verbs.payoff, STATE)
def payoff(state: Any, out: Any) -> None:
    """LF-47, LF-52."""
    s = state
    for seat in range(s.seats):
        out[seat] = 0
    winner = winner_of(s)
    if winner == NOBODY:
        return
    x, y = price(s, winner), sitter_price(s, winner)
    shares = 1 if passed_improperly(s, winner) else ACTIVE - 1
    out[winner] = shares * x
    if s.sitter != NOBODY:
        out[s.sitter] = 2 * y
    for seat in range(s.seats):
        if seat != winner and seat != s.sitter:
            if winner == s.declarer:
                out[seat] = -(x + y)
            elif seat == s.declarer:
                out[seat] = -(shares * x + 2 * y)


def bounds(state: Any) -> Bounds:
    """LF-46 to LF-50: all tricks, red cards and cards of the sitter's rank; LF-31: every card thrown by itself."""
    x = (HAND - PAR) * 3 + bits.size(RED_CARDS)
    y = bits.size(FIVE_TIGERS)
    said = ACTIVE + 2 * HAND  # who declares; after a trick, whether to stop, and the five tigers
    return Bounds(least=-2 * (x + y), most=2 * x, actions=ACTIVE * HAND + said, zero_sum=True)


# From one deal to the next


@rule
def dealer_stays(s: Any) -> bool:
    """LF-53 to LF-55: whether the same dealer deals again."""
    winner = winner_of(s)
    if winner == NOBODY:
        return s.draw_keeps_dealer == 1 and s.declarer == s.eldest
    return winner == s.eldest and (s.seats == ACTIVE or s.dealer_stays_on == ELDEST)


@implements(verbs.next_deal, STATE)
def next_deal(state: Any, following: Any) -> None:
    """LF-53 to LF-56: totals and the next dealer; the cards of the old deal are left for ``deal`` to clear."""
    s = state
    chips = np.zeros(s.seats, np.int64)
    payoff(s, chips)
    copy(s, following)
    for seat in range(s.seats):
        following.totals[seat] += chips[seat]
    following.deals += 1
    if not dealer_stays(s):
        following.dealer = s.dealer + 1 if s.dealer + 1 < s.seats else 0
    following.finished = 1 if following.deals >= s.session_deals else 0
