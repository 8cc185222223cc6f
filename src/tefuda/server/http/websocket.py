"""Sockets as uvicorn's ``ws=`` takes them, on the sans-I/O protocol of websockets: no compression, no waiting for
readers, little kept for those who do not wait for answers."""

import asyncio
from collections import deque
from collections.abc import MutableMapping
from functools import lru_cache
from http import HTTPStatus
from logging import getLogger
from typing import Any
from urllib.parse import unquote

import uvicorn
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from tefuda.server.http.connections import CONNECTION, HttpConnection, LimitedConnection
from tefuda.server.http.limits import Admission, address_of

Message = MutableMapping[str, Any]

MOST_QUEUED = 64  # messages that may have arrived before the first of them is handled
FEW_QUEUED = 4  # messages that may wait while the next are read: stopping and starting for each takes two system calls

SLICE = 2048
"""Bytes that are parsed at a time: all that has arrived, up to 256 KiB of small messages, would hold up others."""

MOST_AFTER_CLOSE = 16 * 1024  # bytes that may still arrive after a socket is closed here
CLOSE_WITHIN = 10.0  # seconds in which the other end may answer a close

SEND_NOW = "tefuda.send_now"
"""The extension of a socket's scope that sends a text, as UTF-8, at once; false where it has to wait for its turn."""

log = getLogger("tefuda.server")


