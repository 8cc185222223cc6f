"""Records (``.tfd``) of what has been played at a table, with the proofs of its shuffles."""

from collections.abc import Sequence
from itertools import takewhile

from tefuda.server.log.fold import Table
from tefuda.server.store.port import Event
from tefuda.table import record
from tefuda.table.deal import Deal


def write(events: Sequence[Event], session: int | None = None) -> str:
    """The record of a session's finished deals that may be shown whole, from the first up to one that may not.

    Args:
        events: a table's whole log.
        session: which game played at the table, from 1; the present one by default.
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
    whole = list(takewhile(lambda deal: deal.proof and deal.proof.deal in shown, deals))
    return record.write_deals(table.game, whole, [chair.name or "-" for chair in table.chairs])
