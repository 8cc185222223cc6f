"""Requests and sockets that a process of another family answers, often on another machine: their bytes go to and fro.

The other end listens at a port of its own. It believes what the first line proves to come from a process that knows the
secret of the database, and then takes from the headers who the client is.
"""

import asyncio
import hmac
from collections import defaultdict
from collections.abc import Callable, Sequence, Set

from tefuda.server.store.port import Peer
from tefuda.server.web.request_head import END, RequestHead

CONNECT_WITHIN = 2.0
"""Seconds that another process may take to answer."""


def preamble(secret: bytes, process: str) -> bytes:
    """The line before everything that is relayed to a process."""
    return b"TEFUDA " + hmac.digest(secret, f"relay to {process}".encode(), "sha256").hex().encode() + b"\r\n"


class Relay:
    """Relays connections to processes of other families.

    Args:
        secret: of the database.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._open: defaultdict[str, set[_End]] = defaultdict(set)

    async def relay(
        self, transport: asyncio.Transport, data: Callable[[], bytes], peer: Peer, ended: Callable[[], None]
    ) -> bool:
        """Let another process answer a connection.

        Args:
            transport: of the client; not reading.
            data: gives what is to be sent first.
            peer: the other process.
            ended: called when the client's connection has ended.

        Returns:
            whether it does.
        """
        host, _, port = peer.address.rpartition(":")
        there = _End(lambda: None)
        try:
            async with asyncio.timeout(CONNECT_WITHIN):
                await asyncio.get_running_loop().create_connection(lambda: there, host.strip("[]"), int(port))
        except (OSError, TimeoutError, ValueError):
            return False

        def hung_up() -> None:
            self._open[peer.id].discard(here)
            ended()

        here = _End(hung_up)
        self._open[peer.id].add(here)
        here.transport, here.other, there.other = transport, there, here
        there.transport.write(preamble(self._secret, peer.id) + data())
        transport.set_protocol(here)
        if transport.is_closing():
            there.transport.close()
        transport.resume_reading()
        return True

    def close(self, processes: Set[str]) -> None:
        """Hang up on clients whose process has died or does not answer: they come back, and find another."""
        for process in processes:
            for end in list(self._open.pop(process, ())):
                end.transport.close()


class _End(asyncio.Protocol):
    """One end of a relayed connection; ``other`` is the other one."""

    transport: asyncio.Transport
    other: "_End"

    def __init__(self, ended: Callable[[], object]) -> None:
        self._ended = ended

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self.other.transport.write(data)

    def pause_writing(self) -> None:
        self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if not self.other.transport.is_closing():
            self.other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended()
        if hasattr(self, "other"):
            self.other.transport.close()


def rewritten(head: RequestHead, data: bytes, client: str, *, is_proxy: bool) -> bytes:
    """A request as it is relayed: from whom it is, and that the connection is for it alone.

    Args:
        head: of the request.
        data: the request, as far as it has arrived.
        client: the address that it comes from.
        is_proxy: whether that is a proxy whose word is believed.
    """
    first, _, _ = data.partition(b"\r\n")
    dropped = [b"x-forwarded-for"] if is_proxy else [b"x-forwarded-for", b"x-forwarded-proto"]
    is_upgrade = any(name == b"upgrade" for name, _ in head.headers)
    if not is_upgrade:
        dropped.append(b"connection")
    kept = _without(head.lines, dropped)
    added = [b"X-Forwarded-For: " + client.encode()] + ([] if is_upgrade else [b"Connection: close"])
    return b"\r\n".join([first, *kept, *added]) + data[data.index(END) :]


def _without(lines: Sequence[bytes], names: Sequence[bytes]) -> list[bytes]:
    return [line for line in lines if line.partition(b":")[0].strip().lower() not in names]
