"""Ma Diao: what becomes of a seat in a deal, as players would say it; explanations of plays speak of it."""

from typing import Any

from tefuda.engine import verbs
from tefuda.engine.description import Incident
from tefuda.engine.kit.session import NOBODY
from tefuda.engine.verbs import implements, rule
from tefuda.games.ma_diao.scoring import accused
from tefuda.games.ma_diao.state import SEATS, State
from tefuda.games.ma_diao.values import HANGING_TRICKS, bonuses, has_great_live, is_home, tricks_of

INCIDENTS = (
    Incident("home", "MD-29", wanted=1),
    Incident("hangs", "MD-29", wanted=1),
    Incident("great_live", "MD-37", wanted=1),
    Incident("strike", "MD-32", wanted=1),
    Incident("top", "MD-31", wanted=1),
    Incident("three_opened", "MD-39", wanted=1),
    Incident("accused", "MD-45", wanted=-1),
    Incident("dealer_hangs", "MD-44", wanted=-1),
    Incident("dealer_hundred", "MD-44", wanted=-1),
    Incident("others_hundred", "MD-44", wanted=-1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Any) -> None:
    """MD-29 to MD-39, MD-44, MD-45; of a deal that was not played (MD-12, MD-18) nothing."""
    if state.declared != 0 or state.refuser != NOBODY:
        return
    b = bonuses(state, seat)
    out[0], out[1] = is_home(state, seat), tricks_of(state, seat) >= HANGING_TRICKS
    out[2] = b.great_live > 0
    out[3] = b.small_strike + b.dead_hundred_strike + b.small_live_strike + b.great_live_strike > 0
    out[4], out[5] = b.tops > 0, b.three_opened > 0
    out[6] = accused(state) == seat
    if seat == state.dealer:
        out[9] = others_have_great_live(state, seat)
    else:
        out[7] = tricks_of(state, state.dealer) >= HANGING_TRICKS
        out[8] = has_great_live(state, state.dealer)


@rule
def others_have_great_live(s: State, seat: int) -> bool:
    """MD-37."""
    for other in range(SEATS):
        if other != seat and has_great_live(s, other):
            return True
    return False
