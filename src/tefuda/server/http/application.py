"""The application: everything put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.types import Receive, Scope, Send

from tefuda.server import pages
from tefuda.server.http import browser_notices, descriptions, error_answers, orders, passkeys, queues, routes, socket
from tefuda.server.http.administrator import Administrator
from tefuda.server.http.connections import ArrivalMiddleware, Passages, passed_on
from tefuda.server.http.context import Context, Server
from tefuda.server.http.middleware import SecurityMiddleware
from tefuda.server.http.name_fonts import router as name_fonts
from tefuda.server.live.cluster_node import ClusterNode, InOtherWorker
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store, Unavailable
from tefuda.server.table import answer_types
from tefuda.version import __version__

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
    agents = None
    if settings.mcp:
        from tefuda.server.http.agents import agents_app

        agents = agents_app(services)

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
        openapi_url=f"{descriptions.PREFIX}/openapi.json",
    )  # fmt: skip
    app.state.services = services
    for interface in (routes, queues, orders, passkeys, browser_notices, socket):
        app.include_router(interface.router, prefix=descriptions.PREFIX, responses=answer_types.ERRORS)
    _answer_head(health)
    app.openapi = lambda: descriptions.describe(app)  # type: ignore[method-assign]
    for router in (health, name_fonts):
        app.include_router(router)
    _answer_head(pages.router)
    app.router.routes.extend(agents.routes if agents else ())
    pages.install(app, services.assets)
    error_answers.install(app, pages.error_page)
    app.add_exception_handler(InOtherWorker, _pass_on)
    app.add_middleware(SecurityMiddleware, settings=settings, admission=services.admission)
    app.add_middleware(ArrivalMiddleware)
    return app


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
