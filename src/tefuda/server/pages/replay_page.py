"""Replays of finished deals, deals tried again, and what other sites show of links: previews (Open Graph).

A preview shows what a spectator sees, and of a table without spectators, or with delayed ones, only who sits there."""

import time
from collections.abc import Callable, Hashable
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Form, HTTPException, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from tefuda.bots.players import level_spec
from tefuda.decks import data
from tefuda.decks.faces import Style
from tefuda.decks.preview import PreviewSeat, preview_svg
from tefuda.engine.description import Description
from tefuda.engine.notation import is_declaration
from tefuda.engine.scene import Scene
from tefuda.server.http.context import Context, RequestContext, pay_for_log
from tefuda.server.http.create_table import create_given, identify
from tefuda.server.http.routes import after_deal, must_see_records
from tefuda.server.live import reviews
from tefuda.server.live.daily_games import LEVEL
from tefuda.server.live.reviews import ReviewKey
from tefuda.server.pages.layout import Anywhere, From1, page, router
from tefuda.server.pages.shown_game import OfAddress, game_of_table
from tefuda.server.pages.table_page import game_data, past_page, table_preview, texts_data
from tefuda.server.table import replays, table_messages
from tefuda.server.table.callers import Refused
from tefuda.server.table.message_types import GivenDeal, SeatState
from tefuda.server.table.permission import may_see_records
from tefuda.server.table.player_faces import face_svg
from tefuda.server.table.player_names import seat_names
from tefuda.server.table.table_state import TableState
from tefuda.table.deal import Deal
from tefuda.table.record_lines import deal_head

NO_DEAL: dict[str, Any] = {"sheet": [], "outcome": "", "moments": [], "proof": None}
"""Values of the template where there is no deal."""


@router.get("/r/{table}", dependencies=[Depends(pay_for_log)])
async def replay_page(
    context: Context, table: str, deal: From1 | None = None, session: From1 | None = None, at: Anywhere = 0
) -> HTMLResponse:
    """One deal of the table, the first by default, of the latest session that has this deal; ``at`` is for the script:
    how many plays have been made."""
    game = await game_of_table(context, table)
    game.must_be_ready()
    services, language = context.services, context.language
    now = (await services.tables.get(table)).state
    may_see_records(now, context.caller)
    if now.past is not None:
        return past_page(context, now, session, deal)
    in_thread = services.background.in_thread
    found, deals = await services.tables.shown_deals(table, session, deal or 1)
    number = min(deal or 1, len(deals))
    moment = f"deal={number}&session={found.session}&at={max(at, 0)}"
    return page(
        context,
        "replay.html",
        preview=table_preview(context, found, f"/r/{table}/preview", moment),
        table=table,
        unit=game.unit,
        game=game_data(game, found),
        texts=texts_data(game, "table", "replay", "review", "shuffle"),
        session=found.session,
        sessions=now.session,
        deals=len(deals),
        number=number,
        own=found.seen_by(context.caller),
        **(await in_thread(_deal_data, found, deals[number - 1], number, language) if deals else NO_DEAL),
    )


def _deal_data(table: TableState, deal: Deal, number: int, language: str) -> dict[str, object]:
    names = seat_names(table, language)
    return {
        **replays.results(deal, names, language),
        "moments": replays.replay_steps(deal, number, names, language),
        "proof": replays.proof(deal),
    }


# A deal tried again from one of its moments: a table of its own, alone against bots


@router.post("/r/{table}/again")
async def try_again(
    context: Context, table: str, deal: Annotated[From1, Form()] = 1, session: Annotated[From1, Form()] = 1,
    plays: Annotated[Anywhere, Form()] = 0, seat: Annotated[Anywhere | None, Form()] = None,
) -> Response:  # fmt: skip
    """Open a table that stands where a deal stood after so many plays, with the same hands; with a seat, the next time
    at which that seat was to play. The reader plays for who was to play."""
    now = await must_see_records(context, table)
    if now.past is not None:
        raise now.past.refusal()
    key = ReviewKey(table, min(session, now.session), deal, 0)
    after = await after_deal(context, now, key)
    if not reviews.is_shown(now, key.session, key.deal):
        raise Refused("hands_hidden", 403)
    given, row = given_again(after, plays, seat)
    context.pay_for_table()
    response = RedirectResponse("", 303)
    caller, _ = identify(context, response)
    mover, name, game = given["seat"], context.new_table_name(caller, None), after.game
    level = level_spec(LEVEL, game.description, game.template[0])
    bots = [chair.bot or level for other, chair in enumerate(after.chairs) if other != mover]
    await create_given(context, name, caller, game, given, mover, bots, row)
    response.headers["location"] = f"/t/{name}"
    return response


