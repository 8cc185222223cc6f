"""Luk Fu: what becomes of a seat in a deal, as players would say it; explanations of plays speak of it."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.description import Incident
from tefuda.engine.kit.session import NOBODY
from tefuda.engine.verbs import implements
from tefuda.games.luk_fu.scoring import shares_due
from tefuda.games.luk_fu.state import State

SIX = 6
"""LF-43: tricks that win."""

MANY = 8
"""LF-46: tricks of a win that is worth three chips a share, or more."""

INCIDENTS = (
    Incident("wins", "LF-43", wanted=1),
    Incident("wins_many", "LF-46", wanted=1),
    Incident("pays_both", "LF-47", wanted=-1),
    Incident("pays", "LF-47", wanted=-1),
    Incident("overtaken", "LF-42", wanted=-1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Any) -> None:
    """LF-42, LF-43, LF-46, LF-47; in a draw (LF-44) or a deal thrown in (LF-10) nothing."""
    winner, tricks = bits.wide(state.last_to_six), bits.wide(state.tricks[seat])
    if winner == NOBODY:
        return
    if winner == seat:
        out[0], out[1] = True, tricks >= MANY
        return
    shares = shares_due(state, winner, seat)
    out[2], out[3] = shares == 2, shares == 1
    out[4] = tricks >= SIX
