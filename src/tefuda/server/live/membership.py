"""This process among those that share a database: it lives, it holds tables, and it notices who is dead.

Nobody trusts anybody's clock. Each process counts up in its row and reads the others'; one that stood still while this
one counted ``DEAD_AFTER`` times is dead. A process that was paused counts anew when it goes on, so it does not take the
others for dead; it learns that they have taken it for dead, lets go of all its tables and joins them again.
"""

import asyncio
import random
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from logging import getLogger

from tefuda.server.store.port import Leases, Ousted, Peer, Unavailable

BEAT = 0.4
"""Seconds from one count to the next."""

DEAD_AFTER = 5
"""Times that one counts before another that has stood still meanwhile is dead."""

log = getLogger("tefuda.server")


class Membership:
    """This process as one of several.

    Args:
        leases: of the tables.
        family: of the process; see ``Peer``.
        address: where other families reach it.
        name: of the process in its family.
        ended: names of processes of the family that are known to have ended.
    """

    def __init__(self, leases: Leases, family: str, address: str, name: str, ended: Sequence[str] = ()) -> None:
        self._leases, self._ended = leases, ended
        self._me = Peer(f"{name}.{secrets.token_hex(4)}", family, address)
        self._living: dict[Peer, int] = {}
        self._asked: dict[str, asyncio.Task[Peer | None]] = {}  # tables, and who will have said where they are
        self._still: dict[Peer, int] = {}  # how often we have counted while they stood still
        self._threads = ThreadPoolExecutor(2, "leases")
        self._closing = threading.Event()
        self._beating: threading.Thread | None = None

    @property
    def id(self) -> str:
        """Under which this process holds tables."""
        return self._me.id

    @property
    def family(self) -> str:
        """Of this process."""
        return self._me.family

    @property
    def living(self) -> frozenset[str]:
        """The ids of the processes that lived at the last count."""
        return frozenset(peer.id for peer in self._living)

    async def start(self, ousted: Callable[[], None]) -> None:
        """Join the others.

        Args:
            ousted: called in the loop when this process holds no table any more.

        Raises:
            Unavailable: the store does not answer.
        """
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._threads, self._leases.join, self._me, self._ended)
        self._beating = threading.Thread(target=self._beat_on, args=[loop, ousted], name="beat", daemon=True)
        self._beating.start()

    async def close(self) -> None:
        """Let the others have everything."""
        if self._closing.is_set():
            return
        self._closing.set()
        loop = asyncio.get_running_loop()
        if self._beating is not None:
            await loop.run_in_executor(self._threads, self._beating.join)
        try:
            await loop.run_in_executor(self._threads, self._leases.leave)
        except Unavailable:
            log.warning("the store does not answer: other processes wait until this one is dead to them")
        self._threads.shutdown(wait=False)

    async def holds(self, table: str, *, new: bool = False) -> bool:
        """Whether this process holds a table, which it takes if nobody else does; see ``Leases.hold``."""
        holder = await self._hold(table, self._me, new=new)
        return holder is not None and holder.id == self.id

    async def elsewhere(self, table: str, *, new: bool = False) -> Peer | None:
        """The other process that holds a table; one of the family is chosen if nobody does. None: this one may."""
        holder: Peer | None
        if new:
            candidate = self.somebody()
            holder = await self._hold(table, candidate, new=True) or candidate
        else:
            holder = await asyncio.shield(self._asked.get(table) or self._ask(table))
        return None if holder is None or holder.id == self.id else holder

    def _ask(self, table: str) -> asyncio.Task[Peer | None]:
        """Ask once for all who come for a table meanwhile: after a restart they are hundreds."""
        asking = self._asked[table] = asyncio.create_task(self._hold(table, self.somebody(), new=False))
        asking.add_done_callback(lambda _: self._asked.pop(table))
        return asking

    def somebody(self) -> Peer:
        """A process of the family, by lot: so each gets as many tables as the others."""
        return random.choice([peer for peer in self._living if peer.family == self.family] or [self._me])  # noqa: S311

    async def bury(self, peer: Peer) -> None:
        """Another process is known to have ended: let others have its tables."""
        self._living = {each: beat for each, beat in self._living.items() if each != peer}
        with suppress(Unavailable):
            await asyncio.get_running_loop().run_in_executor(self._threads, self._leases.oust, peer.id)

    async def let_go(self, table: str) -> None:
        """Let others have a table, which this process does not drive any more."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._threads, self._leases.let_go, table)
        except Unavailable:
            log.warning("the store does not answer", extra={"table": table, "seq": 0})

    async def _hold(self, table: str, candidate: Peer, *, new: bool) -> Peer | None:
        work = asyncio.get_running_loop().run_in_executor
        return await work(self._threads, lambda: self._leases.hold(table, candidate.id, new=new))

    def _beat_on(self, loop: asyncio.AbstractEventLoop, ousted: Callable[[], None]) -> None:
        """Count, until the process stops."""
        while not self._closing.wait(BEAT):
            try:
                self._notice(self._leases.beat())
            except Ousted:
                log.warning("this process was taken for dead: its tables go on elsewhere")
                asyncio.run_coroutine_threadsafe(_call(ousted), loop).result()
                self._join_again()
            except Unavailable:
                self._still.clear()

    def _notice(self, beats: dict[Peer, int]) -> None:
        """Declare those dead that have stood still."""
        for peer, beat in beats.items():
            self._still[peer] = self._still.get(peer, 0) + 1 if self._living.get(peer) == beat else 0
            if self._still[peer] >= DEAD_AFTER and peer != self._me:
                self._leases.oust(peer.id, beat)
        self._living = beats
        self._still = {peer: times for peer, times in self._still.items() if peer in beats}

    def _join_again(self) -> None:
        self._me = replace(self._me, id=f"{self._me.id.partition('.')[0]}.{secrets.token_hex(4)}")
        self._living, self._still = {}, {}
        with suppress(Unavailable):  # the next count finds no row, and joins again
            self._leases.join(self._me)


async def _call(work: Callable[[], None]) -> None:
    work()
