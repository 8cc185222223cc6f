"""A store in one file, for one process: SQLite, one writing thread that commits what has come together."""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from tefuda.server.store import schema
from tefuda.server.store.port import Conflict, Draft, Event, Listing, StoreError, Unavailable, Wake
from tefuda.server.store.sql import SqlStore, events_of, rows_of, write

MOST_TOGETHER = 256
"""Jobs in one commit."""


@dataclass
class _Job:
    work: Callable[[Connection], None]
    done: asyncio.Future[None]


class SqliteStore(SqlStore):
    """Logs in an SQLite file.

    A lock on a file beside it keeps a second process away: two would starve each other of the one write lock.

    Args:
        url: ``sqlite:///file``; the folder is made.

    Raises:
        StoreError: the file cannot be opened, is no database, or is in use by another process.
    """

    shared = False

    def __init__(self, url: URL) -> None:
        if not url.database or url.database == ":memory:":
            raise StoreError("--db: name a file, as in sqlite:///tables.db")
        path = Path(url.database)
        self._lock = _lock(path)
        engine = _engine(url)
        try:
            with engine.begin() as connection:
                schema.prepare(connection)
            super().__init__(engine, insert, readers=2)
        except (DBAPIError, StoreError) as error:
            engine.dispose()
            self._lock.release()
            raise StoreError(f"{path}: {error.orig if isinstance(error, DBAPIError) else error}") from error
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="store-writer", daemon=True)
        self._writer.start()

    async def append(self, table: str, after: int, drafts: Sequence[Draft]) -> list[Event]:
        rows = rows_of(table, after, drafts)
        await self._written(lambda connection: write(connection, table, after, rows))
        return events_of(rows, drafts)

    async def show(self, listing: Listing) -> None:
        await self._written(lambda connection: self.write_listing(connection, listing))

    async def _written(self, work: Callable[[Connection], None]) -> None:
        self._loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put(_Job(work, done))
        await asyncio.shield(done)

    def watch(self, wake: Wake) -> None:
        """Nobody else writes."""

    async def close(self) -> None:
        self._waiting.put(None)
        await asyncio.get_running_loop().run_in_executor(None, self._writer.join)
        await super().close()
        self._lock.release()

    def _write_all(self) -> None:
        """The writing thread: what has gathered during one commit goes into the next."""
        ended = False
        while not ended:
            batch = [self._waiting.get()]
            while len(batch) < MOST_TOGETHER and not self._waiting.empty():
                batch.append(self._waiting.get())
            ended = None in batch
            jobs = [each for each in batch if each is not None]
            if jobs:
                self._commit(jobs)

    def _commit(self, jobs: list[_Job]) -> None:
        results: list[tuple[asyncio.Future[None], Exception | None]] = []
        try:
            with self.engine.begin() as connection:
                for job in jobs:
                    try:
                        job.work(connection)
                    except Conflict as conflict:  # found before anything was written
                        results.append((job.done, conflict))
                    else:
                        results.append((job.done, None))
        except DBAPIError as error:
            results = [(job.done, Unavailable(str(error.orig))) for job in jobs]
        assert self._loop is not None
        self._loop.call_soon_threadsafe(_settle, results)


def _settle(results: list[tuple[asyncio.Future[None], Exception | None]]) -> None:
    for done, error in results:
        if done.cancelled():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)


def _lock(path: Path) -> FileLock:
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
        raise StoreError(f"{path}: {error.strerror}") from error
    return lock


def _engine(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": 10})

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where SQLAlchemy says, below
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine
