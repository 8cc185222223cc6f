"""Records (``.tfd``) of what has been played at a table, with the proofs of its shuffles."""

from collections.abc import Sequence
from itertools import takewhile

from tefuda.server.log.fold import Table
from tefuda.server.store.port import Event
from tefuda.table import record
from tefuda.table.deal import Deal


def finished(events: Sequence[Event], session: int | None = None) -> tuple[Table, list[Deal]]:
    """A session's finished deals that may be shown whole, from the first up to one that may not.

    Args:
        events: a table's whole log.
        session: which game played at the table, from 1; the present one by default.

    Returns:
        the table at the end of that session, or now, and the deals.
    """
    table, deals = Table(), list[Deal]()
    for event in events:
        before = table.session
        if event.kind == "restarted" and before == session:
            break
        table.apply(event)
        if table.session != before:
            deals.clear()
        if event.kind == "dealt" and table.deal is not None:
            deals.append(table.deal)
    shown = {proof.deal for proof in table.revealed}
    return table, list(takewhile(lambda deal: deal.proof and deal.proof.deal in shown, deals))


def write(events: Sequence[Event], session: int | None = None) -> str:
    """The record of those deals; see ``finished``."""
    table, deals = finished(events, session)
    return record.write_deals(table.game, deals, [chair.name or "-" for chair in table.chairs])
