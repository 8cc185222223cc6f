"""This process among those that share a database: which tables it drives.

Whichever process is asked for a table takes it, also from another: that one can append nothing more, since an append
checks the lease in its transaction, and lets go of the table when it next looks. So nobody has to find out which
processes live. A proxy that sends each table to one server keeps tables from moving; the workers of one server divide
the tables among them by name."""

import asyncio
import secrets
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from logging import getLogger

from tefuda.server.event_loop import Threads
from tefuda.server.store.leases import Leases
from tefuda.server.store.port import Elsewhere, Unavailable

LOOK_EVERY = 1.0  # seconds between looks which tables others have taken

STAY = 3.0
"""Seconds that pass before a table is taken back which another process has taken: two clients that are sent to two
servers pull it to and fro, but slowly."""

log = getLogger("tefuda.server")


class InOtherWorker(Elsewhere):
    """Another worker of this server, that of this slot, drives the table."""

    def __init__(self, slot: int) -> None:
        super().__init__("another worker drives the table")
        self.slot = slot


class ClusterNode:
    """This process as one of several: worker number ``slot``, from 0, of the ``count`` workers of its server.

    The methods raise ``Unavailable`` if the store does not answer."""

    def __init__(self, leases: Leases, slot: int = 0, count: int = 1) -> None:
        self._leases, self.slot, self._count = leases, slot, count
        self._held = set[str]()
        self._lost: dict[str, float] = {}  # tables that others have taken, and when
        self._threads = Threads("leases", 2)
        self._looking: asyncio.Task[None] | None = None
        self._tell: Callable[[str], None] = lambda _: None

    def slot_of(self, table: str) -> int:
        """The number of the worker that drives a table, wherever the proxy sends it."""
        return zlib.crc32(table.encode()) % self._count

    async def start(self, lost: Callable[[str], None]) -> None:
        """Join the others; ``lost`` is called with the name of each table that another process has taken."""
        self._tell = lost
        await self._threads.run(self._leases.join, f"{self.slot}.{secrets.token_hex(8)}")
        self._looking = asyncio.create_task(self._look_on())

    async def close(self) -> None:
        """Let the others have everything."""
        if self._looking is None:
            return
        self._looking.cancel()
        self._looking = None
        try:
            await self._threads.run(self._leases.leave)
        except Unavailable:
            log.warning("the store does not answer: leases are left behind, which does no harm")
        self._threads.close()

    async def holds(self, table: str, *, new: bool = False) -> bool:
        """Take a table, and tell if this process holds it now; one that does not exist is taken only if it is about to
        be created (``new``). ``InOtherWorker`` if another worker of this server drives it."""
        slot = self.slot_of(table)
        if slot != self.slot:
            raise InOtherWorker(slot)
        if table in self._held and self._looking is not None:
            await self._look()  # an append was refused, or an administrator has rewritten the log
        await asyncio.sleep(self._lost.pop(table, 0.0) + STAY - time.monotonic())
        if self._looking is None:  # the process stops
            return False
        is_held = await self._threads.run(self._leases.take, table, new=new)
        if is_held:
            self._held.add(table)
        return is_held

    async def let_go(self, table: str) -> None:
        """Let others have a table, which this process does not drive any more."""
        self._held.discard(table)
        if self._looking is None:  # the process stops, and has let go of all
            return
        try:
            await self._threads.run(self._leases.let_go, table)
        except Unavailable:
            log.warning("the store does not answer", extra={"table": table, "seq": 0})

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            with suppress(Unavailable):
                await self._look()

    async def _look(self) -> None:
        """Let go of the tables that others have taken."""
        before = set(self._held)
        found, now = await self._threads.run(self._leases.held), time.monotonic()
        self._lost = {table: at for table, at in self._lost.items() if now - at < STAY}
        for table in (before - found) & self._held:
            log.info("another process has taken a table", extra={"table": table, "seq": 0})
            self._held.discard(table)
            self._lost[table] = now
            self._tell(table)
