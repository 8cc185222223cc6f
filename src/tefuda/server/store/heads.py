"""The log of all tables (``tefuda.table.head_log``) in a database."""

import time
from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select

from tefuda.server.store.access import StorePart
from tefuda.server.store.port import JsonObject
from tefuda.server.store.schema import heads
from tefuda.table.head_log import FIRST, link

_APPENDING = 0x7E_F0_DB  # key of the lock of those who append, in PostgreSQL; in SQLite writers take turns
_NEWEST = select(heads.c.number, heads.c.link).order_by(heads.c.number.desc()).limit(1)


class Heads(StorePart):
    """The log of all tables."""

    async def add(self, table: str, dealt: Sequence[str]) -> None:
        """Append entries for the deals of a table that have none yet: the heads of its chain when they were dealt."""
        query = select(heads.c.head).where(heads.c.table == table, heads.c.head.in_(dealt), heads.c.kind == "dealt")
        if len(await self._access.fetch(query, lambda row: row.head)) < len(dealt):
            await self._access.write(lambda connection: append(connection, table, dealt))

    async def newest(self) -> tuple[int, str]:
        """The number and the link of the newest entry."""
        found = await self._access.fetch(_NEWEST, lambda row: (int(row.number), str(row.link)))
        return found[0] if found else (0, FIRST)

    async def entries(self, after: int, until: int) -> list[JsonObject]:
        """The entries after one number and up to another, as they are shown."""
        shown = ("number", "at", "kind", "head", "link")
        query = select(*(heads.c[name] for name in shown)).where(heads.c.number > after, heads.c.number <= until)
        return await self._access.fetch(query.order_by(heads.c.number), lambda row: dict(zip(shown, row, strict=True)))


def append(connection: Connection, table: str, dealt: Sequence[str] = ()) -> None:
    """Append entries for deals of a table that have none yet, or without deals its last head: the table is pruned."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_APPENDING)))
    entered = select(heads.c.head).where(heads.c.table == table, heads.c.kind == "dealt").order_by(heads.c.number)
    known = connection.scalars(entered).all()
    number, before = connection.execute(_NEWEST).first() or (0, FIRST)
    kind, new = ("dealt", [head for head in dealt if head not in known]) if dealt else ("pruned", known[-1:])
    for place, head in enumerate(new, number + 1):
        row: JsonObject = {"number": place, "at": time.time_ns() // 1_000_000, "kind": kind, "head": head}
        before = link(before, row)
        connection.execute(insert(heads).values(**row, table=table, link=before))
