"""Subscribers to a table, and the way of its messages to them, also of those that they have missed."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import orjson

from tefuda.server.store.port import Event
from tefuda.server.table import reports, table_messages
from tefuda.server.table.callers import Caller
from tefuda.server.table.deal_patches import SeenDeal
from tefuda.server.table.events import apply
from tefuda.server.table.message_types import EventReport, SharedState
from tefuda.server.table.reports import Perspective
from tefuda.server.table.table_messages import Change, MessageWriter, change_by
from tefuda.server.table.table_state import TableState
from tefuda.table.view import SPECTATOR

MOST_WAITING = 64
"""Messages that may wait for a slow reader. With more the reader is cut off, comes back and gets the latest state."""

END = None  # stands in place of a message: there will be no more

MOST_MISSED = 500
"""Events of which a subscriber who comes back gets reports; after more of them they get the state alone."""

SECTION = 64  # events between two copies of the table

PackedEvent = tuple[int, str, bytes]  # time, kind, and body as JSON, which takes little memory


@dataclass(eq=False)
class Subscriber:
    """A client that gets a table's messages as it goes on."""

    caller: Caller  # decides what they see
    language: str = "en"  # this and the next two are their wishes; see ``Perspective``
    patch: bool = False
    brief: bool = False
    # messages as JSON, or ``END``
    waiting: asyncio.Queue[bytes | None] = field(default_factory=lambda: asyncio.Queue(MOST_WAITING + 1))
    # sends a message without a task that waits for it, and tells if it could
    send_now: Callable[[bytes], bool] | None = None
    is_behind: bool = False  # messages wait, or one that has waited is being sent: nothing may overtake them
    is_cut: bool = False  # there will be no more messages
    is_slow: bool = False  # is cut because too many waited
    is_banned: bool = False  # is cut because the caller was banned
    address: str = ""  # that the messages go to, as limits know it
    presence: bool = False  # they want to be told at once which seats' people are not connected
    since: float = field(default_factory=time.monotonic)  # when they came, by ``time.monotonic``
    # their perspective, and True for the table's host, as long as the same people sit there
    looks: tuple[object, tuple[Perspective, bool]] | None = None

    def offer(self, message: bytes) -> None:
        """Send a message, or queue it; a reader for whom too many wait is cut off."""
        if self.is_cut:
            return
        if self.send_now is not None and not self.is_behind and self.send_now(message):
            return
        self.is_behind = True
        if self.waiting.qsize() < MOST_WAITING:
            self.waiting.put_nowait(message)
        else:
            self._drop_waiting()
            self.is_slow = True
            self.end()

    def _drop_waiting(self) -> None:
        while not self.waiting.empty():
            self.waiting.get_nowait()

    def expel(self, message: bytes) -> None:
        """Send a last message in place of all that waits."""
        if not self.is_cut:
            self._drop_waiting()
            self.waiting.put_nowait(message)
            self.is_behind = self.is_banned = True
            self.end()

    def end(self) -> None:
        """Send what waits, then nothing more."""
        self.is_cut = True
        self.waiting.put_nowait(END)


class Audience(NamedTuple):
    """All who watch a table, as long as the same people sit there."""

    people: object  # those who sit there
    # subscribers by how they see the table, and True for its host
    groups: Mapping[tuple[Perspective, bool], Sequence[Subscriber]]
    perspectives: frozenset[Perspective]  # how they see it
    seats: frozenset[int]  # whose views they get


