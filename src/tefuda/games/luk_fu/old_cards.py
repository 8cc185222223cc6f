"""Luk Fu: old cards (LF-22 to LF-27) and the single leads that they leave (LF-18 to LF-21)."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.verbs import rule
from tefuda.games.luk_fu.combinations import suit_cards, suit_of
from tefuda.games.luk_fu.state import ALWAYS_OLD, HAS_SIX, PUBLIC, RANKS, SIXTH_TRICK, SUITS

SIX = 6
"""Tricks that win a deal (LF-41)."""


@rule
def highest_possible(s: Any, seat: int, suit: int, bounds: Any) -> int:
    """LF-25: the highest rank (1–9) of a suit that somebody may hold by what the players did not beat.

    In the private reading somebody is one of the leader's two opponents, in the public reading any of the three.
    """
    if s.old_infer == 0:
        return RANKS
    highest = 0
    for player in range(s.seats):
        if player != s.sitter and (player != seat or s.old_reading == PUBLIC):
            highest = max(highest, bits.wide(bounds[player, suit]))
    return highest


@rule
def above_bounds(view: Any, seat: int) -> int:
    """LF-25: what this seat cannot hold now."""
    cards = bits.EMPTY
    for suit in range(SUITS):
        bound = bits.wide(view.bounds[seat, suit])
        if bound < RANKS:
            cards |= bits.above(suit_cards(suit), suit * RANKS + bound - 1)
    return cards


@rule
def still_out(s: Any, seat: int, faceup: int, bounds: Any) -> int:
    """LF-24, LF-26: the cards that are neither face up nor excluded by what was not beaten, as ``seat`` counts them.

    Args:
        faceup: cards played face up in the deal so far.
        bounds: int of shape (seats, suits), as the field of that name.
    """
    cards = bits.EMPTY
    for suit in range(SUITS):
        cards |= bits.span(suit * RANKS, highest_possible(s, seat, suit, bounds))
    return bits.without(cards, faceup)


@rule
def blockers(s: Any, mine: int, dealt: int, out: int) -> int:
    """The cards below which nothing is old: LF-24 (private) and LF-26 (public reading).

    Args:
        mine: what the leader holds and has thrown.
        dealt: what he was dealt.
        out: see ``still_out``.
    """
    if s.old_reading == PUBLIC:
        cards = bits.EMPTY
        for suit in range(SUITS):
            top = out & suit_cards(suit)
            if top != bits.EMPTY:
                cards |= bits.span(suit * RANKS, bits.highest(top) + 1 - suit * RANKS)
        return bits.without(cards, dealt)
    return bits.without(out, mine)


@rule
def old_cards(s: Any, hand: int, mine: int, dealt: int, out: int) -> int:
    """LF-22 to LF-27: the old cards of a hand. Arguments as in ``blockers``."""
    blocked = blockers(s, mine, dealt, out)
    old = hand & ALWAYS_OLD
    for suit in range(SUITS):
        of_suit, blocking = hand & suit_cards(suit), blocked & suit_cards(suit)
        old |= of_suit if blocking == bits.EMPTY else bits.above(of_suit, bits.highest(blocking))
    return old


@rule
def old_in_hand(s: Any, seat: int) -> int:
    """The old cards of this seat, now."""
    hand = s.hands[seat]
    out = still_out(s, seat, s.faceup, s.bounds)
    return old_cards(s, hand, hand | s.discards[seat], s.dealt[seat], out)


@rule
def leads_freely(s: Any, seat: int, tricks: int) -> bool:
    """LF-19: the exceptions that do not depend on the hand; ``tricks``: those he had when he led."""
    if seat == s.declarer:
        return True
    if tricks >= SIX:
        return bits.has(s.lead_exceptions, HAS_SIX)
    return tricks == SIX - 1 and bits.has(s.lead_exceptions, SIXTH_TRICK)


@rule
def restricted_singles(hand: int, old: int) -> int:
    """LF-18, LF-19 b: fresh cards of the strongest suit that has some; anything if all are old."""
    fresh = bits.without(hand, old)
    return hand if fresh == bits.EMPTY else fresh & suit_cards(suit_of(bits.highest(fresh)))


@rule
def single_leads(s: Any, seat: int) -> int:
    """LF-18 to LF-21: the cards that this seat may lead as a single."""
    hand = s.hands[seat]
    if leads_freely(s, seat, s.tricks[seat]):
        return hand
    return restricted_singles(hand, old_in_hand(s, seat))
