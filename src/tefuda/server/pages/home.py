"""The first page: the games and the tables; and the reader's own page: who they are, their tables and games, name and
face, other devices, being forgotten."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, Form
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from tefuda.bots.players import LEVELS
from tefuda.engine.description import Description
from tefuda.engine.texts import signed
from tefuda.server.http.context import Context, RequestContext, pay_for_log
from tefuda.server.http.identity import FACE_COOKIE, NAME_COOKIE, PASSED_WITHIN, Profile, keep
from tefuda.server.pages.layout import Typed, page, router
from tefuda.server.pages.problem_pages import day_results
from tefuda.server.pages.shown_game import ShownGame, shown_games, today
from tefuda.server.pages.table_page import link_data
from tefuda.server.pages.tours import first_trick
from tefuda.server.store import identities
from tefuda.server.store.database import Database
from tefuda.server.store.erasures import mark_of
from tefuda.server.store.identities import KnownPerson
from tefuda.server.store.people import ERASED, GameResult
from tefuda.server.store.port import MAILBOX, DealOfDay, Listing, PlayerRating, SeatResult
from tefuda.server.store.ratings import BOTS, PEOPLE, shown, statistics
from tefuda.server.table import commands
from tefuda.server.table.callers import Refused, guest_hash
from tefuda.server.table.commands import Command
from tefuda.server.table.player_faces import ANIMALS, COLOURS, animal_of, bot_face, level_number, level_of
from tefuda.server.table.player_names import bot_name, clean_name
from tefuda.server.table.request_types import NoArguments
from tefuda.server.table.table_messages import is_summary

MOST_REPLAYS = 5  # in the list; the reader's own page has all


@router.get("/")
async def lobby_page(context: Context) -> HTMLResponse:
    """The page with all games and tables: whoever has been at no table begins with a hand, others with their tables,
    and what is new today in the game that they played last."""
    mine, games = await _tables_of_reader(context), shown_games(context)
    last = mine[0].summary["game"] if mine else ""
    latest = next((game for game in games if game.name == last), games[0])
    own = _own_tables(context, mine)
    listed = {table["table"] for table in own}
    public = undamaged(await context.services.store.public(MOST_LISTED))
    public = [each for each in public if each.table not in listed]
    return page(
        context,
        "lobby.html",
        games=games,
        begins=None if mine else await first_trick(games[0]),
        latest=latest if mine else None,
        played=(await day_results(context, DealOfDay(today().isoformat(), latest.name)))[1] is not None,
        own=own,
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


# Lists of tables

MOST_LISTED = 100  # tables that are read for each list
MOST_SHOWN = 20  # tables in each list

ENDED = ("over", "closed")


async def _tables_of_reader(context: RequestContext) -> list[Listing]:
    """The tables at which the reader has sat, or that they have opened."""
    return [] if context.guest is None else undamaged(await context.services.store.of(context.guest, MOST_LISTED))


def _own_tables(context: RequestContext, listings: Sequence[Listing]) -> list[dict[str, object]]:
    """The tables among them at which the reader can still do something, first those where it is their turn."""
    mine = [
        each
        for each in listings
        if each.summary["phase"] not in ENDED and each.own is not None and (each.own.seat is not None or each.own.host)
    ]
    return sorted(table_lines(context, mine), key=lambda line: (not line["asked"], line["hours"] or 0))


@router.get("/me/turns")
async def turns(context: Context) -> JSONResponse:
    """The tables where it is the reader's turn and they are not there, as the lobby has them."""
    own = _own_tables(context, await _tables_of_reader(context))
    waiting = [{"table": line["table"], "title": line["title"]} for line in own if line["asked"]]
    return JSONResponse(waiting, headers={"cache-control": "no-store"})


def undamaged(listings: list[Listing]) -> list[Listing]:
    """The listings that are not damaged."""
    return [listing for listing in listings if is_summary(listing.summary)]