class Broadcaster:
    """A table as its subscribers see it."""

    def __init__(self, table: TableState) -> None:
        self.table = table
        self.subscribers: set[Subscriber] = set()
        self._shared: SharedState | None = None  # as it was last sent
        self._deals: dict[int, SeenDeal] = {}  # as those who are sent patches have them, by seat
        self._audience: Audience | None = None

    def looks(self, subscriber: Subscriber) -> tuple[Perspective, bool]:
        """The way in which a subscriber sees the table now, and True for its host."""
        if subscriber.looks is None or subscriber.looks[0] is not self.table.people:
            seat = self.seat(subscriber)
            perspective = Perspective(seat, subscriber.language, subscriber.patch, subscriber.brief)
            subscriber.looks = self.table.people, (perspective, self.table.is_host(subscriber.caller))
        return subscriber.looks[1]

    def seat(self, subscriber: Subscriber) -> int:
        """The seat whose view a subscriber gets; see ``Perspective``."""
        return self.table.may_see(subscriber.caller)

    @property
    def audience(self) -> Audience:
        """All of them, by how they see the table."""
        found = self._audience
        if found is None or found.people is not self.table.people:
            groups: dict[tuple[Perspective, bool], list[Subscriber]] = {}
            for subscriber in self.subscribers:
                groups.setdefault(self.looks(subscriber), []).append(subscriber)
            perspectives = frozenset(perspective for perspective, _ in groups)
            seats = frozenset(perspective.seat for perspective in perspectives)
            found = self._audience = Audience(self.table.people, groups, perspectives, seats)
        return found

    def remove(self, subscriber: Subscriber) -> None:
        """Send a subscriber nothing more."""
        self.subscribers.discard(subscriber)
        self._audience = None

    def publish(self, events: Sequence[Event]) -> Change:
        """Apply events, and send everybody the table as it then stands; what the events have changed."""
        told = [reports.apply_and_report(self.table, event, self.audience.perspectives) for event in events]
        change = change_by(events, self.table)
        if self.subscribers:
            self._send(told, change)
        else:
            self._shared, self._deals = None, {}
        return change

    def _send(self, told: Sequence[Mapping[Perspective, EventReport]], change: Change) -> None:
        """Offer everybody their message; those who see the same get the same bytes."""
        if self._shared is None or change == "any":
            self._shared = table_messages.shared_state(self.table)
        else:
            self._shared["seq"] = self.table.seq
        if change == "shuffle":
            self._shared["shuffle"] = table_messages.shuffle_state(self.table)
        writer, cut = MessageWriter(self.table, told, self._shared, change, self._deals), list[Subscriber]()
        for (perspective, host), subscribers in self.audience.groups.items():
            message = writer.write(perspective, host=host)
            for subscriber in subscribers:
                subscriber.offer(message)
                if subscriber.is_cut:
                    cut.append(subscriber)
        self._deals = writer.deals
        for subscriber in cut:
            self.remove(subscriber)

    def add(self, subscriber: Subscriber, events: Sequence[EventReport] = ()) -> None:
        """Take on a subscriber, and send them the table, with reports of the events that they have missed."""
        subscriber.looks = None  # they may have come from another table, or as another caller
        perspective, host = self.looks(subscriber)
        self.show_gone(self.table.gone - {perspective.seat})
        shared = table_messages.shared_state(self.table)
        message = table_messages.state_message(self.table, perspective, events, host=host, shared=shared)
        if perspective.patch and message["deal"] is not None:
            self._deals[perspective.seat] = table_messages.seen_deal(self.table, perspective.seat)
        subscriber.offer(reports.encoded(message))
        self.subscribers.add(subscriber)
        self._audience = None

    def missing(self) -> frozenset[int]:
        """The seats of people who should have a socket open now, and have none."""
        people = () if self.table.is_slow else self.table.people
        return frozenset(seat for seat, *_ in people) - self.audience.seats

    def show_gone(self, gone: frozenset[int]) -> None:
        """Keep the seats whose people are gone; tell those who want to know at once, others with the next message."""
        if gone == self.table.gone:
            return
        self.table.gone = gone
        self._shared = table_messages.shared_state(self.table)
        for (perspective, host), subscribers in self.audience.groups.items():
            asking = [subscriber for subscriber in subscribers if subscriber.presence]
            if asking:
                state = table_messages.state_message(self.table, perspective, host=host, shared=self._shared)
                message = reports.encoded(state)
                for subscriber in asking:
                    subscriber.offer(message)


