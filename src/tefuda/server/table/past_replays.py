"""What is told of a table whose rules this version does not know: its record, and its deals in words."""

from typing import Any

from tefuda.server.table import replays
from tefuda.server.table.past_game import PastDeal
from tefuda.server.table.player_names import seat_names
from tefuda.server.table.refused import Refused
from tefuda.server.table.table_messages import past_state
from tefuda.server.table.table_state import TableState


def record(table: TableState, session: int | None) -> str:
    """The record (``.tfd``) of the deals that may be shown; of the last session by default."""
    assert table.past is not None
    names = [chair.name or "-" for chair in table.chairs]
    return table.past.record(session or table.session, names, closed=table.closed)


def shown(table: TableState, session: int | None) -> list[PastDeal]:
    """The deals of a session that may be shown, the last session by default."""
    assert table.past is not None
    return table.past.shown(session or table.session, closed=table.closed)


def story(table: TableState, number: int, session: int | None, language: str) -> dict[str, Any]:
    """A deal as the log has it: like a replay, with ``plays`` in words in place of ``moments``.

    Raises:
        Refused: it may not be shown, or was not dealt.
    """
    deals = shown(table, session)
    if number > len(deals):
        raise Refused("no_such_deal", 404, count=len(deals))
    return {
        "names": seat_names(table, language),
        "session": session or table.session,
        "proof": deals[number - 1].proof.to_json(),
        "moments": [],
        "plays": plays(table, deals[number - 1], language),
        "past": past_state(table, language),
    }


def plays(table: TableState, deal: PastDeal, language: str) -> list[dict[str, Any]]:
    """The plays of a deal: ``seat``, ``play`` and the sentence about it (``line``)."""
    names, description = seat_names(table, language), table.game.description
    return [
        {"seat": seat, "play": word, "line": replays.said(description, word, names[seat], language)}
        for seat, word in deal.history
    ]
