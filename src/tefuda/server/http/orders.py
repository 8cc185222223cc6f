"""Orders as clients send them, from the declarations in ``table/commands``: a route for each over HTTP, and over the
socket a message for each that is declared for it, beside the question ``why``, and ``hello`` and ``ping``."""

from collections.abc import Callable
from itertools import starmap
from typing import Annotated, Any, Literal, Union

from annotated_types import MinLen
from fastapi import APIRouter, Header, Response
from pydantic import BaseModel, ConfigDict, Field, StrictStr, TypeAdapter, ValidationError, create_model

from tefuda.server.http.context import Context
from tefuda.server.http.create_table import identify
from tefuda.server.table import answer_types, commands
from tefuda.server.table.callers import Refused
from tefuda.server.table.commands import COMMANDS, Command
from tefuda.server.table.request_types import Join, NoArguments, Number

SOCKET_COMMANDS = {name: command for name, command in COMMANDS.items() if command.by_socket}
"""The commands that the socket takes, by the type of their messages."""

OrderId = Annotated[StrictStr, Field(max_length=64)] | Number | None  # the id by which the answer to a message is known

Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", max_length=64, description="repeats of an order with the same key do nothing"),
]


class AskWhy(BaseModel):
    """Why a play is illegal, without playing it."""

    play: str | None = None


class Hello(BaseModel):
    """Go on as the bearer of a token."""

    token: Annotated[StrictStr, Field(max_length=64)] | None = None


class Ping(BaseModel):
    """Asks if the other end is still there."""


SESSION_MODELS: dict[str, type[BaseModel]] = {"why": AskWhy, "hello": Hello, "ping": Ping}
"""The messages that are no commands, by type."""


class Message(BaseModel):
    """A message, beside the fields of its type: of a command the arguments, which it is itself."""

    model_config = ConfigDict(extra="ignore")

    type: str
    id: OrderId = None


def _message_model(name: str, fields: type[BaseModel]) -> type[BaseModel]:
    """The model of the messages of one type; a text that one lacks is empty, and the command refuses it in words."""
    own: dict[str, Any] = {"type": (Literal[name], ...)}
    for each, field in fields.model_fields.items():
        if field.is_required():
            limits = [limit for limit in field.metadata if not isinstance(limit, MinLen)]
            own[each] = Annotated[field.annotation, *limits], ""
    return create_model(f"{name} message", __base__=(fields, Message), **own)


_FIELDS = {**{name: command.arguments for name, command in SOCKET_COMMANDS.items()}, **SESSION_MODELS}
_ANY: Any = Union[*starmap(_message_model, _FIELDS.items())]
_MESSAGES = TypeAdapter[Message](Annotated[_ANY, Field(discriminator="type")])


def read_message(text: str | None) -> Message:
    """Read a message; None stands for one of bytes. ``Refused`` if it is not a message of this interface."""
    try:
        return _MESSAGES.validate_json(text or "")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise Refused("bad_message", 422, error=f"{'.'.join(map(str, first['loc']))} {first['msg']}".strip()) from None


router = APIRouter(prefix="/tables/{table}")

ILLEGAL: dict[int | str, dict[str, Any]] = {409: {"model": answer_types.Error}}  # the answer to an illegal play


async def _join(context: Context, response: Response, table: str, order: Join, key: Key = None) -> answer_types.Joined:
    """Take a seat; unlike other commands it makes a guest of a stranger, and answers with a token."""
    caller, token = identify(context, response)
    if not order.face:
        order = order.model_copy(update={"face": context.profile.face})
    await context.carry_out(table, commands.join, order, caller, key)
    state = (await context.services.tables.get(table)).state
    seat = state.seat_of(caller)
    assert seat is not None
    token = token if state.chairs[seat].token == caller.token else None
    return answer_types.Joined(table=table, seat=seat, token=token)


def _endpoint(command: Command[Any]) -> Callable[..., Any]:
    """The function behind the route of a command."""
    if command is commands.join:
        return _join
    body = command.arguments

    async def without_body(context: Context, table: str, key: Key = None) -> answer_types.Done:
        return answer_types.Done(seq=await context.carry_out(table, command, NoArguments(), context.caller, key))

    async def with_body(context: Context, table: str, order: body, key: Key = None) -> answer_types.Done:  # type: ignore[valid-type]
        return answer_types.Done(seq=await context.carry_out(table, command, order, context.caller, key))

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
