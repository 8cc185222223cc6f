"""The queue of a game: strangers wait for a table, and are seated together as soon as they are enough. Whoever likes
starts with bots on the free seats after a while."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, TypeVar

from tefuda.server.live.pools import Background
from tefuda.server.live.subscribers import END
from tefuda.server.table.answer_types import QueueMessage
from tefuda.server.table.reports import encoded

BOTS_AFTER = 20.0  # seconds that somebody has waited before bots take the free seats, if they like

Player = TypeVar("Player")

Line: TypeAlias = asyncio.Queue[bytes | None]  # of a page or a program that waits for messages: JSON, or ``END``

Seat = Callable[[Sequence[Player]], Awaitable[Sequence[QueueMessage]]]
"""Seats players together, with bots where they are too few; what each of them is told."""


@dataclass(eq=False)
class _Waiting(Generic[Player]):
    """A person, since when they wait, whether they take bots, and all pages on which they wait."""

    player: Player
    since: float
    bots: bool = False
    lines: list[Line] = field(default_factory=list)


class PlayerQueue(Generic[Player]):
    """Those who wait for a table with so many ``seats``, by who they are, the first first. ``now`` tells the time."""

    def __init__(
        self, seats: int, seat: Seat[Player], background: Background, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.seats, self._seat, self._background, self._now = seats, seat, background, now
        self._waiting: dict[str, _Waiting[Player]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def enter(self, person: str, player: Player, *, bots: bool) -> Line:
        """Wait; who waits already keeps their time, and what they said last about bots counts."""
        waiting = self._waiting.setdefault(person, _Waiting(player, self._now()))
        waiting.bots = bots
        line: Line = asyncio.Queue()
        waiting.lines.append(line)
        self.look()
        return line

    def leave(self, person: str, line: Line) -> None:
        """Wait on this line no more: with the last of their lines a person is out of the queue, at once."""
        waiting = self._waiting.get(person)
        if waiting is None or line not in waiting.lines:
            return
        waiting.lines.remove(line)
        if not waiting.lines:
            del self._waiting[person]
            self.look()

    def expel(self, farewell: Callable[[Player], QueueMessage | None]) -> None:
        """Take all out for whom there is a last message."""
        for person, waiting in list(self._waiting.items()):
            message = farewell(waiting.player)
            if message is not None:
                del self._waiting[person]
                _end(waiting, message)
        self.look()

    def close(self) -> None:
        """Let everybody go: their pages ask again."""
        for waiting in self._waiting.values():
            _end(waiting)
        self._waiting.clear()
        self.look()

    def look(self) -> None:
        """Seat all who can be seated now, and tell the others how many wait."""
        while group := self._group():
            for person in group:
                del self._waiting[person]
            self._background.spawn(self._seat_group(list(group.values())))
        now = self._now()
        left = [max(0.0, each.since + BOTS_AFTER - now) for each in self._waiting.values()]
        for waiting, bots_in in zip(self._waiting.values(), left, strict=True):
            message: QueueMessage = {
                "waiting": len(self), "seats": self.seats, "waited": round(now - waiting.since), "bots": waiting.bots,
                "bots_in": round(bots_in, 1),
            }  # fmt: skip
            for line in waiting.lines:
                line.put_nowait(encoded(message))
        if self._timer is not None:
            self._timer.cancel()
        later = [wait for each, wait in zip(self._waiting.values(), left, strict=True) if each.bots]
        self._timer = asyncio.get_running_loop().call_later(min(later), self.look) if later else None

    def _group(self) -> dict[str, _Waiting[Player]]:
        """Those who are seated next: enough for a table, else all who take bots once one of them has waited for long;
        nobody yet, if it is empty."""
        everybody, now = list(self._waiting.items()), self._now()
        if len(everybody) < self.seats:
            everybody = [each for each in everybody if each[1].bots]
            if all(now - waiting.since < BOTS_AFTER for _, waiting in everybody):
                return {}
        return dict(everybody[: self.seats])

    async def _seat_group(self, group: Sequence[_Waiting[Player]]) -> None:
        told = await self._seat([waiting.player for waiting in group])
        for waiting, message in zip(group, told, strict=True):
            _end(waiting, message)


def _end(waiting: _Waiting[Player], message: QueueMessage | None = None) -> None:
    for line in waiting.lines:
        if message is not None:
            line.put_nowait(encoded(message))
        line.put_nowait(END)
