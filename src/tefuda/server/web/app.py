"""The application: everything put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse

from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store, Unavailable
from tefuda.server.tables.compiler import GameCompiler, Progress
from tefuda.server.tables.live_tables import LiveTables
from tefuda.server.tables.resources import Resources
from tefuda.server.web import errors, routes, socket
from tefuda.server.web.admission import Admission
from tefuda.server.web.identity import Identity
from tefuda.server.web.lab_reports import LabReports
from tefuda.server.web.limits import Buckets
from tefuda.server.web.metrics import Metrics, NoMetrics
from tefuda.server.web.middleware import SecurityMiddleware
from tefuda.server.web.pages import (
    compilation,
    decks,
    frame,
    games,
    interface,
    invite,
    lab,
    lobby,
    replay,
    rules,
    table,
    tour,
)
from tefuda.server.web.tour_catalogue import TourCatalogue

ABOUT = """Play five traditional East Asian card games, or let your program play them.

**Who you are.** Browsers get a cookie. A program sends `Authorization: Bearer TOKEN` with every request, where TOKEN is
any random text of 22 to 64 letters, digits, `-` and `_` that it has made up and keeps secret; or it takes the one that
opening a table or joining one answers.

**A game.** Open a table or join one. When all seats are taken, the state has a `shuffle`: send `ready` with random
bytes. Then `deal.legal` lists your plays whenever it is your turn; send one of them to `play`, until `phase` is `over`.
An entry such as `~3` stands for any three cards of your hand, thrown face down: `~T5+K2+C3`.

**Repeating.** An order that you send again with the same `Idempotency-Key` is carried out once.
"""


def create_app(
    store: Store, settings: ServerSettings, progress: Progress = lambda *_: None, *, metrics: bool = False
) -> FastAPI:
    """The application.

    Args:
        store: of the logs; closed when the application ends.
        settings: of the process.
        progress: told what is being compiled.
        metrics: whether ``/metrics`` answers.

    Raises:
        TefudaError: metrics are wanted and their client is not installed.
    """
    rooms, door = LiveTables(Resources(store, settings, GameCompiler(settings.games, progress))), Admission(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, Admission]]:
        rooms.start()
        rooms.kitchen.start()
        yield {"door": door}
        await rooms.close()
        rooms.kitchen.close()
        await store.close()

    app = FastAPI(
        title="Tefuda", description=ABOUT, version=version("tefuda"), lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )  # fmt: skip
    app.state.rooms, app.state.settings, app.state.guides = rooms, settings, TourCatalogue(settings.tours)
    app.state.reports, app.state.door = LabReports(settings.lab), door
    app.state.identity = Identity(store.secret(), settings.secure)
    app.state.creations = Buckets(settings.creations / 3600, max(1.0, settings.creations / 4))
    app.state.metrics = Metrics(lambda: rooms.count, lambda: rooms.watchers) if metrics else NoMetrics()
    app.include_router(routes.router)
    app.include_router(socket.router)
    errors.install(app, frame.error_page)
    _add_health(app, rooms)
    frame.install(app)
    for pages in (lobby, games, rules, compilation, tour, invite, interface, lab, decks, table, replay):
        app.include_router(pages.router)
    app.add_middleware(SecurityMiddleware, settings=settings, door=door)
    return app


def _add_health(app: FastAPI, rooms: LiveTables) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def healthy() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz", include_in_schema=False)
    async def ready() -> JSONResponse:
        try:
            await rooms.store.check()
        except Unavailable:
            return JSONResponse({"status": "the store does not answer"}, 503)
        return JSONResponse({"status": "ok"})

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        page = app.state.metrics.page()
        return Response(page or "started without --metrics\n", 200 if page else 404, media_type="text/plain")
