"""HTTP and WebSocket as uvicorn speaks them, but for those at the other end who do not read: they are hung up on."""

import asyncio
import socket
import struct

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tefuda.server.web.limits import READ_WITHIN

_AT_ONCE = struct.pack("ii", 1, 0)
"""For ``SO_LINGER``: closing drops what has not been sent."""


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