class WebSocketConnection(LimitedConnection):
    """One socket, between the network and the application."""

    def __init__(
        self, config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any], _loop: object = None
    ) -> None:
        super().__init__()
        self._config, self._server, self._state = config, server_state, app_state
        self._admission: Admission = app_state["admission"]
        self._http: HttpConnection | None = app_state.get(CONNECTION)
        self._lines = ServerProtocol(max_size=config.ws_max_size)
        self._scope: dict[str, Any] = {}
        self._response: Response | None = None  # accepts the handshake, as soon as the application does
        self._output: list[bytes] = []  # texts that wait for the end of this turn
        self._parts: list[Any] = []  # of a message that comes in fragments
        self._is_text = True
        self._waiting = deque[Message]()
        self._arrival: asyncio.Future[None] | None = None  # awaited by the application
        self._is_paused = self._is_flushing = self._has_ended = self._awaits_pong = False
        self._unwanted = 0  # bytes that came after the end
        self._unread = 0  # bytes that the library has read of a frame whose end has not come
        self._timers: list[asyncio.TimerHandle] = []

    # The network

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]
        self._server.connections.add(self)  # type: ignore[arg-type]
        if self._http is not None:
            self._http.stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connections.discard(self)
        for timer in self._timers:
            timer.cancel()
        self.resume_writing()
        self._end(CloseCode.ABNORMAL_CLOSURE)
        if self._http is not None:
            self._http.release()

    def shutdown(self) -> None:
        """Called by uvicorn when the server stops, after everybody has been told."""
        if self._response is None:
            self._close(CloseCode.SERVICE_RESTART)
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        text = None if self._unread or self._parts or self._has_ended else short_text_in(data)
        if text is not None and self._lines.state is State.OPEN:
            self._is_text = True
            self._receive(text)
            return
        for start in range(0, len(data), SLICE):
            part = data[start : start + SLICE]
            self._unwanted += len(part) if self._has_ended else 0
            if self._unwanted > MOST_AFTER_CLOSE:
                self.cut_off()
            if self.transport.is_closing():
                return
            self._lines.receive_data(part)
            self._unread += len(part)
            for event in self._lines.events_received():
                if isinstance(event, Frame):
                    self._unread -= length_of(len(event.data))
                    self._take(event)
                elif isinstance(event, Request):
                    self._unread = 0
                    self._begin(event)
            self._answer()

    def _take(self, frame: Frame) -> None:
        if frame.opcode is Opcode.PONG:
            self._awaits_pong = False
        elif frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            if frame.opcode is not Opcode.CONT:
                self._is_text = frame.opcode is Opcode.TEXT
            self._parts.append(frame.data)
            if frame.fin and not self._has_ended:
                data, self._parts = b"".join(self._parts), []
                self._receive(data)

    def _receive(self, data: bytes) -> None:
        """Queue a message for the application."""
        try:
            self._put({"type": "websocket.receive", **({"text": data.decode()} if self._is_text else {"bytes": data})})
        except UnicodeDecodeError:
            self._lines.fail(CloseCode.INVALID_DATA)
            self._answer()
            return
        if len(self._waiting) > MOST_QUEUED:
            self._admission.cut(address_of(self._scope))
            self._waiting = deque(each for each in self._waiting if each["type"] == "websocket.connect")
            self._close(CloseCode.POLICY_VIOLATION)
        elif len(self._waiting) >= FEW_QUEUED and not self._is_paused:
            self._is_paused = True
            self.transport.pause_reading()

    def _answer(self) -> None:
        """Send what the library answers by itself: to pings, to a close, to what is no protocol."""
        self._write()
        if self._lines.state is not State.OPEN and self._response is None and not self._has_ended:
            closed = self._lines.close_rcvd or self._lines.close_sent
            self._end(closed.code if closed else CloseCode.ABNORMAL_CLOSURE, closed.reason if closed else "")

    def _write(self) -> None:
        """Send all that waits; the last of it, if the library says that there will be no more."""
        self._flush()
        by_library = self._lines.data_to_send()
        if by_library and not self.transport.is_closing():
            self.transport.write(b"".join(by_library))
            if by_library[-1] == SEND_EOF:
                self.transport.close()

    def _flush(self) -> None:
        """Send the texts that wait."""
        self._is_flushing = False
        output, self._output = self._output, []
        if output and not self.transport.is_closing():
            self.transport.write(b"".join(output))

    # The application

    def _begin(self, request: Request) -> None:
        """Ask the application whether it accepts a handshake."""
        response = self._lines.accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._refuse(response)
            return
        self._response = response
        path, _, query = request.path.partition("?")
        server, client = (self.transport.get_extra_info(name) for name in ("sockname", "peername"))
        self._scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws",
            "server": server[:2] if isinstance(server, tuple) else None,
            "client": client[:2] if isinstance(client, tuple) else None,
            "root_path": self._config.root_path,
            "path": self._config.root_path + unquote(path),
            "raw_path": path.encode("ascii"),
            "query_string": query.encode("ascii"),
            "headers": [
                (name.lower().encode("ascii"), value.encode("latin-1", "surrogateescape"))
                for name, value in request.headers.raw_items()
            ],
            "subprotocols": [],
            "state": self._state.copy(),
            "extensions": {SEND_NOW: self.send_now},
        }
        self._put({"type": "websocket.connect"})
        task = self._loop.create_task(self._run())
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    async def _run(self) -> None:
        try:
            await self._config.loaded_app(self._scope, self._take_message, self._send)
        except Exception:
            if not self.transport.is_closing():
                log.exception("a socket")
        if self._response is not None and not self.transport.is_closing():  # neither accepted nor refused
            self._refuse(self._lines.reject(HTTPStatus.INTERNAL_SERVER_ERROR, ""))
        elif self._lines.state is State.OPEN:
            self.transport.close()

    async def _take_message(self) -> Message:
        """The next message for the application."""
        if not self._waiting:
            self._arrival = self._loop.create_future()
            await self._arrival
        message = self._waiting.popleft()
        if self._is_paused and len(self._waiting) < FEW_QUEUED:
            self._is_paused = False
            self.transport.resume_reading()
        return message

    async def _send(self, message: Message) -> None:
        """Do what the application says. ``OSError`` if the client is gone, or the socket closed."""
        await self.is_writable.wait()
        kind = message["type"]
        if self._response is not None:
            response, self._response = self._response, None
            if kind == "websocket.accept":
                self._accept(response)
            else:
                self._refuse(self._lines.reject(HTTPStatus.FORBIDDEN, ""))
        elif kind == "websocket.close":
            self._close(message.get("code", CloseCode.NORMAL_CLOSURE), message.get("reason") or "")
        elif kind != "websocket.send" or not self.send_now(message["text"].encode()):
            raise OSError("the socket is closed")

    def send_now(self, text: bytes) -> bool:
        """Send a text at the end of this turn of the loop, with whatever else this turn has to tell; false where the
        socket is closed, or the reader has not taken what was sent before."""
        if self._has_ended or self._response is not None or not self.is_writable.is_set():
            return False
        self._output.append(frame_of(text))  # what the library has to send is always written at once, and comes later
        if not self._is_flushing:
            self._is_flushing = True
            self._loop.call_soon(self._flush)
        return True

    def _accept(self, response: Response) -> None:
        self._lines.send_response(response)
        self._write()
        if self._config.ws_ping_interval:
            self._ping_after(self._config.ws_ping_interval)

    def _ping_after(self, seconds: float) -> None:
        def ping() -> None:
            if self._awaits_pong:
                self._lines.fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
                self._answer()
            elif self._lines.state is State.OPEN:
                self._awaits_pong = True
                self._lines.send_ping(b"")
                self._write()
                self._ping_after(seconds)

        self._timers = [self._loop.call_later(seconds, ping)]

    def _refuse(self, response: Response) -> None:
        """Answer a handshake by something else than a socket."""
        self._response = None
        self._lines.send_response(response)
        self._write()
        self._end(CloseCode.ABNORMAL_CLOSURE)

    def _close(self, code: int, reason: str = "") -> None:
        """Begin to close."""
        if self._lines.state is State.OPEN:
            self._lines.send_close(code, reason)
            self._write()
            self._timers.append(self._loop.call_later(CLOSE_WITHIN, self.transport.close))
        self._end(code, reason)
        if self._is_paused:  # the answer to the close may stand behind what was not read
            self._is_paused = False
            self.transport.resume_reading()

    def _end(self, code: int, reason: str = "") -> None:
        """Tell the application that nothing more will come."""
        if not self._has_ended:
            self._has_ended = True
            self._put({"type": "websocket.disconnect", "code": int(code), "reason": reason})

    def _put(self, message: Message) -> None:
        self._waiting.append(message)
        if self._arrival is not None and not self._arrival.done():
            self._arrival.set_result(None)


