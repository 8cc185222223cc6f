"""The first page: the games, open tables, and what the reader has going on."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from tefuda.engine.description import Description
from tefuda.engine.texts import catalogue
from tefuda.server.house.rooms import Rooms
from tefuda.server.store.port import Listing
from tefuda.server.web.errors import language_of
from tefuda.server.web.pages.decks import picture_of
from tefuda.server.web.pages.frame import page

router = APIRouter(include_in_schema=False)

MOST_LISTED = 30
"""Open tables on the page."""


@router.get("/")
async def lobby(request: Request) -> HTMLResponse:
    """Which games there are, and which tables."""
    rooms: Rooms = request.app.state.rooms
    language = language_of(request)
    games = [await _game(description, language) for description in rooms.kitchen.games.values()]
    tables = [_table(rooms, listing, language) for listing in await rooms.listed(MOST_LISTED)]
    return page(request, "lobby.html", games=games, tables=tables)


async def _game(description: Description, language: str) -> dict[str, Any]:
    texts = catalogue(description.texts, language)
    return {
        "name": description.name,
        "title": texts("title"),
        "native": texts("native"),
        "about": texts("about"),
        "seats": sorted(description.seats),
        "picture": await picture_of(description, language),
    }


def _table(rooms: Rooms, listing: Listing, language: str) -> dict[str, Any]:
    shown = listing.summary
    return {
        "table": listing.table,
        "title": catalogue(rooms.kitchen.description(shown["game"]).texts, language)("title"),
        "names": [seat["name"] for seat in shown["seats"] if not seat["open"]],
        "phase": shown["phase"],
        "free": shown["free"],
    }
