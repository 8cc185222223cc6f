"""The ways by which workers of one server hand each other connections, as open files with what has been read of them.

The worker that gets one goes on as if it had accepted it: afterwards it costs nothing to have come in elsewhere.
"""

import asyncio
import errno
import socket
import sys
from collections.abc import Callable

MOST = 1 << 17
"""Bytes that are handed over with a connection."""

PATIENCE = 8.0
"""Seconds for which a worker that takes nothing is tried again: until another is in its place."""

AGAIN = 0.005
"""Seconds between tries."""

Taker = Callable[[bytes], asyncio.BaseProtocol]
"""Makes the protocol of a connection of which this has been read."""


class Passages:
    """A way to each worker, made before the workers are forked, so that one in the place of another has the same.

    Args:
        count: of the workers.
    """

    def __init__(self, count: int) -> None:
        kind = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        self._ways = [socket.socketpair(type=kind) for _ in range(count)]
        for way in self._ways:
            for end in way:
                end.setblocking(False)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * MOST)
        self._tasks: set[asyncio.Task[None]] = set()

    async def give(self, slot: int, connection: int, read: Callable[[], bytes]) -> bool:
        """Hand a connection over, and tell if the other worker will have it.

        Args:
            slot: the number of that worker.
            connection: its file.
            read: gives what has been read from it and not been answered.
        """
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
                read, files, _, _ = socket.recv_fds(self._ways[slot][1], MOST, 1)
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
