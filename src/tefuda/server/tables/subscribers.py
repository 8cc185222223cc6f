"""Who watches a table, and how what happens there reaches them."""

import asyncio
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tefuda.server.events import outgoing
from tefuda.server.events.messages import Told
from tefuda.server.events.outgoing import Perspective
from tefuda.server.events.table_state import Caller, TableState
from tefuda.server.store.port import Event

MOST_WAITING = 64
"""Messages that may wait for a slow reader before he is cut off; he comes back and is shown how things stand."""

CUT = None
"""In place of a message: there will be no more."""


@dataclass(eq=False)
class Subscriber:
    """Somebody who is shown a table as it goes on.

    Attributes:
        who: decides what he sees.
        language, fields: how he wants it.
        waiting: messages as JSON, or ``CUT``.
    """

    who: Caller
    language: str = "en"
    fields: bool = False
    waiting: asyncio.Queue[bytes | None] = field(default_factory=lambda: asyncio.Queue(MOST_WAITING + 1))
    is_cut: bool = False

    def offer(self, message: bytes) -> None:
        if self.is_cut:
            return
        if self.waiting.qsize() < MOST_WAITING:
            self.waiting.put_nowait(message)
        else:
            self.cut()

    def cut(self) -> None:
        """Send nothing more, not even what waits."""
        while not self.waiting.empty():
            self.waiting.get_nowait()
        self.end()

    def end(self) -> None:
        """Send what waits, then nothing more."""
        self.is_cut = True
        self.waiting.put_nowait(CUT)


class Broadcaster:
    """A table and those who watch it.

    Attributes:
        table: as they see it.
        watchers: all of them.
    """

    def __init__(self, table: TableState) -> None:
        self.table = table
        self.watchers: set[Subscriber] = set()

    def viewer(self, watcher: Subscriber) -> Perspective:
        """How this one looks at it now."""
        return Perspective(self.table.may_see(watcher.who), watcher.language, watcher.fields)

    def advance(self, events: Iterable[Event]) -> None:
        """Apply events, and show everybody the table as it then stands."""
        told: dict[Perspective, list[Told]] = {}
        for event in events:
            viewers = set(map(self.viewer, self.watchers))
            for viewer, line in outgoing.advance(self.table, event, viewers).items():
                told.setdefault(viewer, []).append(line)
        self._show(told)

    def _show(self, told: dict[Perspective, list[Told]]) -> None:
        messages: dict[tuple[Perspective, bool], bytes] = {}
        common = outgoing.make_common(self.table)
        for watcher in self.watchers:
            viewer, host = self.viewer(watcher), self.table.is_host(watcher.who)
            if (viewer, host) not in messages:
                lines = told.get(viewer) or next(iter(told.values()), [])
                if viewer not in told:  # somebody who has just sat down: what all may know of it
                    lines = [{"seq": line["seq"], "at": line["at"], "kind": line["kind"]} for line in lines]
                state = outgoing.state(self.table, viewer, lines, host=host, common=common)
                messages[viewer, host] = outgoing.written(state)
            watcher.offer(messages[viewer, host])
        self.watchers = {watcher for watcher in self.watchers if not watcher.is_cut}

    def greet(self, watcher: Subscriber, events: Sequence[Told] = ()) -> None:
        """Show a newcomer the table."""
        viewer, host = self.viewer(watcher), self.table.is_host(watcher.who)
        watcher.offer(outgoing.written(outgoing.state(self.table, viewer, events, host=host)))
        self.watchers.add(watcher)


class DelayedBroadcaster(Broadcaster):
    """A stage on which everything happens some time later, for those who look on.

    Args:
        events: the log so far.
        delay: milliseconds.
    """

    def __init__(self, events: Sequence[Event], delay: int) -> None:
        super().__init__(TableState())
        self._delay, self._coming = delay, deque(events)
        self._timer: asyncio.TimerHandle | None = None
        self.table.apply(self._coming.popleft())  # that there is a table is no secret
        self._go_on()

    def viewer(self, watcher: Subscriber) -> Perspective:
        return Perspective(-1, watcher.language, watcher.fields)

    def hear(self, events: Iterable[Event]) -> None:
        """Take note of events, to be shown when their time has come."""
        self._coming.extend(events)
        self._go_on()

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _go_on(self) -> None:
        self.close()
        now = time.time_ns() // 1_000_000
        due = []
        while self._coming and self._coming[0].at + self._delay <= now:
            due.append(self._coming.popleft())
        if due:
            self.advance(due)
        if self._coming:
            wait = self._coming[0].at + self._delay - now
            self._timer = asyncio.get_running_loop().call_later(wait / 1000, self._go_on)


def retell(events: Sequence[Event], after: int, watcher: Subscriber) -> list[Told]:
    """What this watcher is told of the events after ``after``, from a table's whole log."""
    stage, told = Broadcaster(TableState()), list[Told]()
    for event in events:
        viewers = [stage.viewer(watcher)] if 0 < after <= stage.table.seq else []
        told += outgoing.advance(stage.table, event, viewers).values()
    return told
