"""Connections handed from one process to another of its family, as open files with the bytes that have been read.

Whoever gets one goes on as if it had accepted it, so that it costs nothing afterwards to have come through another
process. Processes of one family have a folder in common, with a datagram socket for each.
"""

import asyncio
import errno
import socket
from array import array
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

MOST = 1 << 18
"""Bytes that are handed over with a connection."""

UNIX = getattr(socket, "AF_UNIX", -1)
"""Windows lacks it; a server has one process there."""

FULL_WAIT = 0.005
"""Seconds after which a process whose queue was full is tried again."""

Receive = Callable[[socket.socket, bytes], None]
"""Takes a connection, and what has been read from it."""


class Handover:
    """One process of a family.

    Args:
        folder: of the family.
        name: of the process.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._path = folder, folder / name
        self._socket = socket.socket(UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self._path))
        self._socket.setblocking(False)
        self._receive: Receive | None = None
        self._taken: dict[str, float] = {}  # when each process last took a connection
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def start(self, receive: Receive) -> None:
        """Begin to take connections."""
        self._receive = receive
        asyncio.get_running_loop().add_reader(self._socket, self._take)

    def close(self) -> None:
        """Take what has come, and no more: whoever wants to hand something over is told that this process has ended."""
        if self._receive is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._path.unlink(missing_ok=True)
            self._take()
            self._receive = None

    async def give(self, connection: int, read: Callable[[], bytes], name: str, within: float) -> bool:
        """Hand a connection over.

        Args:
            connection: its file.
            read: gives what has been read from it and not been answered.
            name: of the process that is to have it.
            within: seconds that its queue may be full while it takes nothing.

        Returns:
            whether that process has it.

        Raises:
            ConnectionRefusedError: that process has ended.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [connection]))]
        async with self._turns[name]:  # of a thousand that wait for one process, one asks
            while True:
                try:
                    self._socket.sendmsg([read()], rights, 0, str(self._folder / name))  # send_fds takes no address
                except FileNotFoundError as error:
                    raise ConnectionRefusedError from error
                except ConnectionRefusedError:
                    raise
                except OSError as error:
                    until = max(began, self._taken.get(name, 0)) + within
                    if error.errno not in (errno.EAGAIN, errno.ENOBUFS) or loop.time() > until:
                        return False
                else:
                    self._taken[name] = loop.time()
                    return True
                await asyncio.sleep(FULL_WAIT)

    def _take(self) -> None:
        assert self._receive is not None
        while True:
            try:
                read, files, _, _ = socket.recv_fds(self._socket, MOST, 1)
            except BlockingIOError:
                return
            for file in files:
                connection = socket.socket(fileno=file)
                connection.setblocking(False)
                self._receive(connection, read)
