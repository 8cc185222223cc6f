"""The descriptions of the interface: OpenAPI of HTTP, from what FastAPI finds; AsyncAPI 3 of the socket, from the types
and commands that the socket itself uses. The latter describes the server: ``receive`` is what clients send."""

from functools import cache
from http import HTTPStatus
from typing import Any, cast

from fastapi import APIRouter, FastAPI
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, TypeAdapter, create_model

from tefuda.engine.texts import LANGUAGES
from tefuda.server.http.context import Context
from tefuda.server.http.orders import SESSION_MODELS, SOCKET_COMMANDS, OrderId
from tefuda.server.table.message_types import SENT

PREFIX = "/api/v1"  # begins the interface's addresses

SECURITY_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer", "description": "22 to 64 letters, digits, - and _"},
    "guest": {
        "type": "apiKey",
        "in": "cookie",
        "name": "tefuda",
        "description": "of browsers; over https __Host-tefuda",
    },
}
"""The ways in which people and programs show who they are."""

ALWAYS = (400, 403, 421, 429, 500, 503)
"""The statuses of refusals that any request may meet: it is not HTTP as it should be, a ban, a foreign host name, too
much asked, a fault, a store that does not answer."""

WITH_BODY = (411, 413, 422)  # those of requests with a body: no length, too large, not as described

OF_TABLE = (401, 404, 409, 410, 422)
"""Those of requests about a table: a token that is none, no such table, one that is in the way, one that is closed or
damaged, bad arguments."""

OF_PASSKEYS = (404, 409, 410)
"""Those of requests about passkeys: none here, or not this one; too many; a challenge that is too old, or was used."""


def describe(app: FastAPI) -> dict[str, Any]:
    """The document."""
    if app.openapi_schema is None:
        document = FastAPI.openapi(app)
        document["components"]["securitySchemes"] = SECURITY_SCHEMES
        document["security"] = [{}, *({name: []} for name in SECURITY_SCHEMES)]
        games = list(app.state.services.compiler.games)
        document["components"]["schemas"]["NewTable"]["properties"]["game"]["enum"] = games
        document["paths"][f"{PREFIX}/games/{{game}}"]["get"]["parameters"][0]["schema"]["enum"] = games
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                for status in _statuses(path, method):
                    operation["responses"].setdefault(str(status), _refusal(status))
                operation["responses"] = dict(sorted(operation["responses"].items()))
    assert app.openapi_schema is not None
    return app.openapi_schema


def _statuses(path: str, method: str) -> set[int]:
    """The statuses of refusals that an operation may meet."""
    found = {*ALWAYS}
    if method == "post":
        found |= {*WITH_BODY, 401}
    if "{" in path:
        found |= {*OF_TABLE}
    if path.startswith(f"{PREFIX}/passkeys"):
        found |= {*OF_PASSKEYS}
    if path.startswith(f"{PREFIX}/notices"):
        found |= {404}  # the host wants none
    return found


def _refusal(status: int) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    if status == HTTPStatus.BAD_REQUEST:
        content["text/plain"] = {"schema": {"type": "string"}}  # what is not HTTP is answered before it is routed
    return {"description": HTTPStatus(status).phrase, "content": content}


router = APIRouter(include_in_schema=False)

Schema = dict[str, Any]

REFS = "#/components/schemas/{model}"

QUERY = {
    "after": {"type": "integer", "minimum": 0, "description": "seq of your last message: you are told what you missed"},
    "lang": {"type": "string", "enum": list(LANGUAGES), "description": "of the sentences"},
    "patch": {"type": "boolean", "description": "what plays change of the table laid out, for pages"},
    "brief": {"type": "boolean", "description": "plays and shuffles in brief, for programs that keep the table"},
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
    """The description of this version of Tefuda's socket, without a server."""
    received: list[Any] = [_received(name) for name in (*SOCKET_COMMANDS, *SESSION_MODELS)]
    adapters = [TypeAdapter(kind) for kind in (*received, *SENT)]
    inputs = [
        (adapter, "validation" if k < len(received) else "serialization", adapter) for k, adapter in enumerate(adapters)
    ]
    _, found = TypeAdapter.json_schemas(cast(Any, inputs), ref_template=REFS)
    schemas = {name: _draft_7(schema) for name, schema in found["$defs"].items()}
    names = [kind.__name__ for kind in (*received, *SENT)]
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
    """A schema in the draft that AsyncAPI is based on: it writes tuples otherwise."""
    if isinstance(schema, list):
        return [_draft_7(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {"items" if key == "prefixItems" else key: _draft_7(part) for key, part in schema.items()}
