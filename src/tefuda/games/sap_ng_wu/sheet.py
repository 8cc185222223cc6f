"""Sap Ng Wu: how a seat's counters of a deal arose, line by line."""

from tefuda.engine.kit.words import sheet_line
from tefuda.engine.sentence import Sentence
from tefuda.games.sap_ng_wu import scoring
from tefuda.games.sap_ng_wu.cards import card_list
from tefuda.games.sap_ng_wu.state import State


def outcome(state: State) -> Sentence:
    """SN-28, SN-31: who stopped, at which level."""
    if state.stopper < 0:
        return Sentence("outcome.drawn")
    level, fu = scoring.stop_payment(state, state.stopper), state.fu[state.stopper]
    return Sentence("outcome.stopped", {"seat": f"#{state.stopper}", "level": str(int(level)), "fu": str(fu)})


def sheet(state: State, seat: int) -> list[Sentence]:
    """SN-28, SN-31, SN-32 and SN-21: fu, then who stopped, then fours of a kind."""
    lines = [Sentence("sheet.fu", {"fu": str(state.fu[seat]), "count": str(state.won[seat].sum())})]
    if state.laid[seat].any():
        lines.append(Sentence("sheet.laid", {"cards": card_list(state.laid[seat])}))
    return [*lines, _end(state, seat), *_quads(state, seat)]


def _end(state: State, seat: int) -> Sentence:
    if state.stopper < 0:
        return Sentence("sheet.drawn")
    level, stops = int(scoring.stop_payment(state, state.stopper)), seat == state.stopper
    points = level * (int(state.seats) - 1) if stops else -level
    return sheet_line("stopped" if stops else "pays", points, seat=f"#{state.stopper}", level=str(level))


def _quads(state: State, seat: int) -> list[Sentence]:
    own, others = int(state.quads[seat]), int(state.quads.sum() - state.quads[seat])
    if scoring.is_returned(state):
        return [Sentence("sheet.quads_returned")] if own + others else []
    lines = [sheet_line("quads", own * (int(state.seats) - 1), count=str(own))] if own else []
    return [*lines, sheet_line("quads_paid", -others, count=str(others))] if others else lines
