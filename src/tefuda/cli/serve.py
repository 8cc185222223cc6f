"""``tefuda serve``: the server, in one process or in several that share a database."""

import asyncio
import errno
import gc
import multiprocessing
import os
import re
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import ip_address
from logging import getLogger
from pathlib import Path
from typing import Any, TypeVar

import typer
from sqlalchemy.engine import make_url
from uvicorn import Config, Server

from tefuda.engine.errors import TefudaError
from tefuda.lab import missing_packages, runs_folder
from tefuda.server import json_logs
from tefuda.server.http.application import create_app
from tefuda.server.http.connections import HttpConnection, Passages
from tefuda.server.http.websocket import WebSocketConnection
from tefuda.server.live.cluster_node import ClusterNode
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Store, open_store, sqlite, usual_address

SEND_BUFFER = 128 * 1024
"""Bytes that the system keeps for each slow reader; with more, slow readers are noticed too late."""

OTHER_FILES = 100  # files that the process may have open beside connections: the database, what it sends

NO_SUCH_HOST = "this machine has no such address; 127.0.0.1 is for you alone, 0.0.0.0 for everybody in the network"

PROXIES = "FORWARDED_ALLOW_IPS"  # variable in which uvicorn is told of proxies

Result = TypeVar("Result")

LEVELS = ("debug", "info", "warning", "error")

log = getLogger("tefuda.server")

LARGEST_MESSAGE = 16 * 1024  # bytes of a message over a socket
SIGN_EVERY = 1.0  # seconds between signs of life of a worker
STOP_WITHIN = 5  # seconds that requests in progress have when the server stops


@dataclass(frozen=True)
class WorkerPlace:
    """A process among ``count`` workers of one server; ``passages`` lead to all, and ``beat`` gives a sign of life."""

    slot: int
    count: int
    passages: Passages
    beat: Callable[[], None]


@dataclass(frozen=True)
class Serving:
    """A process's store, settings and bound socket.

    The address where people find it is said when it listens, unless it is empty, and opened in a browser if asked for.
    """

    settings: ServerSettings
    store: Store
    compiler: GameCompiler
    listening: socket.socket
    address: str = ""
    browser: bool = False
    metrics: bool = False
    place: WorkerPlace | None = None


