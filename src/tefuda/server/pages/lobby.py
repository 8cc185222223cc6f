"""The first page: the games, the open tables, and the reader's own tables."""

from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from tefuda.engine.background import background
from tefuda.engine.description import Description
from tefuda.engine.texts import catalogue
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.pages import decks, problems
from tefuda.server.pages.frame import page
from tefuda.server.pages.languages import home_of
from tefuda.server.pages.table_lists import ENDED, MOST_LISTED, lines, own_tables, whole
from tefuda.server.store.port import Listing

router = APIRouter(include_in_schema=False)

MOST_REPLAYS = 5
"""In the list; the reader's own page has all."""


@router.get("/")
async def lobby(context: Context) -> HTMLResponse:
    """Which games there are, and which tables."""
    services = context.services
    guest = services.identity.guest(context.connection)
    mine = whole([] if guest is None else await services.store.of(guest, MOST_LISTED))
    own = await own_tables(context, guest)
    listed = {table["table"] for table in own}
    public = [each for each in whole(await services.store.public(MOST_LISTED)) if each.table not in listed]
    return page(
        context,
        "lobby.html",
        games=[_game(context, description) for description in services.compiler.games.values()],
        own=own,
        club=services.settings.club,
        open=lines(context, [each for each in public if _has_seats(each)]),
        live=lines(context, [each for each in public if _can_be_watched(each)]),
        replays=lines(context, [each for each in mine if each.summary.get("deals")])[:MOST_REPLAYS],
    )


def _has_seats(listing: Listing) -> bool:
    """Whether a stranger can take a seat at a table."""
    summary = listing.summary
    return summary["phase"] not in ENDED and summary["free"] > 0 and not summary.get("by_invitation")


def _can_be_watched(listing: Listing) -> bool:
    """Whether all that a stranger can do at a table is to watch."""
    summary = listing.summary
    return summary["phase"] in ("shuffling", "playing") and summary["spectators"] != "none" and not _has_seats(listing)


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
        "picture": decks.address(context.in_own_deck(description), "picture", language),
        "about": bool(background(description, language)),
        "tours": context.services.tours.links(description, language)[:1],
        "problem": problems.address_of_today(description),
        "ready": context.services.compiler.is_ready(description.name),
    }


def _range(counts: Sequence[int]) -> str:
    if len(counts) > 1 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]}–{counts[-1]}"
    return ", ".join(map(str, counts))
