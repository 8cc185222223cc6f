"""HTTP and WebSocket as uvicorn speaks them, with limits: clients that do not read, do not finish a request or send
without end are cut off.

uvicorn has no setting for any of this, and no public class to add it to. So these classes extend its protocol classes,
whose methods and attributes may change with every release: ``pyproject.toml`` pins uvicorn to the release tested here.
"""

import asyncio
import socket
import struct
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.streams import StreamReader

from tefuda.server.http.admission import WAIT, Admission, address_of, household
from tefuda.server.http.frames import frame_of, text_in
from tefuda.server.http.limits import READ_TIMEOUT, REQUEST_TIMEOUT
from tefuda.server.http.places import Places, Trusted
from tefuda.server.http.request_head import MOST, RequestHead, may_concern_tables

_AT_ONCE = struct.pack("ii", 1, 0)
"""For ``SO_LINGER``: closing drops what has not been sent."""

MOST_QUEUED = 64
"""Messages that may have arrived before the first of them is handled."""

SLICE = 2048
"""Bytes that are parsed at a time: all that has arrived, up to 256 KiB of small messages, would hold up others."""

MOST_AFTER_CLOSE = 16 * 1024
"""Bytes that may still arrive after a socket is closed here."""


FEW_QUEUED = 4
"""Messages that may wait while the next are read: stopping and starting for each takes two system calls."""

SEND_NOW = "tefuda.send_now"
"""The extension of a socket's scope that sends a text, as UTF-8, at once; false where it has to wait for its turn."""


class _LimitedProtocol(asyncio.Protocol):
    """One connection; it is cut off when what waits to be sent has not gone within ``READ_TIMEOUT`` seconds.

    Attributes:
        address: of the other end, as limits know it; None for a proxy.
        admitted: whether ``Admission`` counts it.
    """

    app: Any
    app_state: dict[str, Any]
    client: tuple[str, int] | None
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    admitted = False
    _read_timer: asyncio.TimerHandle | None = None  # while nothing more can be written

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.admission: Admission = self.app_state["admission"]
        host = self.client[0] if self.client else ""
        self.address = None if host in self.app.trusted_hosts else household(host)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._read_timer = self.loop.call_later(READ_TIMEOUT, self._cut_off)

    def resume_writing(self) -> None:
        self._stop_read_timer()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_read_timer()
        if self.admitted:
            self.admitted = False
            self.admission.disconnect(self.address)
        super().connection_lost(exc)

    def _stop_read_timer(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _cut_off(self) -> None:
        # A close would wait for the reader to read what waits, which they do not.
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()


class LimitedHttpProtocol(_LimitedProtocol, HttpToolsProtocol):
    """Requests and streams; every connection begins here, and asks for admission.

    Where several processes share the tables, a request is parsed only when its place is found to be here.

    Attributes:
        places: of requests; None if all are answered here.
        is_settled: whether another process has sent the connection here.
        unanswered: what has been read of a request that waits for its place.
    """

    places: Places | None = None
    is_settled = False
    unanswered = b""
    _request_timer: asyncio.TimerHandle | None = None
    _waits = False
    _early = b""
    _is_placed = False
    _placing: asyncio.Task[None] | None = None
    _is_in_message = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.places = self.app_state.get("places")
        self.admitted = self.admission.connect(self.address)
        if self.admitted:
            self._start_request_timer()
            self._read_when_allowed()
        else:
            self._cut_off()

    def begin_with(self, read: bytes) -> None:
        """Before the connection is made: another process has read this from it, and sent it here."""
        self.is_settled, self._early = True, read

    def _read_when_allowed(self) -> None:
        """Read what the client sends, as soon as its address may ask for something."""
        if self.transport.is_closing():
            return
        self._waits = self.admission.is_used_up(self.address)
        if self._waits:
            self.loop.call_later(WAIT, self._read_when_allowed)
        else:
            self.transport.resume_reading()
            early, self._early = self._early, b""
            if early:
                self.data_received(early)

    def data_received(self, data: bytes) -> None:
        if self._waits:  # uvloop reads once before it can be told not to
            self._early += data
            self.transport.pause_reading()
            return
        self._start_request_timer()
        if self.places is None or self._is_placed:
            super().data_received(data)
        else:
            self.unanswered += data
            self._place(self.places)

    @property
    def trusted(self) -> Trusted:
        """The proxies whose word is believed."""
        found: Trusted = self.app.trusted_hosts
        return found

    @property
    def host(self) -> str:
        """The address at the other end."""
        return self.client[0] if self.client else ""

    def _place(self, places: Places) -> None:
        """Find out which process answers what has been read so far."""
        if self._placing is not None:
            self.transport.pause_reading()
            return
        head = RequestHead.read(self.unanswered)
        if head is None and may_concern_tables(self.unanswered) and len(self.unanswered) < MOST:
            return
        if head is None or places.is_here(head):
            self._answer_here()
        else:
            self.transport.pause_reading()
            self._stop_request_timer()  # from here on they wait for us
            self._placing = self.loop.create_task(self._send_on(places, head))

    async def _send_on(self, places: Places, head: RequestHead) -> None:
        is_gone = await places.send_on(self, head)
        self._placing = None
        if not is_gone and not self.transport.is_closing():
            self._start_request_timer()
            self._answer_here()
            self.transport.resume_reading()

    def _answer_here(self) -> None:
        self._is_placed = True
        data, self.unanswered = self.unanswered, b""
        super().data_received(data)

    def on_message_begin(self) -> None:
        self._is_in_message = True
        super().on_message_begin()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._stop_request_timer()
        self._is_in_message = False
        self._expect_request()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._expect_request()

    def _expect_request(self) -> None:
        """Find the place of what comes next, if all that came before is answered."""
        if not self._is_in_message and not self.pipeline and self.cycle is not None and self.cycle.response_complete:
            self._is_placed = self.is_settled = False

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_request_timer()
        if self._placing is not None:
            self._placing.cancel()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._stop_request_timer()
        super().handle_websocket_upgrade()

    def _start_request_timer(self) -> None:
        if self._request_timer is None:
            self._request_timer = self.loop.call_later(REQUEST_TIMEOUT, self._cut_off)

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None


class _Writes:
    """The sockets of one event loop to which something is to be written at the end of its turn."""

    _of_loops: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, "_Writes"]] = WeakKeyDictionary()

    def __init__(self) -> None:
        self._sockets: list[LimitedWebSocketProtocol] = []

    @classmethod
    def of(cls, loop: asyncio.AbstractEventLoop) -> "_Writes":
        """Those of a loop."""
        return cls._of_loops.get(loop) or cls._of_loops.setdefault(loop, cls())

    def add(self, socket: "LimitedWebSocketProtocol") -> None:
        """One more: an answer goes with the state that it has led to, in one system call."""
        if not self._sockets:
            socket.loop.call_soon(self._write)
        self._sockets.append(socket)

    def _write(self) -> None:
        sockets, self._sockets = self._sockets, []
        for each in sockets:
            try:
                each.flush()
            except Exception as error:  # what is wrong with one holds up no other
                each.loop.call_exception_handler({"message": "a socket could not be written to", "exception": error})


