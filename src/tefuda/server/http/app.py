"""The application: everything put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, FastAPI, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from tefuda.engine.extras import needed_by
from tefuda.server.http import descriptions, errors, orders, passkey_routes, review_routes, routes, socket
from tefuda.server.http.administrator import Administrator
from tefuda.server.http.admission import Admission
from tefuda.server.http.assets import StaticAssets
from tefuda.server.http.context import Context, Server
from tefuda.server.http.handover import Handover
from tefuda.server.http.identity import Identity
from tefuda.server.http.lab_reports import LabReports
from tefuda.server.http.limits import AddressLimits
from tefuda.server.http.middleware import SecurityMiddleware
from tefuda.server.http.pictures import Pictures
from tefuda.server.http.places import Places
from tefuda.server.http.relay import Relay
from tefuda.server.http.tour_catalogue import TourCatalogue
from tefuda.server.live.answer_times import AnswerTimes
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.live.membership import Membership
from tefuda.server.live.pools import Background, BotPool
from tefuda.server.metrics import Gauges, Metrics, NoMetrics
from tefuda.server.pages import (
    again,
    compilation,
    daily,
    decks,
    examples,
    faces,
    frame,
    games,
    home,
    house_rules,
    identity_forms,
    installation,
    interface,
    invite,
    lab,
    lobby,
    previews,
    problems,
    replay,
    rules,
    table,
    tour,
)
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store, Unavailable
from tefuda.server.table import message_types

if TYPE_CHECKING:
    from tefuda.server.http.passkeys import Ceremonies

ABOUT = """Play five traditional East Asian card games, or let your program play them.

**Who you are.** Browsers get a cookie. A program sends `Authorization: Bearer TOKEN` with every request, where TOKEN is
any random text of 22 to 64 letters, digits, `-` and `_` that it has made up and keeps secret; or it takes the one that
opening a table or joining one answers.

**A game.** Open a table or join one. When all seats are taken, the state has a `shuffle`: send `ready` with random
bytes. Then `deal.legal` lists your plays whenever it is your turn; send one of them to `play`, until `phase` is `over`.
An entry such as `~3` stands for any three cards of your hand, thrown face down: `~T5+K2+C3`.

**Repeating.** An order that you send again with the same `Idempotency-Key` is carried out once.
"""

PAGES = (
    lobby,
    home,
    house_rules,
    identity_forms,
    installation,
    faces,
    previews,
    games,
    rules,
    compilation,
    tour,
    examples,
    problems,
    daily,
    again,
    invite,
    interface,
    lab,
    decks,
    table,
    replay,
)

health = APIRouter(include_in_schema=False)


def create_app(
    store: Store,
    settings: ServerSettings,
    compiler: GameCompiler | None = None,
    *,
    metrics: bool = False,
    membership: Membership | None = None,
    handover: Handover | None = None,
) -> FastAPI:
    """The application.

    Args:
        store: of the logs; closed when the application ends.
        settings: of the process.
        compiler: of the games that are served; a new one by default.
        metrics: whether ``/metrics`` answers; ``settings`` may name another address for it.
        membership: of this process among others that share the store, if there are others.
        handover: of connections to processes of the same family.

    Raises:
        TefudaError: metrics or passkeys are wanted, and what they need is not installed.
    """
    services = create_services(store, settings, compiler or GameCompiler(settings.games), metrics, membership)
    administrator = Administrator(store, services.tables, services.admission, services.identity)
    relay = Relay(store.secret())
    places = None if membership is None else Places(services.tables, membership, services.identity, handover, relay)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Any]]:
        await administrator.start()
        await services.tables.start()
        services.background.spawn(administrator.watch())
        services.background.spawn(services.metrics.measure_lag())
        if settings.metrics_at:
            services.metrics.listen(settings.metrics_at)
        services.compiler.start()
        if places is not None:
            services.background.spawn(places.tend())
        yield {"admission": services.admission, "places": places}
        await services.tables.close()
        await services.background.close()
        services.bots.close()
        services.pictures.close()
        services.compiler.close()
        await store.close()
        services.metrics.close()

    app = FastAPI(
        title="Tefuda", description=ABOUT, version=version("tefuda"), lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url=f"{descriptions.PREFIX}/openapi.json",
    )  # fmt: skip
    app.state.services, app.state.shows_metrics = services, metrics
    for interface_router in (
        routes.router,
        review_routes.router,
        orders.router,
        passkey_routes.router,
        socket.router,
    ):
        app.include_router(interface_router, prefix=descriptions.PREFIX, responses=message_types.ERRORS)
    _answer_head(health)
    app.openapi = lambda: descriptions.describe(app)  # type: ignore[method-assign]
    for described in (health, descriptions.router):
        app.include_router(described)
    for pages in PAGES:
        _answer_head(pages.router)
        app.include_router(pages.router)
    frame.install(app, services.assets)
    errors.install(app, frame.error_page)
    app.add_middleware(SecurityMiddleware, settings=settings, admission=services.admission)
    return app


def _answer_head(router: APIRouter) -> None:
    """Let what answers GET also answer HEAD, of which uvicorn sends no body."""
    for route in router.routes:
        if isinstance(route, APIRoute) and route.methods and "GET" in route.methods:
            route.methods.add("HEAD")


def create_services(
    store: Store, settings: ServerSettings, compiler: GameCompiler, metrics: bool, membership: Membership | None
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
    counting = Metrics(gauges) if metrics or settings.metrics_at else NoMetrics()
    store.observer, bots = counting, BotPool(settings.thinkers, counting.wait)
    background = Background()
    server = Server(
        store,
        settings,
        compiler,
        bots,
        background,
        answer_times,
        membership,
        identity=Identity(store.secret(), settings.secure),
        ceremonies=_ceremonies(store, settings),
        admission=admission,
        new_tables=AddressLimits(settings.creations / 3600, max(1.0, settings.creations / 4)),
        tours=TourCatalogue(settings.tours),
        reports=LabReports(settings.lab),
        assets=StaticAssets(),
        pictures=Pictures(background),
        metrics=counting,
    )
    return server


def _ceremonies(store: Store, settings: ServerSettings) -> "Ceremonies | None":
    """How passkeys are made, if the host wants them.

    Raises:
        TefudaError: their library is not installed.
    """
    if not settings.passkeys or settings.origin is None:
        return None
    with needed_by("tefuda serve --passkeys", "passkeys"):
        from tefuda.server.http.passkeys import Ceremonies
    return Ceremonies(store.secret(), settings.origin)


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
    page = context.services.metrics.page() if context.connection.app.state.shows_metrics else None
    return Response(page or "started without --metrics\n", 200 if page else 404, media_type="text/plain")