def given_again(after: TableState, plays: int, seat: int | None = None) -> tuple[GivenDeal, dict[str, object]]:
    """The deal that a table is given which tries one again, and the event that gives it; ``after`` is the table as it
    stood after the deal, which may be shown.

    It keeps so many ``plays``, and more if another than ``seat`` was to play then; by default it is the seat that was.
    ``Refused`` if the deal is not over, or had not so many plays."""
    deal = after.deal
    if deal is None or not deal.over:
        raise Refused("deal_not_over")
    movers = [mover for mover, _ in deal.history]
    plays = next((k for k in range(max(plays, 0), len(movers)) if seat in (None, movers[k])), -1)
    if plays < 0:
        raise Refused("no_such_moment", 404, last=len(deal.history) - 1)
    counted = after.game.description.rules.counted
    given: GivenDeal = {
        "kind": "again",
        "table": after.name,
        "session": after.session,
        "deal": after.deals,
        "plays": plays,
        "seat": movers[plays],
        "paid": [counted(points) for points in deal.payoff()],
    }
    head = {name: value for name, value in deal_head(deal, 1).items() if name != "proof"}  # proves another table's deal
    return given, {**head, "plays": [f"{seat}:{word}" for seat, word in deal.history[:plays]]}


# Previews

PREVIEW_WIDTH = 1200

PREVIEW_KINDS = {"svg": "image/svg+xml", "png": "image/png"}

A_MINUTE, A_DAY = "public, max-age=60", "public, max-age=86400"


@router.get("/preview.{kind}")
async def site_preview(context: Context, kind: str) -> Response:
    """The preview of pages that are about no game: the first game's cards."""
    return await _preview_of_game(context, next(iter(context.services.compiler.games.values())), kind, A_DAY)


@router.get("/games/{game}/preview.{kind}")
async def game_preview(context: Context, game: OfAddress, kind: str) -> Response:
    """The preview of a game: some of its cards on the felt."""
    return await _preview_of_game(context, game.served, kind, A_DAY)


@router.get("/t/{table}/preview.{kind}")
async def preview_of_table(context: Context, table: str, kind: str) -> Response:
    """The preview of a table, as it stands."""
    game = await game_of_table(context, table)
    if not game.is_ready:
        return await _preview_of_game(context, game.served, kind, A_MINUTE)
    state = (await context.services.tables.get(table)).state
    is_open = state.settings["spectators"] == "public" and state.past is None
    key = ("table", state.name, state.seq)
    now = state.copy()  # it goes on while it is drawn
    return await _drawn_preview(context, key, lambda: _table_svg(now, now.deal if is_open else None), kind)


@router.get("/r/{table}/preview.{kind}")
async def moment_preview(
    context: Context, table: str, kind: str, deal: Anywhere = 1, session: From1 | None = None, at: Anywhere = 0
) -> Response:
    """The preview of a moment of a replay; of a table without spectators only who sat there."""
    services, game = context.services, await game_of_table(context, table)
    if not game.is_ready:
        return await _preview_of_game(context, game.served, kind, A_MINUTE)
    state = (await services.tables.get(table)).state
    sitting = ("sitting", table, state.seq)
    if state.settings["spectators"] == "none" or state.past is not None:
        return await _drawn_preview(context, sitting, partial(_table_svg, state.copy(), None), kind)
    began = time.perf_counter()
    found, deals = await services.tables.shown_deals(table, session, deal)
    context.pay(time.perf_counter() - began)
    if not 1 <= deal <= len(deals):
        return await _drawn_preview(context, (*sitting, session), partial(_table_svg, found, None), kind)
    at = min(max(at, 0), len(deals[deal - 1].history))
    key = ("moment", table, found.session, deal, at)
    return await _drawn_preview(context, key, lambda: _table_svg(found, deals[deal - 1].at(at)), kind)


async def _preview_of_game(context: RequestContext, description: Description, kind: str, keep: str) -> Response:
    return await _drawn_preview(context, ("game", description.name), partial(_game, description), kind, keep)


async def _drawn_preview(
    context: RequestContext, key: Hashable, draw: Callable[[], str], kind: str, keep: str = A_MINUTE
) -> Response:
    if kind not in PREVIEW_KINDS:
        raise HTTPException(404)
    body = await context.services.pictures.get(key, draw, context.pay, PREVIEW_WIDTH if kind == "png" else None)
    if not body:
        raise HTTPException(404)
    return Response(body, headers={"cache-control": keep}, media_type=PREVIEW_KINDS[kind])


def _game(description: Description) -> str:
    return preview_svg(data.load(description)) if description.files.decks else ""


def _table_svg(state: TableState, deal: Deal | None) -> str:
    """The drawing; without a deal, of who sits there alone. Empty if the game has no deck."""
    description: Description = state.game.description
    if not description.files.decks:
        return ""
    scene = None if deal is None else deal.view(-1).scene
    mover = -1 if deal is None or deal.over or state.closed else deal.mover
    seats = [_preview_seat(seat, number, scene, mover) for number, seat in enumerate(table_messages.seat_states(state))]
    if scene and scene.clockwise:
        seats[1:] = seats[:0:-1]
    return preview_svg(data.load(description), seats, Style())


def _preview_seat(seat: SeatState, number: int, scene: Scene | None, mover: int) -> PreviewSeat:
    face = face_svg(seat["face"]) or ""
    if scene is None:
        return PreviewSeat(face)
    place = scene.seats[number]
    word = "" if is_declaration(place.played) else place.played.rpartition(":")[2]
    played = [part.partition("=")[0] for part in word.split("+")] if word else []
    return PreviewSeat(face, place.held, played, number == mover)
