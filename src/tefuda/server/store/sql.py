"""What both databases have in common."""

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine, Row, Select, func, select
from sqlalchemy.exc import DBAPIError

from tefuda.server.store import schema
from tefuda.server.store.port import Draft, Event, Listing, Store, Unavailable
from tefuda.server.store.schema import belongings, events, listings

Result = TypeVar("Result")

Rows = list[dict[str, Any]]
"""The rows of one append."""


class Insert(Protocol):
    """``insert`` of a dialect that knows ``ON CONFLICT``."""

    def __call__(self, table: Any) -> Any: ...


class SqlStore(Store):
    """A store in a database.

    Args:
        engine: connected to a database of the present version.
        insert: of its dialect.
        readers: threads that read.
    """

    def __init__(self, engine: Engine, insert: Insert, readers: int) -> None:
        self.engine, self._insert = engine, insert
        self._threads = ThreadPoolExecutor(readers, "store")
        with engine.connect() as connection:
            value = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.key == "secret"))
        assert value is not None
        self._secret = bytes.fromhex(value)

    def secret(self) -> bytes:
        return self._secret

    async def read(self, table: str, after: int = 0) -> list[Event]:
        query = select(events).where(events.c.table == table, events.c.seq > after).order_by(events.c.seq)
        return await self._in_thread(lambda connection: [_event(row) for row in connection.execute(query)])

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        query = select(events.c.table, func.max(events.c.seq)).group_by(events.c.table)
        query = query.where(events.c.table.in_(tables))
        return await self._in_thread(lambda connection: {row[0]: row[1] for row in connection.execute(query)})

    async def public(self, limit: int) -> list[Listing]:
        return await self._listed(select(listings).where(listings.c.public), limit)

    async def of(self, guest: str, limit: int) -> list[Listing]:
        theirs = select(belongings.c.table).where(belongings.c.guest == guest)
        return await self._listed(select(listings).where(listings.c.table.in_(theirs)), limit)

    async def _listed(self, query: Select[Any], limit: int) -> list[Listing]:
        latest = query.order_by(listings.c.at.desc()).limit(limit)
        return await self._in_thread(
            lambda connection: [
                Listing(row.table, row.seq, row.at, row.public, json.loads(row.summary))
                for row in connection.execute(latest)
            ]
        )

    async def check(self) -> None:
        await self._in_thread(lambda connection: connection.scalar(select(1)))

    async def close(self) -> None:
        self._threads.shutdown()
        self.engine.dispose()

    async def _in_thread(self, work: Callable[[Connection], Result]) -> Result:
        def run() -> Result:
            for tries_left in (1, 0):
                try:
                    with self.engine.connect() as connection:
                        return work(connection)
                except DBAPIError as error:
                    # A pooled connection that was cut is noticed by using it; all of them are then made anew.
                    if not (error.connection_invalidated and tries_left):
                        raise Unavailable(str(error.orig).splitlines()[0]) from error
            raise AssertionError

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    def write_listing(self, connection: Connection, listing: Listing) -> None:
        """Change the list of tables, in the caller's transaction."""
        shown = {"seq": listing.seq, "at": listing.at, "public": listing.public, "summary": _json(listing.summary)}
        insert = self._insert(listings).values(table=listing.table, **shown)
        later = insert.excluded.seq >= listings.c.seq
        connection.execute(insert.on_conflict_do_update(index_elements=[listings.c.table], set_=shown, where=later))
        if listing.people:
            theirs = [{"guest": guest, "table": listing.table} for guest in listing.people]
            connection.execute(self._insert(belongings).on_conflict_do_nothing(), theirs)


def rows_of(table: str, after: int, drafts: Sequence[Draft]) -> Rows:
    """The rows of these events, dated now."""
    at = time.time_ns() // 1_000_000
    return [
        {
            "table": table,
            "seq": seq,
            "at": at,
            "id": secrets.token_hex(8),
            "kind": draft.kind,
            "body": _json(draft.body),
        }
        for seq, draft in enumerate(drafts, after + 1)
    ]


def events_of(rows: Rows, drafts: Sequence[Draft]) -> list[Event]:
    """The events that these rows keep."""
    return [Event(row["seq"], row["at"], draft.kind, draft.body) for row, draft in zip(rows, drafts, strict=True)]


def _event(row: Row[Any]) -> Event:
    return Event(row.seq, row.at, row.kind, json.loads(row.body))


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
