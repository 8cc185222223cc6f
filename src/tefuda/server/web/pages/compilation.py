"""While a game is being compiled: a page that says so, and goes on by itself; without scripts it asks again."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from tefuda.engine.description import Description
from tefuda.engine.texts import catalogue
from tefuda.server.tables.compiler import GameCompiler
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.web.errors import language_of
from tefuda.server.web.pages.frame import game_of, page

router = APIRouter(include_in_schema=False)


@router.get("/games/{game}/prepared")
async def prepared(request: Request, game: str, search: bool = False) -> dict[str, Any]:
    """How far the compiling of a game is, for the page's script."""
    return _progress(request, game_of(request, game).name, search)


@router.get("/games/{game}/preparing")
async def wait(request: Request, game: str) -> HTMLResponse:
    """The page for somebody who has sent the form of a new table: it has what he chose, to be sent again."""
    return show(request, game_of(request, game), form=request.query_params)


async def before(request: Request, table: str) -> HTMLResponse | None:
    """The page in the place of a table's, if the table's game is not compiled yet.

    Raises:
        Refused: there is no such table, or the store does not answer.
    """
    rooms: LiveTables = request.app.state.rooms
    game = rooms.kitchen.description(await rooms.game(table))
    return None if rooms.kitchen.is_ready(game.name) else show(request, game)


def show(
    request: Request,
    game: Description,
    *,
    search: bool = False,
    form: Mapping[str, str] | None = None,
    action: str = "",
) -> HTMLResponse:
    """The page in the place of one that needs the rules.

    Args:
        game: which is compiled before others from now on.
        search: whether the search of its bots is waited for too.
        form: sent when all is ready; if there is none, the same page is asked for again.
        action: where it is sent; if not given, it opens a table of the game.
    """
    kitchen: GameCompiler = request.app.state.rooms.kitchen
    kitchen.hurry(game.name, search=search)
    return page(
        request,
        "preparing.html",
        game=game.name,
        title=catalogue(game.files.texts, language_of(request))("title"),
        search=search,
        form=form,
        action=action or f"/games/{game.name}",
        progress=_progress(request, game.name, search),
    )


def _progress(request: Request, game: str, search: bool) -> dict[str, Any]:
    rooms: LiveTables = request.app.state.rooms
    done, steps = rooms.kitchen.progress(game)
    ready = rooms.kitchen.search_is_ready(game) if search else rooms.kitchen.is_ready(game)
    return {"ready": ready, "done": done, "steps": steps}
