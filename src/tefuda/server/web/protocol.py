"""HTTP and WebSocket as uvicorn speaks them, but who does not read, does not ask or sends without end is hung up on."""

import asyncio
import socket
import struct
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

from tefuda.server.web.admission import WAIT, Admission, household
from tefuda.server.web.limits import ASK_WITHIN, READ_WITHIN
from tefuda.server.web.middleware import address_of

_AT_ONCE = struct.pack("ii", 1, 0)
"""For ``SO_LINGER``: closing drops what has not been sent."""

MOST_AT_ONCE = 64
"""Messages that may have come before the first of them is looked at."""

SLICE = 2048
"""Bytes that are taken apart at a time: all that has come, up to 256 KiB of small messages, would hold up others."""

MOST_AFTER_CLOSE = 16 * 1024
"""Bytes that may still be under way when a socket is closed here."""


class _LimitedProtocol(asyncio.Protocol):
    """One connection; it is cut when what waits to be sent has not gone within ``READ_WITHIN`` seconds.

    Attributes:
        address: of the other end, as limits know it; None of a proxy.
        entered: whether the door counts it.
    """

    app: Any
    app_state: dict[str, Any]
    client: tuple[str, int] | None
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    entered = False
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.door: Admission = self.app_state["door"]
        host = self.client[0] if self.client else ""
        self.address = None if host in self.app.trusted_hosts else household(host)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._patience = self.loop.call_later(READ_WITHIN, self._hang_up)

    def resume_writing(self) -> None:
        self._wait_no_longer()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        if self.entered:
            self.entered = False
            self.door.leave(self.address)
        super().connection_lost(exc)

    def _wait_no_longer(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _hang_up(self) -> None:
        # A close would wait for the reader to read what waits, which he does not.
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()


class LimitedHttpProtocol(_LimitedProtocol, HttpToolsProtocol):
    """Requests and streams; whoever connects comes to the door here."""

    _asking: asyncio.TimerHandle | None = None
    _waits = False
    _early = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.entered = self.door.enter(self.address)
        if self.entered:
            self._begin_asking()
            self._let_in()
        else:
            self._hang_up()

    def _let_in(self) -> None:
        """Read what he sends, as soon as his address may ask for something."""
        if self.transport.is_closing():
            return
        self._waits = self.door.is_used_up(self.address)
        if self._waits:
            self.loop.call_later(WAIT, self._let_in)
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
        self._begin_asking()
        super().data_received(data)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._end_asking()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_asking()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._end_asking()
        super().handle_websocket_upgrade()

    def _begin_asking(self) -> None:
        if self._asking is None:
            self._asking = self.loop.call_later(ASK_WITHIN, self._hang_up)

    def _end_asking(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None


class LimitedWebSocketProtocol(_LimitedProtocol, WebSocketsSansIOProtocol):
    """Sockets, which have come in as requests."""

    entered = True
    _unwanted = 0

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            part = data[start : start + SLICE]
            self._unwanted += len(part) if self.close_sent else 0
            if self._unwanted > MOST_AFTER_CLOSE:
                self._hang_up()
            if self.transport.is_closing():
                return
            super().data_received(part)
            if self.queue.qsize() > MOST_AT_ONCE and not self.close_sent:
                self._refuse_all()

    def _refuse_all(self) -> None:
        """Close, and forget also what has come already; his own closing may stand behind what is still coming."""
        waiting = [self.queue.get_nowait() for _ in range(self.queue.qsize())]
        for event in waiting:
            if event["type"] == "websocket.connect":
                self.queue.put_nowait(event)
        self.door.cut(address_of(dict(self.scope)))
        self.conn.send_close(CloseCode.POLICY_VIOLATION)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.POLICY_VIOLATION, "reason": ""})
        self.close_sent = True
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)
        self.transport.resume_reading()  # paused while a message waits, of which there is none now
        self.read_paused = False
