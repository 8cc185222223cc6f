"""While a game is being compiled: a page that says so, and goes on by itself; without scripts it asks again."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from tefuda.engine.description import Description
from tefuda.engine.texts import catalogue
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.pages.frame import page, served_game

router = APIRouter(include_in_schema=False)


@router.get("/games/{game}/prepared")
async def progress(context: Context, game: str, search: bool = False) -> dict[str, Any]:
    """How far the compiling of a game is, for the page's script."""
    return _progress(context, served_game(context, game).name, search)


@router.get("/games/{game}/preparing")
async def wait(context: Context, game: str) -> HTMLResponse:
    """The page for somebody who has sent the form of a new table: it keeps what they chose, and sends it again."""
    return show(context, served_game(context, game), form=context.connection.query_params)


async def before(context: RequestContext, table: str) -> HTMLResponse | None:
    """The page in the place of a table's, if the table's game is not compiled yet.

    Raises:
        Refused: there is no such table.
        Unavailable: the store does not answer.
    """
    services = context.services
    game = services.compiler.description(await services.tables.game_name(table))
    return None if services.compiler.is_ready(game.name) else show(context, game)


def show(
    context: RequestContext,
    game: Description,
    *,
    search: bool = False,
    form: Mapping[str, str] | None = None,
    action: str = "",
) -> HTMLResponse:
    """The page in the place of one that needs the rules.

    Args:
        context: of the request.
        game: it is compiled before others from now on.
        search: whether the page waits for the search of its bots, too.
        form: sent when all is ready; if there is none, the same page is asked for again.
        action: where the form is sent; by default, to open a table of the game.
    """
    context.services.compiler.compile_first(game.name, search=search)
    return page(
        context,
        "preparing.html",
        game=game.name,
        title=catalogue(game.files.texts, context.language)("title"),
        search=search,
        form=form,
        action=action or f"/games/{game.name}",
        progress=_progress(context, game.name, search),
    )


def _progress(context: RequestContext, game: str, search: bool) -> dict[str, Any]:
    compiler = context.services.compiler
    done, steps = compiler.progress(game)
    ready = compiler.search_is_ready(game) if search else compiler.is_ready(game)
    return {"ready": ready, "done": done, "steps": steps}
