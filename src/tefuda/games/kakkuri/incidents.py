"""Kakkuri: what becomes of a seat in a deal, as players would say it; explanations of plays speak of it."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.description import Incident
from tefuda.engine.kit.session import NOBODY
from tefuda.engine.verbs import implements
from tefuda.games.kakkuri.scoring import payment
from tefuda.games.kakkuri.state import Ending, State

INCIDENTS = (
    Incident("wins", "KK-50", wanted=1),
    Incident("guri", "KK-51", wanted=1),
    Incident("caught", "KK-50", wanted=-1),
    Incident("caught_by_guri", "KK-51", wanted=-1),
    Incident("caught_by_utazu", "KK-25", wanted=-1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Any) -> None:
    """KK-25, KK-50, KK-51; of a void deal (KK-54), or of who has dropped and pays no more than that, nothing."""
    if state.winner == NOBODY:
        return
    if state.winner == seat:
        out[0], out[1] = True, state.result == Ending.GURI
        return
    if state.result == Ending.UTAZU:
        out[4] = True
    elif payment(state, seat) > 0 and not bits.has(state.dropped, seat):
        out[2], out[3] = state.result == Ending.OUT, state.result == Ending.GURI
