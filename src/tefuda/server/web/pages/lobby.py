"""The first page: the games, open tables, and what the reader has going on."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from tefuda.decks.words import leaflet
from tefuda.engine.description import Description
from tefuda.engine.texts import catalogue
from tefuda.server.store.port import Listing
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.web.errors import language_of
from tefuda.server.web.identity import Identity
from tefuda.server.web.pages import decks
from tefuda.server.web.pages.frame import page
from tefuda.server.web.pages.languages import home_of
from tefuda.table.reasons import TEXTS

router = APIRouter(include_in_schema=False)

MOST_LISTED = 100
"""Tables that are looked through for each list."""

MOST_SHOWN = 20
"""Tables in each list."""

ENDED = ("over", "closed")


@router.get("/")
async def lobby(request: Request) -> HTMLResponse:
    """Which games there are, and which tables."""
    rooms: LiveTables = request.app.state.rooms
    identity: Identity = request.app.state.identity
    language, guest = language_of(request), identity.guest(request)
    own = [] if guest is None else await rooms.of(guest, MOST_LISTED)
    public = await rooms.listed(MOST_LISTED)
    return page(
        request,
        "lobby.html",
        games=[_game(request, description, language) for description in rooms.kitchen.games.values()],
        own=_tables(rooms, [each for each in own if each.summary["phase"] not in ENDED], language),
        open=_tables(rooms, [each for each in public if _is_open(each)], language),
        replays=_tables(rooms, [each for each in own if each.summary.get("deals")], language),
    )


def _is_open(listing: Listing) -> bool:
    """Whether strangers can do something at a table: sit down or look on."""
    shown = listing.summary
    return shown["phase"] not in ENDED and (shown["free"] > 0 or shown["spectators"] != "none")


def _game(request: Request, description: Description, language: str) -> dict[str, Any]:
    texts = catalogue(description.files.texts, language)
    return {
        "name": description.name,
        "title": texts("title"),
        "native": texts("native"),
        "home": home_of(description),
        "short": leaflet(description, language).about if description.files.decks else texts("about"),
        "seats": _range(sorted(description.seats)),
        "picture": decks.address(description, "picture", language),
        "tours": request.app.state.guides.links(description, language)[:1],
        "ready": request.app.state.rooms.kitchen.is_ready(description.name),
    }


def _range(counts: Sequence[int]) -> str:
    if len(counts) > 1 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]}–{counts[-1]}"
    return ", ".join(map(str, counts))


def _tables(rooms: LiveTables, listings: Sequence[Listing], language: str) -> list[dict[str, Any]]:
    """What the lists show; a game that is no longer served is left out."""
    served = rooms.kitchen.games
    return [
        {
            "table": listing.table,
            "title": catalogue(served[listing.summary["game"]].files.texts, language)("title"),
            "names": _names(listing.summary["seats"], language),
            "phase": listing.summary["phase"],
            "free": listing.summary["free"],
            "deals": listing.summary.get("deals", 0),
            "day": datetime.fromtimestamp(listing.at / 1000, UTC).date().isoformat(),
        }
        for listing in [each for each in listings if each.summary["game"] in served][:MOST_SHOWN]
    ]


def _names(seats: Sequence[Mapping[str, Any]], language: str) -> str:
    """Who sits at a table, bots as they are called at it."""
    bot = catalogue(TEXTS, language)
    names = [bot("bot", number=number) if seat["bot"] else seat["name"] for number, seat in enumerate(seats)]
    return " · ".join(filter(None, names))
