"""Link previews: what other sites show of a link to a page here (Open Graph), with a picture of the table.

The picture shows what a spectator sees, and of a table without spectators, or with delayed ones, only who sits there.
"""

import time
from collections.abc import Callable, Hashable
from functools import partial

from fastapi import APIRouter, HTTPException, Response

from tefuda.decks import data
from tefuda.decks.faces import Style
from tefuda.decks.preview import PreviewSeat, preview_svg
from tefuda.engine.description import Description
from tefuda.engine.notation import is_declaration
from tefuda.engine.scene import Scene
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.raster import CAN_DRAW
from tefuda.server.pages.addresses import Anywhere, From1
from tefuda.server.pages.frame import served_game
from tefuda.server.table import table_messages
from tefuda.server.table.message_types import SeatState
from tefuda.server.table.player_faces import face_svg
from tefuda.server.table.table_state import TableState
from tefuda.table.deal import Deal

router = APIRouter(include_in_schema=False)

WIDTH = 1200

KINDS = {"svg": "image/svg+xml", "png": "image/png"}

A_MINUTE, A_DAY = "public, max-age=60", "public, max-age=86400"


@router.get("/preview.{kind}")
async def site(context: Context, kind: str) -> Response:
    """Of every page that is about no game: the first game's cards."""
    first = next(iter(context.services.compiler.games.values()))
    return await _of_game(context, first, kind, A_DAY)


@router.get("/games/{game}/preview.{kind}")
async def game(context: Context, game: str, kind: str) -> Response:
    """Of a game: some of its cards on the felt."""
    return await _of_game(context, served_game(context, game), kind, A_DAY)


@router.get("/t/{table}/preview.{kind}")
async def table(context: Context, table: str, kind: str) -> Response:
    """Of a table, as it stands."""
    services = context.services
    description = services.compiler.description(await services.tables.game_name(table))
    if not services.compiler.is_ready(description.name):
        return await _of_game(context, description, kind, A_MINUTE)
    return await _of_table(context, (await services.tables.get(table)).state, kind)


@router.get("/r/{table}/preview.{kind}")
async def moment(
    context: Context, table: str, kind: str, deal: Anywhere = 1, session: From1 | None = None, at: Anywhere = 0
) -> Response:
    """Of a moment of a replay; of a table without spectators only who sat there."""
    services = context.services
    description = services.compiler.description(await services.tables.game_name(table))
    if not services.compiler.is_ready(description.name):
        return await _of_game(context, description, kind, A_MINUTE)
    state = (await services.tables.get(table)).state
    if state.settings["spectators"] == "none" or state.past is not None:
        return await _answer(context, ("sitting", table, state.seq), partial(_table, state.copy(), None), kind)
    began = time.perf_counter()
    found, deals = await services.tables.shown_deals(table, session, deal)
    context.pay(time.perf_counter() - began)
    number = deal - 1
    if not 0 <= number < len(deals):
        return await _answer(context, ("sitting", table, state.seq, session), partial(_table, found, None), kind)
    at = min(max(at, 0), len(deals[number].history))
    key = ("moment", table, found.session, number, at)
    return await _answer(context, key, lambda: _table(found, deals[number].at(at)), kind)


async def _of_game(context: RequestContext, description: Description, kind: str, keep: str) -> Response:
    return await _answer(context, ("game", description.name), partial(_game, description), kind, keep)


async def _of_table(context: RequestContext, state: TableState, kind: str) -> Response:
    is_open = state.settings["spectators"] == "public" and state.past is None
    key = ("table", state.name, state.seq)
    now = state.copy()  # it goes on while it is drawn
    return await _answer(context, key, lambda: _table(now, now.deal if is_open else None), kind)


async def _answer(
    context: RequestContext, key: Hashable, draw: Callable[[], str], kind: str, keep: str = A_MINUTE
) -> Response:
    if kind not in KINDS or (kind == "png" and not CAN_DRAW):
        raise HTTPException(404)
    body = await context.services.pictures.get(key, draw, context.pay, WIDTH if kind == "png" else None)
    if not body:
        raise HTTPException(404)
    return Response(body, headers={"cache-control": keep}, media_type=KINDS[kind])


def _game(description: Description) -> str:
    return preview_svg(data.load(description)) if description.files.decks else ""


def _table(state: TableState, deal: Deal | None) -> str:
    """The drawing; without a deal, of who sits there alone. Empty if the game has no deck."""
    description: Description = state.game.description
    if not description.files.decks:
        return ""
    scene = None if deal is None else deal.view(-1).scene
    mover = -1 if deal is None or deal.over or state.closed else deal.mover
    sitting = [_seat(seat, number, scene, mover) for number, seat in enumerate(table_messages.seat_states(state))]
    return preview_svg(data.load(description), sitting, Style())


def _seat(seat: SeatState, number: int, scene: Scene | None, mover: int) -> PreviewSeat:
    face = face_svg(seat["face"]) or ""
    if scene is None:
        return PreviewSeat(face)
    place = scene.seats[number]
    word = "" if is_declaration(place.played) else place.played.rpartition(":")[2]
    played = [part.partition("=")[0] for part in word.split("+")] if word else []
    return PreviewSeat(face, place.held, played, number == mover)
