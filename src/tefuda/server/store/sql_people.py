"""Results, ratings and house rules in a database."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, select, update

from tefuda.server.store.erasures import erased_among
from tefuda.server.store.people import ERASED, Contest, Contests, GameResult, HouseRules, People, Rating, SeatResult
from tefuda.server.store.schema import house_rules, listings, ratings, results
from tefuda.server.store.sql_part import SqlPart


class SqlPeople(SqlPart, People):
    """What one database keeps of people."""

    async def record(self, result: GameResult, contests: Contests) -> None:
        same = and_(results.c.table == result.table, results.c.session == result.session)

        def work(connection: Connection) -> None:
            gone = erased_among(connection, (seat.person for seat in result.seats))
            known = replace(result, seats=tuple(_without_person(s) if s.person in gone else s for s in result.seats))
            kept = connection.execute(select(results.c.over, results.c.deals).where(same).limit(1)).first()
            if kept is not None and (kept.over or kept.deals > result.deals):
                return  # rated already, or later news
            connection.execute(delete(results).where(same))
            connection.execute(results.insert(), _rows(known))
            if result.over:
                for contest in contests(known):
                    self._rate(connection, contest)

        await self._write(work)

    def _rate(self, connection: Connection, contest: Contest) -> None:
        rated = sorted(set(contest.rated))
        here = {"game": contest.game, "pool": contest.pool}
        new = [{"rated": each, **here, **vars(Rating())} for each in rated]
        connection.execute(self._insert(ratings).on_conflict_do_nothing(), new)
        theirs = and_(ratings.c.game == contest.game, ratings.c.pool == contest.pool, ratings.c.rated.in_(rated))
        # In one order, so that no two processes wait for each other.
        rows = connection.execute(select(ratings).where(theirs).order_by(ratings.c.rated).with_for_update())
        before = {row.rated: Rating(row.mu, row.sigma, row.games) for row in rows}
        for each, rating in contest.rate(before).items():
            connection.execute(update(ratings).where(theirs, ratings.c.rated == each).values(**vars(rating)))

    async def results(self, person: str, limit: int) -> list[GameResult]:
        theirs = select(results.c.table, results.c.session).where(results.c.person == person)
        latest = theirs.distinct().order_by(results.c.at.desc()).add_columns(results.c.at).limit(limit).subquery()
        games = results.join(
            latest, and_(results.c.table == latest.c.table, results.c.session == latest.c.session)
        ).outerjoin(listings, listings.c.table == results.c.table)
        query = select(results, listings.c.table.label("listed")).select_from(games)
        ordered = query.order_by(results.c.at.desc(), results.c.table, results.c.session, results.c.seat)
        return await self._read(lambda connection: _results(connection.execute(ordered)))

    async def ratings(self, rated: Sequence[str]) -> dict[tuple[str, str, str], Rating]:
        query = select(ratings).where(ratings.c.rated.in_(rated))
        return await self._read(
            lambda connection: {
                (row.rated, row.game, row.pool): Rating(row.mu, row.sigma, row.games)
                for row in connection.execute(query)
            }
        )

    async def save_rules(self, rules: HouseRules) -> None:
        row = {**vars(rules), "options": json.dumps(rules.options, ensure_ascii=False)}

        def work(connection: Connection) -> None:
            person = None if erased_among(connection, [rules.person]) else rules.person
            connection.execute(house_rules.insert().values({**row, "person": person}))

        await self._write(work)

    async def rules(self, key: str) -> HouseRules | None:
        query = select(house_rules).where(house_rules.c.id == key)
        found = await self._read(lambda connection: [house_rules_of(row) for row in connection.execute(query)])
        return found[0] if found else None

    async def all_rules(self, limit: int, person: str | None = None) -> list[HouseRules]:
        query = select(house_rules).order_by(house_rules.c.at.desc()).limit(limit)
        query = query if person is None else query.where(house_rules.c.person == person)
        return await self._read(lambda connection: [house_rules_of(row) for row in connection.execute(query)])

    async def remove_rules(self, key: str, person: str) -> bool:
        theirs = and_(house_rules.c.id == key, house_rules.c.person == person)
        removed: list[int] = []
        await self._write(
            lambda connection: removed.append(connection.execute(delete(house_rules).where(theirs)).rowcount)
        )
        return bool(removed and removed[-1])


def _rows(result: GameResult) -> list[dict[str, Any]]:
    common = {name: getattr(result, name) for name in ("table", "session", "at", "game", "deals", "over", "practice")}
    return [{**common, **vars(seat)} for seat in result.seats]


def _without_person(seat: SeatResult) -> SeatResult:
    return replace(seat, person=None, name=ERASED)


def _results(rows: Iterable[Row[Any]]) -> list[GameResult]:
    found = []
    for (table, session), group in groupby(rows, key=lambda row: (row.table, row.session)):
        seats = list(group)
        first = seats[0]
        found.append(
            GameResult(
                table, session, first.at, first.game, first.deals, first.over, first.practice,
                tuple(SeatResult(r.seat, r.name, r.person, r.bot, r.side, r.points, r.place) for r in seats),
                shown=first.listed is not None,
            )
        )  # fmt: skip
    return found


def house_rules_of(row: Row[Any]) -> HouseRules:
    return HouseRules(row.id, row.at, row.person, row.title, row.game, row.seats, json.loads(row.options))
