"""A game's own page: what it is, and how to sit down to it."""

from typing import get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tefuda.engine.description import Description
from tefuda.engine.texts import catalogue
from tefuda.server.events import commands
from tefuda.server.events.commands import Refused
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.web.create_table import open_table
from tefuda.server.web.errors import error_of, language_of
from tefuda.server.web.pages import decks, forms
from tefuda.server.web.pages.forms import Company, TableForm
from tefuda.server.web.pages.frame import game_of, keep_name, page, said
from tefuda.server.web.pages.languages import home_of

router = APIRouter(include_in_schema=False)


@router.get("/games/{game}")
async def show(request: Request, game: str) -> HTMLResponse:
    """The page with a fresh form."""
    description = game_of(request, game)
    return _page(request, description, TableForm(description.seats[0]))


@router.post("/games/{game}")
async def begin(request: Request, game: str) -> Response:
    """Open a table and go there; a form that will not do comes back as it was typed, with what is wrong.

    The button that sent the form says with whom (``with``).
    """
    description, language = game_of(request, game), language_of(request)
    typed = await forms.typed(request)
    wish = forms.read(description, typed, language)
    company: Company = next((each for each in get_args(Company) if each == typed.get("with")), "bots")
    name = typed.get("name", "").strip()
    if wish.faults:
        return _page(request, description, wish, 422, name=name)
    try:
        name = name and commands.clean_name(name)
    except Refused as refused:
        return _page(request, description, wish, 422, name=name, name_fault=error_of(refused, language)["text"])
    rooms: LiveTables = request.app.state.rooms
    if not rooms.kitchen.is_ready(game):
        return RedirectResponse(f"/games/{game}/preparing?{urlencode(typed)}", 303)
    response = RedirectResponse("", 303)
    order = forms.order(description, wish, name or said(language, "common.guest"), company)
    opened = await open_table(request, response, order)
    response.headers["location"] = f"/t/{opened.table}" + ("/invite" if company == "friends" else "")
    if name:
        keep_name(request, response, name)
    return response


def _page(
    request: Request,
    game: Description,
    wish: TableForm,
    status: int = 200,
    name: str | None = None,
    name_fault: str = "",
) -> HTMLResponse:
    language = language_of(request)
    texts = catalogue(game.files.texts, language)
    return page(
        request,
        "game.html",
        status,
        game=game.name,
        title=texts("title"),
        native=texts("native"),
        home=home_of(game),
        reading=texts("reading") if "reading" in texts else "",
        about=texts("about"),
        picture=decks.address(game, "picture", language),
        typed=name,
        name_fault=name_fault,
        form=forms.shown(game, wish, language),
        tours=request.app.state.guides.links(game, language),
        ready=request.app.state.rooms.kitchen.is_ready(game.name),
    )
