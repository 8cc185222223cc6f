"""All live tables of one process: loaded when asked for, unloaded when idle or when another process drives them."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from itertools import count
from logging import getLogger
from typing import Any

from tefuda.engine.errors import TefudaError
from tefuda.server.live import subscribers
from tefuda.server.live.cluster_node import ClusterNode
from tefuda.server.live.daily_games import DailyGames
from tefuda.server.live.live_table import LiveTable
from tefuda.server.live.pools import Resources
from tefuda.server.live.subscribers import Subscriber
from tefuda.server.store.port import Conflict, DamagedLog, Draft, Elsewhere, Event, JsonObject, Unavailable
from tefuda.server.table import replays
from tefuda.server.table.callers import Refused
from tefuda.server.table.events import ABANDONED, Decide, give_up
from tefuda.server.table.table_state import TableState
from tefuda.table.deal import Deal

log = getLogger("tefuda.server")

TEND = 2.0  # seconds between looks for idle tables
WAKE_EVERY = 10.0  # seconds between looks for slow tables at which something is due
LOOKS_FOR_ABANDONED = 360  # of these looks, after which one is for tables to which nobody comes back
LATE = 5000  # milliseconds after which nobody seems to drive a table at which something is due
MOST_WOKEN = 100  # tables that one look finds
MOST_SHOWN = 8  # sessions whose deals are kept for those who look at their replays

Shown = tuple[TableState, list[Deal]]  # the deals of a session, and the table at its end

GOODBYE_WITHIN = 1.0  # seconds that slow readers have for the last messages when the server stops


class LiveTables:
    """The live tables by name.

    Every method that takes the name of a table raises ``Refused`` if there is no such table, or if it plays by other
    rules, and ``Unavailable`` if the store does not answer, or another process drives the table.
    ``node`` is this process among others, if there are others."""

    def __init__(self, resources: Resources, node: ClusterNode | None = None) -> None:
        self._resources, self._node = resources, node
        self.daily = DailyGames(resources)
        self._tables: dict[str, LiveTable] = {}
        self._pending: dict[str, asyncio.Future[None]] = {}  # being loaded or let go
        # The latest, by table, seq, session and deal.
        self._shown: OrderedDict[tuple[str, int, int | None, int], Shown] = OrderedDict()

    async def start(self) -> None:
        """Join the other processes, if there are others, and begin to unload idle tables."""
        if self._node is not None:
            await self._node.start(self.reload)
        self._resources.background.spawn(self._tend())
        self._resources.background.spawn(self._wake_due())
        self._resources.background.spawn(self._resources.answer_times.learn(self._resources.store))

    async def close(self) -> None:
        """Unload all tables, and give their subscribers a moment to be sent what waits, the goodbye last."""
        subscribers = [subscriber for table in self._tables.values() for subscriber in table.subscribers]
        for table in self._tables.values():
            table.unload()
        self._tables.clear()
        if self._node is not None:
            await self._node.close()
        until = time.monotonic() + GOODBYE_WITHIN
        while time.monotonic() < until and not all(subscriber.waiting.empty() for subscriber in subscribers):
            await asyncio.sleep(0.01)

    def count_by_game(self) -> dict[str, int]:
        """Count the tables that are loaded; may be called from any thread."""
        return dict(Counter(table.state.game.name for table in list(self._tables.values())))

    def game_of(self, name: str) -> str:
        """The game of a table, if it is loaded; else nothing."""
        return self._tables[name].state.game.name if name in self._tables else ""

    @property
    def subscriber_count(self) -> int:
        """The number of sockets and streams that watch them."""
        return sum(len(table.subscribers) for table in list(self._tables.values()))

    async def create(self, name: str, body: JsonObject) -> None:
        """Create a table, with the body of its event ``created``; nothing happens if it exists already, as when an
        order is repeated. ``Unavailable`` if the store does not answer."""
        await self._resources.compiler.wait_until_ready(body["game"])
        if self._node is not None and not await self._node.holds(name, new=True):
            raise Elsewhere
        try:
            await self._resources.store.append(name, 0, [Draft("created", {"table": name, **body})])
        except Conflict:
            return
        log.info("a table was opened", extra={"table": name, "seq": 1, "game": body["game"]})

    async def carry_out(self, name: str, decide: Decide, key: str | None = None) -> int:
        """Carry out an order at a table; see ``LiveTable.carry_out``.

        The task must not be cancelled when the client hangs up in the middle."""
        return await (await self.get(name)).carry_out(decide, key)

    async def subscribe(self, name: str, subscriber: Subscriber, after: int | None) -> None:
        """Begin to send a subscriber a table; see ``LiveTable.subscribe``."""
        await (await self.get(name)).subscribe(subscriber, after)

    def unsubscribe(self, name: str, subscriber: Subscriber) -> None:
        """Send a subscriber nothing more of a table, which may have been unloaded since."""
        if name in self._tables:
            self._tables[name].unsubscribe(subscriber)

    async def first_message(self, name: str, subscriber: Subscriber) -> bytes:
        """The first message of a subscriber who is sent nothing more."""
        await self.subscribe(name, subscriber, None)
        self.unsubscribe(name, subscriber)
        message = subscriber.waiting.get_nowait()
        assert message is not None
        return message

    async def game_name(self, name: str) -> str:
        """The game that a table plays; known before its rules are compiled."""
        if name in self._tables:
            return self._tables[name].state.game.name
        return str((await self.log(name))[0].body["game"])

    async def log(self, name: str) -> list[Event]:
        """The whole log of a table."""
        events = await self.log_if_any(name)
        if not events:
            raise Refused("no_such_table", 404)
        return events

    async def log_if_any(self, name: str) -> list[Event]:
        """The whole log of a table, empty if there is no such table; the name may be any that a stranger sends."""
        if not (name.isascii() and name.isalnum()):
            return []
        try:
            return await self._resources.store.read(name)
        except DamagedLog as error:
            log.error("%s", error, extra={"table": name, "seq": 0})
            raise Refused("unreadable", 410, error=str(error)) from error

    async def shown_deals(self, name: str, session: int | None, deal: int) -> Shown:
        """The deals of a session that may be shown; see ``replays.shown_deals``. For all who step through them the log
        is read once: the deals are not to be changed."""
        key = (name, (await self.get(name)).state.seq, session, 0 if session else deal)
        if key not in self._shown:
            log = await self.log(name)
            self._shown[key] = await self._resources.background.in_thread(replays.shown_deals, log, session, deal)
            if len(self._shown) > MOST_SHOWN:
                self._shown.popitem(last=False)
        return self._shown[key]

    def is_loaded(self, name: str) -> bool:
        """Tell if this process drives a table now."""
        return name in self._tables and not self._tables[name].is_unloaded

    async def get(self, name: str) -> LiveTable:
        """The table, loaded if need be."""
        while not self.is_loaded(name):
            if name not in self._pending:
                self._pend(name, self._load(name))
            await asyncio.shield(self._pending[name])
        table = self._tables[name]
        table.used = time.monotonic()
        return table

    def _pend(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Load a table or let it go; until that is done nothing else is done with it."""

        async def wait() -> None:
            try:
                await work
            finally:
                del self._pending[name]

        self._pending[name] = asyncio.ensure_future(wait())

    async def _load(self, name: str) -> None:
        if self._node is not None and not await self._node.holds(name) and await self.log(name):
            raise Elsewhere
        events = await self.log(name)
        await self._resources.compiler.wait_until_ready(str(events[0].body["game"]))
        try:
            state, recent = await self._resources.background.in_thread(subscribers.load, events)
        except TefudaError as error:
            raise Refused("unreadable", 410, error=str(error)) from error
        if state.past is not None:
            listing = await self._resources.store.listing(name)
            state.past.summary = {} if listing is None else listing.summary
        self._tables[name] = LiveTable(self._resources, state, recent, self.daily)

    # Administrators, other processes, and time

    def wake(self, name: str) -> None:
        """Read what another process has appended to a table's log."""
        if name in self._tables:
            self._resources.background.spawn(self._tables[name].catch_up())

    def reload(self, name: str) -> None:
        """Unload a table whose log another process has rewritten: its viewers come back, and get what it says now."""
        if name in self._tables:
            self._tables.pop(name).unload()

    def expel(self, farewell: Callable[[Subscriber], bytes | None]) -> None:
        """Send all for whom there is one a last message, and nothing more."""
        for table in self._tables.values():
            for subscriber in table.subscribers:
                message = farewell(subscriber)
                if message is not None:
                    subscriber.expel(message)

    async def _tend(self) -> None:
        """Unload idle tables, for others to drive when they are asked for again."""
        while True:
            await asyncio.sleep(TEND)
            for name, table in list(self._tables.items()):
                if table.is_idle and name not in self._pending:
                    table.unload()
                    del self._tables[name]
                    if self._node is not None:
                        self._pend(name, self._node.let_go(name))

    async def _wake_due(self) -> None:
        """Load slow tables that nobody watches when a bot's play or the end of somebody's time is due there; close
        tables to which nobody has come back in the middle of a game."""
        woken: dict[str, int] = {}  # with when it was due: one that cannot be read is tried once
        for looks in count():
            with suppress(Unavailable):
                now, store = time.time_ns() // 1_000_000, self._resources.store
                due = await store.due(now - LATE, MOST_WOKEN)
                if looks % LOOKS_FOR_ABANDONED == 0:
                    due |= dict.fromkeys(await store.underway(now - ABANDONED, MOST_WOKEN), 0)
                for name, at in list(due.items()):
                    if woken.get(name) != at and (self._node is None or self._node.slot_of(name) == self._node.slot):
                        try:
                            await self.carry_out(name, partial(give_up, now=now))
                        except Unavailable:
                            del due[name]
                        except (Refused, TefudaError) as error:
                            log.warning("%s", error, extra={"table": name, "seq": 0})
                woken = due
            await asyncio.sleep(WAKE_EVERY)
