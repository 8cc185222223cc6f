"""The records (``.tfd``) of what has been played at a table, with the proofs of its shuffles."""

from collections.abc import Sequence
from itertools import takewhile

from tefuda.server.store.people import ERASED
from tefuda.server.store.port import Event
from tefuda.server.table.table_changes import apply
from tefuda.server.table.table_state import TableState
from tefuda.table import record_lines
from tefuda.table.deal import Deal

LONGEST_NUMBER = 9
"""Digits that the number of a session may have in a record that strangers send."""


def shown_deals(events: Sequence[Event], session: int | None = None, deal: int = 0) -> tuple[TableState, list[Deal]]:
    """The finished deals of a session that may be shown with every hand, from the first up to one that may not.

    Args:
        events: a table's whole log.
        session: which one at this table, from 1; by default the present one, or the latest in which ``deal`` may be
            shown, if there is one.
        deal: a number, from 1; 0 for none.

    Returns:
        the table at the end of that session, or as it is now, and the deals.
    """
    table, deals = TableState(), list[Deal]()
    earlier: tuple[TableState, list[Deal]] | None = None
    for event in events:
        before = table.session
        if event.kind == "restarted" and before == session:
            break
        if event.kind == "restarted" and session is None and 0 < deal <= len(may_be_shown := _shown(table, deals)):
            earlier = table.copy(), may_be_shown
        apply(table, event)
        if table.session != before:
            deals.clear()
        if event.kind in ("dealt", "given") and table.deal is not None:
            deals.append(table.deal)
        if event.kind == "taken_back" and table.deal is not None:
            deals[-1] = table.deal
    shown = _shown(table, deals)
    return earlier if earlier is not None and len(shown) < deal else (table, shown)


def _shown(table: TableState, deals: Sequence[Deal]) -> list[Deal]:
    """The deals of the present session up to the first that may not be shown."""
    shown = table.shown
    return [deal for _, deal in takewhile(lambda entry: entry[0] in shown, enumerate(deals, 1))]


def fault(events: Sequence[Event], deals: Sequence[Deal], players: Sequence[str]) -> str | None:
    """How a record differs from the log of its table, as one line; None if it agrees.

    The deal of a day is shuffled at one table and played at many: of such a record only the shuffle is compared.

    Args:
        events: the table's whole log.
        deals: of the record, with valid proofs.
        players: names by seat; empty if the record has none.
    """
    assert deals[0].proof is not None
    session = deals[0].proof.table.rpartition("/")[2]
    table, kept = shown_deals(events, int(session) if session.isdecimal() and len(session) < LONGEST_NUMBER else None)
    if deals[0].proof.table != table.proof_name:
        return f"no game {session[:LONGEST_NUMBER]!r} was played at this table"
    if table.day:
        return None if deals[0].proof in table.proofs else "deal 1 was dealt otherwise at this table"
    if len(deals) > len(kept):
        return f"deal {len(kept) + 1} was not dealt at this table, or is not over"
    for number, (deal, here) in enumerate(zip(deals, kept, strict=False), 1):
        if deal.proof != here.proof:
            return f"deal {number} was dealt otherwise at this table"
        made = here.history if deal.over else here.history[: len(deal.history)]
        if deal.history != made:
            return f"deal {number} was played otherwise at this table"
    seated = {(event.body["seat"], event.body["name"]) for event in events if event.kind == "seated"}
    for seat, name in enumerate(players):
        if name != "-" and not {(seat, name), (seat, ERASED)} & seated:
            return f"seat {seat} was never that of {name} at this table"
    return None


def write(events: Sequence[Event], session: int | None = None) -> str:
    """The record of the deals that may be shown; see ``shown_deals``."""
    table, deals = shown_deals(events, session)
    return record_lines.write_deals(table.game, deals, [chair.name or "-" for chair in table.chairs])
