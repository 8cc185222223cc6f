"""The first page: the games, the open tables, and the reader's own tables."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from fastapi.responses import HTMLResponse

from tefuda.engine.description import Description
from tefuda.engine.rulebook import background
from tefuda.engine.texts import catalogue
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.pages.drawings import deck_address
from tefuda.server.pages.layout import home_of, page, router
from tefuda.server.pages.problem_pages import address_of_today
from tefuda.server.store.port import Listing
from tefuda.server.table.player_names import bot_name
from tefuda.server.table.table_messages import is_summary

MOST_REPLAYS = 5
"""In the list; the reader's own page has all."""


@router.get("/")
async def lobby_page(context: Context) -> HTMLResponse:
    """The page with all games and tables."""
    services = context.services
    guest = services.identity.guest(context.connection)
    mine = undamaged([] if guest is None else await services.store.of(guest, MOST_LISTED))
    own = await own_tables(context, guest)
    listed = {table["table"] for table in own}
    public = [each for each in undamaged(await services.store.public(MOST_LISTED)) if each.table not in listed]
    return page(
        context,
        "lobby.html",
        games=[_game(context, description) for description in services.compiler.games.values()],
        own=own,
        club=services.settings.club,
        open=table_lines(context, [each for each in public if _has_seats(each)]),
        live=table_lines(context, [each for each in public if _can_be_watched(each)]),
        replays=table_lines(context, [each for each in mine if each.summary.get("deals")])[:MOST_REPLAYS],
    )


def _has_seats(listing: Listing) -> bool:
    """True if a stranger can take a seat at a table."""
    summary = listing.summary
    return summary["phase"] not in ENDED and summary["free"] > 0 and not summary.get("by_invitation")


def _can_be_watched(listing: Listing) -> bool:
    """True if all that a stranger can do at a table is to watch."""
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
        "picture": deck_address(context.in_own_deck(description), "picture", language),
        "about": bool(background(description, language)),
        "tours": context.services.tours.links(description, language)[:1],
        "problem": address_of_today(description),
        "ready": context.services.compiler.is_ready(description.name),
    }


def _range(counts: Sequence[int]) -> str:
    if len(counts) > 1 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]}–{counts[-1]}"
    return ", ".join(map(str, counts))


# Lists of tables

MOST_LISTED = 100
"""Tables that are read for each list."""

MOST_SHOWN = 20
"""Tables in each list."""

ENDED = ("over", "closed")


async def own_tables(context: RequestContext, guest: str | None) -> list[dict[str, Any]]:
    """The tables of a guest at which they can still do something, first those where it is their turn."""
    listings = [] if guest is None else undamaged(await context.services.store.of(guest, MOST_LISTED))
    mine = [
        each
        for each in listings
        if each.summary["phase"] not in ENDED and each.own is not None and (each.own.seat is not None or each.own.host)
    ]
    return sorted(table_lines(context, mine), key=lambda line: not line["asked"])


def undamaged(listings: list[Listing]) -> list[Listing]:
    """The listings that are not damaged."""
    return [listing for listing in listings if is_summary(listing.summary)]


def table_lines(context: RequestContext, listings: Sequence[Listing]) -> list[dict[str, Any]]:
    """Lines of a list; tables of games that are no longer served are left out."""
    served, language = context.services.compiler.games, context.language
    return [
        {
            "table": listing.table,
            "game": listing.summary["game"],
            "title": catalogue(served[listing.summary["game"]].files.texts, language)("title"),
            "seats": _seated(listing.summary["seats"], language),
            "phase": listing.summary["phase"],
            "free": listing.summary["free"],
            "by_invitation": listing.summary.get("by_invitation", False),
            "deals": listing.summary.get("deals", 0),
            "seated": listing.own is not None and listing.own.seat is not None,
            "host": listing.own is not None and listing.own.host,
            "asked": listing.own is not None and listing.own.seat in listing.summary.get("asked", ()),
            "day": datetime.fromtimestamp(listing.at / 1000, UTC).date().isoformat(),
        }
        for listing in [each for each in listings if each.summary["game"] in served][:MOST_SHOWN]
    ]


def _seated(seats: Sequence[Mapping[str, Any]], language: str) -> list[dict[str, str]]:
    """Names and faces of those who sit at a table; bots as they are called there."""
    named = [
        {"name": bot_name(number, language) if seat["bot"] else seat["name"], "face": seat.get("face", "")}
        for number, seat in enumerate(seats)
    ]
    return [each for each in named if each["name"]]
