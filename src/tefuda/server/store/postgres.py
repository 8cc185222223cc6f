"""A store that processes on several machines can share: PostgreSQL."""

import time
from functools import partial
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, func, select, text, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from tefuda.engine.errors import needed_by
from tefuda.server.store import schema
from tefuda.server.store.access import Work, fault_of
from tefuda.server.store.erasures import Kept, Rows, append_naming, names_a_person
from tefuda.server.store.port import Conflict, JsonObject, NotHolder, StoreError, Unavailable
from tefuda.server.store.schema import events
from tefuda.server.store.sql import Store

READERS = 8
PATIENCE = 5.0  # seconds during which an append is tried again after its connection broke
_PREPARING = 0x7E_F0_DA  # key of the lock that one process holds while it makes the tables

_APPEND = text("""
    WITH new AS (
        SELECT * FROM unnest(
            CAST(:table AS text[]), CAST(:seq AS integer[]), CAST(:at AS bigint[]), CAST(:id AS text[]),
            CAST(:kind AS text[]), CAST(:body AS text[]), CAST(:first AS text[])
        ) AS new ("table", seq, at, id, kind, body, first)
    ), held AS (
        SELECT "table" FROM leases WHERE process = :process AND "table" IN (SELECT "table" FROM new)
        ORDER BY "table" FOR SHARE
    ), begun AS (
        INSERT INTO events SELECT "table", seq, at, id, kind, body FROM new
        WHERE id = first AND (CAST(:process AS text) IS NULL OR "table" IN (SELECT "table" FROM held))
        AND seq = 1 + coalesce((SELECT max(seq) FROM events WHERE events."table" = new."table"), 0)
        ORDER BY "table"
        ON CONFLICT DO NOTHING RETURNING "table", seq, id
    ), ended AS (
        INSERT INTO events SELECT new."table", new.seq, at, new.id, kind, body FROM new JOIN begun ON first = begun.id
        WHERE new.id <> first
    )
    SELECT id, "table" FROM begun UNION ALL SELECT NULL, "table" FROM held
""")
"""Many appends in one message and one commit, while other processes race: each is kept whole or not at all.

Every row names the first row of its append. If that one is kept, no other process can follow the same end of the log,
so the other rows find their places free. Nothing is kept of a table whose lease another process holds, and no lease
changes hands before the commit. The query returns the ids of the first rows that were kept, and without an id the
tables whose leases are held. Rows are locked and inserted in the order of tables, so that two processes never wait for
each other."""


class PostgresStore(Store):
    """Logs in a PostgreSQL database; the driver is psycopg 3 (extra ``postgres``). ``MissingPackageError`` if that is
    not installed; ``StoreError`` if the server does not answer, or the database will not do."""

    shared = True

    def __init__(self, url: URL) -> None:
        engine = connect(url, pool_size=READERS + 1, max_overflow=0, pool_recycle=1800)
        try:
            with engine.begin() as connection:
                connection.execute(select(func.pg_advisory_xact_lock(_PREPARING)))
                schema.prepare(connection)
            super().__init__(engine, insert, READERS)
        except (DBAPIError, StoreError) as error:
            engine.dispose()
            raise StoreError(f"{engine.url.render_as_string(hide_password=True)}: {fault_of(error)}") from error
        self._autocommit = engine.execution_options(isolation_level="AUTOCOMMIT")

    async def write(self, work: Work) -> None:
        await self._threads.run(self.transact, work)

    def _commit(self, jobs: list[Rows | Work]) -> Kept:
        """Keep those that follow the end of their logs; after a broken connection, try again for a while. All jobs are
        appends."""
        appends = [job for job in jobs if isinstance(job, list)]
        until, again = time.monotonic() + PATIENCE, False
        while True:
            try:
                if any(map(names_a_person, appends)):
                    with self.engine.begin() as connection:
                        return append_naming(connection, insert, appends, partial(self._append, connection, again))
                with self._autocommit.connect() as connection:
                    return self._append(connection, again, appends)
            except DBAPIError as error:
                if time.monotonic() > until:
                    return [Unavailable(fault_of(error)) for _ in appends]
                again = True
                time.sleep(0.1)

    def _append(self, connection: Connection, again: bool, appends: list[Rows]) -> Kept:
        """Append rows to many logs; ``again``: an earlier try may have been cut off after its commit."""
        if not appends:
            return []
        rows = [{**row, "first": rows[0]["id"]} for rows in appends for row in rows]  # as ``_APPEND`` takes them
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        told = list(connection.execute(_APPEND, {"process": self.leases.process, **columns}))
        kept, held = {row.id for row in told}, {row.table for row in told}
        if again:
            places = [(rows[0]["table"], rows[0]["seq"]) for rows in appends]
            kept |= set(connection.scalars(select(events.c.id).where(tuple_(events.c.table, events.c.seq).in_(places))))

        def refusal(first: JsonObject) -> Exception | None:
            if first["id"] in kept:
                return None
            return NotHolder() if self.leases.process is not None and first["table"] not in held else Conflict()

        return [refusal(rows[0]) for rows in appends]


def connect(url: URL, name: str = "", **options: Any) -> Engine:
    """An engine for this database; ``name`` is what the database's administrator sees, ``options`` are SQLAlchemy's.
    ``MissingPackageError`` if psycopg is not installed."""
    with needed_by("--db postgresql", "postgres"):
        import psycopg  # noqa: F401
    told: JsonObject = {"connect_timeout": 5, **({"application_name": name} if name else {})}
    return create_engine(url.set(drivername="postgresql+psycopg"), connect_args=told, hide_parameters=True, **options)
