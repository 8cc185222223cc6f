"""Requests and sockets that a process of another family answers, often on another machine: their bytes go to and fro.

The other end listens at a port of its own. It believes what the first line proves to come from a process that knows the
secret of the database, and then takes from the headers who the client is.
"""

import asyncio
import hmac
from collections import defaultdict
from collections.abc import Callable, Sequence, Set

from tefuda.server.http.request_head import END, RequestHead
from tefuda.server.store.port import Peer

SWITCHED = b"HTTP/1.1 101 "
"""How the answer begins that makes a socket of a connection; it is short, and comes whole."""

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
        self, transport: asyncio.Transport, data: Callable[[], bytes], peer: Peer, ended: Callable[[], None], *,
        upgrades: bool = False,
    ) -> bool:  # fmt: skip
        """Let another process answer a connection.

        Args:
            transport: of the client; not reading.
            data: gives what is to be sent first.
            peer: the other process.
            ended: called when the client's connection has ended.
            upgrades: whether the client asks for a socket. What it sends before it has one is not passed on: another
                request would be believed whatever it says of the client.

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
        there.until_switched = upgrades
        if not upgrades:
            transport.resume_reading()
        return True

    def close(self, processes: Set[str]) -> None:
        """Hang up on clients whose process has died or does not answer: they come back, and find another."""
        for process in processes:
            for end in list(self._open.pop(process, ())):
                end.transport.close()


class _End(asyncio.Protocol):
    """One end of a relayed connection; ``other`` is the other one, which does not read until this one has switched to a
    socket, if it is to (``until_switched``)."""

    transport: asyncio.Transport
    other: "_End"
    until_switched = False

    def __init__(self, ended: Callable[[], object]) -> None:
        self._ended = ended

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self.other.transport.write(data)
        if not self.until_switched:
            return
        if data.startswith(SWITCHED):
            self.until_switched = False
            self.other.transport.resume_reading()
        else:
            self.transport.close()

    def pause_writing(self) -> None:
        self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if not self.other.transport.is_closing() and not self.until_switched:
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
    if not head.upgrades:
        dropped += [b"connection", b"upgrade"]
    kept = _without(head.lines, dropped)
    added = [b"X-Forwarded-For: " + client.encode()] + ([] if head.upgrades else [b"Connection: close"])
    return b"\r\n".join([first, *kept, *added]) + data[data.index(END) :]


def _without(lines: Sequence[bytes], names: Sequence[bytes]) -> list[bytes]:
    return [line for line in lines if line.partition(b":")[0].strip().lower() not in names]
