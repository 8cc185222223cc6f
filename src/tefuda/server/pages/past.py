"""A table whose rules this version does not know: who sat there, the points, and what was played, in words."""

from itertools import zip_longest

from fastapi.responses import HTMLResponse

from tefuda.engine.texts import catalogue
from tefuda.server.http.context import RequestContext
from tefuda.server.pages.frame import page
from tefuda.server.table import replays
from tefuda.server.table.player_names import seat_names
from tefuda.server.table.table_messages import past_state
from tefuda.server.table.table_state import OUTSIDER, TableState


def show(
    context: RequestContext, table: TableState, session: int | None = None, deal: int | None = None
) -> HTMLResponse:
    """The page of such a table, in place of the table and of its replay.

    Args:
        context: of the request.
        table: as it stands.
        session: which game; the last by default.
        deal: its number; the first by default.
    """
    language = context.language
    may_read = table.settings["spectators"] != "none" or table.may_see(context.caller) != OUTSIDER
    deals = replays.past_deals(table, session) if may_read else []
    number = min(deal or 1, len(deals))
    known, names = past_state(table, language), seat_names(table, language)
    return page(
        context,
        "past.html",
        table=table.name,
        title=catalogue(table.game.description.files.texts, language)("title"),
        notice=known["text"],
        points=list(zip_longest(names, known["totals"])),
        session=session or table.session,
        sessions=table.session,
        deals=len(deals),
        number=number,
        plays=replays.past_plays(table, deals[number - 1], language) if deals else [],
    )
