"""Orders as clients send them, from the declarations in ``table/commands``: a route for each over HTTP, and over the
socket a message for each that is declared for it, beside the question ``why``, and ``hello`` and ``ping``."""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal

from annotated_types import MinLen
from fastapi import APIRouter, Header, Response
from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError, create_model
from pydantic.fields import FieldInfo

from tefuda.server.http.context import Context
from tefuda.server.http.create_table import identify
from tefuda.server.table import answer_types, commands
from tefuda.server.table.callers import Refused
from tefuda.server.table.commands import COMMANDS, Arguments, Command
from tefuda.server.table.request_types import Join, MakePlay, NoArguments, Number

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


class Envelope(AskWhy, Hello):
    """A message, without the fields of commands; ``play`` is also that of the command."""

    model_config = ConfigDict(extra="ignore")

    type: str
    id: OrderId = None


def _message_model(commands: dict[str, Command[Any]]) -> type[Envelope]:
    """The model of all messages: an envelope with the fields of all commands, each of which may be missing."""
    fields: dict[str, Any] = {"type": (Literal[(*commands, *SESSION_MODELS)], ...)}
    for command in commands.values():
        fields |= {name: _optional(field) for name, field in command.arguments.model_fields.items()}
    return create_model("SocketMessage", __base__=Envelope, **fields)


def _optional(field: FieldInfo) -> tuple[Any, Any]:
    if not field.is_required():
        return field.annotation, field
    limits = [limit for limit in field.metadata if not isinstance(limit, MinLen)]
    return Annotated[field.annotation, *limits] | None, None


_MESSAGE = _message_model(SOCKET_COMMANDS)


class PlayMessage(MakePlay):
    """A play, which most messages are: read in a third of the time, and the command's arguments as it stands."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["play"]
    id: OrderId = None

    def told(self) -> str:
        return _PLAY.to_json(self).decode()


_PLAY = MakePlay.__pydantic_serializer__


def read_play(text: str) -> PlayMessage | None:
    """Read a play; None for all other messages, and for those that ``read_message`` refuses."""
    try:
        return PlayMessage.model_validate_json(text) if '"play"' in text else None
    except ValidationError:
        return None


def read_message(text: str | None) -> Envelope:
    """Read a message; None stands for one of bytes. ``Refused`` if it is not a message of this interface."""
    try:
        return _MESSAGE.model_validate_json(text or "")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise Refused("bad_message", 422, error=f"{'.'.join(map(str, first['loc']))} {first['msg']}".strip()) from None


def arguments_of(message: Envelope, model: type[Arguments]) -> Arguments:
    """The arguments of a command; the text that a message lacks is empty, and the command refuses it in words."""
    values: dict[str, Any] = {}
    for name, is_required in _fields_of(model):
        value = getattr(message, name)
        values[name] = "" if value is None and is_required else value
    return model.model_construct(None, **values)


@cache
def _fields_of(model: type[BaseModel]) -> tuple[tuple[str, bool], ...]:
    """The names of a model's fields, and True for each that is required."""
    return tuple((name, field.is_required()) for name, field in model.model_fields.items())


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
