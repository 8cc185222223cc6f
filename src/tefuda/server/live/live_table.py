"""A live table: orders are decided, kept, broadcast and acknowledged, in this order."""

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from logging import getLogger

from tefuda.engine.errors import TefudaError
from tefuda.server.live.daily_games import DailyGames
from tefuda.server.live.pools import Payer, Resources
from tefuda.server.live.scheduler import Scheduler
from tefuda.server.live.subscribers import Broadcaster, DelayedBroadcaster, RecentEvents, Subscriber
from tefuda.server.store import port
from tefuda.server.store.ratings import contests
from tefuda.server.table import reports, table_messages
from tefuda.server.table.callers import Refused
from tefuda.server.table.events import Decide
from tefuda.server.table.replays import game_result
from tefuda.server.table.table_state import TableState

TRIES = 5  # decisions on an order, anew where the log had gone on: only the holder of the table's lease appends to it
IDLE = 120.0  # seconds after which a table that is not watched is unloaded

GONE_AFTER = 3.0
"""Seconds without a socket after which a person is shown as not connected: to load a page anew takes less."""

BYE = reports.encoded({"v": reports.VERSION, "type": "bye", "retry_ms": 1000})
"""Tells a client that the server stops, and when to come back."""

log = getLogger("tefuda.server")


