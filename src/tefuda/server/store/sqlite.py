"""A store in one file, for the processes of one server: SQLite."""

import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, bindparam, create_engine, event, func, literal_column, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from tefuda.engine.errors import file_fault
from tefuda.server.store import schema
from tefuda.server.store.batch_writer import BatchWriter
from tefuda.server.store.port import Conflict, Draft, Event, Listing, NotHolder, StoreError, Unavailable
from tefuda.server.store.schema import events
from tefuda.server.store.sql import Result, Rows, SqlStore, events_of, rows_of

Work = Callable[[Connection], None]
"""Something to write, in a transaction that it shares with others."""

_END = select(func.max(events.c.seq)).where(events.c.table == bindparam("table")).scalar_subquery()
_FIRST = events.insert().from_select(
    events.columns.keys(),
    select(*(bindparam(column.name, type_=column.type) for column in events.columns)).where(
        bindparam("seq", type_=events.c.seq.type) == func.coalesce(_END, literal_column("0")) + literal_column("1")
    ),
)
"""Keeps a row if it follows the end of its log."""

_DIALECT = sqlite.dialect(paramstyle="named")
_FIRST_SQL, _OTHERS_SQL = str(_FIRST.compile(dialect=_DIALECT)), str(events.insert().compile(dialect=_DIALECT))
_HELD_SQL = 'SELECT 1 FROM leases WHERE "table" = :table AND process = :process'
_FIRST_HELD_SQL = f"{_FIRST_SQL} AND EXISTS ({_HELD_SQL})"
"""What every play executes, as text for the driver: going through SQLAlchemy takes several times as long."""


class SqliteStore(SqlStore):
    """Logs in an SQLite file.

    A lock on a file beside it keeps a second server out. The processes of one server share the file: whoever made them
    holds that lock, and they take turns at writing.

    Args:
        url: ``sqlite:///file``; the folder is made.
        shared: whether this is one of several processes of a server.

    Raises:
        StoreError: the file cannot be opened, is no database, or is in use by another process.
    """

    def __init__(self, url: URL, *, shared: bool = False) -> None:
        path, self.shared = file_of(url), shared
        self._lock = None if shared else lock(path)
        self._turns = Turns(path) if shared else nullcontext()
        engine = connect(url)
        try:
            with engine.begin() as connection:
                schema.prepare(connection)
                if not shared:  # then nobody else lives, whatever a crash has left behind
                    connection.execute(schema.processes.delete())
            super().__init__(engine, insert, readers=2)
        except (DBAPIError, StoreError) as error:
            engine.dispose()
            if self._lock is not None:
                self._lock.release()
            raise StoreError(f"{path}: {error.orig if isinstance(error, DBAPIError) else error}") from error
        self._connection = engine.connect()  # the writer's
        self._writer = BatchWriter(self._commit, lambda seconds, appends: self.observer.commit(seconds, appends))

    async def append(self, table: str, after: int, drafts: Sequence[Draft]) -> list[Event]:
        rows = rows_of(table, after, drafts)
        await self._writer.write(lambda connection: self._append(connection, rows))
        return events_of(rows, drafts)

    async def show(self, listing: Listing) -> None:
        await self._write(lambda connection: self.write_listing(connection, listing))

    async def _write(self, work: Work) -> None:
        await self._writer.write(work)

    async def close(self) -> None:
        await self._writer.close()
        self._connection.close()
        await super().close()
        if self._lock is not None:
            self._lock.release()

    def _commit(self, works: list[Work]) -> list[Exception | None]:
        told: list[Exception | None] = []
        try:
            with self._turns, self._connection.begin():
                for work in works:
                    try:
                        work(self._connection)
                    except (Conflict, NotHolder) as refusal:  # found before anything was written
                        told.append(refusal)
                    else:
                        told.append(None)
        except DBAPIError as error:
            return [Unavailable(str(error.orig)) for _ in works]
        except sqlite3.Error as error:
            return [Unavailable(str(error)) for _ in works]
        return told

    def _append(self, connection: Connection, rows: Rows) -> None:
        """Append rows, in the caller's transaction.

        Raises:
            NotHolder: another process holds the table.
            Conflict: the log does not end before the first of them; nothing was written.
        """
        first, *others = rows
        driver: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
        process = self.leases.process
        if process is None:
            is_kept = driver.execute(_FIRST_SQL, first).rowcount
        else:
            is_kept = driver.execute(_FIRST_HELD_SQL, {**first, "process": process}).rowcount
        if not is_kept:
            held = driver.execute(_HELD_SQL, {"table": first["table"], "process": process}).fetchone()
            raise Conflict if process is None or held else NotHolder
        if others:
            driver.executemany(_OTHERS_SQL, others)

    def transact(self, work: Callable[[Connection], Result]) -> Result:
        with self._turns:
            return super().transact(work)


class Turns:
    """Turns at writing to a file. A process that waits for one sleeps until it comes, as it would not for SQLite's own
    lock; one that dies in the middle of its turn loses it.

    Args:
        path: of the database.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".turn")
        self._thread = threading.Lock()
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)

    def __enter__(self) -> None:
        import fcntl  # not on Windows, where there are no workers

        self._thread.acquire()
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        import fcntl

        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._thread.release()


def file_of(url: URL) -> Path:
    """The file of a database; the same by whatever link it is named.

    Raises:
        StoreError: the address names none.
    """
    if not url.database or url.database == ":memory:":
        raise StoreError("--db: name a file, as in sqlite:///tables.db")
    return Path(url.database).resolve()


def lock(path: Path) -> FileLock:
    """The lock of whoever serves a database; held until it is released or the process ends.

    Raises:
        StoreError: another process has it, or the file cannot be reached.
    """
    found = FileLock(path.with_name(path.name + ".lock"), timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found.acquire()
    except Timeout:
        raise StoreError(
            f"{path} is in use by another process; stop that one, name another file by --db sqlite:///…, "
            "or share the tables among processes by --db postgresql://…"
        ) from None
    except OSError as error:
        raise StoreError(f"{file_fault(error)}; name another file by --db sqlite:///…") from error
    return found


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
