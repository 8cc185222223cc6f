"""A replay: the finished deals of a table, step by step. The plays in words need no script."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse

from tefuda.engine.texts import catalogue
from tefuda.server.events import commands, records, replays
from tefuda.server.events.table_state import TableState
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.web.errors import language_of
from tefuda.server.web.identity import Identity
from tefuda.server.web.middleware import pay_for_log
from tefuda.server.web.pages import compilation
from tefuda.server.web.pages.frame import page
from tefuda.server.web.pages.table import game_data, texts_data
from tefuda.table.deal import Deal

router = APIRouter(include_in_schema=False)

NOTHING: dict[str, Any] = {"sheet": [], "moments": [], "proof": None}
"""The story of no deal."""

From1 = Annotated[int | None, Query(ge=1)]


@router.get("/r/{table}", dependencies=[Depends(pay_for_log)])
async def show(request: Request, table: str, deal: From1 = None, session: From1 = None, at: int = 0) -> HTMLResponse:
    """One deal of the table; the first by default.

    Args:
        deal: number in its session.
        session: which game played at this table; the present one by default.
        at: how many plays have been made, for the script.
    """
    rooms: LiveTables = request.app.state.rooms
    identity: Identity = request.app.state.identity
    if (waiting := await compilation.before(request, table)) is not None:
        return waiting
    now = (await rooms.room(table)).table
    if now.settings["spectators"] == "none":
        commands.seated(now, identity.who(request))
    found, deals = await rooms.in_thread(records.finished, await rooms.events(table), session)
    language = language_of(request)
    number = min(deal or 1, len(deals))
    return page(
        request,
        "replay.html",
        table=table,
        title=catalogue(found.game.description.files.texts, language)("title"),
        game=game_data(found, language, None),
        texts=texts_data(found.game.description, language, "table", "replay"),
        session=found.session,
        sessions=now.session,
        deals=len(deals),
        number=number,
        **(await rooms.in_thread(_story, found, deals[number - 1], number, language) if deals else NOTHING),
    )


def _story(table: TableState, deal: Deal, number: int, language: str) -> dict[str, Any]:
    names = commands.names(table, language)
    return {
        "sheet": replays.results(deal, names, language),
        "moments": replays.moments(deal, number, names, language),
        "proof": replays.proof(deal),
    }
