"""The API over HTTP, version 1: whatever is done over a socket can be done here too."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from tefuda.engine.texts import catalogue
from tefuda.server.events import commands, records, replays
from tefuda.server.events.commands import Refused
from tefuda.server.events.outgoing import written
from tefuda.server.events.table_state import Caller
from tefuda.server.tables.hints import hint as find_hint
from tefuda.server.tables.live_table import Order
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.tables.subscribers import Subscriber
from tefuda.server.web import create_table, schemas
from tefuda.server.web.errors import language_of, reason_of
from tefuda.server.web.identity import Identity, order_key, token_hash
from tefuda.server.web.middleware import may_read_log, pay_for_log
from tefuda.server.web.streams import ndjson, server_sent
from tefuda.table import record
from tefuda.table.reasons import say_all
from tefuda.table.record import RecordError

router = APIRouter(prefix="/api/v1", responses={400: {"model": schemas.Error}, 422: {"model": schemas.Error}})

Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", max_length=64, description="repeats of an order with the same key do nothing"),
]
MOST_LISTED = 100
COSTLY = [Depends(pay_for_log)]


def _rooms(request: Request) -> LiveTables:
    rooms: LiveTables = request.app.state.rooms
    return rooms


def _identity(request: Request) -> Identity:
    identity: Identity = request.app.state.identity
    return identity


def _who(request: Request) -> Caller:
    return _identity(request).who(request)


async def _order(request: Request, table: str, who: Caller, order: Order, key: str | None) -> schemas.Done:
    metrics = request.app.state.metrics
    with metrics.order():
        seq = await _rooms(request).order(table, order, None if key is None else order_key(who, key))
    return schemas.Done(seq=seq)


# Games


@router.get("/games", summary="The games")
def list_games(request: Request) -> list[dict[str, Any]]:
    """Names and titles of all games, the numbers of players (the usual one first), and whether they are compiled."""
    kitchen = _rooms(request).kitchen
    return [
        {
            "game": name,
            "seats": description.seats,
            "ready": kitchen.is_ready(name),
            **{key: catalogue(description.files.texts, language_of(request))(key) for key in ("title", "native")},
        }
        for name, description in kitchen.games.items()
    ]


@router.get("/games/{game}", summary="One game: options, rules, cards")
def show_game(request: Request, game: str) -> dict[str, Any]:
    """Everything a form, a help page or a drawing of cards needs, in the reader's language."""
    description = _rooms(request).kitchen.description(game)
    language = language_of(request)
    return {
        "game": game,
        "rules_version": description.rules_version,
        "seats": description.seats,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "rule": option.rule,
                "values": option.values,
                "least": option.least,
                "most": option.most,
                "texts": say_all(description, f"options.{option.name}", language),
            }
            for option in description.rules.options
        ],
        "rules": say_all(description, "rules", language),
        "cards": {word: {"text": face.text, "colour": face.colour} for word, face in description.display.faces.items()},
        "bots": commands.BOTS,
    }


# Tables


@router.get("/tables", summary="The public tables")
async def list_tables(request: Request) -> list[dict[str, Any]]:
    """The latest changed first, at most a hundred."""
    found = await _rooms(request).listed(MOST_LISTED)
    return [{"table": each.table, "at": each.at, **each.summary} for each in found]


@router.post("/tables", summary="Open a table", status_code=201)
async def open_table(request: Request, response: Response, order: schemas.NewTable, key: Key = None) -> schemas.Opened:
    """Who opens a table is its host: he may seat and remove bots and close it. Sends the host's token unless he has
    brought his own; with a name he also takes the first seat."""
    return await create_table.open_table(request, response, order, key)


@router.get("/tables/{table}", summary="A table as you may see it")
async def show_table(
    request: Request, table: str, fields: Annotated[bool, Query(description="all fields of the view too")] = False
) -> Response:
    """The same message that the streams send."""
    message = await _rooms(request).show_once(table, Subscriber(_who(request), language_of(request), fields))
    return Response(message, media_type="application/json")


