"""Sap Ng Wu: what becomes of a seat in a deal, as players would say it; explanations of plays speak of it."""

from typing import Any

from tefuda.engine import verbs
from tefuda.engine.description import Incident
from tefuda.engine.verbs import implements
from tefuda.games.sap_ng_wu.scoring import is_returned, stop_payment
from tefuda.games.sap_ng_wu.state import State

INCIDENTS = (
    Incident("stops", "SN-27", wanted=1),
    Incident("stops_high", "SN-28", wanted=1),
    Incident("other_stops", "SN-31", wanted=-1),
    Incident("other_stops_high", "SN-28", wanted=-1),
    Incident("quad", "SN-21", wanted=1),
    Incident("other_quad", "SN-21", wanted=-1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Any) -> None:
    """SN-21, SN-27, SN-28, SN-31."""
    if state.stopper >= 0:
        own, high = state.stopper == seat, stop_payment(state, state.stopper) > 1
        out[0], out[1] = own, own and high
        out[2], out[3] = not own, not own and high
    if is_returned(state):
        return
    for other in range(state.seats):
        if state.quads[other] > 0:
            out[4 if other == seat else 5] = True
