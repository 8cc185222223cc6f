"""Lists of tables, as pages show them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from tefuda.engine.texts import catalogue
from tefuda.server.http.context import RequestContext
from tefuda.server.store.port import Listing
from tefuda.server.table.player_names import bot_name
from tefuda.server.table.table_messages import is_summary

MOST_LISTED = 100
"""Tables that are read for each list."""

MOST_SHOWN = 20
"""Tables in each list."""

ENDED = ("over", "closed")


async def own_tables(context: RequestContext, guest: str | None) -> list[dict[str, Any]]:
    """The tables of a guest at which they can still do something, first those where it is their turn."""
    listings = [] if guest is None else whole(await context.services.store.of(guest, MOST_LISTED))
    mine = [
        each
        for each in listings
        if each.summary["phase"] not in ENDED and each.own is not None and (each.own.seat is not None or each.own.host)
    ]
    return sorted(lines(context, mine), key=lambda line: not line["asked"])


def whole(listings: list[Listing]) -> list[Listing]:
    """Those that are not damaged."""
    return [listing for listing in listings if is_summary(listing.summary)]


def lines(context: RequestContext, listings: Sequence[Listing]) -> list[dict[str, Any]]:
    """What a list shows; tables of games that are no longer served are left out."""
    served, language = context.services.compiler.games, context.language
    return [
        {
            "table": listing.table,
            "game": listing.summary["game"],
            "title": catalogue(served[listing.summary["game"]].files.texts, language)("title"),
            "seats": _seats(listing.summary["seats"], language),
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


def _seats(seats: Sequence[Mapping[str, Any]], language: str) -> list[dict[str, str]]:
    """Who sits at a table, by name and face; bots as they are called there."""
    named = [
        {"name": bot_name(number, language) if seat["bot"] else seat["name"], "face": seat.get("face", "")}
        for number, seat in enumerate(seats)
    ]
    return [each for each in named if each["name"]]
