"""Kakkuri: how a seat's counters of a deal arose, line by line. The amounts come from the scoring rules."""

from typing import Any

import numpy as np

from tefuda.engine import bits, verbs
from tefuda.engine.description import Sentence
from tefuda.engine.texts import signed
from tefuda.games.kakkuri.state import GURI, NOBODY, OUT, SURVIVOR, UTAZU_WIN

WON_BY = {OUT: "sheet.out", GURI: "sheet.guri", SURVIVOR: "sheet.survivor", UTAZU_WIN: "sheet.utazu"}


def sheet(state: Any, seat: int) -> list[Sentence]:
    """KK-50: how the deal ended, and what this seat pays or receives for it."""
    counters = np.zeros(int(state.seats), np.int64)
    verbs.payoff(state, counters)
    if state.winner == NOBODY:
        return [Sentence("sheet.void")]
    if seat == state.winner:
        return _winners(state, counters)
    return [_payers(state, seat, int(counters[seat]))]


def _winners(state: Any, counters: Any) -> list[Sentence]:
    """From whom the winner has how much."""
    winner = int(state.winner)
    lines = [Sentence(WON_BY[int(state.result)])]
    if state.result == UTAZU_WIN:
        return [*lines, Sentence("sheet.from_all", {"points": signed(int(counters[winner]))})]
    pot = in_play = 0
    for seat in range(int(state.seats)):
        if bits.has(state.dropped, seat):
            pot -= int(counters[seat])
        elif seat != winner:
            in_play -= int(counters[seat])
    if in_play:
        lines.append(Sentence("sheet.from_others", {"points": signed(in_play)}))
    if pot:
        lines.append(Sentence("sheet.pot", {"points": signed(pot)}))
    return lines


def _payers(state: Any, seat: int, counters: int) -> Sentence:
    """What somebody else pays, and why."""
    fields = {"seat": f"#{state.winner}", "points": signed(counters)}
    if seat == state.forced_out:
        return Sentence("sheet.forced_out_pays" if counters else "sheet.forced_out", fields)
    if bits.has(state.dropped, seat):
        if state.result == UTAZU_WIN:
            return Sentence("sheet.dropped_utazu", fields)
        return Sentence("sheet.dropped" if counters else "sheet.dropped_free", fields)
    return Sentence("sheet.pays", fields)
