"""A table in hand: orders are decided, kept, acknowledged, then shown, in this order."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from logging import getLogger
from typing import Any

from tefuda.engine.errors import TefudaError
from tefuda.server.events import commands, outgoing
from tefuda.server.events.commands import Refused
from tefuda.server.events.messages import Told
from tefuda.server.events.table_state import Caller, TableState
from tefuda.server.store.port import Conflict, Draft, Event, Listing, Unavailable
from tefuda.server.tables.resources import Resources, refusing
from tefuda.server.tables.scheduler import Scheduler
from tefuda.server.tables.subscribers import Broadcaster, DelayedBroadcaster, Subscriber, retell
from tefuda.table.reasons import Reason

Order = Callable[[TableState], list[Draft]]
"""What somebody wants, decided on the table as it stands; see ``log/commands``."""

TRIES = 50
"""How often an order is decided anew because others were faster."""

IDLE = 120.0
"""Seconds after which a table that nobody watches is put away."""

LONGEST_STORY = 500
"""Events that somebody who comes back is told of; of more only how things stand."""

BYE = outgoing.written({"v": outgoing.VERSION, "type": "bye", "retry_ms": 1000})
"""Tells a client that the server stops, and when to come back."""

log = getLogger("tefuda.server")


class LiveTable:
    """A table in hand.

    Args:
        services: of this process.
        table: as its log tells it.

    Attributes:
        stage: the table and those who watch it.
        later: the same for those who may only see it later; made when one comes.
        used: when somebody last asked for it, by ``time.monotonic``.
        gone: whether it has been put away.
    """

    def __init__(self, services: Resources, table: TableState) -> None:
        self.stage, self.gone, self.used = Broadcaster(table), False, time.monotonic()
        self.later: DelayedBroadcaster | None = None
        self._services = services
        self._driver = Scheduler(services, self)
        self._lock = asyncio.Lock()  # held while an order is decided and kept
        self._doubtful = False  # an append's outcome is unknown; the log must be read before anything else
        self._listed: dict[str, Any] = {}  # what the list of tables shows of it
        self._list()
        self._driver.schedule()

    @property
    def table(self) -> TableState:
        return self.stage.table

    @property
    def watchers(self) -> set[Subscriber]:
        """Everybody who watches, at once or later."""
        return self.stage.watchers | (self.later.watchers if self.later else set())

    @property
    def awake(self) -> bool:
        """Whether bots and clocks go on: while somebody is there, or was a moment ago."""
        return not self.gone and bool(self.watchers or time.monotonic() - self.used < IDLE / 2)

    @property
    def idle(self) -> bool:
        """Whether nobody has wanted anything of it for long."""
        return not self.watchers and not self._lock.locked() and time.monotonic() - self.used > IDLE

    def put_away(self) -> None:
        """Stop all clocks, and let everybody go."""
        self.gone = True
        self._driver.stop()
        if self.later:
            self.later.close()
        for watcher in self.watchers:
            watcher.offer(BYE)
            if not watcher.is_cut:
                watcher.end()

    # Orders

    async def carry_out(self, order: Order, key: str | None = None) -> int:
        """Carry out an order; when this returns, it is kept.

        Args:
            order: may be decided several times.
            key: by which it is known when it is repeated; the repetition does nothing.

        Returns:
            the seq of its last event, or of the table if there was nothing to do.

        Raises:
            Refused: by the order, or because the store does not answer.
        """
        async with self._lock:
            for _ in range(TRIES):
                await self._settle()
                if key is not None and key in self.table.keys:
                    return self.table.keys[key]
                try:
                    drafts = order(self.table)
                except Refused:
                    if not await self._was_behind():
                        raise
                    continue
                if not drafts and not await self._was_behind():
                    return self.table.seq
                if drafts and await self._keep(_with_key(drafts, key)):
                    return self.table.seq
        raise Refused("busy", 503)

    async def follow(self, seq: int) -> None:
        """Read what other processes have appended, up to this seq at least; 0 if it is not known how far they are."""
        async with self._lock:
            if 0 < seq <= self.table.seq:
                return
            self._doubtful = True
            try:
                await self._settle()
            except Refused:
                pass  # the next order, or the next look for news, reads again
            except TefudaError as error:
                log.warning("%s", error, extra={"table": self.table.name, "seq": self.table.seq})

    async def _was_behind(self) -> bool:
        """Whether other processes have appended what was not known here: a refusal on old grounds is none."""
        if not self._services.store.shared:
            return False
        seq, self._doubtful = self.table.seq, True
        await self._settle()
        return self.table.seq > seq

    async def _settle(self) -> None:
        if self._doubtful:
            self._advance(await self._services.read(self.table.name, self.table.seq))
            self._doubtful = False

    async def _keep(self, drafts: list[Draft]) -> bool:
        """Append; False if others were faster, whose events are then known."""
        table, self._doubtful = self.table, True
        try:
            with refusing():
                events = await self._services.store.append(table.name, table.seq, drafts)
        except Conflict:
            await self._settle()
            return False
        except Refused:
            log.warning("the store does not answer", extra={"table": table.name, "seq": table.seq})
            raise
        self._advance(events)
        self._doubtful = False
        return True

    def _advance(self, events: list[Event]) -> None:
        if not events:
            return
        self.stage.advance(events)
        if self.later:
            self.later.hear(events)
            self._come_forward(self.later)
        self._driver.schedule()
        self._list()

    def _come_forward(self, later: DelayedBroadcaster) -> None:
        """Who has taken a seat is shown the table as it is."""
        for watcher in [each for each in later.watchers if self.table.seat_of(each.who) is not None]:
            later.watchers.discard(watcher)
            self.stage.greet(watcher)

    def _list(self) -> None:
        """Bring the list of tables up to date."""
        table, summary = self.table, outgoing.summary(self.table)
        if summary != self._listed:
            self._listed, is_public = summary, bool(table.settings["public"]) and not table.closed
            self._services.spawn(
                self._show(Listing(table.name, table.seq, table.at, is_public, summary, table.guests()))
            )

    async def _show(self, listing: Listing) -> None:
        with suppress(Unavailable):  # the next change tries again
            await self._services.store.show(listing)

    # Questions

    def why(self, who: Caller, word: str, language: str) -> Reason | None:
        """Why somebody may not make a play now; None if he may.

        Raises:
            Refused: he has no seat, there is no deal, or the word is no play.
        """
        return commands.why_not(self.table, self.must_be_seated(who), word, language)

    def must_be_seated(self, who: Caller) -> int:
        """The seat of this person.

        Raises:
            Refused: he has none.
        """
        return commands.seated(self.table, who)

    # Watching

    async def watch(self, watcher: Subscriber, after: int | None) -> None:
        """Begin to show somebody the table.

        Args:
            watcher: is offered messages until ``unwatch``.
            after: the seq of the last message he has, to be told of what he missed.
        """
        async with self._lock:
            if self.table.settings["spectators"] == "delayed" and self.table.seat_of(watcher.who) is None:
                (await self._in_the_past()).greet(watcher)
            else:
                self.stage.greet(watcher, await self._missed(watcher, after))
            self._driver.schedule()

    def unwatch(self, watcher: Subscriber) -> None:
        self.stage.watchers.discard(watcher)
        if self.later:
            self.later.watchers.discard(watcher)
        self.used = time.monotonic()

    async def _missed(self, watcher: Subscriber, after: int | None) -> list[Told]:
        table = self.table
        if after is None or not 0 < after < table.seq or table.seq - after > LONGEST_STORY:
            return []
        events = await self._services.read(table.name)
        return await self._services.in_thread(retell, events[: table.seq], after, watcher)

    async def _in_the_past(self) -> DelayedBroadcaster:
        if self.later is None:
            events = await self._services.read(self.table.name)
            self.later = DelayedBroadcaster(events[: self.table.seq], int(self._services.settings.delay * 1000))
        return self.later


def _with_key(drafts: list[Draft], key: str | None) -> list[Draft]:
    """The events of an order, the last of which says by what its repetition is known."""
    *others, last = drafts
    return drafts if key is None else [*others, Draft(last.kind, {**last.body, "key": key})]
