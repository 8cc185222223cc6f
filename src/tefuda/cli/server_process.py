"""One process that serves: alone, or one of several that share a database."""

import asyncio
import gc
import multiprocessing
import os
import socket
import threading
import webbrowser
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from logging import getLogger
from typing import Any

import typer
import uvicorn

from tefuda.server.http.app import create_app
from tefuda.server.http.connections import HttpConnection
from tefuda.server.http.passages import Passages
from tefuda.server.http.websocket import WebSocketConnection
from tefuda.server.live.cluster_node import ClusterNode
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store

log = getLogger("tefuda.server")

LARGEST_MESSAGE = 16 * 1024
"""Bytes of a message over a socket."""

SIGN_EVERY = 1.0
"""Seconds between signs of life of a worker."""

STOP_WITHIN = 5
"""Seconds that requests in progress have when the server stops."""


@dataclass(frozen=True)
class WorkerPlace:
    """A process among the workers of one server.

    Attributes:
        slot: its number.
        count: how many there are.
        passages: the ways to all of them.
        beat: gives a sign of life.
    """

    slot: int
    count: int
    passages: Passages
    beat: Callable[[], None]


@dataclass(frozen=True)
class Serving:
    """A process's store, settings and socket.

    Attributes:
        settings: what.
        store: of the logs.
        compiler: of the games.
        listening: a bound socket.
        address: where people find it; said when it listens, unless it is empty.
        browser: whether to open the address in a browser.
        metrics: whether ``/metrics`` answers.
        place: of the process among workers, if it is one.
    """

    settings: ServerSettings
    store: Store
    compiler: GameCompiler
    listening: socket.socket
    address: str = ""
    browser: bool = False
    metrics: bool = False
    place: WorkerPlace | None = None


class ServerProcess(uvicorn.Server):
    """Begins and ends as ours do: it says where it is, and tells everybody to come back before it stops.

    Args:
        config: of uvicorn.
        serving: what is served.
        say_goodbye: called first when the server stops.
    """

    def __init__(self, config: uvicorn.Config, serving: Serving, say_goodbye: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._serving, self._say_goodbye = serving, say_goodbye
        self._signs: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        serving, place = self._serving, self._serving.place
        if self.started and place is not None:
            given: dict[str, Any] = {
                "config": self.config,
                "server_state": self.server_state,
                "app_state": self.lifespan.state,
            }
            place.passages.open(place.slot, lambda read: HttpConnection(**given, early=read))
            self._signs = asyncio.create_task(self._give_signs(place))
        if self.started and serving.address:
            typer.echo(f"Tefuda serves at {serving.address} (Ctrl-C stops)", err=True)
        if self.started and serving.browser:
            # In a thread of its own: some browsers return only when they are closed.
            threading.Thread(target=webbrowser.open, args=[serving.address], daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        log.info("the server stops")
        for listening in self.servers:  # clients that are told to come back find another process, if there is one
            listening.close()
        if self._serving.place is not None:
            self._serving.place.passages.close(self._serving.place.slot)
        if self._signs is not None:  # it is killed if it cannot stop
            self._signs.cancel()
        await self._say_goodbye()
        await super().shutdown(sockets)

    async def _give_signs(self, place: WorkerPlace) -> None:
        """Tell the process that keeps the workers alive that this one lives; stop if that process is gone.

        uvicorn's ``callback_notify`` comes every ten turns of its loop: too seldom, where very many come back at once.
        """
        keeper = multiprocessing.parent_process()
        while True:
            place.beat()
            self.should_exit |= keeper is not None and os.getppid() != keeper.pid
            await asyncio.sleep(SIGN_EVERY)


def serve(serving: Serving) -> None:
    """Serve until stopped."""
    place, store = serving.place, serving.store
    node = None
    if store.shared:
        node = ClusterNode(store.leases) if place is None else ClusterNode(store.leases, place.slot, place.count)
    app = create_app(
        store, serving.settings, serving.compiler, metrics=serving.metrics, node=node,
        passages=None if place is None else place.passages,
    )  # fmt: skip
    config = uvicorn.Config(
        app, http=HttpConnection, ws=WebSocketConnection, ws_max_size=LARGEST_MESSAGE, log_config=None,
        access_log=False, server_header=False, timeout_graceful_shutdown=STOP_WITHIN,
        forwarded_allow_ips=list(serving.settings.proxies),
    )  # fmt: skip
    gc.freeze()  # what is loaded by now stays; examining it again and again would hold up moves
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
    ServerProcess(config, serving, app.state.services.tables.close).run(sockets=[serving.listening])
