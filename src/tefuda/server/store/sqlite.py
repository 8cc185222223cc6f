"""A store in one file for one process: SQLite."""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from tefuda.engine.errors import file_fault
from tefuda.server.store import schema
from tefuda.server.store.batch_writer import BatchWriter
from tefuda.server.store.port import Conflict, Draft, Event, Listing, StoreError, Unavailable, Wake
from tefuda.server.store.sql import Rows, SqlStore, events_of, rows_of, to_json

Work = Callable[[Connection], None]
"""Something to write, in a transaction that it shares with others."""

_APPEND = """
    WITH new AS (
        SELECT row.key = 0 AS is_first, row.value ->> 'table' AS "table", row.value ->> 'seq' AS seq,
            row.value ->> 'at' AS at, row.value ->> 'id' AS id, row.value ->> 'kind' AS kind,
            row.value ->> 'body' AS body
        FROM json_each(?) AS append, json_each(append.value) AS row
    )
    INSERT INTO events SELECT "table",
        CASE WHEN NOT is_first
            OR seq = 1 + coalesce((SELECT max(seq) FROM events WHERE events."table" = new."table"), 0) THEN seq END,
        at, id, kind, body
    FROM new
"""
"""Many appends in one statement, each a list of rows; all are kept, or none if one of them does not follow the end of
its log: its seq is then NULL, which the table does not allow. The driver lets other threads run during a statement, and
waits for them after it: that would take longer than all the rest if every append had a statement of its own.
"""


class SqliteStore(SqlStore):
    """Logs in an SQLite file.

    A lock on a file beside it keeps a second process out: two would starve each other of SQLite's one write lock.

    Args:
        url: ``sqlite:///file``; the folder is made.

    Raises:
        StoreError: the file cannot be opened, is no database, or is in use by another process.
    """

    shared = False

    def __init__(self, url: URL) -> None:
        path = file_of(url)
        self._lock = lock(path)
        engine = connect(url)
        try:
            with engine.begin() as connection:
                schema.prepare(connection)
            super().__init__(engine, insert, readers=2)
        except (DBAPIError, StoreError) as error:
            engine.dispose()
            self._lock.release()
            raise StoreError(f"{path}: {error.orig if isinstance(error, DBAPIError) else error}") from error
        self._connection = engine.connect()  # the writer's
        self._writer = BatchWriter(self._commit, lambda seconds, appends: self.observer.commit(seconds, appends))

    async def append(self, table: str, after: int, drafts: Sequence[Draft]) -> list[Event]:
        rows = rows_of(table, after, drafts)
        await self._writer.write(rows)
        return events_of(rows, drafts)

    async def show(self, listing: Listing) -> None:
        await self._write(lambda connection: self.write_listing(connection, listing))

    async def _write(self, work: Work) -> None:
        await self._writer.write(work)

    def watch(self, wake: Wake) -> None:
        """Nothing to do: no other process writes."""

    async def close(self) -> None:
        await self._writer.close()
        self._connection.close()
        await super().close()
        self._lock.release()

    def _commit(self, jobs: list[Rows | Work]) -> list[Exception | None]:
        appends = [job for job in jobs if isinstance(job, list)]
        try:
            with self._connection.begin():
                kept = iter(_append(self._connection, appends))
                for job in jobs:
                    if not isinstance(job, list):
                        job(self._connection)
        except DBAPIError as error:
            return [Unavailable(str(error.orig)) for _ in jobs]
        except sqlite3.Error as error:
            return [Unavailable(str(error)) for _ in jobs]
        return [None if not isinstance(job, list) or next(kept) else Conflict() for job in jobs]


def _append(connection: Connection, appends: list[Rows]) -> list[bool]:
    """Append rows to many logs, in the caller's transaction; for each append whether its rows are kept."""
    driver: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]

    def keep(some: list[Rows]) -> bool:
        try:
            driver.execute(_APPEND, [to_json(some)])
        except sqlite3.IntegrityError:  # undoes this statement, not the transaction
            return False
        return True

    if not appends or keep(appends):
        return [True] * len(appends)
    return [keep([rows]) for rows in appends]


def file_of(url: URL) -> Path:
    """The file of a database, the same by whatever link it is named.

    Raises:
        StoreError: the address names none.
    """
    if not url.database or url.database == ":memory:":
        raise StoreError("--db: name a file, as in sqlite:///tables.db")
    return Path(url.database).resolve()


def lock(path: Path) -> FileLock:
    """The lock of whoever serves a database.

    Raises:
        StoreError: another process has it, or the file cannot be reached.
    """
    lock = FileLock(path.with_name(path.name + ".lock"), timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise StoreError(
            f"{path} is in use by another process; stop that one, name another file by --db sqlite:///…, "
            "or share the tables among processes by --db postgresql://…"
        ) from None
    except OSError as error:
        raise StoreError(f"{file_fault(error)}; name another file by --db sqlite:///…") from error
    return lock


def connect(url: URL, begin: str = "BEGIN", pragmas: Sequence[str] = ()) -> Engine:
    """An engine for this database.

    Args:
        url: of the file.
        begin: how transactions begin.
        pragmas: set beside the usual ones.
    """
    engine = create_engine(url, connect_args={"timeout": 10}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where SQLAlchemy says, below
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", *pragmas):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def start(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine
