"""One process that serves: alone, or one of several that share a database."""

import gc
import ipaddress
import secrets
import socket
import threading
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from logging import getLogger
from pathlib import Path

import typer
import uvicorn
from sqlalchemy.engine import URL

from tefuda.server.http.app import create_app
from tefuda.server.http.handover import Handover
from tefuda.server.http.peer_connections import PeerConnections
from tefuda.server.http.protocol import LimitedHttpProtocol, LimitedWebSocketProtocol
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.live.membership import Membership
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store

log = getLogger("tefuda.server")

LARGEST_MESSAGE = 16 * 1024
"""Bytes of a message over a socket."""

STOP_WITHIN = 5
"""Seconds that requests in progress have when the server stops."""


@dataclass(frozen=True)
class Family:
    """Processes that were forked from one.

    Attributes:
        folder: in which they find each other.
        name: of this process among them.
        ended: names of those that have ended.
    """

    folder: Path
    name: str
    ended: Sequence[str] = ()

    @property
    def sign(self) -> Path:
        """The file that is there while this process serves."""
        return self.folder / f"{self.name}.serves"


@dataclass(frozen=True)
class Serving:
    """What a process serves, and how.

    Attributes:
        settings: what.
        store: of the logs.
        compiler: of the games.
        listening: a bound socket.
        address: where people find it; said when it listens, unless it is empty.
        browser: whether to open the address in a browser.
        metrics: whether ``/metrics`` answers.
        private_host: address at which other processes reach this one; None if there are none.
        family: of the process, if it has one.
        tick: called ten times a second; whether the process is to stop.
    """

    settings: ServerSettings
    store: Store
    compiler: GameCompiler
    listening: socket.socket
    address: str = ""
    browser: bool = False
    metrics: bool = False
    private_host: str | None = None
    family: Family | None = None
    tick: Callable[[], bool] = field(default=lambda: False)


class Server(uvicorn.Server):
    """Begins and ends as ours do: it says where it is, and tells everybody to come back before it stops.

    Args:
        config: of uvicorn.
        serving: what is served.
        say_goodbye: called first when the server stops.
        peers: accepts connections from other processes, if there are any.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        serving: Serving,
        say_goodbye: Callable[[], Awaitable[None]],
        peers: PeerConnections | None,
    ) -> None:
        super().__init__(config)
        self._serving, self._say_goodbye, self._peers = serving, say_goodbye, peers

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self._peers is not None:
            await self._peers.start(self)
        if self.started and self._serving.family is not None:
            self._serving.family.sign.touch()
        if self.started and self._serving.address:
            typer.echo(f"Tefuda serves at {self._serving.address} (Ctrl-C stops)", err=True)
        if self.started and self._serving.browser:
            # In a thread of its own: some browsers return only when they are closed.
            threading.Thread(target=webbrowser.open, args=[self._serving.address], daemon=True).start()

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or self._serving.tick()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        log.info("the server stops")
        for listening in self.servers:  # whoever is told to come back finds another process, if there is one
            listening.close()
        if self._peers is not None:
            self._peers.stop()
        await self._say_goodbye()
        await super().shutdown(sockets)


def serve(serving: Serving) -> None:
    """Serve until stopped."""
    private = None if serving.private_host is None else _listen_privately(serving.private_host)
    family = serving.family
    handover = None if family is None else Handover(family.folder, family.name)
    membership = None
    if serving.store.shared:
        name, ended = (secrets.token_hex(8), ()) if family is None else (family.name, family.ended)
        address = "" if private is None else _written(*private.getsockname()[:2])
        membership = Membership(serving.store.leases, str(family.folder) if family else name, address, name, ended)
    app = create_app(
        serving.store, serving.settings, serving.compiler, metrics=serving.metrics, membership=membership,
        handover=handover,
    )  # fmt: skip

    def config(proxies: Sequence[str]) -> uvicorn.Config:
        return uvicorn.Config(
            app, http=LimitedHttpProtocol, ws=LimitedWebSocketProtocol, ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False, log_config=None, access_log=False, server_header=False,
            timeout_graceful_shutdown=STOP_WITHIN, forwarded_allow_ips=list(proxies),
        )  # fmt: skip

    peers = None
    if membership is not None:
        peers = PeerConnections(membership, serving.store.secret(), handover, private, relayed=config(["*"]))

    gc.freeze()  # what is loaded by now stays; examining it again and again would hold up moves
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
    goodbye = app.state.services.tables.close
    Server(config(serving.settings.proxies), serving, goodbye, peers).run(sockets=[serving.listening])


def _listen_privately(host: str) -> socket.socket:
    version = ipaddress.ip_address(host).version
    listening = socket.socket(socket.AF_INET6 if version == 6 else socket.AF_INET)
    listening.bind((host, 0))
    return listening


def private_host(database: URL) -> str:
    """This machine's address in the network of a database, where others that use it reach this one too."""
    host = database.host or str(database.query.get("host") or "localhost")
    if host.startswith("/"):
        return "127.0.0.1"
    try:
        family, _, _, _, address = socket.getaddrinfo(host, database.port or 5432, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(address)  # nothing is sent
            return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.1"


def _written(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
