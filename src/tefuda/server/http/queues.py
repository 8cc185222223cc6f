"""Waiting for a table with strangers: a stream that tells how many wait, and at last which table it is.

The queue of a game is in one process. Its address begins like that of a table called ``queue``, so that a proxy which
sends each table to one server sends all who wait to the same; the workers of a server divide the games among them."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from tefuda.engine.errors import TefudaError
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.create_table import SETTINGS, USUAL_LEVEL, about, identify
from tefuda.server.http.error_answers import error_of, tell_fault
from tefuda.server.http.limits import banned
from tefuda.server.http.socket import NDJSON, STREAMED, ndjson
from tefuda.server.live.cluster_node import InOtherWorker
from tefuda.server.live.player_queue import PlayerQueue
from tefuda.server.store.port import Unavailable
from tefuda.server.table import commands, events
from tefuda.server.table.answer_types import QueueMessage
from tefuda.server.table.callers import Caller, Refused
from tefuda.server.table.player_names import clean_name
from tefuda.server.table.request_types import Join, NewTable, WaitForPlayers
from tefuda.table.game import Game

router = APIRouter()


@dataclass(frozen=True)
class WaitingPlayer:
    """A person who waits, and the token that was made for them, if one was."""

    context: RequestContext
    caller: Caller
    token: str | None
    name: str

    def told(self, error: Refused | Unavailable | TefudaError) -> QueueMessage:
        """An error in their language."""
        return {"error": error_of(error, self.context.language)}

    def farewell(self) -> QueueMessage | None:
        """The last message to somebody who is kept out from now on; None for everybody else."""
        bans = self.context.services.admission.bans
        ban = bans.of_address(self.context.address) or bans.of_caller(self.caller)
        return None if ban is None else self.told(banned(ban))


@router.post("/tables/queue/{game}", summary="Wait for players", **STREAMED)
async def wait_for_players(context: Context, game: str, order: WaitForPlayers) -> StreamingResponse:
    """Lines of JSON: how many wait, whenever that changes; at last the table at which you have a seat. An empty line
    only keeps the connection alive. Who hangs up waits no more."""
    services = context.services
    played = Game(services.compiler.description(game))
    node = services.node
    if node is not None and node.slot_of(f"queue {game}") != node.slot:
        raise InOtherWorker(node.slot_of(f"queue {game}"))
    name, welcome = clean_name(order.name or context.called), Response()
    caller, token = identify(context, welcome)
    person = caller.lasting
    assert person is not None
    queue = services.queues.get(game)
    if queue is None:
        queue = PlayerQueue(played.seats, partial(seat_together, played), services.background)
        services.queues[game] = queue
    player = WaitingPlayer(context, caller, token, name)

    async def lines() -> AsyncIterator[bytes]:
        line = queue.enter(person, player, bots=order.bots)  # not before somebody reads: else nobody would leave
        async for message in ndjson(line, lambda: queue.leave(person, line)):
            yield message

    stream = StreamingResponse(lines(), media_type=NDJSON)
    stream.raw_headers += [header for header in welcome.raw_headers if header[0] == b"set-cookie"]
    return stream


async def seat_together(game: Game, players: Sequence[WaitingPlayer]) -> list[QueueMessage]:
    """Open a listed table with the usual clock, seat these players, and bots on the seats that stay free."""
    try:
        table = await _table_for(game, players)
    except (Refused, Unavailable, TefudaError) as error:
        return [each.told(error) for each in players]
    except Exception as error:
        return [{"error": tell_fault(error, "a queue", each.context.language)} for each in players]
    return [{"table": table, "seat": seat, "token": each.token} for seat, each in enumerate(players)]


async def _table_for(game: Game, players: Sequence[WaitingPlayer]) -> str:
    host, tables = players[0], players[0].context.services.tables
    host.context.pay_for_table()
    table = host.context.new_table_name(host.caller, None)
    settings = NewTable.model_validate({"game": game.name}).model_dump(include=SETTINGS)
    await tables.create(table, {**about(game, host.caller), "invite": None, **settings})
    for seat, player in enumerate(players):
        taken = Join(name=player.name, seat=seat, invite=None, face=player.context.profile.face)
        await player.context.carry_out(table, commands.join, taken, player.caller)
    if len(players) < game.seats:
        bots = [commands.wanted_bot(game, USUAL_LEVEL)] * (game.seats - len(players))
        await tables.carry_out(table, partial(events.first_bots, bots=bots))
    return table
