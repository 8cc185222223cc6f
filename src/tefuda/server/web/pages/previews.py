"""Link previews: what other sites show of a link to a page here (Open Graph), with a picture of the table.

The picture shows what a spectator sees, and of a table without spectators, or with delayed ones, only who sits there.
"""

from functools import cache

from fastapi import APIRouter, Depends, HTTPException, Response

from tefuda.decks import data
from tefuda.decks.faces import Style
from tefuda.decks.preview import PreviewSeat, preview_svg
from tefuda.engine.description import Description
from tefuda.engine.notation import is_declaration
from tefuda.engine.scene import Scene
from tefuda.server.events import records, table_messages
from tefuda.server.events.messages import SeatState
from tefuda.server.events.table_state import TableState
from tefuda.server.people.faces import face_svg
from tefuda.server.web.context import Context, RequestContext, pay_for_log
from tefuda.server.web.pages.frame import served_game
from tefuda.server.web.raster import CAN_DRAW, png
from tefuda.table.deal import Deal

router = APIRouter(include_in_schema=False)

WIDTH = 1200

KINDS = {"svg": "image/svg+xml", "png": "image/png"}

A_MINUTE, A_DAY = "public, max-age=60", "public, max-age=86400"


@router.get("/preview.{kind}")
async def site(context: Context, kind: str) -> Response:
    """Of every page that is about no game: the first game's cards."""
    first = next(iter(context.services.compiler.games.values()))
    return await _answer(context, _game(first.name), kind, A_DAY)


@router.get("/games/{game}/preview.{kind}")
async def game(context: Context, game: str, kind: str) -> Response:
    """Of a game: some of its cards on the felt."""
    return await _answer(context, _game(served_game(context, game).name), kind, A_DAY)


@router.get("/t/{table}/preview.{kind}", dependencies=[Depends(pay_for_log)])
async def table(context: Context, table: str, kind: str) -> Response:
    """Of a table, as it stands."""
    services = context.services
    description = services.compiler.description(await services.tables.game_name(table))
    if not services.compiler.is_ready(description.name):
        return await _answer(context, _game(description.name), kind, A_MINUTE)
    state = (await services.tables.get(table)).state
    is_open = state.settings["spectators"] == "public"
    deal = state.deal if is_open and state.past is None else None
    return await _answer(context, _table(state, deal), kind, A_MINUTE)


@router.get("/r/{table}/preview.{kind}", dependencies=[Depends(pay_for_log)])
async def moment(
    context: Context, table: str, kind: str, deal: int = 1, session: int | None = None, at: int = 0
) -> Response:
    """Of a moment of a replay; of a table without spectators only who sat there."""
    services = context.services
    description = services.compiler.description(await services.tables.game_name(table))
    if not services.compiler.is_ready(description.name):
        return await _answer(context, _game(description.name), kind, A_MINUTE)
    state = (await services.tables.get(table)).state
    if state.settings["spectators"] == "none" or state.past is not None:
        return await _answer(context, _table(state, None), kind, A_MINUTE)
    log = await services.tables.log(table)
    found, deals = await services.background.in_thread(records.shown_deals, log, session)
    shown = deals[deal - 1] if 0 < deal <= len(deals) else None
    if shown is not None:
        shown = shown.at(min(max(at, 0), len(shown.history)))
    return await _answer(context, _table(found, shown), kind, A_MINUTE)


async def _answer(context: RequestContext, drawing: str, kind: str, keep: str) -> Response:
    if kind not in KINDS or (kind == "png" and not CAN_DRAW):
        raise HTTPException(404)
    if not drawing:
        raise HTTPException(404)
    headers, body = {"cache-control": keep}, drawing.encode()
    if kind == "png":
        body = await context.services.background.in_thread(png, drawing, WIDTH)
    return Response(body, headers=headers, media_type=KINDS[kind])


@cache
def _game(name: str) -> str:
    from tefuda import games

    description = games.description(name)
    return preview_svg(data.load(description)) if description.files.decks else ""


def _table(state: TableState, deal: Deal | None) -> str:
    """The drawing; without a deal, of who sits there alone. Empty if the game has no deck."""
    description: Description = state.game.description
    if not description.files.decks:
        return ""
    scene = None if deal is None else deal.view(-1).scene
    mover = -1 if deal is None or deal.over else deal.mover
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
