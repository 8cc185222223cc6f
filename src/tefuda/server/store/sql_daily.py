"""Deals of the day in a database."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Select, select

from tefuda.server.store.daily import DailyDeals, DailyResult, DealOfDay
from tefuda.server.store.erasures import erased_among
from tefuda.server.store.schema import daily_deals, daily_results
from tefuda.server.store.sql_part import SqlPart


class SqlDailyDeals(SqlPart, DailyDeals):
    """The deals of the day that one database keeps."""

    async def proof(self, deal: DealOfDay) -> Mapping[str, Any] | None:
        query: Select[Any] = select(daily_deals.c.proof).where(
            daily_deals.c.day == deal.day, daily_deals.c.game == deal.game
        )
        kept: str | None = await self._read(lambda connection: connection.scalar(query))
        return None if kept is None else json.loads(kept)

    async def settle(self, deal: DealOfDay, proof: Mapping[str, Any]) -> Mapping[str, Any]:
        row = {**deal._asdict(), "proof": json.dumps(proof)}

        def work(connection: Connection) -> None:
            connection.execute(self._insert(daily_deals).values(**row).on_conflict_do_nothing())

        await self._write(work)
        kept = await self.proof(deal)
        assert kept is not None
        return kept

    async def record(self, deal: DealOfDay, result: DailyResult) -> None:
        row = {**deal._asdict(), **vars(result)}

        def work(connection: Connection) -> None:
            if erased_among(connection, [result.player]):
                return
            connection.execute(self._insert(daily_results).values(**row).on_conflict_do_nothing())

        await self._write(work)

    async def results(self, deal: DealOfDay) -> list[DailyResult]:
        found = daily_results.c
        query = select(found.player, found.at, found.name, found.points, found.table)
        here = query.where(found.day == deal.day, found.game == deal.game)
        ordered = here.order_by(found.points.desc(), found.at)
        return await self._read(lambda connection: [DailyResult(*row) for row in connection.execute(ordered)])
