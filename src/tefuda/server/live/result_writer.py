"""Keeps what games bring: after each deal of a table, in the background."""

import asyncio
from contextlib import suppress

from tefuda.server.live.daily_games import DailyGames
from tefuda.server.live.resources import Resources
from tefuda.server.store.people import GameResult
from tefuda.server.store.port import Unavailable
from tefuda.server.store.ratings import contests
from tefuda.server.table.results import game_result
from tefuda.server.table.table_state import TableState


class ResultWriter:
    """Of one table.

    Args:
        resources: of the process.
        daily: the deals of the day.

    Attributes:
        writing: what keeps the latest result, or has kept it; None before any deal has ended.
    """

    def __init__(self, resources: Resources, daily: DailyGames) -> None:
        self._resources, self._daily = resources, daily
        self._kept: tuple[int, int] = (0, 0)
        self.writing: asyncio.Task[None] | None = None

    def follow(self, state: TableState) -> None:
        """Keep the result if another deal has ended; also when a table is loaded, since the process may have ended
        before it was kept."""
        ended = state.session, len(state.results)
        if state.past is not None or not state.results or ended == self._kept:
            return
        self._kept = ended
        if state.given is None:
            self.writing = self._resources.background.spawn(self._keep(game_result(state)))
        elif state.day:  # what is tried again counts for nothing
            self.writing = self._resources.background.spawn(self._daily.record(state.copy()))

    async def _keep(self, result: GameResult) -> None:
        with suppress(Unavailable):  # the next deal, or whoever next opens the table, tries again
            await self._resources.store.people.record(result, contests)
