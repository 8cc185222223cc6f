"""What happens at a table by itself: shuffles, deals, bots' plays, clocks that run out.

Several processes may drive one table: they try the same, and the log takes the first.
"""

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from logging import getLogger
from typing import TYPE_CHECKING

from tefuda.server.events import commands
from tefuda.server.events.commands import Refused
from tefuda.server.events.table_state import TableState
from tefuda.server.store.port import Draft

if TYPE_CHECKING:
    pass

RETRY = 1.0
"""Seconds until something that failed is tried again."""

log = getLogger("tefuda.server")


@dataclass(frozen=True)
class ScheduledStep:
    """What is to happen next.

    Attributes:
        wait: seconds from now.
        bot: who is to think first, for the mover.
        order: what then happens, unless the table has gone on; None where the bot's play does.
    """

    wait: float
    order: Callable[[TableState], list[Draft]] | None = None
    bot: str | None = None


class Scheduler:
    """Drives one table.

    Args:
        services: of this process.
        room: the one.
    """

    def __init__(self, services: "Resources", room: "LiveTable") -> None:
        self._services, self._room, self._table = services, room, room.table
        self._timer: asyncio.TimerHandle | None = None

    def schedule(self) -> None:
        """Set the clock for what is due next."""
        self.stop()
        due = None if self._room.gone else self._due()
        if due is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, due.wait), self._begin, due)

    def stop(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _due(self) -> ScheduledStep | None:
        table = self._table
        if table.phase == "shuffling":
            return self._shuffling()
        if table.phase != "playing":
            return None
        assert table.deal is not None
        seat = table.deal.mover
        player = table.chairs[seat].player
        if player is not None:
            return ScheduledStep(self._pace(), bot=player)
        sole = table.deal.sole_answer()
        if sole is not None:
            # As slow as a bot: an answer at once would tell the others that there was no choice.
            return ScheduledStep(self._pace(), lambda _: commands.play_for(seat, sole))
        return ScheduledStep(self._left(table.acted, table.settings["clock"]), lambda _: commands.miss(seat))

    def _shuffling(self) -> ScheduledStep:
        table = self._table
        if table.shuffle is None:
            return ScheduledStep(0, commands.commit)
        if not table.waited_for():
            people = any(chair.person for chair in table.chairs)
            return ScheduledStep(0 if people or not table.begun else self._pace(), commands.deal)
        patience = table.settings["clock"] if table.begun else self._services.settings.patience
        return ScheduledStep(self._left(table.shuffle.at, patience), commands.deal)

    def _pace(self) -> float:
        return self._services.settings.pace * random.uniform(0.6, 1.4)  # noqa: S311 - no secret

    @staticmethod
    def _left(since: int, seconds: float) -> float:
        """Seconds until a clock that has run since then runs out."""
        return since / 1000 + seconds - time.time()

    def _begin(self, due: ScheduledStep) -> None:
        self._timer = None
        self._services.spawn(self._do(due))

    async def _do(self, due: ScheduledStep) -> None:
        if not self._room.awake:
            return  # who comes back to it starts the clock again
        table, seq = self._table, self._table.seq
        try:
            order = due.order or await self._think(due)
            await self._room.carry_out(lambda now: order(now) if now.seq == seq else [])
        except Exception as error:  # whatever a bot or the store brings: the table must go on
            known = isinstance(error, Refused)
            log.warning("%s", error, exc_info=not known, extra={"table": table.name, "seq": seq})
            if self._timer is None and not self._room.gone:
                self._timer = asyncio.get_running_loop().call_later(RETRY, self.schedule)

    async def _think(self, due: ScheduledStep) -> Callable[[TableState], list[Draft]]:
        table = self._table
        assert table.deal is not None
        assert due.bot is not None
        seat, host = table.deal.mover, table.settings["host"]
        if due.bot.startswith("search"):
            await self._services.kitchen.search_ready(table.game.name)
        owner = host["guest"] or host["token"]
        word = await self._services.thinkers.think(owner, table.deal.copy(), due.bot)
        return lambda _: commands.play_for(seat, word)
