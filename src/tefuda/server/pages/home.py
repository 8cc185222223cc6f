"""The reader's own page: who they are, their tables, their games, what those add up to."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tefuda.bots.levels import LEVELS
from tefuda.engine.description import Description
from tefuda.engine.texts import catalogue, signed
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.profile import Profile
from tefuda.server.pages.frame import page, page_text, unit_name
from tefuda.server.pages.table_lists import own_tables
from tefuda.server.store.people import ERASED, GameResult, PlayerRating, SeatResult
from tefuda.server.store.ratings import BOTS, PEOPLE, GameStatistics, shown, statistics
from tefuda.server.table import commands
from tefuda.server.table.commands import Command
from tefuda.server.table.player_faces import ANIMALS, COLOURS, bot_face, level_number, level_of
from tefuda.server.table.player_names import bot_name
from tefuda.server.table.request_types import NoArguments

router = APIRouter(include_in_schema=False)

MOST_COUNTED = 1000
"""Games that statistics are made from, the latest."""

MOST_SHOWN = 50
"""Games in the list."""


@router.get("/me")
async def show(context: Context, fault: str = "") -> HTMLResponse:
    """The page; of a stranger it has nothing but a name and a face."""
    guest = context.services.identity.guest(context.connection)
    results, found = await _played(context, guest)
    return page(
        context,
        "me.html",
        own=await own_tables(context, guest),
        games=_games(context, guest or "", results, found),
        history=[_line(context, guest or "", result) for result in results[:MOST_SHOWN]],
        faces=_faces(context.profile),
        name_fault=page_text(context.language, "me.bad_name") if fault else "",
        guest=guest,
        **await _passkeys(context, guest),
    )


async def _passkeys(context: RequestContext, guest: str | None) -> dict[str, Any]:
    """A guest's passkeys, or None where the host does not want any."""
    if context.services.ceremonies is None:
        return {"passkeys": None}
    found = await context.services.store.passkeys.of(guest) if guest else []
    return {"passkeys": [{"id": each.id, "at": _day(each.at), "used": each.used and _day(each.used)} for each in found]}


def _faces(reader: Profile) -> list[tuple[str, str, bool]]:
    """The faces to choose from: animal, code, whether it is the reader's."""
    usual = {animal: f"{animal}-{place % len(COLOURS)}" for place, animal in enumerate(ANIMALS)}
    faces = {**usual, reader.animal: reader.face}
    return [(animal, face, animal == reader.animal) for animal, face in faces.items()]


async def _played(
    context: RequestContext, guest: str | None
) -> tuple[list[GameResult], Mapping[tuple[str, str, str], PlayerRating]]:
    """A guest's games of those that are served here, and their ratings."""
    if guest is None:
        return [], {}
    people, served = context.services.store.people, context.services.compiler.games
    results = await people.results(guest, MOST_COUNTED)
    return [result for result in results if result.game in served], await people.ratings([guest])


def _games(
    context: RequestContext,
    guest: str,
    results: Sequence[GameResult],
    found: Mapping[tuple[str, str, str], PlayerRating],
) -> list[dict[str, Any]]:
    """What the games add up to, in the order of the lobby."""
    served = context.services.compiler.games
    by_game = statistics(results, guest, lambda game, spec: level_of(served[game], spec))
    return [
        {
            "title": catalogue(description.files.texts, context.language)("title"),
            "unit": unit_name(description, context.language),
            "ratings": {
                pool: shown(found[guest, game, pool]) for pool in (PEOPLE, BOTS) if (guest, game, pool) in found
            },
            **_figures(by_game[game]),
        }
        for game, description in served.items()
        if game in by_game
    ]


def _figures(counted: GameStatistics) -> dict[str, Any]:
    return {
        "games": counted.games,
        "first": counted.first,
        "deals": counted.deals,
        "gain": None if counted.gain is None else signed(round(10 * counted.gain), 10),
        "against": [(level, counted.against[level]) for level in LEVELS if level in counted.against],
    }


def _line(context: RequestContext, guest: str, result: GameResult) -> dict[str, Any]:
    """One game in the list."""
    description = context.services.compiler.games[result.game]
    mine = next(seat for seat in result.seats if seat.person == guest)
    return {
        "title": catalogue(description.files.texts, context.language)("title"),
        "address": f"/r/{result.table}?session={result.session}" if result.shown else "",
        "day": _day(result.at),
        "deals": result.deals,
        "over": result.over and (result.counts or result.practice),
        "practice": result.practice,
        "place": mine.place,
        "sides": len({seat.side for seat in result.seats}),
        "players": [_player(context, description, guest, seat) for seat in sorted(result.seats, key=_by_place)],
    }


def _day(at: int) -> str:
    """The day of a moment, in milliseconds since 1970."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def _by_place(seat: SeatResult) -> tuple[int, int]:
    return seat.place, seat.seat


def _player(context: RequestContext, game: Description, guest: str, seat: SeatResult) -> dict[str, Any]:
    language = context.language
    points = int(seat.points) if seat.points == int(seat.points) else seat.points
    return {
        "mine": seat.person == guest,
        "name": bot_name(seat.seat, language) if seat.bot else seat.name or ERASED,
        "face": bot_face(seat.seat, level_number(game, seat.bot)) if seat.bot else "",
        "points": f"−{-points}" if points < 0 else str(points),
    }


# What can be done with one's tables


@router.post("/t/{table}/leave")
async def leave(context: Context, table: str) -> Response:
    """Give the seat back."""
    return await _carry_out(context, table, commands.leave)


@router.post("/t/{table}/close")
async def close(context: Context, table: str) -> Response:
    """Close the table, as its host."""
    return await _carry_out(context, table, commands.close)


async def _carry_out(context: RequestContext, table: str, command: Command[NoArguments]) -> Response:
    await context.carry_out(table, command, NoArguments(), context.caller)
    await (await context.services.tables.get(table)).until_kept()  # the list of tables is what is shown next
    return RedirectResponse("/me", 303)