@router.post("/tables/{table}/join", summary="Take a seat")
async def join(
    request: Request, response: Response, table: str, order: schemas.Join, key: Key = None
) -> schemas.Joined:
    """Who is seated already keeps his seat. The answer has a token unless you have brought one."""
    who, token = create_table.somebody(request, response)
    invite = None if order.invite is None else token_hash(order.invite)
    await _order(request, table, who, lambda now: commands.join(now, who, order.name, order.seat, invite), key)
    now = (await _rooms(request).room(table)).table
    seat = now.seat_of(who)
    assert seat is not None
    return schemas.Joined(table=table, seat=seat, token=token if now.chairs[seat].token == who.token else None)


@router.post("/tables/{table}/leave", summary="Leave your seat")
async def leave(request: Request, table: str, key: Key = None) -> schemas.Done:
    """In the middle of a game a bot goes on for you; you may come back to the same seat."""
    who = _who(request)
    return await _order(request, table, who, lambda now: commands.leave(now, who), key)


@router.post("/tables/{table}/bots", summary="Seat bots (host)")
async def seat_bots(request: Request, table: str, order: schemas.SeatBots, key: Key = None) -> schemas.Done:
    """On one free seat, or on all of them."""
    who = _who(request)
    return await _order(request, table, who, lambda now: commands.seat_bots(now, who, order.bot, order.seat), key)


@router.post("/tables/{table}/bots/remove", summary="Remove a bot (host)")
async def remove_bot(request: Request, table: str, order: schemas.TheSeat, key: Key = None) -> schemas.Done:
    """The seat becomes free to join."""
    who = _who(request)
    return await _order(request, table, who, lambda now: commands.remove_bot(now, who, order.seat), key)


@router.post("/tables/{table}/ready", summary="Add to the shuffle; the next deal may come")
async def ready(request: Request, table: str, order: schemas.Ready, key: Key = None) -> schemas.Done:
    """After the commitment to a deal (``shuffle`` in the table's state). It is dealt when all have answered, or after
    some time."""
    who, entropy = _who(request), bytes.fromhex(order.entropy)
    return await _order(request, table, who, lambda now: commands.ready(now, who, order.deal, entropy), key)


@router.post("/tables/{table}/play", summary="Make a play", responses={409: {"model": schemas.Error}})
async def play(request: Request, table: str, order: schemas.MakePlay, key: Key = None) -> schemas.Done:
    """An illegal play is refused with the number of the rule and its text."""
    who, language = _who(request), language_of(request)
    return await _order(request, table, who, lambda now: commands.play(now, who, order.play, language, order.seq), key)


@router.get("/tables/{table}/why", summary="Why a play is illegal")
async def why(request: Request, table: str, play: Annotated[str, Query(max_length=200)]) -> schemas.WhyNot:
    """Asks without playing."""
    reason = (await _rooms(request).room(table)).why(_who(request), play, language_of(request))
    return schemas.WhyNot(legal=reason is None, reason=None if reason is None else reason_of(reason))


@router.get("/tables/{table}/hint", summary="What a bot would play")
async def hint(request: Request, table: str) -> schemas.Hint:
    """What the rules of thumb and a short search would play in your place: at a table where all others are bots."""
    found = await find_hint(_rooms(request), table, _who(request))
    return schemas.Hint(play=found.play, ideas=[schemas.Idea(**asdict(idea)) for idea in found.ideas])


@router.post("/tables/{table}/here", summary="Be back")
async def here(request: Request, table: str, key: Key = None) -> schemas.Done:
    """After your clock has run out: no bot plays for you any more. Any other order of yours does it too."""
    who = _who(request)
    return await _order(request, table, who, lambda now: commands.here(now, who), key)


@router.post("/tables/{table}/say", summary="Say something")
async def say(request: Request, table: str, order: schemas.Say, key: Key = None) -> schemas.Done:
    """One of the stock phrases; everybody's page shows it in his own language."""
    who = _who(request)
    return await _order(request, table, who, lambda now: commands.say(now, who, order.phrase), key)


@router.post("/tables/{table}/rematch", summary="Play again")
async def rematch(request: Request, table: str, key: Key = None) -> schemas.Done:
    """Once the session is over, by anybody seated."""
    who = _who(request)
    return await _order(request, table, who, lambda now: commands.rematch(now, who), key)


