"""The first page: the games, the open tables, and the reader's own tables."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from tefuda.engine.background import background
from tefuda.engine.description import Description
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.events.outgoing import is_summary
from tefuda.server.store.port import Listing
from tefuda.server.web.context import Context, RequestContext
from tefuda.server.web.pages import decks
from tefuda.server.web.pages.frame import page
from tefuda.server.web.pages.languages import home_of

router = APIRouter(include_in_schema=False)

MOST_LISTED = 100
"""Tables that are read for each list."""

MOST_SHOWN = 20
"""Tables in each list."""

ENDED = ("over", "closed")


@router.get("/")
async def lobby(context: Context) -> HTMLResponse:
    """Which games there are, and which tables."""
    services = context.services
    guest = services.identity.guest(context.connection)
    own = _whole([] if guest is None else await services.store.of(guest, MOST_LISTED))
    public = _whole(await services.store.public(MOST_LISTED))
    return page(
        context,
        "lobby.html",
        games=[_game(context, description) for description in services.compiler.games.values()],
        own=_tables(context, [each for each in own if each.summary["phase"] not in ENDED]),
        open=_tables(context, [each for each in public if _is_open(each)]),
        replays=_tables(context, [each for each in own if each.summary.get("deals")]),
    )


def _whole(listings: list[Listing]) -> list[Listing]:
    """Those that are not damaged."""
    return [listing for listing in listings if is_summary(listing.summary)]


def _is_open(listing: Listing) -> bool:
    """Whether strangers can do something at a table: sit down or watch."""
    summary = listing.summary
    return summary["phase"] not in ENDED and (summary["free"] > 0 or summary["spectators"] != "none")


def _game(context: RequestContext, description: Description) -> dict[str, Any]:
    language = context.language
    texts = catalogue(description.files.texts, language)
    return {
        "name": description.name,
        "title": texts("title"),
        "native": texts("native"),
        "home": home_of(description),
        "short": texts("summary" if "summary" in texts else "about"),
        "seats": _range(sorted(description.seats)),
        "picture": decks.address(description, "picture", language),
        "about": bool(background(description, language)),
        "tours": context.services.tours.links(description, language)[:1],
        "ready": context.services.compiler.is_ready(description.name),
    }


def _range(counts: Sequence[int]) -> str:
    if len(counts) > 1 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]}–{counts[-1]}"
    return ", ".join(map(str, counts))


def _tables(context: RequestContext, listings: Sequence[Listing]) -> list[dict[str, Any]]:
    """What a list shows; tables of games that are no longer served are left out."""
    served, language = context.services.compiler.games, context.language
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
    """Who sits at a table; bots as they are called there."""
    texts = catalogue(TEXTS, language)
    names = [texts("bot", number=number) if seat["bot"] else seat["name"] for number, seat in enumerate(seats)]
    return " · ".join(filter(None, names))
