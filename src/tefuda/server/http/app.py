"""The application: everything put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.types import Receive, Scope, Send

from tefuda.server import pages
from tefuda.server.http import descriptions, errors, orders, passkeys, routes, socket
from tefuda.server.http.administrator import Administrator
from tefuda.server.http.assets import StaticAssets
from tefuda.server.http.catalogues import LabReports, TourCatalogue
from tefuda.server.http.connections import CONNECTION, ArrivalMiddleware, HttpConnection
from tefuda.server.http.context import Context, Server
from tefuda.server.http.identity import Identity
from tefuda.server.http.limits import AddressLimits, Admission
from tefuda.server.http.middleware import SecurityMiddleware
from tefuda.server.http.passages import Passages
from tefuda.server.http.pictures import Pictures
from tefuda.server.live.answer_times import AnswerTimes
from tefuda.server.live.cluster_node import ClusterNode, InOtherWorker
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.live.pools import Background, BotPool
from tefuda.server.metrics import Gauges, Metrics
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store, Unavailable
from tefuda.server.table import message_types

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
    """The application.

    Args:
        store: of the logs; closed when the application ends.
        settings: of the process.
        compiler: of the games that are served; a new one by default.
        metrics: whether ``/metrics`` answers; ``settings`` may name another address for it.
        node: this process among others that share the store, if there are others.
        passages: to other workers of the same server.

    Raises:
        TefudaError: metrics or passkeys are wanted, and what they need is not installed.
    """
    services = create_services(store, settings, compiler or GameCompiler(settings.games), metrics, node)
    administrator = Administrator(store, services.tables, services.admission, services.identity)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        await administrator.start()
        await services.tables.start()
        services.background.spawn(administrator.watch())
        if services.metrics is not None:
            services.background.spawn(services.metrics.measure_lag())
            if settings.metrics_at:
                services.metrics.listen(settings.metrics_at)
        services.compiler.start()
        yield {"admission": services.admission, "passages": passages}
        await services.tables.close()
        await services.background.close()
        services.bots.close()
        services.compiler.close()
        await store.close()
        if services.metrics is not None:
            services.metrics.close()

    app = FastAPI(
        title="Tefuda", description=ABOUT, version=version("tefuda"), lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url=f"{descriptions.PREFIX}/openapi.json",
    )  # fmt: skip
    app.state.services, app.state.shows_metrics, app.state.node = services, metrics, node
    for interface_router in (
        routes.router,
        orders.router,
        passkeys.router,
        socket.router,
    ):
        app.include_router(interface_router, prefix=descriptions.PREFIX, responses=message_types.ERRORS)
    _answer_head(health)
    app.openapi = lambda: descriptions.describe(app)  # type: ignore[method-assign]
    for described in (health, descriptions.router):
        app.include_router(described)
    _answer_head(pages.router)
    pages.install(app, services.assets)
    errors.install(app, pages.error_page)
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
    connection: HttpConnection | None = request.scope.get("state", {}).get(CONNECTION)
    if connection is not None and await connection.pass_on(error.slot):
        return _Passed()
    refused: Response = await request.app.exception_handlers[Unavailable](request, error)
    return refused


def _answer_head(router: APIRouter) -> None:
    """Let what answers GET also answer HEAD, of which uvicorn sends no body."""
    for route in router.routes:
        if isinstance(route, APIRoute) and route.methods and "GET" in route.methods:
            route.methods.add("HEAD")


def create_services(
    store: Store, settings: ServerSettings, compiler: GameCompiler, metrics: bool, node: ClusterNode | None
) -> Server:
    """All that one process shares; arguments as of ``create_app``.

    Raises:
        TefudaError: metrics or passkeys are wanted, and what they need is not installed.
    """
    answer_times, admission = AnswerTimes(settings.pace / ServerSettings.pace), Admission(settings)
    gauges = Gauges(
        tables=lambda: server.tables.count_by_game(),
        subscribers=lambda: server.tables.subscriber_count,
        waiting=lambda: bots.waiting,
        limits=lambda: dict(admission.hits),
    )
    counting, bots = Metrics(gauges) if metrics or settings.metrics_at else None, BotPool(settings.thinkers)
    if counting is not None:
        store.on_commit, store.on_read, bots.on_wait = counting.commit, counting.read, counting.wait
    background = Background()
    server = Server(
        store,
        settings,
        compiler,
        bots,
        background,
        answer_times,
        node,
        identity=Identity(store.secret(), settings.secure),
        ceremonies=passkeys.Ceremonies(store.secret(), settings.origin or "") if settings.passkeys else None,
        admission=admission,
        new_tables=AddressLimits(settings.creations / 3600, max(1.0, settings.creations / 4)),
        tours=TourCatalogue(settings.tours),
        reports=LabReports(settings.lab),
        assets=StaticAssets(),
        pictures=Pictures(background),
        metrics=counting,
    )
    return server


@health.get("/healthz")
async def healthy() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


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
    counting = context.services.metrics if context.connection.app.state.shows_metrics else None
    page = None if counting is None else counting.page()
    return Response(page or "started without --metrics\n", 200 if page else 404, media_type="text/plain")
