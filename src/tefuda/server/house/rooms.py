"""The tables that this process has in hand: orders are decided, kept, acknowledged, then shown, in this order."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from logging import getLogger
from typing import Any, ParamSpec, TypeVar

from tefuda.engine.errors import TefudaError
from tefuda.server.house.driving import Driver
from tefuda.server.house.settings import Settings
from tefuda.server.house.thinking import Thinkers
from tefuda.server.house.warming import Kitchen
from tefuda.server.house.watching import Delayed, Stage, Watcher, retell
from tefuda.server.log import commands, showing
from tefuda.server.log.commands import Refused
from tefuda.server.log.fold import Table, Who
from tefuda.server.log.messages import Told
from tefuda.server.store.port import Conflict, Draft, Event, Listing, Store, Unavailable
from tefuda.table.reasons import Reason

Params = ParamSpec("Params")
Result = TypeVar("Result")

Order = Callable[[Table], list[Draft]]
"""What somebody wants, decided on the table as it stands; see ``log/commands``."""

TRIES = 50
"""How often an order is decided anew because others were faster."""

POLL = 2.0
"""Seconds between looks for events whose notification was lost."""

IDLE = 120.0
"""Seconds after which a table that nobody watches is put away."""

LONGEST_STORY = 500
"""Events that somebody who comes back is told of; of more only how things stand."""

BYE = showing.written({"v": showing.VERSION, "type": "bye", "retry_ms": 1000})
"""Tells a client that the server stops, and when to come back."""

log = getLogger("tefuda.server")


@dataclass(eq=False)
class Room:
    """A table in hand.

    Attributes:
        stage: the table and those who watch it.
        driver: makes happen what happens by itself.
        later: the same for those who may only see it later; made when one comes.
        lock: held while an order is decided and kept.
        doubtful: an append's outcome is unknown; the log must be read before anything else.
        shown: what the list of tables shows of it.
        used: when somebody last asked for it, by ``time.monotonic``.
    """

    stage: Stage
    driver: Driver = field(init=False)
    later: Delayed | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    doubtful: bool = False
    shown: dict[str, Any] = field(default_factory=dict)
    used: float = field(default_factory=time.monotonic)

    @property
    def table(self) -> Table:
        return self.stage.table

    @property
    def watched(self) -> bool:
        return bool(self.stage.watchers or (self.later and self.later.watchers))

    @property
    def awake(self) -> bool:
        """Whether bots and clocks go on: while somebody is there, or was a moment ago."""
        return self.watched or time.monotonic() - self.used < IDLE / 2

    def advance(self, events: list[Event]) -> None:
        if events:
            self.stage.advance(events)
            if self.later:
                self.later.hear(events)
                self._come_forward(self.later)
            self.driver.schedule()

    def _come_forward(self, later: Delayed) -> None:
        """Who has taken a seat is shown the table as it is."""
        for watcher in [each for each in later.watchers if self.table.seat_of(each.who) is not None]:
            later.watchers.discard(watcher)
            self.stage.greet(watcher)

    def why(self, who: Who, word: str, language: str) -> Reason | None:
        """Why somebody may not make a play now; None if he may.

        Raises:
            Refused: he has no seat, there is no deal, or the word is no play.
        """
        return commands.why_not(self.table, self.must_be_seated(who), word, language)

    def must_be_seated(self, who: Who) -> int:
        """The seat of this person.

        Raises:
            Refused: he has none.
        """
        return commands.seated(self.table, who)

    def put_away(self) -> None:
        """Stop all clocks, and let everybody go."""
        self.driver.stop()
        watchers = set(self.stage.watchers)
        if self.later:
            self.later.close()
            watchers |= self.later.watchers
        for watcher in watchers:
            watcher.offer(BYE)
            if not watcher.is_cut:
                watcher.end()


class Rooms:
    """All of them.

    Args:
        store: of the logs.
        settings: of this process.
        kitchen: where games are compiled.
    """

    def __init__(self, store: Store, settings: Settings, kitchen: Kitchen) -> None:
        self.store, self.settings, self.kitchen = store, settings, kitchen
        self.thinkers = Thinkers(settings.thinkers)
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Begin to listen to other processes and to put idle tables away."""
        loop = asyncio.get_running_loop()
        self.store.watch(lambda table: loop.call_soon_threadsafe(self._wake, table))
        self.spawn(self._look_after())

    async def close(self) -> None:
        """Stop bots and clocks, and let everybody go."""
        for room in self._rooms.values():
            room.put_away()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinkers.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside; its end is not waited for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def count(self) -> int:
        return len(self._rooms)

    @property
    def watchers(self) -> int:
        return sum(len(room.stage.watchers) for room in self._rooms.values())

    async def listed(self, most: int) -> list[Listing]:
        """The public tables.

        Raises:
            Refused: the store does not answer.
        """
        try:
            return await self.store.public(most)
        except Unavailable as error:
            raise Refused("unavailable", 503) from error

    async def of(self, guest: str, most: int) -> list[Listing]:
        """The tables of a guest (by hash): where he sits or has sat, and those he has opened.

        Raises:
            Refused: the store does not answer.
        """
        try:
            return await self.store.of(guest, most)
        except Unavailable as error:
            raise Refused("unavailable", 503) from error

    async def in_thread(self, work: Callable[Params, Result], *args: Params.args, **kwargs: Params.kwargs) -> Result:
        """Do something longer without holding up the others."""
        return await asyncio.to_thread(work, *args, **kwargs)

    # Orders

    async def create(self, name: str, body: dict[str, Any]) -> bool:
        """Open a table; whether it is new (an order that is repeated opens no second one).

        Raises:
            Refused: the store does not answer.
        """
        await self.kitchen.ready(body["game"])
        try:
            await self.store.append(name, 0, [Draft("created", {"table": name, **body})])
        except Conflict:
            return False
        except Unavailable as error:
            raise Refused("unavailable", 503) from error
        return True

    async def order(self, name: str, order: Order, key: str | None = None) -> int:
        """Carry out somebody's order; when this returns, it is kept.

        Args:
            name: of the table.
            order: may be decided several times.
            key: by which it is known when it is repeated; the repetition does nothing.

        Returns:
            the seq of its last event, or of the table if there was nothing to do.

        Raises:
            Refused: by the order, or because there is no such table or the store does not answer.
        """
        # Whoever asked may go away in the middle; the order is then carried out all the same.
        return await asyncio.shield(asyncio.create_task(self.carry_out(await self.room(name), order, key)))

    async def carry_out(self, room: Room, order: Order, key: str | None = None) -> int:
        """Carry out an order at a table in hand; see ``order``."""
        async with room.lock:
            for _ in range(TRIES):
                await self._settle(room)
                if key is not None and key in room.table.keys:
                    return room.table.keys[key]
                drafts = order(room.table)
                if not drafts:
                    return room.table.seq
                if key is not None:
                    drafts[-1] = Draft(drafts[-1].kind, {**drafts[-1].body, "key": key})
                if await self._keep(room, drafts):
                    return room.table.seq
        raise Refused("busy", 503)

    async def _settle(self, room: Room) -> None:
        if room.doubtful:
            await self._catch_up(room)
            room.doubtful = False

    async def _keep(self, room: Room, drafts: list[Draft]) -> bool:
        """Append; False if others were faster, whose events are then known."""
        table, room.doubtful = room.table, True
        try:
            events = await self.store.append(table.name, table.seq, drafts)
        except Conflict:
            await self._settle(room)
            return False
        except Unavailable as error:
            log.warning("the store does not answer", extra={"table": table.name, "seq": table.seq})
            raise Refused("unavailable", 503) from error
        self._advance(room, events)
        room.doubtful = False
        return True

    def _advance(self, room: Room, events: list[Event]) -> None:
        room.advance(events)
        if showing.summary(room.table) != room.shown:
            self._list(room)

    def _list(self, room: Room) -> None:
        """Bring the list of tables up to date."""
        room.shown, table = showing.summary(room.table), room.table
        is_public = bool(table.settings["public"]) and not table.closed
        self.spawn(self._show(Listing(table.name, table.seq, table.at, is_public, room.shown, table.guests())))

    async def _show(self, listing: Listing) -> None:
        with suppress(Unavailable):  # the next change tries again
            await self.store.show(listing)

    async def _catch_up(self, room: Room) -> None:
        try:
            self._advance(room, await self.store.read(room.table.name, room.table.seq))
        except Unavailable as error:
            raise Refused("unavailable", 503) from error

    # Watching

    async def watch(self, name: str, watcher: Watcher, after: int | None) -> None:
        """Begin to show somebody a table.

        Args:
            name: of the table.
            watcher: is offered messages until ``unwatch``.
            after: the seq of the last message he has, to be told of what he missed.
        """
        room = await self.room(name)
        async with room.lock:
            if room.table.settings["spectators"] == "delayed" and room.table.seat_of(watcher.who) is None:
                (await self._later(room)).greet(watcher)
            else:
                room.stage.greet(watcher, await self._missed(room.table, watcher, after))
            room.driver.schedule()

    async def _missed(self, table: Table, watcher: Watcher, after: int | None) -> list[Told]:
        if after is None or not 0 < after < table.seq or table.seq - after > LONGEST_STORY:
            return []
        events = await self._read(table.name)
        return await asyncio.to_thread(retell, events[: table.seq], after, watcher)

    async def _later(self, room: Room) -> Delayed:
        if room.later is None:
            events = await self._read(room.table.name)
            room.later = Delayed(events[: room.table.seq], int(self.settings.delay * 1000))
        return room.later

    async def show_once(self, name: str, watcher: Watcher) -> bytes:
        """What ``watch`` would show first."""
        await self.watch(name, watcher, None)
        await self.unwatch(name, watcher)
        message = watcher.waiting.get_nowait()
        assert message is not None
        return message

    async def unwatch(self, name: str, watcher: Watcher) -> None:
        room = self._rooms.get(name)
        if room:
            room.stage.watchers.discard(watcher)
            if room.later:
                room.later.watchers.discard(watcher)
            room.used = time.monotonic()

    async def room(self, name: str) -> Room:
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

    async def _load(self, name: str) -> Room:
        events = await self._read(name)
        if not events:
            raise Refused("no_such_table", 404)
        await self.kitchen.ready(str(events[0].body["game"]))
        try:
            table = await asyncio.to_thread(_fold, events)
        except TefudaError as error:
            raise Refused("other_rules", 409, error=str(error)) from error
        room = Room(Stage(table))
        room.driver = Driver(self, room)
        self._rooms[name] = room
        self._list(room)
        room.driver.schedule()
        return room

    def in_hand(self, room: Room) -> bool:
        """Whether this table is still run here."""
        return self._rooms.get(room.table.name) is room

    async def _read(self, name: str) -> list[Event]:
        try:
            return await self.store.read(name)
        except Unavailable as error:
            raise Refused("unavailable", 503) from error

    async def events(self, name: str) -> list[Event]:
        """The whole log of a table.

        Raises:
            Refused: there is none, or the store does not answer.
        """
        events = await self._read(name)
        if not events:
            raise Refused("no_such_table", 404)
        return events

    # Other processes

    def _wake(self, name: str | None) -> None:
        """Others have appended to this table, or to any."""
        for each in [name] if name else list(self._rooms):
            if each in self._rooms:
                self.spawn(self._follow(each))

    async def _follow(self, name: str) -> None:
        room = self._rooms[name]
        async with room.lock:
            try:
                await self._catch_up(room)
            except Refused:
                room.doubtful = True

    async def _look_after(self) -> None:
        """Look for what no notification told of; put idle tables away."""
        while True:
            await asyncio.sleep(POLL)
            if self.store.shared:
                await self._poll()
            for name, room in list(self._rooms.items()):
                if not room.watched and not room.lock.locked() and time.monotonic() - room.used > IDLE:
                    room.put_away()
                    del self._rooms[name]

    async def _poll(self) -> None:
        try:
            heads = await self.store.heads(list(self._rooms))
        except Unavailable:
            return
        for name, head in heads.items():
            if name in self._rooms and self._rooms[name].table.seq < head:
                await self._follow(name)


def _fold(events: list[Event]) -> Table:
    table = Table()
    for event in events:
        table.apply(event)
    return table