class LimitedWebSocketProtocol(_LimitedProtocol, WebSocketsSansIOProtocol):
    """Sockets; they were admitted as requests.

    The library reads and writes whatever is rare: handshakes, fragments, pings, closing. What comes thousands of times
    a second is a short text in one frame, either way; that is read and written here.
    """

    admitted = True
    _unwanted = 0
    _is_flushing = _is_between_frames = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._writes = _Writes.of(self.loop)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope") and not self.conn.extensions:  # which the library would have to ask about each text
            self.scope["extensions"][SEND_NOW] = self._send_now  # type: ignore[assignment]

    def _send_now(self, text: bytes) -> bool:
        """Send without the layers between, which take ten times as long; ``send`` does the same for one message."""
        if self._read_timer is not None or self.close_sent or self.disconnected:
            return False
        self.conn.writes.append(frame_of(text))  # where the library puts what it sends, which may come before or after
        if not self._is_flushing:
            self._is_flushing = True
            self._writes.add(self)
        return True

    def flush(self) -> None:
        """Write what has been sent in this turn of the loop."""
        self._is_flushing = False
        output, self.conn.writes = self.conn.writes, []
        if output and not self.transport.is_closing():
            self.transport.writelines(output)

    def send_receive_event_to_app(self) -> None:
        goes_on = not self.read_paused and self.queue.qsize() < FEW_QUEUED
        self.read_paused |= goes_on  # then uvicorn does not stop reading
        super().send_receive_event_to_app()
        if goes_on:
            self.read_paused = False

    def data_received(self, data: bytes) -> None:
        text = text_in(data) if self._is_between_frames and not self.close_sent else None
        if text is not None and self.conn.state is State.OPEN:
            self.curr_msg_data_type, self.frames = "text", [text]
            self.send_receive_event_to_app()
            self._refuse_too_many()
            return
        self._read_by_library(data)
        self._is_between_frames = not self.frames and not self.conn.extensions and _is_between_frames(self.conn.parser)

    def _read_by_library(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            part = data[start : start + SLICE]
            self._unwanted += len(part) if self.close_sent else 0
            if self._unwanted > MOST_AFTER_CLOSE:
                self._cut_off()
            if self.transport.is_closing():
                return
            super().data_received(part)
            self._refuse_too_many()

    def _refuse_too_many(self) -> None:
        """Close if too many messages wait, and drop them; the client's own closing may stand behind these."""
        if self.queue.qsize() <= MOST_QUEUED or self.close_sent:
            return
        waiting = [self.queue.get_nowait() for _ in range(self.queue.qsize())]
        for event in waiting:
            if event["type"] == "websocket.connect":
                self.queue.put_nowait(event)
        self.admission.cut(address_of(dict(self.scope)))
        self.conn.send_close(CloseCode.POLICY_VIOLATION)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.POLICY_VIOLATION, "reason": ""})
        self.close_sent = True
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)
        self.transport.resume_reading()  # paused while a message waits, of which there is none now
        self.read_paused = False


def _is_between_frames(parser: object) -> bool:
    """Whether the library's parser waits for a frame to begin; if it does so otherwise one day, it reads all frames."""
    frames = getattr(parser, "gi_yieldfrom", None)
    waiting = getattr(frames, "gi_yieldfrom", None)
    return getattr(waiting, "gi_code", None) is StreamReader.at_eof.__code__
