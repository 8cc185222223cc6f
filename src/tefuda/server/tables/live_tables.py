"""The tables that this process has in hand: taken up when somebody asks, told the news of other processes, put away."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from tefuda.engine.errors import TefudaError
from tefuda.server.events.commands import Refused
from tefuda.server.events.table_state import TableState
from tefuda.server.store.port import Conflict, Draft, Event, Listing, Unavailable
from tefuda.server.tables.live_table import LiveTable, Order
from tefuda.server.tables.resources import Params, Resources, Result, refusing
from tefuda.server.tables.subscribers import Subscriber

POLL = 2.0
"""Seconds between looks for events whose notification was lost."""


class LiveTables:
    """All of them.

    Args:
        services: of this process.
    """

    def __init__(self, services: Resources) -> None:
        self.services, self.kitchen, self.store = services, services.kitchen, services.store
        self._rooms: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}

    def start(self) -> None:
        """Begin to listen to other processes and to put idle tables away."""
        loop = asyncio.get_running_loop()
        self.store.watch(lambda table, seq: loop.call_soon_threadsafe(self._wake, table, seq))
        self.services.spawn(self._look_after())

    async def close(self) -> None:
        """Stop bots and clocks, and let everybody go."""
        for room in self._rooms.values():
            room.put_away()
        await self.services.close()

    @property
    def count(self) -> int:
        return len(self._rooms)

    @property
    def watchers(self) -> int:
        return sum(len(room.watchers) for room in self._rooms.values())

    async def listed(self, most: int) -> list[Listing]:
        """The public tables.

        Raises:
            Refused: the store does not answer.
        """
        with refusing():
            return await self.store.public(most)

    async def of(self, guest: str, most: int) -> list[Listing]:
        """The tables of a guest (by hash): where he sits or has sat, and those he has opened.

        Raises:
            Refused: the store does not answer.
        """
        with refusing():
            return await self.store.of(guest, most)

    async def in_thread(self, work: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """See ``Resources.in_thread``."""
        return await self.services.in_thread(work, *args, **kwargs)

    # By name

    async def create(self, name: str, body: dict[str, Any]) -> bool:
        """Open a table; whether it is new (an order that is repeated opens no second one).

        Raises:
            Refused: the store does not answer.
        """
        await self.kitchen.ready(body["game"])
        try:
            with refusing():
                await self.store.append(name, 0, [Draft("created", {"table": name, **body})])
        except Conflict:
            return False
        return True

    async def order(self, name: str, order: Order, key: str | None = None) -> int:
        """Carry out somebody's order at a table; see ``LiveTable.carry_out``.

        Raises:
            Refused: by the order, or because there is no such table or the store does not answer.
        """
        # Whoever asked may go away in the middle; the order is then carried out all the same, and nobody is told.
        carrying = asyncio.create_task((await self.room(name)).carry_out(order, key))
        carrying.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(carrying)

    async def watch(self, name: str, watcher: Subscriber, after: int | None) -> None:
        """Begin to show somebody a table; see ``LiveTable.watch``."""
        await (await self.room(name)).watch(watcher, after)

    async def unwatch(self, name: str, watcher: Subscriber) -> None:
        if name in self._rooms:
            self._rooms[name].unwatch(watcher)

    async def show_once(self, name: str, watcher: Subscriber) -> bytes:
        """What ``watch`` would show first."""
        await self.watch(name, watcher, None)
        await self.unwatch(name, watcher)
        message = watcher.waiting.get_nowait()
        assert message is not None
        return message

    async def events(self, name: str) -> list[Event]:
        """The whole log of a table.

        Raises:
            Refused: there is none, or the store does not answer.
        """
        events = await self.services.read(name)
        if not events:
            raise Refused("no_such_table", 404)
        return events

    async def game(self, name: str) -> str:
        """Which game is played at a table; that can be told before its rules are compiled.

        Raises:
            Refused: there is no such table, or the store does not answer.
        """
        if name in self._rooms:
            return self._rooms[name].table.game.name
        return str((await self.events(name))[0].body["game"])

    # Taking up

    async def room(self, name: str) -> LiveTable:
        """The table in hand, taken up if need be.

        Raises:
            Refused: there is none, it plays by other rules, or the store does not answer.
        """
        if name not in self._rooms:
            if name not in self._loading:
                self._loading[name] = asyncio.ensure_future(self._load(name))
                self._loading[name].add_done_callback(lambda _: self._loading.pop(name))
            await asyncio.shield(self._loading[name])
        room = self._rooms[name]
        room.used = time.monotonic()
        return room

    async def _load(self, name: str) -> LiveTable:
        events = await self.events(name)
        await self.kitchen.ready(str(events[0].body["game"]))
        try:
            table = await self.in_thread(_fold, events)
        except TefudaError as error:
            raise Refused("other_rules", 409, error=str(error)) from error
        room = self._rooms[name] = LiveTable(self.services, table)
        return room

    # Other processes, and time

    def _wake(self, name: str | None, seq: int) -> None:
        """This table has an event of this seq, perhaps our own; or any may have new ones."""
        for each in [name] if name else list(self._rooms):
            if each in self._rooms:
                self.services.spawn(self._rooms[each].follow(seq))

    async def _look_after(self) -> None:
        """Look for what no notification told of; put idle tables away."""
        while True:
            await asyncio.sleep(POLL)
            if self.store.shared:
                await self._poll()
            for name, room in list(self._rooms.items()):
                if room.idle:
                    room.put_away()
                    del self._rooms[name]

    async def _poll(self) -> None:
        try:
            heads = await self.store.heads(list(self._rooms))
        except Unavailable:
            return
        for name, head in heads.items():
            if name in self._rooms and self._rooms[name].table.seq < head:
                await self._rooms[name].follow(head)


def _fold(events: list[Event]) -> TableState:
    table = TableState()
    for event in events:
        table.apply(event)
    return table
