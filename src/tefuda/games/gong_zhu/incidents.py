"""Gong Zhu: what becomes of a seat in a deal, as players would say it; explanations of plays speak of it."""

from typing import Any

from tefuda.engine import bits, verbs
from tefuda.engine.description import Incident
from tefuda.engine.verbs import implements, rule
from tefuda.games.gong_zhu.cards import PIG, SHEEP, TRANSFORMER
from tefuda.games.gong_zhu.scoring import has_all_hearts, hearts_part, partner, score
from tefuda.games.gong_zhu.state import State

INCIDENTS = (
    Incident("pig", "GZ-17", wanted=-1),
    Incident("sheep", "GZ-17", wanted=1),
    Incident("transformer_plus", "GZ-18", wanted=1),
    Incident("transformer_minus", "GZ-18", wanted=-1),
    Incident("all_hearts", "GZ-19", wanted=1),
    Incident("other_all_hearts", "GZ-19", wanted=-1),
    Incident("hearts", "GZ-17", wanted=-1, amount=True),
    Incident("partner_pig", "GZ-22", wanted=-1),
    Incident("partner_sheep", "GZ-22", wanted=1),
)


@implements(verbs.incidents, State)
def incidents(state: State, seat: int, out: Any) -> None:
    """GZ-17 to GZ-19, GZ-22."""
    won = state.won[seat]
    points = score(state, won) if bits.has(won, TRANSFORMER) else 0
    out[0], out[1] = bits.has(won, PIG), bits.has(won, SHEEP)
    out[2], out[3] = points > 0, points < 0
    out[4], out[5] = has_all_hearts(state, won), others_have_all_hearts(state, seat)
    out[6] = max(0, -hearts_part(state, won))  # what they cost; nothing if they count plus
    if state.partnership:
        others = state.won[partner(seat)]
        out[7], out[8] = bits.has(others, PIG), bits.has(others, SHEEP)


@rule
def others_have_all_hearts(s: State, seat: int) -> bool:
    """GZ-19."""
    for other in range(s.seats):
        if other != seat and has_all_hearts(s, s.won[other]):
            return True
    return False
