"""The commands over HTTP: a route for each, from its declaration in ``table/commands``."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response

from tefuda.server.http import schemas
from tefuda.server.http.context import Context
from tefuda.server.http.create_table import identify
from tefuda.server.table import commands
from tefuda.server.table.arguments import Join, NoArguments
from tefuda.server.table.command import Command

router = APIRouter(prefix="/tables/{table}")

Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", max_length=64, description="repeats of an order with the same key do nothing"),
]

ILLEGAL: dict[int | str, dict[str, Any]] = {409: {"model": schemas.Error}}
"""The answer to an illegal play."""


async def _join(context: Context, response: Response, table: str, order: Join, key: Key = None) -> schemas.Joined:
    """Take a seat; unlike other commands it makes a guest of a stranger, and answers with a token."""
    caller, token = identify(context, response)
    if not order.face:
        order = order.model_copy(update={"face": context.profile.face})
    await context.carry_out(table, commands.join, order, caller, key)
    state = (await context.services.tables.get(table)).state
    seat = state.seat_of(caller)
    assert seat is not None
    return schemas.Joined(table=table, seat=seat, token=token if state.chairs[seat].token == caller.token else None)


def _endpoint(command: Command[Any]) -> Callable[..., Any]:
    """The function behind the route of a command."""
    if command is commands.join:
        return _join
    body = command.arguments

    async def without_body(context: Context, table: str, key: Key = None) -> schemas.Done:
        return schemas.Done(seq=await context.carry_out(table, command, NoArguments(), context.caller, key))

    async def with_body(context: Context, table: str, order: body, key: Key = None) -> schemas.Done:  # type: ignore[valid-type]
        return schemas.Done(seq=await context.carry_out(table, command, order, context.caller, key))

    return without_body if body is NoArguments else with_body


for _command in commands.COMMANDS.values():
    router.add_api_route(
        f"/{_command.path}",
        _endpoint(_command),
        methods=["POST"],
        name=_command.name,
        summary=_command.summary,
        description=_command.about,
        responses=ILLEGAL if "illegal" in _command.refusals else None,
    )
