"""The deal of the day: played once by everybody, then compared."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tefuda.bots.levels import level_spec
from tefuda.engine.description import Description
from tefuda.engine.texts import TEXTS, catalogue, signed
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.create_table import create_given, identify, pay_for_table
from tefuda.server.live import daily_games
from tefuda.server.live.daily_games import SEAT, compared, deal_of
from tefuda.server.pages import compilation, decks
from tefuda.server.pages.frame import Preview, name_of, page, page_text, served_game, unit_name
from tefuda.server.store.people import DailyResult, DealOfDay
from tefuda.table.game import Game
from tefuda.table.shuffle import Proof

router = APIRouter(include_in_schema=False)

MOST_SHOWN = 100
"""Results in the list, beside the reader's own."""

BOTS_WITHIN = 3.0
"""Seconds for which the page waits for bots that still play."""

BEFORE = 7
"""Days whose deals can be looked at."""


@router.get("/games/{game}/day")
async def show_today(context: Context, game: str) -> HTMLResponse:
    """The deal of today, by universal time: to be played, or what everybody made of it."""
    return await _show(context, served_game(context, game), today())


@router.get("/games/{game}/day/{day}")
async def show(context: Context, game: str, day: str) -> HTMLResponse:
    """The deal of another day."""
    return await _show(context, served_game(context, game), _past_or_today(context, day))


@router.post("/games/{game}/day")
async def play(context: Context, game: str) -> Response:
    """Play today's deal, or go on with it: whoever sends this twice comes to the same table."""
    description, day = served_game(context, game), today().isoformat()
    services = context.services
    if not services.compiler.is_ready(game):
        return compilation.show(context, description, form={}, action=f"/games/{game}/day")
    response = RedirectResponse("", 303)
    caller, _ = identify(context, response)
    table = services.identity.table_name(caller, f"day {game} {day}")
    response.headers["location"] = f"/t/{table}"
    if await services.tables.log_if_any(table):
        return response
    pay_for_table(context)
    played = Game(description)
    level = level_spec(daily_games.LEVEL, description, played.template[0])
    row = await services.tables.daily.row(description, day)
    bots = [level] * (played.seats - 1)
    called = name_of(context, context.profile)
    await create_given(context, table, caller, called, played, {"kind": "day", "day": day}, SEAT, bots, row)
    return response


def today() -> date:
    """The day, by universal time."""
    return datetime.now(UTC).date()


def _past_or_today(context: RequestContext, text: str) -> date:
    """A day of which there may be a deal.

    Raises:
        HTTPException: it is none, or another one (404).
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.max
    if not today() - timedelta(BEFORE) <= day <= today():
        raise HTTPException(404, catalogue(TEXTS, context.language)("server.not_found"))
    return day


async def _show(context: RequestContext, game: Description, day: date) -> HTMLResponse:
    """What everybody made of a deal; of today's, only those who have played it are told."""
    language = context.language
    deal = DealOfDay(day.isoformat(), game.name)
    results, own = await _results(context, deal)
    begun = "" if own or day != today() else await _begun(context, game.name, deal.day)
    if begun and await _has_ended(context, begun):
        results, own = await _results(context, deal)
    is_told = own is not None or day < today()
    waits = False
    if is_told and any(not each.bot for each in results):
        results, waits = await _with_bots(context, game, deal, results)
    people = [each for each in results if not each.bot]
    title = catalogue(game.files.texts, language)("title")
    return page(
        context,
        "daily.html",
        preview=Preview(page_text(language, "daily.about"), f"/games/{game.name}/preview"),
        game=game.name,
        title=title,
        unit=unit_name(game, language),
        picture=decks.address(context.in_own_deck(game), "picture", language),
        day=day.isoformat(),
        is_today=day == today(),
        ends=datetime.combine(day + timedelta(1), time(), UTC).isoformat(),
        played=len(people),
        own=own,
        begun=begun,
        table=_table(context, game, results, own) if is_told else [],
        waits=waits,
        days=[each.isoformat() for each in (today() - timedelta(back) for back in range(BEFORE + 1)) if each != day],
    )


async def _results(context: RequestContext, deal: DealOfDay) -> tuple[list[DailyResult], DailyResult | None]:
    """What everybody made of a deal, and what the reader did, if they have played it."""
    caller = context.caller
    results = await context.services.store.daily.results(deal)
    return results, next((each for each in results if each.player in (caller.guest, caller.token)), None)


async def _has_ended(context: RequestContext, name: str) -> bool:
    """Whether the deal has ended at a table of the day. Its result is kept by then: whoever comes from the score sheet
    may be faster than what keeps it in the background."""
    tables = context.services.tables
    if not tables.is_loaded(name):
        return False
    table = await tables.get(name)
    if not table.state.results:
        return False
    await table.until_kept()
    return True


async def _begun(context: RequestContext, game: str, day: str) -> str:
    """The table at which the reader has begun today's deal; empty if they have not."""
    caller = context.caller
    if caller.lasting is None:
        return ""
    name = context.services.identity.table_name(caller, f"day {game} {day}")
    return name if await context.services.tables.log_if_any(name) else ""


async def _with_bots(
    context: RequestContext, game: Description, deal: DealOfDay, results: list[DailyResult]
) -> tuple[list[DailyResult], bool]:
    """The results with those of the bots, as far as they have played, and whether more will come by themselves."""
    services, daily = context.services, context.services.tables.daily
    if {each.bot for each in results} >= set(compared(game)):
        return results, False
    if not services.compiler.is_ready(game.name):
        return results, True
    if not daily.is_played_by_bots(deal):
        kept = await services.store.daily.proof(deal)
        if kept is None:
            return results, False
        daily.let_bots_play(deal, deal_of(Game(game), Proof.from_json(kept)))
    await daily.wait_for_bots(deal, BOTS_WITHIN)
    waits = daily.are_bots_playing(deal)  # asked first: who ends meanwhile is among the results
    return await services.store.daily.results(deal), waits


def _table(
    context: RequestContext, game: Description, results: Sequence[DailyResult], own: DailyResult | None
) -> list[dict[str, Any]]:
    """The lines of the list: place, name, what was won or lost.

    Bots have no place of their own; they stand where their points do.
    """
    lines: list[dict[str, Any]] = []
    place = 1
    for points, group in groupby(results, key=lambda each: each.points):
        same = list(group)
        for each in same:
            lines.append(
                {
                    "place": "" if each.bot else place,
                    "name": _bot_name(context, each.bot) if each.bot else each.name,
                    "points": signed(round(points * game.rules.unit), game.rules.unit),
                    "is_own": each is own or (own is not None and each.player == own.player),
                    "is_bot": bool(each.bot),
                }
            )
        place += sum(not each.bot for each in same)
    return [line for line in lines if line["is_own"] or line["is_bot"] or line["place"] <= MOST_SHOWN]


def _bot_name(context: RequestContext, spec: str) -> str:
    return page_text(context.language, f"daily.bot.{spec.partition(':')[0]}")
