"""A store in one file, for the processes of one server: SQLite."""

import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from tefuda.engine.errors import file_fault
from tefuda.server.store import schema
from tefuda.server.store.access import Result, Work
from tefuda.server.store.erasures import Kept, Rows, append_naming, names_a_person
from tefuda.server.store.port import Conflict, NotHolder, StoreError, Unavailable
from tefuda.server.store.sql import Store, to_json

if sys.platform != "win32":  # where a server has one process
    import fcntl

_APPEND = """
    WITH new AS (
        SELECT row.key = 0 AS is_first, row.value ->> 'table' AS "table", row.value ->> 'seq' AS seq,
            row.value ->> 'at' AS at, row.value ->> 'id' AS id, row.value ->> 'kind' AS kind,
            row.value ->> 'body' AS body
        FROM json_each(?1) AS append, json_each(append.value) AS row
    )
    INSERT INTO events SELECT "table",
        CASE WHEN NOT is_first
            OR seq = 1 + coalesce((SELECT max(seq) FROM events WHERE events."table" = new."table"), 0)
            AND (?2 IS NULL OR EXISTS (SELECT 1 FROM leases WHERE leases."table" = new."table" AND process = ?2))
            THEN seq END,
        at, id, kind, body
    FROM new
"""
"""Many appends in one statement, each a list of rows; all are kept, or none if one of them does not follow the end of
its log, or its lease is another's: its seq is then NULL, which the table does not allow. The driver lets other threads
run during a statement, and waits for them after it: that would take longer than all the rest if every append had a
statement of its own."""

_HOLDS = 'SELECT 1 FROM leases WHERE "table" = ? AND process = ?'


class SqliteStore(Store):
    """Logs in an SQLite file, ``sqlite:///file``, whose folder is made; ``shared`` for one of several processes of a
    server.

    A lock on a file beside it keeps a second server out. The processes of one server share the file: their parent holds
    that lock, and they take turns at writing. ``StoreError`` if the file cannot be opened, is no database, or is in use
    by another process."""

    def __init__(self, url: URL, *, shared: bool = False) -> None:
        path, self.shared = file_of(url), shared
        self._lock = None if shared else lock(path)
        self._turns = Turns(path) if shared else nullcontext()
        engine = connect(url)
        try:
            with engine.begin() as connection:
                schema.prepare(connection)
                if not shared:  # then no other process lives, whatever a crash has left behind
                    connection.execute(schema.processes.delete())
            super().__init__(engine, insert, readers=2)
        except (DBAPIError, StoreError) as error:
            engine.dispose()
            if self._lock is not None:
                self._lock.release()
            raise StoreError(f"{path}: {error.orig if isinstance(error, DBAPIError) else error}") from error
        # For the writer: what it reads first is still so when it writes.
        self._connection = connect(url, begin="BEGIN IMMEDIATE").connect()

    async def write(self, work: Work) -> None:
        await self._writer.write(work)

    async def close(self) -> None:
        await super().close()
        self._connection.close()
        self._connection.engine.dispose()
        if self._lock is not None:
            self._lock.release()

    def _commit(self, jobs: list[Rows | Work]) -> Kept:
        appends = [job for job in jobs if isinstance(job, list)]
        is_plain = len(appends) == len(jobs) and not any(map(names_a_person, appends))
        try:
            with self._turns:
                if is_plain:  # nearly always: SQLAlchemy would take longer
                    return self._commit_appends(appends)
                with self._connection.begin():
                    told = iter(append_naming(self._connection, insert, appends, self._append))
                    for job in jobs:
                        if not isinstance(job, list):
                            job(self._connection)
        except DBAPIError as error:
            return [Unavailable(str(error.orig)) for _ in jobs]
        except sqlite3.Error as error:
            return [Unavailable(str(error)) for _ in jobs]
        return [next(told) if isinstance(job, list) else None for job in jobs]

    def _commit_appends(self, appends: list[Rows]) -> Kept:
        driver = self._driver
        driver.execute("BEGIN")
        try:
            told = self._append(appends)
            driver.execute("COMMIT")
        finally:
            if driver.in_transaction:
                driver.execute("ROLLBACK")
        return told

    def _append(self, appends: list[Rows]) -> Kept:
        """Append rows to many logs, in the caller's transaction; for each append why its rows are not kept."""
        process = self.leases.process

        def keep(some: list[Rows]) -> bool:
            try:
                self._driver.execute(_APPEND, [to_json(some), process])
            except sqlite3.IntegrityError:  # undoes this statement, not the transaction
                return False
            return True

        if not appends or keep(appends):
            return [None] * len(appends)
        return [None if keep([rows]) else self._refusal(rows[0]["table"]) for rows in appends]

    def _refusal(self, table: str) -> Exception:
        process = self.leases.process
        is_held = process is None or self._driver.execute(_HOLDS, [table, process]).fetchone()
        return Conflict() if is_held else NotHolder()

    @property
    def _driver(self) -> sqlite3.Connection:
        found: sqlite3.Connection = self._connection.connection.driver_connection  # type: ignore[assignment]
        return found

    def transact(self, work: Callable[[Connection], Result]) -> Result:
        with self._turns:
            return super().transact(work)


class Turns:
    """Turns at writing to a database's file. A process that waits for one sleeps until it comes, as it would not for
    SQLite's own lock; one that dies in the middle of its turn loses it."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".turn")
        self._thread = threading.Lock()
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)

    def __enter__(self) -> None:
        self._thread.acquire()
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._thread.release()


def file_of(url: URL) -> Path:
    """The file of a database; the same by whatever link it is named. ``StoreError`` if the address names none."""
    if not url.database or url.database == ":memory:":
        raise StoreError("--db: name a file, as in sqlite:///tables.db")
    return Path(url.database).resolve()


def lock(path: Path) -> FileLock:
    """The lock of the server of a database; held until it is released or the process ends. ``StoreError`` if another
    process has it, the file has several names, or it cannot be reached."""
    if path.is_file() and path.stat().st_nlink > 1:  # a server of it under another name has another lock
        raise StoreError(f"{path} has another name in the file system, a hard link; copy it, or remove the other name")
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
    """An engine for this file, whose transactions begin by ``begin``; ``pragmas`` are set beside the usual ones."""
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