class LiveTable:
    """A table that this process has loaded, with its latest events. ``used`` is when it was last asked for, by
    ``time.monotonic``; it ``is_unloaded`` once the process has let go of it."""

    def __init__(self, resources: Resources, state: TableState, recent: RecentEvents, daily: DailyGames) -> None:
        self.is_unloaded, self.used = False, time.monotonic()
        self._resources, self._recent, self.state = resources, recent, state
        self._broadcaster = Broadcaster(state)
        self._delayed: DelayedBroadcaster | None = None  # made when the first delayed spectator comes
        self._scheduler = Scheduler(resources, self, daily)
        self._lock = asyncio.Lock()  # held while an order is decided and kept
        self._returning: dict[Subscriber, int] = {}  # who waits to be told what happened after a seq
        self._in_doubt = False  # the outcome of an append is unknown: read the log before anything else
        self._paid_from = ""  # the address of the last payer
        self._looks_for_gone: asyncio.TimerHandle | None = None  # rings when a player may have to be shown as gone
        self._listed: port.JsonObject = {}  # what the list of tables shows of this one
        self._moment = state.moment  # whose players have been told that they are asked
        self._to_list: port.Listing | None = None  # what it is to show, and has not been written yet
        self._listing: asyncio.Task[None] | None = None  # writes it
        self._belonging: object = None  # whose own table it is (``Listing.people``), as far as that has been written
        self._daily, self._result_of = daily, (0, 0)  # session and number of the deal after which results were kept
        self._keeping_result: asyncio.Task[None] | None = None
        self._logged = 0  # deals that are in the log of all tables, or on their way there
        self._logging: asyncio.Task[None] | None = None
        self._scheduler.schedule()
        self._update_listing()
        self._keep_result()
        self._log_heads()

    @property
    def subscribers(self) -> set[Subscriber]:
        """All who watch, at once or delayed."""
        return self._broadcaster.subscribers | (self._delayed.subscribers if self._delayed else set())

    @property
    def is_watched(self) -> bool:
        """True if bots and clocks go on: at a slow table, or while a viewer is there, or was a moment ago."""
        was_lately = time.monotonic() - self.used < IDLE / 2
        return not self.is_unloaded and bool(self.subscribers or self.state.is_slow or was_lately)

    @property
    def payer(self) -> Payer:
        """The account on which bots think: of the players who are connected, else of the last who watched."""
        state, host = self.state, self.state.settings["host"]
        watching = sorted(self.subscribers, key=lambda each: (state.seat_of(each.caller) is None, each.since))
        if watching:
            self._paid_from = watching[0].address
        return Payer(self._paid_from, host["guest"] or host["token"])

    def is_here(self, seat: int) -> bool:
        """Tell if the player of a seat is connected."""
        return seat in self._broadcaster.audience.seats

    @property
    def is_idle(self) -> bool:
        """True if no one has asked for the table for long."""
        is_used = self.subscribers or self._lock.locked() or self._scheduler.is_busy
        return not is_used and time.monotonic() - self.used > IDLE

    def unload(self) -> None:
        """Stop all clocks, and say goodbye to everybody."""
        self.is_unloaded = True
        self._scheduler.stop()
        if self._looks_for_gone:
            self._looks_for_gone.cancel()
        if self._delayed:
            self._delayed.close()
        for subscriber in self.subscribers:
            subscriber.offer(BYE)
            if not subscriber.is_cut:
                subscriber.end()

    # Orders

    async def carry_out(self, decide: Decide, key: str | None = None) -> int:
        """Carry out an order; when this returns, its events are kept, and everybody has been sent what has changed.

        ``decide`` may be called several times; an order repeated with the same ``key`` does nothing. Returns the seq of
        its last event, or of the table if there was nothing to do. ``Refused`` if the order is not allowed;
        ``Unavailable`` if the store does not answer, or another process drives the table by now."""
        async with self._lock:
            for _ in range(TRIES):
                self._must_be_loaded()
                if self._in_doubt:
                    await self._resolve_doubt()
                if key is not None and key in self.state.keys:
                    return self.state.keys[key]
                drafts = decide(self.state)
                if drafts and key is not None:  # which the last of the events has
                    drafts = [*drafts[:-1], port.Draft(drafts[-1].kind, {**drafts[-1].body, "key": key})]
                if not drafts or await self._keep(drafts):
                    return self.state.seq
        raise Refused("busy", 503)

    async def catch_up(self) -> None:
        """Read what an administrator has appended."""
        async with self._lock:
            self._in_doubt = True
            try:
                await self._resolve_doubt()
            except port.Unavailable:
                pass  # the next order reads again
            except TefudaError as error:
                log.warning("%s", error, extra={"table": self.state.name, "seq": self.state.seq})

    def _must_be_loaded(self) -> None:
        if self.is_unloaded:
            raise port.Elsewhere("the table is no longer driven here")

    async def _resolve_doubt(self) -> None:
        if self._in_doubt:
            self._broadcast(await self._resources.store.read(self.state.name, self.state.seq))
            self._in_doubt = False

    async def _keep(self, drafts: list[port.Draft]) -> bool:
        """Append events to the log, and broadcast them; False if the log had gone on, which is then known."""
        state, self._in_doubt = self.state, True
        try:
            events = await self._resources.store.append(state.name, state.seq, drafts)
        except port.Conflict:
            await self._resolve_doubt()
            return False
        except port.NotHolder:
            self.unload()
            raise
        except port.Unavailable as error:
            if not isinstance(error, port.Erased):
                log.warning("the store does not answer", extra={"table": state.name, "seq": state.seq})
            raise
        self._broadcast(events)
        self._in_doubt = False
        return True

    def _broadcast(self, events: list[port.Event]) -> None:
        """Apply events that are kept, show them to everybody, and schedule what follows."""
        if not events:
            return
        change = self._broadcaster.publish(events)
        self._recent.add(events, self.state)
        if self._delayed:
            self._delayed.publish_later(events)
            self._bring_seated_up_to_date(self._delayed)
        self._scheduler.schedule()
        if change == "any" or self.state.is_slow or self._asked() != self._listed.get("asked"):
            self._update_listing()  # other changes alter nothing else that the list shows
        self._tell_asked()
        if change == "any":
            self._keep_result()
            self._log_heads()
            self._follow_connections()

    def _bring_seated_up_to_date(self, delayed: DelayedBroadcaster) -> None:
        """Spectators who have taken a seat see the table without delay from now on."""
        for subscriber in [each for each in delayed.subscribers if self.state.seat_of(each.caller) is not None]:
            delayed.remove(subscriber)
            self._broadcaster.add(subscriber)

    def _update_listing(self) -> None:
        """Bring the list of tables up to date, in the background."""
        state, summary = self.state, table_messages.summary(self.state, self._asked())
        if state.past is not None and not state.closed:
            return  # what was written while the rules were known is all that is known
        if summary != self._listed or state.is_slow:
            self._listed, is_public = summary, bool(state.settings["public"]) and not state.closed
            people = state.belongings(), state.hashes()
            due = self._scheduler.due if state.is_slow else None
            self._to_list = port.Listing(state.name, state.seq, state.at, is_public, summary, *people, due=due)
            if self._listing is None or self._listing.done():
                self._listing = self._resources.background.spawn(self._keep_listing())

    def _asked(self) -> list[int]:
        """The seats of people who are asked for something and, unless the table is slow, not there: so their lists of
        tables say."""
        here = frozenset() if self.state.is_slow else self._broadcaster.audience.seats
        return [seat for seat in self.state.asked() if seat not in here]

    def _tell_asked(self) -> None:
        """At a slow table tell those who have come to be asked and are not there."""
        state, notices = self.state, self._resources.notices
        is_told, self._moment = self._moment == state.moment, state.moment
        if is_told or not state.is_slow:
            return
        if state.phase == "playing":  # unless the table answers for them
            is_asked = state.own_answer() is None or state.present.sole_answer() is not None
        else:
            is_asked = state.shuffle is not None and (state.shuffle.closed or state.asks_to_go_on)
        if is_asked:
            notices.tell(state, [seat for seat in state.asked() if not self.is_here(seat)])

    async def _keep_listing(self) -> None:
        """Write what the list of tables is to show: the latest, if much happens while one is written."""
        try:
            while (listing := self._to_list) is not None:
                self._to_list = None
                known = None if listing.people == self._belonging else listing.people
                await self._resources.store.show(replace(listing, people=known))
                self._belonging = listing.people
        except port.Unavailable:
            pass  # the next change tries again

    def _keep_result(self) -> None:
        """Keep the result, in the background, if another deal has ended; also when the table is loaded, since the
        process may have ended before it was kept."""
        state, background = self.state, self._resources.background
        ended = state.session, len(state.results) + (state.played_out > 0)
        if state.past is not None or ended == self._result_of or not (state.results or state.played_out):
            return
        self._result_of = ended
        if state.given is None or state.round_deals:
            self._keeping_result = background.spawn(self._record_result(state.copy()))
        elif state.day:  # what is tried again counts for nothing
            self._keeping_result = background.spawn(self._daily.record(state.copy()))

    async def _record_result(self, state: TableState) -> None:
        result = await self._resources.background.in_thread(game_result, state)
        with suppress(port.Unavailable):  # the next deal, or the next who opens the table, tries again
            await self._resources.store.people.record(result, contests if state.given is None else lambda _: ())

    def _log_heads(self) -> None:
        """Enter the deals that have been dealt into the log of all tables, in the background; also when the table is
        loaded, since the process may have ended before they were."""
        heads = self.state.dealt_heads()
        if len(heads) > self._logged:
            new, self._logged = heads[self._logged :], len(heads)
            self._logging = self._resources.background.spawn(self._enter_heads(new))

    async def _enter_heads(self, heads: list[str]) -> None:
        try:
            await self._resources.store.heads.add(self.state.name, heads)
        except port.Unavailable:
            self._logged = 0  # the next deal tries again

    async def until_kept(self) -> None:
        """Wait until the table's listing, its latest result and its deals in the log of all are kept, or cannot be."""
        writing = [task for task in (self._listing, self._keeping_result, self._logging) if task is not None]
        if writing:
            await asyncio.wait(writing)

    # Subscribers

    async def subscribe(self, subscriber: Subscriber, after: int | None) -> None:
        """Begin to send a subscriber the table, until ``unsubscribe``.

        With ``after``, the seq of the last message they have, they get reports of what they have missed since.
        ``Unavailable`` if the store does not answer, or another process drives the table by now."""
        is_delayed = self.state.settings["spectators"] == "delayed" and self.state.seat_of(subscriber.caller) is None
        if after is None and not is_delayed:  # no need to wait until a slow disk has kept what is being played
            self._must_be_loaded()
            self._broadcaster.add(subscriber, [])
            self._follow_connections()
            self._scheduler.schedule()
            return
        if after is not None and not is_delayed:
            self._returning[subscriber] = after
        try:
            async with self._lock:
                self._must_be_loaded()
                if is_delayed:
                    (await self._delayed_broadcaster()).add(subscriber)
                elif subscriber in self._returning:
                    await self._readmit()
                self._follow_connections()
                self._scheduler.schedule()
        except BaseException:
            self._broadcaster.remove(subscriber)
            raise
        finally:
            self._returning.pop(subscriber, None)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send a subscriber nothing more."""
        self._broadcaster.remove(subscriber)
        if self._delayed:
            self._delayed.remove(subscriber)
        self.used = time.monotonic()
        self._follow_connections()
        if self._asked() != self._listed.get("asked"):
            self._update_listing()

    def _follow_connections(self) -> None:
        """Show at once who has come back, and after a moment who is gone."""
        missing = self._broadcaster.missing()
        self._broadcaster.show_gone(self.state.gone & missing)
        if missing - self.state.gone and self._looks_for_gone is None and not self.is_unloaded:
            self._looks_for_gone = asyncio.get_running_loop().call_later(GONE_AFTER, self._show_gone)

    def _show_gone(self) -> None:
        self._looks_for_gone = None
        self._broadcaster.show_gone(self._broadcaster.missing())

    async def _readmit(self) -> None:
        """Begin to send the table to all who have come back and wait: what they missed is read again once for all."""
        returning = dict(self._returning)
        missed = await self._resources.background.in_thread(self._recent.reports, returning)
        for subscriber in returning:
            if self._returning.pop(subscriber, None) is not None:  # else they have gone again meanwhile
                self._broadcaster.add(subscriber, missed[subscriber])

    async def _delayed_broadcaster(self) -> DelayedBroadcaster:
        if self._delayed is None:
            events = await self._resources.store.read(self.state.name)
            self._delayed = DelayedBroadcaster(events[: self.state.seq], int(self._resources.settings.delay * 1000))
        return self._delayed
