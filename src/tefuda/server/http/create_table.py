"""Opening a table, for programs and from a page."""

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from fastapi import Response

from tefuda.server.http.context import RequestContext
from tefuda.server.table import answer_types, commands, events, request_types
from tefuda.server.table.callers import Caller, Refused, token_hash
from tefuda.server.table.message_types import GivenDeal
from tefuda.server.table.player_names import clean_name
from tefuda.server.table.request_types import Join
from tefuda.table.game import Game

USUAL_LEVEL = "easy"  # of bots, where nobody says another
SETTINGS = {"public", "spectators", "chat", "clock", "speed"}  # of a new table, as its first event keeps them


def identify(context: RequestContext, response: Response) -> tuple[Caller, str | None]:
    """The caller, and the token made for them: a browser gets a cookie, and everybody without a token gets one.
    ``Refused`` if they send something that is not written like a token, or their browser keeps no cookies."""
    identity, caller = context.services.identity, context.caller
    need_cookies(context, caller)
    if caller.guest is None and "origin" in context.connection.headers:
        caller = Caller(identity.welcome(response).guest, caller.token)
    if caller.token is not None:
        return caller, None
    token = secrets.token_urlsafe(16)
    return Caller(caller.guest, token_hash(token)), token


def need_cookies(context: RequestContext, caller: Caller) -> None:
    """Turn away who could not come back to a seat: a browser that is on a page of ours and has kept no cookie of it.
    ``Refused`` if it is one."""
    if caller.lasting is None and context.connection.headers.get("sec-fetch-site") == "same-origin":
        raise Refused("no_cookies", 403)


def about(game: Game, caller: Caller) -> dict[str, Any]:
    """The first event's fields about the game of a table and its host."""
    return {
        "game": game.name,
        "rules": game.description.rules_version,
        "seats": game.seats,
        "options": game.changed_options(),
        "host": {"guest": caller.guest, "token": caller.token},
    }


async def create_table(
    context: RequestContext, response: Response, wanted: request_types.NewTable, key: str | None = None
) -> answer_types.Opened:
    """Open a table, seat its host and its bots; ``response`` gets the cookie of a new guest.

    A repetition with the same ``key``, which the host chooses, opens no second table. ``TefudaError`` for seats
    and options that the game does not have, or that a table cannot play; ``Refused`` for too many tables, no such bot,
    one that does not know the table, or more bots than seats."""
    services = context.services
    game = Game(services.compiler.description(wanted.game), wanted.seats, wanted.options)
    for option, value in game.changed_options().items():
        game.description.rules.settings[option].check_at_table(value)
    bots = [commands.wanted_bot(game, bot) for bot in wanted.bots]
    if len(wanted.bots) + (wanted.name is not None) > game.seats:
        raise Refused("too_many_bots", 422, seats=game.seats)
    if wanted.chat and wanted.public and not wanted.by_invitation:
        raise Refused("public_chat", 422)
    name = None if wanted.name is None else clean_name(wanted.name)
    caller, token = identify(context, response)
    context.pay_for_table()  # after all that can be refused: a mistyped order costs nothing
    table = context.new_table_name(caller, key)
    invite = services.identity.invitation(table) if wanted.by_invitation else None
    settings = {"invite": invite and token_hash(invite), **wanted.model_dump(include=SETTINGS)}
    await services.tables.create(table, {**about(game, caller), **settings})
    if name is not None:
        taken = Join(name=name, seat=0, invite=None, face=context.profile.face)
        await context.carry_out(table, commands.join, taken, caller)
    if bots:
        await services.tables.carry_out(table, partial(events.first_bots, bots=bots))
    await services.tables.get(table)
    return answer_types.Opened(table=table, seat=None if name is None else 0, token=token, invite=invite)


async def create_given(
    context: RequestContext, table: str, caller: Caller, game: Game, given: GivenDeal, seat: int,
    bots: Sequence[str], row: Mapping[str, Any] | None,
) -> None:  # fmt: skip
    """Open a table for one deal, which the caller plays alone against bots and nobody watches.

    ``bots`` are their specs, for the other seats in order; ``row`` is the event that gives the table its deal, None
    where it shuffles."""
    tables = context.services.tables
    settings = {"public": False, "invite": None, "spectators": "none", "clock": None, "speed": "normal"}
    await tables.create(table, {**about(game, caller), **settings, "given": given})
    arguments = Join(name=clean_name(context.called), seat=seat, invite=None, face=context.profile.face)
    await context.carry_out(table, commands.join, arguments, caller)
    await tables.carry_out(table, partial(events.first_bots, bots=bots))
    if row is not None:
        await tables.carry_out(table, partial(events.give, row=row))
