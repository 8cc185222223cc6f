"""Connections from their first byte on: admitted or not, read by uvicorn's own HTTP, cut off when they take too long,
handed to another worker if that one drives the table that they are about.

uvicorn has no setting for any of this. Its ``http=`` and ``ws=`` take classes, though; so a connection of ours holds
one of uvicorn's, and tells it whatever happens."""

import asyncio
import errno
import socket
import struct
import sys
from collections.abc import Callable, Mapping
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.server import ServerState

from tefuda.server.http.limits import READ_TIMEOUT, REQUEST_TIMEOUT, WAIT, Admission

CONNECTION = "connection"  # key under which a scope's state has the ``HttpConnection``
_AT_ONCE = struct.pack("ii", 1, 0)  # value of ``SO_LINGER`` by which closing drops what has not been sent
MOST_READ = 1 << 17  # bytes that are handed over with a connection
PATIENCE = 8.0  # seconds for which a worker that takes nothing is tried again: until another is in its place
AGAIN = 0.005  # seconds between tries

Taker = Callable[[bytes], asyncio.BaseProtocol]  # makes the protocol of a connection of which this has been read


class Passages:
    """The ways by which workers of one server hand each other connections, as open files with what has been read of
    them; the one that gets one goes on as if it had accepted it.

    There is a way to each worker, made before the workers are forked, so that one in the place of another has the same.
    """

    def __init__(self, count: int) -> None:
        kind = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        self._ways = [socket.socketpair(type=kind) for _ in range(count)]
        for way in self._ways:
            for end in way:
                end.setblocking(False)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * MOST_READ)
        self._tasks: set[asyncio.Task[None]] = set()

    async def give(self, slot: int, connection: int, read: Callable[[], bytes]) -> bool:
        """Hand a connection over to the worker of this number by its file, and tell if that one will have it; ``read``
        gives what has been read from it and not been answered."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while loop.time() < until:
            try:
                socket.send_fds(self._ways[slot][0], [read()], [connection])
            except OSError as error:
                if error.errno not in (errno.EAGAIN, errno.ENOBUFS):
                    return False
            else:
                return True
            await asyncio.sleep(AGAIN)
        return False

    def open(self, slot: int, protocol: Taker) -> None:
        """Begin to take what is handed to this worker."""
        asyncio.get_running_loop().add_reader(self._ways[slot][1], self._take, slot, protocol)

    def close(self, slot: int) -> None:
        """Take no more; what is on its way waits for the next worker in this place."""
        asyncio.get_running_loop().remove_reader(self._ways[slot][1])

    def close_all(self) -> None:
        """Give up the ways; all workers have ended."""
        for way in self._ways:
            for end in way:
                end.close()

    def _take(self, slot: int, protocol: Taker) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                read, files, _, _ = socket.recv_fds(self._ways[slot][1], MOST_READ, 1)
            except BlockingIOError:
                return
            for file in files:
                task = loop.create_task(_go_on(socket.socket(fileno=file), protocol(read)))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)


async def _go_on(connection: socket.socket, protocol: asyncio.BaseProtocol) -> None:
    """Go on with a connection that another worker has accepted."""
    connection.setblocking(False)
    try:
        await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, connection)
    except OSError:  # the client is gone
        connection.close()


class LimitedConnection(asyncio.Protocol):
    """A connection that is cut off when what waits to be sent has not gone within ``READ_TIMEOUT`` seconds;
    ``is_writable`` is set unless something waits."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._read_timer: asyncio.TimerHandle | None = None
        self.is_writable = asyncio.Event()
        self.is_writable.set()

    def pause_writing(self) -> None:
        self.is_writable.clear()
        self._read_timer = self._loop.call_later(READ_TIMEOUT, self.cut_off)

    def resume_writing(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
        self.is_writable.set()

    def cut_off(self) -> None:
        """End the connection; a close would wait for the reader to read what waits, which they do not."""
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()


class HttpConnection(LimitedConnection):
    """A connection with requests and streams, until one of them asks for a socket; ``early`` is what another worker has
    read from it."""

    def __init__(
        self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any], _loop: object = None,
        early: bytes = b"",
    ) -> None:  # fmt: skip
        super().__init__()
        self._passages: Passages | None = app_state.get("passages")
        self._admission: Admission = app_state["admission"]
        make: Any = AutoHTTPProtocol
        self._http = make(config=config, server_state=server_state, app_state={**app_state, CONNECTION: self})
        self._is_admitted = self._waits = False
        self._early = early  # read before the address might ask for something
        self._open = self._begun = 0  # requests that are being answered, and those in what was read
        self._read = b""  # since no request was being answered, if it may have to be handed over
        self._has_ended = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None  # while a request arrives

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]
        peer = transport.get_extra_info("peername")
        self._address = self._admission.address_at(peer[0] if isinstance(peer, tuple) else "")
        self._is_admitted = self._admission.connect(self._address)
        if self._is_admitted:
            self._http.connection_made(transport)
            self._start_timer()
            self._read_when_allowed()
        else:
            self.cut_off()

    def _read_when_allowed(self) -> None:
        """Read what the client sends, as soon as its address may ask for something."""
        if self.transport.is_closing():
            return
        self._waits = self._admission.is_used_up(self._address)
        if self._waits:
            self.transport.pause_reading()
            self._loop.call_later(WAIT, self._read_when_allowed)
        else:
            self.transport.resume_reading()
            early, self._early = self._early, b""
            if early:
                self.data_received(early)

    def data_received(self, data: bytes) -> None:
        if self._waits:  # uvloop reads once before it can be told not to
            self._early += data
            return
        if not self._open:
            self._start_timer()
            self._read, self._begun = b"", 0
        if self._passages is not None and len(self._read) <= MOST_READ:
            self._read += data
        self._http.data_received(data)

    def eof_received(self) -> bool | None:
        done: bool | None = self._http.eof_received()
        return done

    def pause_writing(self) -> None:
        super().pause_writing()
        self._http.pause_writing()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._is_admitted:
            self._http.connection_lost(exc)
            self.release()
        super().resume_writing()

    def begin(self) -> None:
        """A request has begun to be answered; its body may still be on the way."""
        self._open += 1
        self._begun += 1

    def end(self) -> None:
        """A request has been answered."""
        self._open -= 1
        self.stop_timer()

    def stop_timer(self) -> None:
        """A request has arrived as a whole, or the connection has become a socket."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def release(self) -> None:
        """The connection has ended."""
        self._has_ended.set()
        self.stop_timer()
        if self._is_admitted:
            self._is_admitted = False
            self._admission.disconnect(self._address)

    async def pass_on(self, slot: int) -> bool:
        """Let the worker of this number answer the request that has just begun, and tell if it does."""
        if self._passages is None or self._begun != 1 or len(self._read) > MOST_READ:
            return False
        self.transport.pause_reading()
        self.stop_timer()
        file = self.transport.get_extra_info("socket").fileno()
        if not await self._passages.give(slot, file, lambda: self._read):
            self.transport.resume_reading()
            return False
        self.transport.abort()  # our end of it; the other worker has its own
        await self._has_ended.wait()
        return True

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self._loop.call_later(REQUEST_TIMEOUT, self.cut_off)


class ArrivalMiddleware:
    """Tells connections when requests begin, have arrived as a whole, and have been answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: HttpConnection | None = scope.get("state", {}).get(CONNECTION)
        if connection is None:
            await self._app(scope, receive, send)
            return

        async def arriving() -> Message:
            message = await receive()
            if not message.get("more_body", False):
                connection.stop_timer()
            return message

        connection.begin()
        if not any(name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"]):
            connection.stop_timer()
        try:
            await self._app(scope, arriving, send)
        finally:
            connection.end()


async def passed_on(scope: Mapping[str, Any], slot: int) -> bool:
    """Let the worker of this number answer a request or a socket, and tell if it does."""
    connection: HttpConnection | None = scope.get("state", {}).get(CONNECTION)
    return connection is not None and await connection.pass_on(slot)