@router.post("/tables/{table}/close", summary="Close the table (host)")
async def close(request: Request, table: str, key: Key = None) -> schemas.Done:
    """Whatever is being played; the secrets of all its shuffles are then shown."""
    who = _who(request)
    return await _order(request, table, who, lambda now: commands.close(now, who), key)


# Streams, records, proofs


async def _must_see_records(request: Request, table: str) -> None:
    """Where nobody may look on, records are for those who sit there."""
    room = await _rooms(request).room(table)
    if room.table.settings["spectators"] == "none":
        room.must_be_seated(_who(request))


@router.get(
    "/tables/{table}/events",
    summary="What happens, as it happens",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {}, "text/event-stream": {}}}},
)
async def events(
    request: Request,
    table: str,
    after: Annotated[int | None, Query(ge=0, description="the seq of your last message")] = None,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
    fields: bool = False,
) -> StreamingResponse:
    """A message now, and one whenever something has happened: as lines of JSON, or as server-sent events where
    ``Accept`` asks for them. Messages are those of the socket; an empty line only keeps the connection alive."""
    sse = "text/event-stream" in request.headers.get("accept", "")
    if after is None and last_event_id is not None and last_event_id.isdecimal():
        after = int(last_event_id)
    if after is not None and not may_read_log(request):
        after = None  # how things stand is told all the same
    watcher = Subscriber(_who(request), language_of(request), fields)
    rooms = _rooms(request)
    await rooms.watch(table, watcher, after)
    lines = (server_sent if sse else ndjson)(watcher, lambda: rooms.unwatch(table, watcher))
    return StreamingResponse(lines, media_type="text/event-stream" if sse else "application/x-ndjson")


@router.get(
    "/tables/{table}/record",
    summary="The record (.tfd)",
    dependencies=COSTLY,
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def show_record(
    request: Request, table: str, session: Annotated[int | None, Query(ge=1, description="which game")] = None
) -> PlainTextResponse:
    """Finished deals with the proofs of their shuffles: at once where a deal leaves no card unseen, else when the
    session is over. ``tefuda verify`` and ``tefuda replay`` read it."""
    rooms = _rooms(request)
    await _must_see_records(request, table)
    text = await rooms.in_thread(records.write, await rooms.events(table), session)
    headers = {"content-disposition": f'attachment; filename="{table}.tfd"'}
    return PlainTextResponse(text, headers=headers)


@router.get("/tables/{table}/replay", summary="A finished deal, step by step", dependencies=COSTLY)
async def replay(
    request: Request,
    table: str,
    deal: Annotated[int, Query(ge=1, description="number in its session")] = 1,
    session: Annotated[int | None, Query(ge=1, description="which game")] = None,
) -> Response:
    """Every hand open, for the deals that the record holds; sentences in the reader's language. ``proof`` is what the
    deck can be computed from again."""
    rooms = _rooms(request)
    await _must_see_records(request, table)
    found, deals = await rooms.in_thread(records.finished, await rooms.events(table), session)
    if deal > len(deals):
        raise Refused("no_such_deal", 404, count=len(deals))
    chosen, language = deals[deal - 1], language_of(request)
    names = commands.names(found, language)
    moments = await rooms.in_thread(replays.moments, chosen, deal, names, language)
    shown = {"names": names, "session": found.session, "proof": replays.proof(chosen), "moments": moments}
    return Response(await rooms.in_thread(written, shown), media_type="application/json")


@router.post("/verify", summary="Verify a record's shuffles", dependencies=COSTLY)
async def verify(request: Request, order: schemas.RecordText) -> dict[str, Any]:
    """Computes every deck again from its proof, and replays every play. Of a table that is kept here (``kept``) plays
    and names are compared too."""
    saved, rooms = record.parse(order.record), _rooms(request)
    await rooms.kitchen.ready(saved.load_game().name)
    try:
        deals = await rooms.in_thread(record.verify, saved)
    except RecordError as error:
        return {"fair": False, "error": str(error)}
    proofs = [deal.proof for deal in deals if deal.proof]
    events = await rooms.services.read(proofs[0].table.partition("/")[0])
    fault = await rooms.in_thread(records.fault, events, deals, saved.players) if events else None
    if fault:
        return {"fair": False, "error": f"{saved.source}: {fault}"}
    return {"fair": True, "kept": bool(events), "deals": [proof.to_json() for proof in proofs]}
