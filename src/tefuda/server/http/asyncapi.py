"""The description of the socket (AsyncAPI 3), made from the types and commands that the socket itself uses.

It describes the server: ``receive`` is what clients send.
"""

from functools import cache
from typing import Any, cast

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, TypeAdapter, create_model

from tefuda.engine.texts import LANGUAGES
from tefuda.server.http.context import Context
from tefuda.server.http.openapi import PREFIX, SECURITY_SCHEMES
from tefuda.server.http.socket_messages import SESSION_MODELS, SOCKET_COMMANDS, OrderId
from tefuda.server.table.messages import (
    ByeMessage,
    DoneMessage,
    PlaysMessage,
    PongMessage,
    RefusedMessage,
    ShuffleMessage,
    StateMessage,
    WhyMessage,
)

router = APIRouter(include_in_schema=False)

Schema = dict[str, Any]

SENT: tuple[Any, ...] = (
    StateMessage,
    PlaysMessage,
    ShuffleMessage,
    DoneMessage,
    RefusedMessage,
    WhyMessage,
    PongMessage,
    ByeMessage,
)
"""What the server sends."""

REFS = "#/components/schemas/{model}"

QUERY = {
    "after": {
        "type": "integer",
        "minimum": 0,
        "description": "the seq of your last message: you are told what you missed",
    },
    "lang": {"type": "string", "enum": list(LANGUAGES), "description": "of the sentences"},
    "fields": {"type": "boolean", "description": "all fields of the view too"},
    "lean": {"type": "boolean", "description": "without `results` where they are as they were"},
    "brief": {
        "type": "boolean",
        "description": "plays and shuffles in brief, for programs that keep the table",
    },
    "presence": {"type": "boolean", "description": "a state as soon as a player's connection is lost or is back"},
}

ABOUT = """The table's messages come by themselves; every order is answered by a message with the same `id`. An order
that is sent again with the same `id` is carried out once. Close codes: 1008 too many messages or no such table, 1009 a
message is too long, 1012 the server stops or cannot reach the table now: come back, 1013 you read too slowly."""


@router.get("/asyncapi.json")
@router.get(f"{PREFIX}/asyncapi.json")
async def asyncapi(context: Context) -> JSONResponse:
    """The description, with this server's address."""
    url, app = context.connection.url, context.connection.app
    secure = url.scheme in ("https", "wss")
    here = {"host": url.netloc, "pathname": PREFIX, "protocol": "wss" if secure else "ws"}
    security = [{"$ref": f"#/components/securitySchemes/{name}"} for name in SECURITY_SCHEMES]
    return JSONResponse({**document(app.version), "servers": {"this": {**here, "security": security}}})


@cache
def document(version: str) -> dict[str, Any]:
    """The description, without a server.

    Args:
        version: of Tefuda.
    """
    received, sent = [_received(name) for name in (*SOCKET_COMMANDS, *SESSION_MODELS)], list(SENT)
    adapters = [TypeAdapter(kind) for kind in (*received, *sent)]
    inputs = [
        (adapter, "validation" if k < len(received) else "serialization", adapter) for k, adapter in enumerate(adapters)
    ]
    _, found = TypeAdapter.json_schemas(cast(Any, inputs), ref_template=REFS)
    schemas = {name: _draft_7(schema) for name, schema in found["$defs"].items()}
    schemas["StateMessage"]["required"].remove("results")  # lean messages may lack them
    names = [kind.__name__ for kind in (*received, *sent)]
    ours, theirs = names[len(received) :], names[: len(received)]
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Tefuda", "version": version, "description": ABOUT},
        "defaultContentType": "application/json",
        "channels": {"table": _channel(names)},
        "operations": {
            "order": {"action": "receive", **_of_channel(theirs), "reply": _of_channel(ours[2:-1])},
            "tell": {"action": "send", **_of_channel(ours)},
        },
        "components": {
            "messages": {name: {"name": name, "payload": {"$ref": REFS.format(model=name)}} for name in names},
            "schemas": schemas,
            "securitySchemes": {
                "token": SECURITY_SCHEMES["token"],
                "guest": {**SECURITY_SCHEMES["guest"], "type": "httpApiKey"},
            },
        },
    }


def _channel(names: list[str]) -> dict[str, Any]:
    return {
        "address": "/tables/{table}/socket",
        "description": "A table, as you may see it.",
        "parameters": {"table": {"description": "its name"}},
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
        "bindings": {
            "ws": {"method": "GET", "query": {"type": "object", "properties": QUERY}, "bindingVersion": "0.1.0"}
        },
    }


def _of_channel(names: list[str]) -> dict[str, Any]:
    """The channel, and these of its messages."""
    return {
        "channel": {"$ref": "#/channels/table"},
        "messages": [{"$ref": f"#/channels/table/messages/{name}"} for name in names],
    }


def _received(name: str) -> type[BaseModel]:
    """The model of a message that clients send: what the command takes, with ``type`` and ``id``."""
    command = SOCKET_COMMANDS.get(name)
    base = SESSION_MODELS[name] if command is None else command.arguments
    fields: dict[str, Any] = {"type": (str, Field(json_schema_extra={"const": name})), "id": (OrderId, None)}
    model: type[BaseModel] = create_model(f"{name.capitalize()}Order", __base__=base, **fields)
    model.__doc__ = base.__doc__ if command is None else command.summary
    return model


def _draft_7(schema: Any) -> Any:
    """The same schema in the draft that AsyncAPI is based on: it writes tuples otherwise."""
    if isinstance(schema, list):
        return [_draft_7(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {"items" if key == "prefixItems" else key: _draft_7(part) for key, part in schema.items()}
