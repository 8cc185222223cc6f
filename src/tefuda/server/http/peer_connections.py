"""Connections that come from other processes: handed over as open files, or relayed from another family."""

import asyncio
import hmac
import socket
from collections.abc import Callable
from typing import Any

import uvicorn

from tefuda.server.http.handover import Handover
from tefuda.server.http.protocol import LimitedHttpProtocol
from tefuda.server.http.relay import preamble
from tefuda.server.live.membership import Membership

LONGEST_PREAMBLE = 100
"""Bytes."""


class RelayedHttpProtocol(LimitedHttpProtocol):
    """A relayed request; its first line proves that another process has sent it, whose word on the client is believed.

    Args:
        proof: gives that line.
        given: as of uvicorn's protocols.
    """

    def __init__(self, proof: Callable[[], bytes], **given: Any) -> None:
        super().__init__(**given)
        self._proof: Callable[[], bytes] | None = proof
        self._line = b""
        self.places = None  # a request that comes to the wrong process is answered so: the client comes again

    def data_received(self, data: bytes) -> None:
        if self._proof is None:
            super().data_received(data)
            return
        self._line += data
        line, end, rest = self._line.partition(b"\r\n")
        if end and hmac.compare_digest(line + end, self._proof()):
            self._proof = None
            if rest:
                super().data_received(rest)
        elif end or len(self._line) > LONGEST_PREAMBLE:
            self._cut_off()


class PeerConnections:
    """Takes them.

    Args:
        membership: of this process among others.
        secret: of the database.
        handover: from processes of the family.
        listening: a socket bound where other families reach this process, if they do.
        relayed: the server's configuration where all that is said of the client is believed.
    """

    def __init__(
        self, membership: Membership, secret: bytes, handover: Handover | None, listening: socket.socket | None,
        relayed: uvicorn.Config,
    ) -> None:  # fmt: skip
        self._membership, self._secret = membership, secret
        self._handover, self._listening, self._relayed = handover, listening, relayed
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, server: uvicorn.Server) -> None:
        """Begin to take them, for a server that answers."""
        self._relayed.load()
        shared: dict[str, Any] = {"server_state": server.server_state, "app_state": server.lifespan.state}

        def proof() -> bytes:
            return preamble(self._secret, self._membership.id)

        loop = asyncio.get_running_loop()
        if self._listening is not None:
            server.servers.append(
                await loop.create_server(
                    lambda: RelayedHttpProtocol(proof, config=self._relayed, **shared), sock=self._listening
                )
            )

        def receive(connection: socket.socket, read: bytes) -> None:
            task = loop.create_task(self._go_on(connection, read, LimitedHttpProtocol(config=server.config, **shared)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        if self._handover is not None:
            self._handover.start(receive)

    def stop(self) -> None:
        """Take no more from processes of the family."""
        if self._handover is not None:
            self._handover.close()

    @staticmethod
    async def _go_on(connection: socket.socket, read: bytes, protocol: LimitedHttpProtocol) -> None:
        """Go on with a connection that another process has accepted."""
        protocol.begin_with(read)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: protocol, connection)
        except OSError:  # the client is gone
            connection.close()
