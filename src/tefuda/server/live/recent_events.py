"""The latest events of a live table, for people who come back: what they missed is told without its whole log."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

import orjson

from tefuda.server.live.subscribers import Broadcaster, Subscriber
from tefuda.server.store.port import Event
from tefuda.server.table import table_messages
from tefuda.server.table.messages import EventReport
from tefuda.server.table.table_changes import apply
from tefuda.server.table.table_state import TableState

MOST_MISSED = 500
"""Events of which somebody who comes back gets reports; after more of them they get the state alone."""

SECTION = 64
"""Events between two copies of the table."""

PackedEvent = tuple[int, str, bytes]
"""When it was, its kind, its body as JSON: a fifth of the memory that an ``Event`` takes."""


@dataclass
class Section:
    """A part of a log.

    Attributes:
        start: the table before it.
        events: what followed.
    """

    start: TableState
    events: list[PackedEvent] = field(default_factory=list)

    def __iter__(self) -> Iterator[Event]:
        for seq, (at, kind, body) in enumerate(self.events, self.start.seq + 1):
            yield Event(seq, at, kind, orjson.loads(body))


class RecentEvents:
    """The last ``MOST_MISSED`` events of a table, or somewhat more.

    Args:
        table: as it stands before the first of them.
    """

    def __init__(self, table: TableState) -> None:
        self._sections = deque([Section(table.copy())])

    def add(self, events: Iterable[Event], table: TableState) -> None:
        """Keep the next events; ``table`` is as it stands after them."""
        last = self._sections[-1]
        # Copied: what orjson returns keeps the room, some kilobytes, in which it was written.
        last.events += [(each.at, each.kind, bytes(memoryview(orjson.dumps(each.body)))) for each in events]
        if len(last.events) < SECTION:
            return
        self._sections.append(Section(table.copy()))
        if table.seq - self._sections[1].start.seq >= MOST_MISSED:
            self._sections.popleft()

    def reports(self, returning: Mapping[Subscriber, int]) -> dict[Subscriber, list[EventReport]]:
        """What each of these has missed, all from one reading of the events.

        Args:
            returning: subscribers, and the seq of the last event that each knows.

        Returns:
            reports, for each, of the events after that one; none if there are more than ``MOST_MISSED``.
        """
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
            found = table_messages.apply_and_report(broadcaster.table, event, set(looks.values()))
            for subscriber, perspective in looks.items():
                told[subscriber].append(found[perspective])
        return told


def load(events: Iterable[Event]) -> tuple[TableState, RecentEvents]:
    """A table from its whole log, and the latest of its events.

    Raises:
        TefudaError: the log cannot be read by the rules of this version.
    """
    table = TableState()
    recent = RecentEvents(table)
    for event in events:
        apply(table, event)
        recent.add([event], table)
    return table, recent
