"""The description of the interface over HTTP: OpenAPI, from what FastAPI finds, with refusals and permissions. What the
socket sends and takes is described in ``docs/server.md``."""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI

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