class DelayedBroadcaster(Broadcaster):
    """A broadcaster of a log that is so many milliseconds behind, for spectators."""

    def __init__(self, events: Sequence[Event], delay: int) -> None:
        super().__init__(TableState())
        self._delay, self._coming = delay, deque[tuple[float, Event]]()
        self._timer: asyncio.TimerHandle | None = None
        first, *others = events
        apply(self.table, first)  # that the table exists is no secret
        self.publish_later(others)

    def seat(self, subscriber: Subscriber) -> int:
        return SPECTATOR

    def publish_later(self, events: Iterable[Event]) -> None:
        """Publish events when their time has come."""
        now, wall = time.monotonic(), time.time_ns() // 1_000_000
        due = self._coming[-1][0] if self._coming else now
        for event in events:
            # However the machine's time has been set, no one waits for longer than the delay.
            wait = min(max(0, event.at + self._delay - wall), self._delay)
            due = max(due, now + wait / 1000)
            self._coming.append((due, event))
        self._publish_due()

    def close(self) -> None:
        """Publish nothing more."""
        if self._timer:
            self._timer.cancel()

    def _publish_due(self) -> None:
        self.close()
        now, due = time.monotonic(), []
        while self._coming and self._coming[0][0] <= now:
            due.append(self._coming.popleft()[1])
        if due:
            self.publish(due)
        if self._coming:
            self._timer = asyncio.get_running_loop().call_later(self._coming[0][0] - now, self._publish_due)


@dataclass
class LogSection:
    """A part of a log: the table before it, and the events that followed."""

    start: TableState
    events: list[PackedEvent] = field(default_factory=list)

    def __iter__(self) -> Iterator[Event]:
        for seq, (at, kind, body) in enumerate(self.events, self.start.seq + 1):
            yield Event(seq, at, kind, orjson.loads(body))


class RecentEvents:
    """The last ``MOST_MISSED`` events of a table, or somewhat more, from how it stands before the first of them."""

    def __init__(self, table: TableState) -> None:
        self._sections = deque([LogSection(table.copy())])

    def add(self, events: Iterable[Event], table: TableState) -> None:
        """Keep the next events; ``table`` is as it stands after them."""
        last = self._sections[-1]
        # Copied: what orjson returns keeps the room, some kilobytes, in which it was written.
        last.events += [(each.at, each.kind, bytes(memoryview(orjson.dumps(each.body)))) for each in events]
        if len(last.events) < SECTION:
            return
        self._sections.append(LogSection(table.copy()))
        if table.seq - self._sections[1].start.seq >= MOST_MISSED:
            self._sections.popleft()

    def reports(self, returning: Mapping[Subscriber, int]) -> dict[Subscriber, list[EventReport]]:
        """Reports of the events that each of these has missed after the seq that they know, all from one reading of the
        log; none if there are more than ``MOST_MISSED``."""
        told: dict[Subscriber, list[EventReport]] = {subscriber: [] for subscriber in returning}
        sections = list(self._sections)
        begins = [section.start.seq for section in sections]
        now = begins[-1] + len(sections[-1].events)
        oldest = max(begins[0], now - MOST_MISSED, 1)
        after = {subscriber: seq for subscriber, seq in returning.items() if oldest <= seq < now}
        if not after:
            return told
        first = max(k for k, begin in enumerate(begins) if begin <= min(after.values()))
        broadcaster = Broadcaster(sections[first].start.copy())
        for event in chain.from_iterable(sections[first:]):
            seq = broadcaster.table.seq
            looks = {each: broadcaster.looks(each)[0] for each in after if after[each] <= seq}
            found = reports.apply_and_report(broadcaster.table, event, set(looks.values()))
            for subscriber, perspective in looks.items():
                if perspective in found:
                    told[subscriber].append(found[perspective])
        return told


def load(events: Iterable[Event]) -> tuple[TableState, RecentEvents]:
    """A table from its whole log, and the latest of its events. ``TefudaError`` if the log cannot be read by the rules
    of this version."""
    table = TableState()
    recent = RecentEvents(table)
    for event in events:
        apply(table, event)
        recent.add([event], table)
    return table, recent
