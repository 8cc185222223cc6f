"""Kakkuri: what may be laid on the field card (the table under KK-36)."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.verbs import rule
from tefuda.games.kakkuri.plays import FREELY, IN_TWOS, IN_TWOS_NO_WILDS, NO_WILDS, list_steps
from tefuda.games.kakkuri.state import (
    ACE,
    FREE_ANYONE,
    FREE_WRAP,
    KING,
    RANKS,
    RIGHT,
    TWO,
    UPCARD_ANYONE,
    UPCARD_DEAD,
)


@rule
def has_freedom(s: Any, seat: int) -> bool:
    """KK-33, KK-37: whether this seat may lay anything on the K that is the field card."""
    if s.field_raised == 1 and s.k_upcard == UPCARD_DEAD:
        return False
    if s.field_raised == 1 and s.k_upcard == UPCARD_ANYONE:
        return True
    return s.field_by == seat or s.k_free == FREE_ANYONE


@rule
def ranks_after(s: Any, seat: int) -> int:
    """KK-31, KK-34 to KK-37: the set of ranks that this seat may lay now."""
    if s.rank == KING:
        if has_freedom(s, seat):
            return bits.span(0, RANKS)
        return bits.only(ACE) if s.k_free == FREE_WRAP else bits.EMPTY
    return ranks_above(s.rank)


@rule
def ranks_above(rank: int) -> int:
    """KK-31, KK-34: the set of ranks that anybody may lay on a rank below K."""
    return bits.span(rank, 2) if rank <= TWO else bits.only(rank + 1)


@rule
def may_continue(s: Any) -> bool:
    """KK-43: whether the seat on turn may lay cards on the field card; ceded_may_continue."""
    return s.phase != RIGHT or s.ceded_may_continue == 1 or s.turn == s.right_first


@rule
def way_to_play(s: Any, seat: int) -> int:
    """KK-26, KK-32, KK-41: singles and sanbon, or for who has declared sanzoku pairs only; with wilds or not."""
    if bits.has(s.sanzoku, seat):
        return IN_TWOS if s.sanzoku_wild == 1 else IN_TWOS_NO_WILDS
    return FREELY if s.sanbon_wild == 1 else NO_WILDS


@rule
def list_next_steps(s: Any, out: Any) -> int:
    """KK-30 to KK-42: the steps of the seat on turn, ascending, one of those that differ in equal cards only."""
    if not may_continue(s):
        return 0
    hand, way = s.hands[s.turn], way_to_play(s, s.turn)
    ranks = ranks_after(s, s.turn)
    n = 0
    while ranks != bits.EMPTY:
        n = list_steps(hand, bits.lowest(ranks), way, out, n)
        ranks = bits.without_lowest(ranks)
    return n
