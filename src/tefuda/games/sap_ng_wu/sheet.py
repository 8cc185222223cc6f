"""Sap Ng Wu: how a seat's counters of a deal arose, line by line."""

from typing import Any

from tefuda.engine.description import Sentence
from tefuda.engine.texts import signed
from tefuda.games.sap_ng_wu import scoring
from tefuda.games.sap_ng_wu.notation import card_list


def sheet(state: Any, seat: int) -> list[Sentence]:
    """SN-28, SN-31, SN-32 and SN-21: fu, then who stopped, then fours of a kind."""
    return [*_fu(state, seat), _end(state, seat), *_quads(state, seat)]


def _fu(state: Any, seat: int) -> list[Sentence]:
    lines = [Sentence("sheet.fu", {"fu": str(state.fu[seat]), "count": str(state.won[seat].sum())})]
    if state.laid[seat].any():
        lines.append(Sentence("sheet.laid", {"cards": card_list(state.laid[seat])}))
    return lines


def _end(state: Any, seat: int) -> Sentence:
    if state.stopper < 0:
        return Sentence("sheet.drawn")
    level = int(scoring.level(state.fu[state.stopper]))
    fields = {"seat": f"#{state.stopper}", "level": str(level)}
    if seat == state.stopper:
        return Sentence("sheet.stopped", {**fields, "points": signed(level * (int(state.seats) - 1))})
    return Sentence("sheet.pays", {**fields, "points": signed(-level)})


def _quads(state: Any, seat: int) -> list[Sentence]:
    own, others = int(state.quads[seat]), int(state.quads.sum() - state.quads[seat])
    if scoring.is_returned(state):
        return [Sentence("sheet.quads_returned")] if own + others else []
    lines = []
    if own:
        lines.append(Sentence("sheet.quads", {"count": str(own), "points": signed(own * (int(state.seats) - 1))}))
    if others:
        lines.append(Sentence("sheet.quads_paid", {"count": str(others), "points": signed(-others)}))
    return lines
