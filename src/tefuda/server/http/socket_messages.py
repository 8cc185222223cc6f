"""What clients send over a socket: the commands declared for it, the question ``why``, and ``hello`` and ``ping``."""

from functools import cache
from typing import Annotated, Any, Literal

from annotated_types import MinLen
from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError, create_model
from pydantic.fields import FieldInfo

from tefuda.server.table.arguments import MakePlay, Number
from tefuda.server.table.command import Arguments, Command
from tefuda.server.table.commands import COMMANDS
from tefuda.server.table.refused import Refused

SOCKET_COMMANDS = {name: command for name, command in COMMANDS.items() if command.over_socket}
"""The commands that the socket takes, by the type of their messages."""

OrderId = Annotated[StrictStr, Field(max_length=64)] | Number | None
"""By which the answer to a message is known."""


class AskWhy(BaseModel):
    """Why a play is illegal, without playing it."""

    play: str | None = None


class Hello(BaseModel):
    """Go on as the bearer of a token."""

    token: Annotated[StrictStr, Field(max_length=64)] | None = None


class Ping(BaseModel):
    """Whether the other end is still there."""


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
    """Read a message; None stands for one of bytes.

    Raises:
        Refused: it is not a message of this interface.
    """
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
    """The names of a model's fields, and whether each is required."""
    return tuple((name, field.is_required()) for name, field in model.model_fields.items())
