"""``tefuda serve``: the server."""

import gc
import os
import socket
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path

import platformdirs
import typer
import uvicorn

from tefuda.engine.errors import TefudaError
from tefuda.lab.requirements import missing_packages, runs_folder
from tefuda.server import logs
from tefuda.server.house.rooms import Rooms
from tefuda.server.house.settings import Settings
from tefuda.server.store import open_store
from tefuda.server.web.app import create_app
from tefuda.server.web.protocol import ImpatientHttp, ImpatientSocket

LARGEST_MESSAGE = 16 * 1024
"""Bytes of a message over a socket."""

SEND_BUFFER = 128 * 1024
"""Bytes that the system keeps for each slow reader; with more he is noticed too late."""

OTHER_FILES = 100
"""Files that the process may have open beside connections: the database, what it sends."""

STOP_WITHIN = 5
"""Seconds that requests in progress have when the server stops."""


class Server(uvicorn.Server):
    """Shows itself in a browser when it has begun, and tells everybody to come back before it stops.

    Args:
        config: of uvicorn.
        rooms: to be closed first.
        address: to be shown, None for no browser.
    """

    def __init__(self, config: uvicorn.Config, rooms: Rooms, address: str | None) -> None:
        super().__init__(config)
        self._rooms, self._address = rooms, address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._address is not None:
            # In a thread of its own: some browsers return only when they are closed.
            threading.Thread(target=webbrowser.open, args=[self._address], daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._rooms.close()
        await super().shutdown(sockets)


def run(host: str, port: int, db: str | None, settings: Settings, level: str, metrics: bool, browser: bool) -> None:
    """Serve until stopped.

    Args:
        browser: whether to open one, if a person at a screen has started this.

    Raises:
        TefudaError: the store cannot be opened, or the port is in use.
    """
    settings = replace(settings, connections_in_all=_room_for(settings.connections_in_all))
    listening = _listen(host, port)
    url = db or f"sqlite:///{Path(platformdirs.user_data_dir('tefuda')) / 'tables.db'}"
    store = open_store(url)
    logs.set_up(level)
    told = Told() if sys.stderr.isatty() else lambda *_: None
    app = create_app(store, settings, told, metrics=metrics)
    config = uvicorn.Config(
        app, http=ImpatientHttp, ws=ImpatientSocket, ws_max_size=LARGEST_MESSAGE, ws_per_message_deflate=False,
        log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=STOP_WITHIN,
    )  # fmt: skip
    address = settings.origin or _address(host, listening.getsockname()[1])
    typer.echo(f"Tefuda serves at {address} (Ctrl-C stops)", err=True)
    gc.freeze()  # what is loaded by now stays; looking through it again and again would hold up moves
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
    shown = address if browser and sys.stderr.isatty() and _has_screen() else None
    Server(config, app.state.rooms, shown).run(sockets=[listening])


def own_runs() -> Path | None:
    """The folder of this user's runs; None where the laboratory is not installed and has left none."""
    folder = runs_folder()
    return folder if folder.is_dir() or not missing_packages() else None


def _room_for(connections: int) -> int:
    """Have the system allow so many connections, or as many as it will; how many those are."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHER_FILES
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, allowed - OTHER_FILES)


def _address(host: str, port: int) -> str:
    """Where people find the server: of an address that stands for all of this machine's, the one in the network."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not listened at
        host = _own_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _own_address() -> str:
    """This machine's address in the network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _has_screen() -> bool:
    """Whether a browser with windows can be opened; one that draws in this terminal would be in the way."""
    if sys.platform in ("win32", "darwin"):
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listening.bind(address)
    except OSError as error:
        raise TefudaError(f"--host {host} --port {port}: {error.strerror or error}; name another --port") from error
    return listening


class Told:
    """Shows in a terminal that games are being compiled; tables wait for it, pages do not."""

    def __init__(self) -> None:
        from rich.console import Console  # not where nobody looks: a server should start quickly

        self._bar = Console(stderr=True, highlight=False).status("")

    def __call__(self, game: str, label: str, done: int, steps: int) -> None:
        if done < steps:
            self._bar.update(f"preparing {game}: {label} ({done}/{steps})")
            self._bar.start()
        else:
            self._bar.stop()
