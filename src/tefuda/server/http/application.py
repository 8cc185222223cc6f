"""The application: everything put together, and described."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES
from tefuda.server import pages
from tefuda.server.http import browser_notices, error_answers, orders, passkeys, queues, routes, socket
from tefuda.server.http.administrator import Administrator
from tefuda.server.http.connections import ArrivalMiddleware, Passages, passed_on
from tefuda.server.http.context import Context, RequestContext, Server
from tefuda.server.http.middleware import SecurityMiddleware
from tefuda.server.live.cluster_node import ClusterNode, InOtherWorker
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store, Unavailable
from tefuda.server.table import answer_types
from tefuda.server.table.callers import Refused
from tefuda.version import __version__

PREFIX = "/api/v1"  # begins the interface's addresses

ABOUT = """Play five traditional East Asian card games, or let your program play them.

**Who you are.** Browsers get a cookie. A program sends `Authorization: Bearer TOKEN` with every request, where TOKEN is
any random text of 22 to 64 letters, digits, `-` and `_` that it has made up and keeps secret; or it takes the one that
opening a table or joining one answers.

**A game.** Open a table or join one. When all seats are taken, the state has a `shuffle`: send `ready` with random
bytes. Then `deal.legal` lists your plays whenever it is your turn; send one of them to `play`, until `phase` is `over`.
An entry such as `~3` stands for any three cards of your hand, thrown face down: `~T5+K2+C3`.

**Repeating.** An order that you send again with the same `Idempotency-Key` is carried out once.
"""

health = APIRouter(include_in_schema=False)


def create_app(
    store: Store,
    settings: ServerSettings,
    compiler: GameCompiler | None = None,
    *,
    metrics: bool = False,
    node: ClusterNode | None = None,
    passages: Passages | None = None,
) -> FastAPI:
    """The application; it closes ``store`` when it ends. ``compiler`` is a new one of all games by default.

    ``metrics`` is whether ``/metrics`` answers; ``settings`` may name another address for it. ``node`` is this process
    among others that share the store, if there are others, and ``passages`` lead to other workers of the same server.
    ``TefudaError`` if metrics, passkeys, notices or agents are wanted, and what they need is not installed."""
    ceremonies = passkeys.Ceremonies(store.secret, settings.origin or "") if settings.passkeys else None
    compiler = compiler or GameCompiler(settings.games)
    services = Server(store, settings, compiler, ceremonies, metrics=metrics, node=node)
    administrator = Administrator(services)
    agents = _agents_app(services) if settings.mcp else None

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        await administrator.start()
        await services.start()
        services.background.spawn(administrator.watch())
        for route in app.routes:  # FastAPI makes them when they are first asked, which would hold the event loop
            route.matches({"type": "http", "method": "GET", "path": "", "root_path": "", "headers": []})
        async with agents.router.lifespan_context(agents) if agents else nullcontext():
            yield {"admission": services.admission, "passages": passages}
        await services.close()

    app = FastAPI(
        title="Tefuda", description=ABOUT, version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url=f"{PREFIX}/openapi.json",
    )  # fmt: skip
    app.state.services = services
    for interface in (routes, queues, orders, passkeys, browser_notices, socket):
        app.include_router(interface.router, prefix=PREFIX, responses=answer_types.ERRORS)
    _answer_head(health)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    app.include_router(health)
    _answer_head(pages.router)
    app.router.routes.extend(agents.routes if agents else ())
    pages.install(app, services.assets)
    error_answers.install(app, pages.error_page)
    app.add_exception_handler(InOtherWorker, _pass_on)
    app.add_middleware(SecurityMiddleware, settings=settings, admission=services.admission)
    app.add_middleware(ArrivalMiddleware)
    return app


def _agents_app(services: Server) -> Starlette:
    """Answers ``/mcp``: tables as ``tefuda mcp`` has them, against rules of thumb, in this process's memory. Requests
    stand alone: they name their table, and limits on an address hold as elsewhere."""
    from tefuda.research.agent_tables import AgentTables, tool_server

    async def admit(tool: str, given: dict[str, Any], context: Any) -> None:
        if tool == "new_table":
            await services.compiler.wait_until_ready(given["game"])
            try:
                RequestContext(context.request_context.request, services).pay_for_table()
            except Refused:
                raise TefudaError("you have opened too many tables; wait some minutes") from None

    tools = tool_server(AgentTables("hints", LANGUAGES[0]), hints=True, admit=admit)
    # Without a host, what would protect one: ``SecurityMiddleware`` has looked at hosts and origins.
    return tools.streamable_http_app(stateless_http=True, json_response=True, host="")


class _Passed(Response):
    """No answer: another worker gives it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


async def _pass_on(request: Request, error: Exception) -> Response:
    """Let another worker answer a request, or refuse it: the client asks again."""
    assert isinstance(error, InOtherWorker)
    if await passed_on(request.scope, error.slot):
        return _Passed()
    refused: Response = await request.app.exception_handlers[Unavailable](request, error)
    return refused


def _answer_head(router: APIRouter) -> None:
    """Let what answers GET also answer HEAD, of which uvicorn sends no body."""
    for route in router.routes:
        if isinstance(route, APIRoute) and route.methods and "GET" in route.methods:
            route.methods.add("HEAD")


@health.get("/healthz")
async def healthy(context: Context) -> dict[str, str]:
    """The process answers: its version, and for whom limits take whoever asks."""
    return {"status": "ok", "tefuda": __version__, "address": context.address}


@health.get("/readyz")
async def ready(context: Context) -> JSONResponse:
    """The database answers."""
    try:
        await context.services.store.check()
    except Unavailable:
        return JSONResponse({"status": "the store does not answer"}, 503)
    return JSONResponse({"status": "ok"})


@health.get("/metrics")
async def metrics_page(context: Context) -> Response:
    """Figures for Prometheus."""
    counting = context.services.metrics if context.services.shows_metrics else None
    page = None if counting is None else counting.page()
    return Response(page or "started without --metrics\n", 200 if page else 404, media_type="text/plain")


# The description of the interface over HTTP: OpenAPI, from what FastAPI finds, with refusals and permissions; what the
# socket sends and takes is described in ``docs/server.md``

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
