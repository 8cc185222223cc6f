"""Kakkuri: how a seat's counters of a deal arose, line by line. The amounts come from the scoring rules."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.kit.session import NOBODY, received_by
from tefuda.engine.kit.words import sheet_line
from tefuda.engine.sentence import Sentence
from tefuda.games.kakkuri.state import Ending, State

WON_BY = {
    Ending.OUT: "sheet.out",
    Ending.GURI: "sheet.guri",
    Ending.SURVIVOR: "sheet.survivor",
    Ending.UTAZU: "sheet.utazu",
}


def outcome(state: State) -> Sentence:
    """KK-50: who has won, and how."""
    name = "void" if state.winner == NOBODY else WON_BY[state.result].removeprefix("sheet.")
    return Sentence(f"outcome.{name}", {"seat": f"#{state.winner}"})


def sheet(state: State, seat: int) -> list[Sentence]:
    """KK-50: how the deal ended, and what this seat pays or receives for it."""
    counters = received_by(state)
    if state.winner == NOBODY:
        return [Sentence("sheet.void")]
    if seat == state.winner:
        return _winner_lines(state, counters)
    return [_payer_line(state, seat, int(counters[seat]))]


def _winner_lines(state: State, counters: Any) -> list[Sentence]:
    """From whom the winner has how much."""
    won_by = Sentence(WON_BY[state.result])
    if state.result == Ending.UTAZU:
        return [won_by, sheet_line("from_all", counters[state.winner])]
    others = [seat for seat in range(state.seats) if seat != state.winner]
    pot = -sum(counters[seat] for seat in others if bits.has(state.dropped, seat))
    in_play = -sum(counters[others]) - pot
    amounts = {"from_others": in_play, "pot": pot}
    return [won_by, *(sheet_line(code, points) for code, points in amounts.items() if points)]


def _payer_line(state: State, seat: int, counters: int) -> Sentence:
    """What somebody else pays, and why."""
    if seat == state.forced_out:
        code = "forced_out_pays" if counters else "forced_out"
    elif not bits.has(state.dropped, seat):
        code = "pays"
    elif state.result == Ending.UTAZU:
        code = "dropped_utazu"
    else:
        code = "dropped" if counters else "dropped_free"
    return sheet_line(code, counters, seat=f"#{state.winner}", count=str(bits.size(state.hands[seat])))
