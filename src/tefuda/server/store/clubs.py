"""Clubs in a store: their members, and their seasons with all rounds."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, select, update

from tefuda.server.store.access import StoreAccess, StorePart
from tefuda.server.store.erasures import erased_among
from tefuda.server.store.people import People, PlacedSides
from tefuda.server.store.port import Club, Member, Season
from tefuda.server.store.schema import club_members, club_seasons, clubs, results
from tefuda.server.table.duplicate import SeatInDeal

_TABLES: Mapping[type, Any] = {Club: clubs, Member: club_members, Season: club_seasons}

Kept = TypeVar("Kept", Club, Member, Season)


class Clubs(StorePart):
    """Clubs and all that is theirs; ``people`` rates their members."""

    def __init__(self, access: StoreAccess, people: People) -> None:
        super().__init__(access)
        self._people = people

    async def find(self, kind: type[Kept], **where: object) -> list[Kept]:
        """All of a kind whose fields have these values, in order."""
        table = _TABLES[kind]
        query = select(table).where(*(table.c[name] == value for name, value in where.items()))
        return await self._access.fetch(query.order_by(*table.primary_key), lambda row: kind(**row._mapping))

    async def of(self, person: str) -> list[Club]:
        """The clubs of a member."""
        query = select(clubs).join(club_members, club_members.c.club == clubs.c.id).order_by(clubs.c.at)
        return await self._access.fetch(query.where(club_members.c.person == person), lambda row: Club(**row._mapping))

    async def add(self, kept: Kept, person: str | None = None) -> bool:
        """Keep something new; False if there is something in its place, or the person whom it names was erased."""
        new = self._access.insert(_TABLES[type(kept)]).values(**kept._asdict()).on_conflict_do_nothing()
        return await self._access.change(new, person=person)

    async def leave(self, club: str, person: str) -> None:
        """Let a member go; what they have played stays."""
        theirs = update(club_members).where(club_members.c.club == club, club_members.c.person == person)
        await self._access.change(theirs.values(person=None))

    async def results(self, season: Season) -> list[SeatInDeal]:
        """The results of every seat in every deal of a season that is over."""
        rounds = enumerate(season.begun, 1)
        where = {table: (number, seats) for number, each in rounds for table, seats in each["tables"].items()}

        def read(row: Any) -> SeatInDeal:
            number, seats = where[row.table]
            member = 0 if row.bot else seats[row.seat]
            return SeatInDeal(number, row.table, row.session, row.seat, member, row.name, row.points)

        query = select(results).where(results.c.table.in_(where), results.c.over)
        return await self._access.fetch(query.order_by(results.c.table, results.c.session, results.c.seat), read)

    async def go_on(
        self, season: Season, played: Sequence[Mapping[str, Any]], contest: PlacedSides | None = None
    ) -> bool:
        """Change the rounds of a season, and ratings by a contest, unless somebody else was faster; True if done."""
        here = club_seasons.c.club == season.club, club_seasons.c.number == season.number
        changing = update(club_seasons).where(*here, club_seasons.c.played == season.played)
        done = list[bool]()

        def work(connection: Connection) -> None:
            gone = erased_among(connection, contest.rated if contest else ())
            changed = changing.values(played=json.dumps(played)).execution_options(preserve_rowcount=True)
            done.append(connection.execute(changed).rowcount > 0)
            if contest is not None and done[-1] and not gone:
                self._people.rate(connection, contest)

        await self._access.write(work)
        return done[-1]
