"""Luk Fu: old cards (LF-22 to LF-27) and the single leads that they leave (LF-18 to LF-21)."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.verbs import rule
from tefuda.games.luk_fu.cards import ALWAYS_OLD, PACK, RANKS, SPECIAL_CARD, SUITS, suit_cards, suit_of
from tefuda.games.luk_fu.options import LeadException, OldReading
from tefuda.games.luk_fu.state import State

WINNING_TRICKS = 6
"""LF-41: tricks that win a deal."""


@rule
def within_bounds(bounds: Any, seat: int) -> int:
    """LF-25: the cards that this player may hold by what they did not beat; ``bounds`` as the field of that name."""
    cards = SPECIAL_CARD
    for suit in range(SUITS):
        cards |= bits.span(suit * RANKS, bounds[seat, suit])
    return cards


@rule
def still_out(s: State, seat: int, faceup: int, bounds: Any) -> int:
    """LF-24 to LF-26: the cards, L apart, that are neither face up nor excluded by what was not beaten.

    In the private reading only the leader's two opponents may hold them, in the public reading any of the three.

    Args:
        s: of which the options and the sitter are read.
        seat: the leader.
        faceup: cards played face up in the deal so far.
        bounds: int of shape (seats, suits), as the field of that name.
    """
    cards = bits.EMPTY
    for player in range(s.seats):
        if player != s.sitter and (player != seat or s.old_reading == OldReading.PUBLIC):
            cards |= within_bounds(bounds, player) if s.old_infer else PACK
    return bits.without(cards, faceup | SPECIAL_CARD)


@rule
def blockers(s: State, mine: int, dealt: int, out: int) -> int:
    """The cards below which nothing is old: LF-24 (private) and LF-26 (public reading).

    Args:
        s: of which the options are read.
        mine: what the leader holds and has thrown.
        dealt: what the leader was dealt.
        out: see ``still_out``.
    """
    if s.old_reading == OldReading.PRIVATE:
        return bits.without(out, mine)
    cards = bits.EMPTY
    for suit in range(SUITS):
        top = out & suit_cards(suit)
        if top != bits.EMPTY:
            cards |= bits.span(suit * RANKS, bits.highest(top) + 1 - suit * RANKS)
    return bits.without(cards, dealt)


@rule
def old_cards(s: State, hand: int, mine: int, dealt: int, out: int) -> int:
    """LF-22 to LF-27: the old cards of a hand. Arguments as in ``blockers``."""
    blocked = blockers(s, mine, dealt, out)
    old = hand & ALWAYS_OLD
    for suit in range(SUITS):
        of_suit, blocking = hand & suit_cards(suit), blocked & suit_cards(suit)
        old |= of_suit if blocking == bits.EMPTY else bits.above(of_suit, bits.highest(blocking))
    return old


@rule
def old_in_hand(s: State, seat: int) -> int:
    """The old cards of this seat, now."""
    hand = s.hands[seat]
    out = still_out(s, seat, s.faceup, s.bounds)
    return old_cards(s, hand, hand | s.discards[seat], s.dealt[seat], out)


@rule
def leads_freely(s: State, seat: int, tricks: int) -> bool:
    """LF-19: the exceptions that do not depend on the hand; ``tricks``: those that the leader had before the lead."""
    if seat == s.declarer:
        return True
    if tricks >= WINNING_TRICKS:
        return bits.has(s.lead_exceptions, LeadException.HAS_SIX)
    return tricks == WINNING_TRICKS - 1 and bits.has(s.lead_exceptions, LeadException.SIXTH_TRICK)


@rule
def restricted_singles(hand: int, old: int) -> int:
    """LF-18, LF-19 b: fresh cards of the strongest suit that has some; anything if all are old."""
    fresh = bits.without(hand, old)
    return hand if fresh == bits.EMPTY else fresh & suit_cards(suit_of(bits.highest(fresh)))


@rule
def single_leads(s: State, seat: int) -> int:
    """LF-18 to LF-21: the cards that this seat may lead as a single."""
    hand = s.hands[seat]
    if leads_freely(s, seat, s.tricks[seat]):
        return hand
    return restricted_singles(hand, old_in_hand(s, seat))
