"""A replay: the finished deals of a table, step by step. The plays in words need no script."""

from typing import Any

from fastapi import APIRouter, Depends
from fastapi.responses import HTMLResponse

from tefuda.engine.texts import catalogue
from tefuda.server.http.context import Context, pay_for_log
from tefuda.server.pages import compilation, past
from tefuda.server.pages.addresses import Anywhere, From1
from tefuda.server.pages.frame import page, unit_name
from tefuda.server.pages.table import game_data, table_preview, texts_data
from tefuda.server.table import replays
from tefuda.server.table.permission import may_see_records
from tefuda.server.table.player_names import seat_names
from tefuda.server.table.table_messages import outcome_text
from tefuda.server.table.table_state import TableState
from tefuda.table.deal import Deal

router = APIRouter(include_in_schema=False)

NOTHING: dict[str, Any] = {"sheet": [], "outcome": "", "moments": [], "proof": None}
"""What the page shows of no deal."""


@router.get("/r/{table}", dependencies=[Depends(pay_for_log)])
async def show(
    context: Context, table: str, deal: From1 | None = None, session: From1 | None = None, at: Anywhere = 0
) -> HTMLResponse:
    """One deal of the table; the first by default.

    Args:
        deal: number in its session.
        session: which one at this table; by default the latest that has this deal.
        at: how many plays have been made, for the script.
    """
    if (waiting := await compilation.before(context, table)) is not None:
        return waiting
    services, language = context.services, context.language
    now = (await services.tables.get(table)).state
    may_see_records(now, context.caller)
    if now.past is not None:
        return past.show(context, now, session, deal)
    in_thread = services.background.in_thread
    found, deals = await services.tables.shown_deals(table, session, deal or 1)
    number = min(deal or 1, len(deals))
    return page(
        context,
        "replay.html",
        preview=table_preview(
            context, found, f"/r/{table}/preview", f"deal={number}&session={found.session}&at={max(at, 0)}"
        ),
        table=table,
        title=catalogue(found.game.description.files.texts, language)("title"),
        unit=unit_name(found.game.description, language),
        game=game_data(context, found, None),
        texts=texts_data(found.game.description, language, "table", "replay", "review", "shuffle"),
        session=found.session,
        sessions=now.session,
        deals=len(deals),
        number=number,
        own=found.seen_by(context.caller),
        **(await in_thread(_deal_data, found, deals[number - 1], number, language) if deals else NOTHING),
    )


def _deal_data(table: TableState, deal: Deal, number: int, language: str) -> dict[str, Any]:
    names = seat_names(table, language)
    return {
        "sheet": replays.results(deal, names, language),
        "outcome": outcome_text(deal, language, names),
        "moments": replays.replay_steps(deal, number, names, language),
        "proof": replays.proof(deal),
    }
