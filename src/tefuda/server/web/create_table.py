"""Opening a table, for programs and from a page."""

from fastapi import Request, Response

from tefuda.server.events import commands
from tefuda.server.events.commands import Refused
from tefuda.server.events.table_state import Caller
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.web import schemas
from tefuda.server.web.identity import Identity, new_token, token_hash
from tefuda.server.web.limits import Buckets
from tefuda.server.web.middleware import address_of
from tefuda.table.game import Game


def somebody(request: Request, response: Response) -> tuple[Caller, str | None]:
    """Who asks, and the token that was made for him: browsers get a cookie, everybody a token that has none."""
    identity: Identity = request.app.state.identity
    who = identity.who(request)
    if who.guest is None and "origin" in request.headers:
        who = Caller(identity.welcome(response).guest, who.token)
    if who.token is not None:
        return who, None
    token = new_token()
    return Caller(who.guest, token_hash(token)), token


async def open_table(
    request: Request, response: Response, order: schemas.NewTable, key: str | None = None
) -> schemas.Opened:
    """Open a table, seat its host and his bots.

    Args:
        request: of the host.
        response: gets the cookie of a new guest.
        order: what he wants.
        key: by which the order is known when it is repeated.

    Raises:
        TefudaError: seats and options that the game does not have.
        Refused: too many tables, no such bot, or more bots than seats.
    """
    rooms: LiveTables = request.app.state.rooms
    identity: Identity = request.app.state.identity
    creations: Buckets = request.app.state.creations
    if not creations.take(address_of(request.scope)):
        raise Refused("too_many_tables", 429)
    game = Game(rooms.kitchen.description(order.game), order.seats, order.options)
    for bot in order.bots:
        if bot not in commands.BOTS:
            raise Refused("no_such_bot", 422, bots=", ".join(commands.BOTS))
    if len(order.bots) + (order.name is not None) > game.seats:
        raise Refused("too_many_bots", 422, seats=game.seats)
    name = None if order.name is None else commands.clean_name(order.name)
    who, token = somebody(request, response)
    table = identity.table_name(who, key)
    invite = identity.invitation(table) if order.by_invitation else None
    body = {
        "game": game.name,
        "rules": game.description.rules_version,
        "seats": game.seats,
        "options": game.changed_options(),
        "host": {"guest": who.guest, "token": who.token},
        "public": order.public,
        "invite": invite and token_hash(invite),
        "spectators": order.spectators,
        "clock": order.clock,
    }
    await rooms.create(table, body)
    if name is not None:
        await rooms.order(table, lambda now: commands.join(now, who, name, 0, None))
    if order.bots:
        await rooms.order(table, lambda now: commands.first_bots(now, order.bots))
    await rooms.room(table)
    return schemas.Opened(table=table, seat=None if name is None else 0, token=token, invite=invite)