# Texts are most of what comes and goes, each in one frame (RFC 6455, 5.2): they are written here, and read if they are
# short, in a third of the time that the library takes for frames of all kinds.

_TEXT, _MASKED, _SHORT = 0x81, 0x80, 126


@lru_cache(4)  # what several are told goes to one after the other
def frame_of(text: bytes) -> bytes:
    """The frame in which a server sends a text."""
    length = len(text)
    if length < _SHORT:
        return bytes((_TEXT, length)) + text
    if length < 1 << 16:
        return bytes((_TEXT, _SHORT)) + length.to_bytes(2, "big") + text
    return bytes((_TEXT, _SHORT + 1)) + length.to_bytes(8, "big") + text


def short_text_in(data: bytes) -> bytes | None:
    """The text, if this is exactly one frame, of a short text from a client; else None."""
    size = len(data) - 6
    if not 0 <= size < _SHORT or data[0] != _TEXT or data[1] != _MASKED | size:
        return None
    mask = (data[2:6] * (size // 4 + 1))[:size]
    return (int.from_bytes(data[6:], "little") ^ int.from_bytes(mask, "little")).to_bytes(size, "little")


def length_of(size: int) -> int:
    """The length of a client's frame with so many bytes in it, at least: who writes the size in more bytes than it
    needs is taken to be in the middle of a frame from then on, and read by the library."""
    return size + 6 + (0 if size < _SHORT else 2 if size < 1 << 16 else 8)
