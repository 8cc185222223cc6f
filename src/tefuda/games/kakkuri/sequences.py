"""Kakkuri: what may be laid on the field card (the table under KK-36)."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.verbs import inlined, rule
from tefuda.games.kakkuri import plays
from tefuda.games.kakkuri.cards import ACE, KING, RANKS, TWO
from tefuda.games.kakkuri.options import KingFreedom, RaisedKing
from tefuda.games.kakkuri.state import Phase, State


@rule
def has_freedom(s: State, seat: int) -> bool:
    """KK-33, KK-37: whether this seat may lay anything on the K that is the field card."""
    if s.field_raised and s.k_upcard != RaisedKing.TURNER:
        return s.k_upcard == RaisedKing.ANYONE
    return s.field_by == seat or s.k_free == KingFreedom.ANYONE


@rule
def ranks_after(s: State, seat: int) -> int:
    """KK-31, KK-34 to KK-37: the set of ranks that this seat may lay now."""
    if s.rank == KING:
        if has_freedom(s, seat):
            return bits.span(0, RANKS)
        return bits.only(ACE) if s.k_free == KingFreedom.WRAP_TO_ACE else bits.EMPTY
    return ranks_above(s.rank)


@rule
def ranks_above(rank: int) -> int:
    """KK-31, KK-34: the set of ranks that anybody may lay on a rank below K."""
    return bits.span(rank, 2) if rank <= TWO else bits.only(rank + 1)


@rule
def may_continue(s: State) -> bool:
    """KK-43: whether the seat on turn may lay cards on the field card; ceded_may_continue."""
    return s.phase != Phase.RIGHT or s.ceded_may_continue or s.turn == s.right_first


@rule
def way_to_play(s: State, seat: int) -> int:
    """KK-26, KK-32, KK-41: singles and sanbon, or after declaring sanzoku pairs only; with wilds or not."""
    if bits.has(s.sanzoku, seat):
        return plays.IN_TWOS if s.sanzoku_wild else plays.IN_TWOS_NO_WILDS
    return plays.FREELY if s.sanbon_wild else plays.NO_WILDS


@inlined
def list_next_steps(s: State, out: Any) -> int:
    """KK-30 to KK-42: the steps of the seat on turn, ascending, one of those that differ in equal cards only."""
    if not may_continue(s):
        return 0
    return plays.list_steps(s.hands[s.turn], ranks_after(s, s.turn), way_to_play(s, s.turn), out)