class ListeningServer(Server):
    """A uvicorn server that says where it is, and calls ``say_goodbye`` before it stops."""

    def __init__(self, config: Config, serving: Serving, say_goodbye: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._serving, self._say_goodbye = serving, say_goodbye
        self._signs: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        serving, place = self._serving, self._serving.place
        if self.started and place is not None:
            connection = partial(HttpConnection, self.config, self.server_state, self.lifespan.state)
            place.passages.open(place.slot, lambda read: connection(early=read))
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
    config = Config(
        app, http=HttpConnection, ws=WebSocketConnection, ws_max_size=LARGEST_MESSAGE, log_config=None,
        access_log=False, server_header=False, timeout_graceful_shutdown=STOP_WITHIN,
        forwarded_allow_ips=list(serving.settings.proxies),
    )  # fmt: skip
    gc.freeze()  # what is loaded by now stays; examining it again and again would hold up moves
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
    ListeningServer(config, serving, app.state.services.release).run(sockets=[serving.listening])


def server_settings(
    *, games: Sequence[str], lab: Path | None, rate: float, proxies: Sequence[str] = (), **others: Any
) -> ServerSettings:
    """The settings as the command line gives them; TefudaError names an option whose value is wrong.

    A ``rate`` of 0 lifts all limits but that of all connections."""
    if lab is not None and not lab.is_dir():
        raise TefudaError(f"--lab: {lab} is not a folder")
    limits: dict[str, Any] = {} if rate else {"messages": 0.0, "creations": 0.0, "sockets": 0, "connections": 0}
    known = tuple(proxies) or tuple(filter(None, re.split(r"[,\s]+", os.environ.get(PROXIES, "127.0.0.1"))))
    return ServerSettings(games=tuple(games), lab=lab or _own_runs(), requests=rate, proxies=known, **limits, **others)


def check_options(level: str, private_host: str | None) -> None:
    """Check options of the process; ``private_host`` is of earlier versions, an address and otherwise unused."""
    try:
        ip_address(private_host or "127.0.0.1")
    except ValueError:
        raise TefudaError(f"--private-host: {private_host!r} is no address of a machine") from None
    if level not in LEVELS:
        raise TefudaError(f"--log {level}: write debug, info, warning or error")


def run(
    settings: ServerSettings,
    *,
    host: str,
    port: int,
    db: str | None,
    level: str,
    metrics: bool,
    browser: bool,
    workers: int,
    wait: float,
) -> None:
    """Serve until stopped; TefudaError if the store cannot be opened, or the port is in use.

    ``db`` is the address of the store, None for a file in the user's data folder; a server that has the port or the
    file may need them ``wait`` seconds."""
    if settings.mcp and workers > 1:
        raise TefudaError("--mcp: agents' tables live in one process; leave --workers out")
    settings = replace(settings, connections_in_all=_most_connections(settings.connections_in_all))
    progress = _compilation_status() if sys.stderr.isatty() else lambda *_: None
    compiler, until = GameCompiler(settings.games, progress), time.monotonic() + wait
    if wait:
        compiler.compile_all()  # while the server before still serves
    with _retry(until, lambda: listen(host, port)) as listening:
        url = usual_address(db)
        store = _retry(until, lambda: open_store(url))
        json_logs.set_up(level)
        serving = Serving(
            settings, store, compiler, listening, metrics=metrics,
            address=settings.origin or address_of(host, listening.getsockname()[1]),
            browser=browser and sys.stderr.isatty() and _has_screen(),
        )  # fmt: skip
        if workers == 1:
            serve(serving)
        else:
            _serve_together(workers, url, serving)


def _retry(until: float, work: Callable[[], Result]) -> Result:
    """Do what another server may be in the way of, which is about to stop: again and again until this moment."""
    while True:
        try:
            return work()
        except TefudaError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _serve_together(count: int, url: str, serving: Serving) -> None:
    """Serve by several processes."""
    if not hasattr(os, "fork"):
        raise TefudaError("--workers: this system cannot fork processes; start several servers on one PostgreSQL")
    from tefuda.cli.workers import Beat, Workers

    asyncio.run(serving.store.close())  # it was opened to be checked, and brought up to date
    kept = sqlite.lock(sqlite.file_of(make_url(url))) if not serving.store.shared else None
    serving.compiler.compile_all()
    passages = Passages(count)

    def serve_one(slot: int, beat: Beat) -> None:
        place, store = WorkerPlace(slot, count, passages, beat), open_store(url, shared=True)
        serve(replace(serving, store=store, address="", browser=False, place=place))

    def ready() -> None:
        typer.echo(f"Tefuda serves at {serving.address} by {count} processes (Ctrl-C stops)", err=True)

    Workers(count, serve_one, ready, STOP_WITHIN + 3).run()
    passages.close_all()
    del kept


def _own_runs() -> Path | None:
    """The folder of this user's runs; None where the laboratory is not installed and has left none."""
    folder = runs_folder()
    return folder if folder.is_dir() or not missing_packages() else None


def _most_connections(wanted: int) -> int:
    """Have the system allow so many connections, or as many as it will; how many those are."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = wanted + OTHER_FILES
    allowed = files if hard == resource.RLIM_INFINITY else min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, allowed - OTHER_FILES)


def address_of(host: str, port: int) -> str:
    """The address of the server: for a host that stands for all of this machine's addresses, its network address."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not listened at
        host = _network_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _network_address() -> str:
    """This machine's address in the network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _has_screen() -> bool:
    """True if a browser with windows can be opened; one that draws in this terminal would be in the way."""
    if sys.platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to this address; TefudaError if the host is not this machine, or the port cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise TefudaError(f"--host {host}: {NO_SUCH_HOST}") from None
    listening = socket.socket(family, kind, protocol)
    # A port that a server has just left can be taken again. On Windows the same option takes a port away from another
    # program, and this one keeps others from doing that.
    listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    try:
        listening.bind(address)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise TefudaError(f"--host {host}: {NO_SUCH_HOST}") from None
        raise TefudaError(f"--port {port}: {error.strerror}; name another --port") from error
    return listening


def _compilation_status() -> Callable[[str, str, int, int], None]:
    """Show in a terminal that games are being compiled; tables wait for it, pages do not."""
    from rich.console import Console  # not where nobody watches: a server should start quickly

    status = Console(stderr=True, highlight=False).status("")

    def show(game: str, label: str, done: int, steps: int) -> None:
        status.update(f"preparing {game}: {label} ({done}/{steps})")
        status.start() if done < steps else status.stop()

    return show