def table_lines(context: RequestContext, listings: Sequence[Listing]) -> list[dict[str, object]]:
    """Lines of a list; tables of games that are no longer served are left out."""
    titles, now = {game.name: game.title for game in shown_games(context)}, 1000 * time.time()
    return [
        {
            "table": listing.table,
            "title": titles[listing.summary["game"]],
            "seats": _seated(listing.summary["seats"], context.language),
            "phase": listing.summary["phase"],
            "free": listing.summary["free"],
            "deals": listing.summary.get("deals", 0),
            "seated": listing.own is not None and listing.own.seat is not None,
            "host": listing.own is not None and listing.own.host,
            "asked": listing.own is not None and listing.own.seat in listing.summary.get("asked", ()),
            "day": _day(listing.at),
            # that are left at a slow table to whoever is asked
            "hours": None if listing.due is None else max(0, int(listing.due - now) // 3_600_000),
        }
        for listing in [each for each in listings if each.summary["game"] in titles][:MOST_SHOWN]
    ]


def _seated(seats: Sequence[Mapping[str, Any]], language: str) -> list[dict[str, str]]:
    """Names and faces of those who sit at a table; bots as they are called there."""
    named = [
        {"name": bot_name(number, language) if seat["bot"] else seat["name"], "face": seat.get("face", "")}
        for number, seat in enumerate(seats)
    ]
    return [each for each in named if each["name"]]


# The reader's own page

MOST_COUNTED = 1000  # games that statistics are made from, the latest
MOST_GAMES = 50  # games in the list


@router.get("/me")
async def home_page(context: Context, fault: str = "") -> HTMLResponse:
    """The page; of a stranger it has nothing but a name and a face."""
    guest = context.guest or ""
    results, found = await _played(context) if guest else ([], {})
    return page(
        context,
        "me.html",
        own=_own_tables(context, await _tables_of_reader(context)),
        games=_games_played(context, guest, results, found),
        history=[_game_line(context, guest, result) for result in results[:MOST_GAMES]],
        faces=_faces_to_choose(context.profile),
        name_fault=context.text("me.bad_name") if fault == "name" else "",
        passkeys=await _passkeys(context),
        mailbox=await _mailbox(context),
        moderates=guest and await context.services.store.is_moderator([guest]),
        mail_fault=context.text("mail.bad") if fault == "mail" else "",
    )


async def _passkeys(context: RequestContext) -> list[dict[str, object]] | None:
    """The reader's passkeys, or None where the host does not want any."""
    if context.services.ceremonies is None:
        return None
    found = await context.services.store.passkeys.of(context.guest) if context.guest else []
    return [{"id": each.id, "at": _day(each.at), "used": each.used and _day(each.used)} for each in found]


async def _mailbox(context: RequestContext) -> str | None:
    """The mailbox in which the reader is told of their turn, empty if there is none; None where nobody is told so."""
    if context.services.notices.mail is None:
        return None
    found = await context.services.store.notice_addresses.of(context.guest) if context.guest else []
    return next((each.address.removeprefix(MAILBOX) for each in found if each.is_mailbox), "")


def _faces_to_choose(reader: Profile) -> list[tuple[str, str, bool]]:
    """The faces to choose from: animal, code, whether it is the reader's."""
    usual = {animal: f"{animal}-{place % len(COLOURS)}" for place, animal in enumerate(ANIMALS)}
    usual[reader.animal] = reader.face
    return [(animal, face, animal == reader.animal) for animal, face in usual.items()]


Ratings = Mapping[tuple[str, str, str], PlayerRating]  # by the hash of a guest, the game and the pool


async def _played(context: RequestContext) -> tuple[list[GameResult], Ratings]:
    """The guest's games of those that are served here, and their ratings."""
    assert context.guest is not None
    people, served = context.services.store.people, context.services.compiler.games
    results = await people.results(context.guest, MOST_COUNTED)
    return [result for result in results if result.game in served], await people.ratings([context.guest])


def _games_played(
    context: RequestContext, guest: str, results: Sequence[GameResult], found: Ratings
) -> list[dict[str, object]]:
    """Sums over the games, in the order of the lobby."""
    served = context.services.compiler.games
    by_game = statistics(results, guest, lambda game, spec: level_of(served[game], spec))
    return [
        {
            "game": game,
            "ratings": {pool: shown(found[k]) for pool in (PEOPLE, BOTS) if (k := (guest, game.name, pool)) in found},
            "counted": (counted := by_game[game.name]),
            "gain": None if counted.gain is None else signed(round(10 * counted.gain), 10),
            "against": [(level, counted.against[level]) for level in LEVELS if level in counted.against],
        }
        for game in shown_games(context)
        if game.name in by_game
    ]


def _game_line(context: RequestContext, guest: str, result: GameResult) -> dict[str, object]:
    """One game in the list."""
    game = ShownGame(context, context.services.compiler.games[result.game])
    mine = next(seat for seat in result.seats if seat.person == guest)
    ordered = sorted(result.seats, key=lambda seat: (seat.place, seat.seat))
    return {
        "title": game.title,
        "address": f"/r/{result.table}?session={result.session}" if result.shown else "",
        "day": _day(result.at),
        "deals": result.deals,
        "over": result.over and (result.counts or result.practice),
        "practice": result.practice,
        "place": mine.place,
        "sides": len({seat.side for seat in result.seats}),
        "players": [_player(context, game.served, guest, seat) for seat in ordered],
    }


def _day(at: int) -> str:
    """The day of a moment, in milliseconds since 1970."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()


def _player(context: RequestContext, game: Description, guest: str, seat: SeatResult) -> dict[str, object]:
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
async def leave_table(context: Context, table: str) -> Response:
    """Give the seat back."""
    return await _carry_out(context, table, commands.leave)


@router.post("/t/{table}/close")
async def close_table(context: Context, table: str) -> Response:
    """Close the table, as its host."""
    return await _carry_out(context, table, commands.close)


async def _carry_out(context: RequestContext, table: str, command: Command[NoArguments]) -> Response:
    await context.carry_out(table, command, NoArguments(), context.caller)
    await (await context.services.tables.get(table)).until_kept()  # the list of tables is what is shown next
    return RedirectResponse("/me", 303)


# Name and face, the way to another device, and being forgotten


@router.post("/me")
async def change_profile(context: Context, name: Typed = "", face: Typed = "") -> Response:
    """Another name or face; without a name one is called by one's animal."""
    context.must_be_heard()
    try:
        typed = name.strip() and clean_name(name)
    except Refused:
        return RedirectResponse("/me?fault=name#who", 303)
    response = RedirectResponse("/me", 303)
    if context.guest is None:
        context.services.identity.welcome(response)
    await context.keep(response, Profile(typed, face if animal_of(face) else context.profile.face))
    return response


@router.get("/me/device")
async def device_page(context: Context) -> Response:
    """A link, and a QR code of it, by which another device goes on as this guest."""
    reader = context.profile
    passed = context.services.identity.pass_on(context.connection, reader.typed, reader.face)
    if passed is None:
        return RedirectResponse("/me", 303)
    return page(context, "device.html", minutes=PASSED_WITHIN // 60, **link_data(context, f"/me/arrive?as={passed}"))


@router.get("/me/arrive")
async def arrival_page(context: Context) -> HTMLResponse:
    """Ask first: opening the link changes nothing, so previews of it do no harm."""
    services, sent, mine = context.services, context.connection.query_params.get("as", ""), context.guest
    found = services.identity.passed(sent)
    is_other = mine is not None and found is not None and guest_hash(found[0]) != mine
    others = len(await services.store.of(mine, MOST_LISTED)) if is_other and mine else 0
    coming = None if found is None else Profile(found[1], found[2])
    return page(
        context, "arrive.html", 200 if found else 410, sent=sent, coming=coming,
        name=coming and context.name_of(coming), others=others,
    )  # fmt: skip


@router.post("/me/arrive")
async def go_on_here(context: Context, sent: Annotated[str, Form(alias="as")] = "") -> Response:
    """Go on as the guest whose link it is."""
    identity = context.services.identity
    found = identity.passed(sent)
    if found is None:
        return RedirectResponse("/me/arrive", 303)
    response = RedirectResponse("/me", 303)
    guest, typed, face = found
    identity.welcome(response, guest)
    keep(response, Profile(typed, face), identity.secure)
    return response


@router.post("/me/passkeys/remove")
async def remove_passkey(context: Context, key: Annotated[str, Form(max_length=20_000)] = "") -> Response:
    """Remove a passkey, with which nobody can sign in any more."""
    if context.guest is not None:
        await context.services.store.passkeys.remove(key, context.guest)
    return RedirectResponse("/me#passkeys", 303)


@router.post("/me/forget", dependencies=[Depends(pay_for_log)])
async def forget_me(context: Context, sure: Typed = "") -> Response:
    """Delete what identifies the reader; the plays stay, so that the records of others do."""
    services, guest = context.services, context.guest
    if not sure:
        return RedirectResponse("/me#forget", 303)
    response = page(context, "forgotten.html")  # while the reader is known: it makes a stranger a new guest
    if guest is not None:
        erased = await services.background.in_thread(_erase, services.store.address, guest)
        services.identity.erased |= set(map(mark_of, erased.hashes))
        for table in erased.tables:
            services.tables.reload(table)
    for cookie in (services.identity.cookie, NAME_COOKIE, FACE_COOKIE):
        response.delete_cookie(cookie, secure=services.identity.secure, path="/")
    response.headers["clear-site-data"] = '"cache", "storage"'
    return response


def _erase(address: str, guest: str) -> KnownPerson:
    with Database(address) as database:
        return identities.erase(database, identities.own_identity(database, [guest]), identities.own_identity)
