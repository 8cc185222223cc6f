"""A store that many processes share: PostgreSQL, whose notifications wake the others."""

import asyncio
import threading
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, create_engine, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError

from tefuda.server.store import schema
from tefuda.server.store.port import Conflict, Draft, Event, Listing, StoreError, Unavailable, Wake
from tefuda.server.store.schema import events
from tefuda.server.store.sql import SqlStore, events_of, rows_of, write

CHANNEL = "tefuda"
CONNECTIONS = 8
PATIENCE = 5.0
"""Seconds during which an append whose connection broke is tried again."""

_PREPARING = 0x7E_F0_DA  # key of the lock that one process holds while it makes the tables


class PostgresStore(SqlStore):
    """Logs in a PostgreSQL database.

    Args:
        url: of the database; the driver is psycopg 3 (extra ``postgres``).

    Raises:
        StoreError: psycopg is missing, the server does not answer, or the database will not do.
    """

    shared = True

    def __init__(self, url: URL) -> None:
        try:
            import psycopg  # noqa: F401
        except ImportError:
            raise StoreError("--db postgresql needs psycopg: pip install 'tefuda[postgres]'") from None
        self._url = url.set(drivername="postgresql+psycopg")
        where = self._url.render_as_string(hide_password=True)
        options: dict[str, Any] = {"pool_size": CONNECTIONS, "max_overflow": 0, "pool_recycle": 1800}
        engine = create_engine(self._url, connect_args={"connect_timeout": 5}, **options)
        try:
            with engine.begin() as connection:
                connection.execute(select(func.pg_advisory_xact_lock(_PREPARING)))
                schema.prepare(connection)
            super().__init__(engine, insert, readers=CONNECTIONS)
        except (DBAPIError, StoreError) as error:
            engine.dispose()
            reason = str(error.orig if isinstance(error, DBAPIError) else error).splitlines()[0]
            raise StoreError(f"{where}: {reason}") from error
        self._closing = threading.Event()
        self._listener: threading.Thread | None = None

    async def append(self, table: str, after: int, drafts: Sequence[Draft]) -> list[Event]:
        rows = rows_of(table, after, drafts)
        await asyncio.get_running_loop().run_in_executor(self._threads, self._append, table, after, rows)
        return events_of(rows, drafts)

    async def show(self, listing: Listing) -> None:
        def keep(connection: Connection) -> None:
            self.write_listing(connection, listing)
            connection.commit()

        await self._in_thread(keep)

    def _append(self, table: str, after: int, rows: list[dict[str, Any]]) -> None:
        until, tried = time.monotonic() + PATIENCE, False
        while True:
            try:
                with self.engine.begin() as connection:
                    if tried and self._is_ours(connection, table, rows[0]):
                        return  # an earlier try was cut off after its commit
                    write(connection, table, after, rows)
                    connection.execute(select(func.pg_notify(CHANNEL, f"{table}:{rows[-1]['seq']}")))
                return
            except IntegrityError:
                tried = True  # somebody else, or an earlier try of ours, was committed in between: look again
            except DBAPIError as error:
                if time.monotonic() > until:
                    raise Unavailable(str(error.orig).splitlines()[0]) from error
                tried = True
                time.sleep(0.1)

    @staticmethod
    def _is_ours(connection: Connection, table: str, row: dict[str, Any]) -> bool:
        """Whether this very row is kept.

        Raises:
            Conflict: another one is kept in its place.
        """
        query = select(events.c.id).where(events.c.table == table, events.c.seq == row["seq"])
        found = connection.scalar(query)
        if found not in (None, row["id"]):
            raise Conflict
        return found is not None

    def watch(self, wake: Wake) -> None:
        self._listener = threading.Thread(target=self._listen, args=[wake], name="store-listener", daemon=True)
        self._listener.start()

    def _listen(self, wake: Wake) -> None:
        """Hear of what others append; after every new connection anything may have been missed."""
        import psycopg

        conninfo = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        while not self._closing.is_set():
            try:
                with psycopg.connect(conninfo, autocommit=True, connect_timeout=5) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    wake(None)
                    while not self._closing.is_set():
                        for heard in connection.notifies(timeout=0.5):
                            wake(heard.payload.partition(":")[0])
            except psycopg.Error:
                self._closing.wait(0.5)

    async def close(self) -> None:
        self._closing.set()
        if self._listener:
            await asyncio.get_running_loop().run_in_executor(None, self._listener.join)
        await super().close()
