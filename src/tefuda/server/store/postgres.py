"""A store that many processes share: PostgreSQL, whose notifications wake the other processes."""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Select, create_engine, func, select, text, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from tefuda.engine.extras import needed_by
from tefuda.server.store import schema
from tefuda.server.store.batch_writer import BatchWriter
from tefuda.server.store.port import Conflict, Draft, Event, Listing, StoreError, Unavailable, Wake
from tefuda.server.store.schema import events
from tefuda.server.store.sql import Rows, SqlStore, events_of, rows_of

CHANNEL = "tefuda"
READERS = 8
PATIENCE = 5.0
"""Seconds during which an append is tried again after its connection broke."""

_PREPARING = 0x7E_F0_DA  # key of the lock that one process holds while it makes the tables

_APPEND = text("""
    WITH new AS (
        SELECT * FROM unnest(
            CAST(:table AS text[]), CAST(:seq AS integer[]), CAST(:at AS bigint[]), CAST(:id AS text[]),
            CAST(:kind AS text[]), CAST(:body AS text[]), CAST(:first AS text[])
        ) AS new ("table", seq, at, id, kind, body, first)
    ), begun AS (
        INSERT INTO events SELECT "table", seq, at, id, kind, body FROM new
        WHERE id = first AND seq = 1 + coalesce((SELECT max(seq) FROM events WHERE events."table" = new."table"), 0)
        ORDER BY "table"
        ON CONFLICT DO NOTHING RETURNING "table", seq, id
    ), ended AS (
        INSERT INTO events SELECT new."table", new.seq, at, new.id, kind, body FROM new JOIN begun ON first = begun.id
        WHERE new.id <> first
    )
    SELECT id, pg_notify(:channel, "table" || ':' || seq) FROM begun
""")
"""Many appends in one message and one commit, while other processes race: each is kept whole or not at all.

Every row names the first row of its append. If that one is kept, no other process can follow the same end of the log,
so the other rows find their places free. The query returns the ids of the first rows that were kept. Rows are inserted
in the order of tables, so that two processes never wait for each other.
"""


class PostgresStore(SqlStore):
    """Logs in a PostgreSQL database.

    Args:
        url: of the database; the driver is psycopg 3 (extra ``postgres``).

    Raises:
        MissingPackageError: psycopg is not installed.
        StoreError: the server does not answer, or the database will not do.
    """

    shared = True

    def __init__(self, url: URL) -> None:
        with needed_by("--db postgresql", "postgres"):
            import psycopg  # noqa: F401
        self._url = url.set(drivername="postgresql+psycopg")
        where = self._url.render_as_string(hide_password=True)
        options: dict[str, Any] = {"pool_size": READERS + 1, "max_overflow": 0, "pool_recycle": 1800}
        engine = create_engine(self._url, connect_args={"connect_timeout": 5}, hide_parameters=True, **options)
        try:
            with engine.begin() as connection:
                connection.execute(select(func.pg_advisory_xact_lock(_PREPARING)))
                schema.prepare(connection)
            super().__init__(engine, insert, READERS)
        except (DBAPIError, StoreError) as error:
            engine.dispose()
            reason = str(error.orig if isinstance(error, DBAPIError) else error).splitlines()[0]
            raise StoreError(f"{where}: {reason}") from error
        self._autocommit = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._writer = BatchWriter(self._append_all, lambda seconds, appends: self.observer.commit(seconds, appends))
        self._closing = threading.Event()
        self._listener: threading.Thread | None = None

    async def append(self, table: str, after: int, drafts: Sequence[Draft]) -> list[Event]:
        rows = rows_of(table, after, drafts)
        await self._writer.write(rows)
        return events_of(rows, drafts)

    async def show(self, listing: Listing) -> None:
        await self._write(lambda connection: self.write_listing(connection, listing))

    async def _write(self, work: Callable[[Connection], None]) -> None:
        def keep(connection: Connection) -> None:
            work(connection)
            connection.commit()

        await self._in_thread(keep)

    def _append_all(self, appends: list[Rows]) -> list[Exception | None]:
        """Keep those that follow the end of their logs; after a broken connection, try again for a while."""
        until, again = time.monotonic() + PATIENCE, False
        while True:
            try:
                with self._autocommit.connect() as connection:
                    kept = set(connection.scalars(_APPEND, _columns(appends)))
                    if again:  # an earlier try may have been cut off after its commit
                        kept |= set(connection.scalars(_ids_at([rows[0] for rows in appends])))
                return [None if rows[0]["id"] in kept else Conflict() for rows in appends]
            except DBAPIError as error:
                if time.monotonic() > until:
                    return [Unavailable(str(error.orig).splitlines()[0]) for _ in appends]
                again = True
                time.sleep(0.1)

    def watch(self, wake: Wake) -> None:
        self._listener = threading.Thread(target=self._listen, args=[wake], name="store-listener", daemon=True)
        self._listener.start()

    def _listen(self, wake: Wake) -> None:
        """Listen to what others append; before every new connection, notifications may have been missed."""
        import psycopg

        conninfo = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._closing.is_set():
            try:
                with psycopg.connect(conninfo, autocommit=True, connect_timeout=5) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    wake(None, 0)
                    while not self._closing.is_set():
                        for heard in connection.notifies(timeout=0.5):
                            table, _, seq = heard.payload.partition(":")
                            wake(table, int(seq))
            except psycopg.Error:
                self._closing.wait(0.5)

    async def close(self) -> None:
        self._closing.set()
        if self._listener:
            await asyncio.get_running_loop().run_in_executor(None, self._listener.join)
        await self._writer.close()
        await super().close()


def _columns(appends: list[Rows]) -> dict[str, Any]:
    """The rows as ``_APPEND`` takes them."""
    rows = [{**row, "first": rows[0]["id"]} for rows in appends for row in rows]
    return {"channel": CHANNEL, **{name: [row[name] for row in rows] for name in rows[0]}}


def _ids_at(rows: Rows) -> Select[tuple[str]]:
    """The ids of what is kept in the places of these rows."""
    return select(events.c.id).where(
        tuple_(events.c.table, events.c.seq).in_([(row["table"], row["seq"]) for row in rows])
    )
