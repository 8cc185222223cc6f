"""Kakkuri: what a seat may say before it is asked."""

from tefuda.engine import bits
from tefuda.engine.description import Wish
from tefuda.games.kakkuri.options import EarlyDrop
from tefuda.games.kakkuri.state import Phase, State
from tefuda.games.kakkuri.turns import drop_unasked, in_turn, is_active, may_drop, may_drop_unasked

DROP_OUT = Wish("drop", "stay")

_IN_PLAY = (Phase.EARLY, Phase.TURN, Phase.RIGHT, Phase.RETURNING, Phase.CONSENT)


def wish(state: State, seat: int) -> Wish | None:
    """KK-17, KK-56: with any_time a seat may drop until its first turn begins, and at its very start; else it stays."""
    if state.early_drop < EarlyDrop.AFTER_TURNS or state.phase not in _IN_PLAY:
        return None
    is_to_come = bits.has(state.fresh, seat) and is_active(state, seat)
    begins = seat == state.turn and in_turn(state) and state.first_turn and may_drop(state)
    return DROP_OUT if is_to_come or begins else None


def interrupt(state: State, seat: int) -> bool:
    """KK-17: whoever says drop has dropped, in the middle of another's turn too."""
    if not may_drop_unasked(state, seat):
        return False
    drop_unasked(state, seat)
    return True
