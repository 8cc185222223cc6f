"""A bad wire: connections through it are slow, and break off in the middle of anything."""

import asyncio
import random
from contextlib import suppress
from types import TracebackType


class Wire:
    """A TCP proxy that delays what it carries, and cuts each connection after a random number of bytes.

    Args:
        url: of the server at its other end.
        seed: of chance.

    Attributes:
        url: where clients are to connect.
        cuts: how many connections have been cut.
        whole: set to let connections live.
    """

    def __init__(self, url: str, seed: int) -> None:
        host, port = url.removeprefix("http://").split(":")
        self._there, self._chance = (host, int(port)), random.Random(seed)
        self.cuts, self.whole, self.url = 0, False, ""
        self._open: set[_Connection] = set()

    async def __aenter__(self) -> "Wire":
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.url = "http://{}:{}".format(*self._server.sockets[0].getsockname())
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._server.close()
        while self._open:
            for connection in self._open:
                connection.cut()
            await asyncio.sleep(0.01)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(*self._there)
        # From a part of the handshake to many messages: each power of two as often as the next.
        connection = _Connection(self, int(2 ** self._chance.uniform(0, 17)), [writer, far_writer])
        self._open.add(connection)
        both = [connection.pump(reader, far_writer, self._chance), connection.pump(far_reader, writer, self._chance)]
        await asyncio.gather(*both)
        self._open.discard(connection)
        self.cuts += connection.left <= 0


class _Connection:
    """One of them; ``left`` is how many bytes it still carries."""

    def __init__(self, wire: Wire, length: int, writers: list[asyncio.StreamWriter]) -> None:
        self._wire, self.left, self._writers = wire, length, writers

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, chance: random.Random) -> None:
        """Carry one way, until an end hangs up or the connection is cut."""
        with suppress(OSError):
            while data := await reader.read(4096):
                await asyncio.sleep(chance.choice([0, 0, 0, 0.02]))
                if not self._wire.whole:
                    data, self.left = data[: self.left], self.left - len(data)
                writer.write(data)
                if self.left <= 0 and not self._wire.whole:
                    break
        self.cut()

    def cut(self) -> None:
        """End both ways, without a word."""
        for writer in self._writers:
            writer.close()
