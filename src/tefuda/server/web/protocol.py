"""HTTP and WebSocket as uvicorn speaks them, but who does not read, or sends without end, is hung up on."""

import asyncio
import socket
import struct

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

from tefuda.server.web.limits import READ_WITHIN

_AT_ONCE = struct.pack("ii", 1, 0)
"""For ``SO_LINGER``: closing drops what has not been sent."""

MOST_AT_ONCE = 64
"""Messages that may have come before the first of them is looked at."""

SLICE = 2048
"""Bytes that are taken apart at a time: all that has come, up to 256 KiB of small messages, would hold up others."""

MOST_AFTER_CLOSE = 64 * 1024
"""Bytes that may still be under way when a socket is closed here."""


class _Impatient(asyncio.Protocol):
    """One connection; it is cut when what waits to be sent has not gone within ``READ_WITHIN`` seconds."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _patience: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._patience = self.loop.call_later(READ_WITHIN, self._hang_up)

    def resume_writing(self) -> None:
        self._wait_no_longer()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        super().connection_lost(exc)

    def _wait_no_longer(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _hang_up(self) -> None:
        # A close would wait for the reader to read what waits, which he does not.
        self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
        self.transport.abort()


class ImpatientHttp(_Impatient, HttpToolsProtocol):
    """Requests and streams."""


class ImpatientSocket(_Impatient, WebSocketsSansIOProtocol):
    """Sockets."""

    _unwanted = 0

    def data_received(self, data: bytes) -> None:
        if self.close_sent:
            self._unwanted += len(data)
            if self._unwanted > MOST_AFTER_CLOSE:
                self._hang_up()
                return
        for start in range(0, len(data), SLICE):
            super().data_received(data[start : start + SLICE])
            if self.queue.qsize() > MOST_AT_ONCE and not self.close_sent:
                self._refuse_all()
            if self.transport.is_closing():
                return

    def _refuse_all(self) -> None:
        """Close, and forget also what has come already."""
        waiting = [self.queue.get_nowait() for _ in range(self.queue.qsize())]
        for event in waiting:
            if event["type"] == "websocket.connect":
                self.queue.put_nowait(event)
        self.conn.fail(CloseCode.POLICY_VIOLATION)
        self.handle_parser_exception()
