"""Access to a database from the event loop: threads that read it, and one that writes."""

import asyncio
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import Connection, Delete, Engine, Insert, Select, Update
from sqlalchemy.exc import DBAPIError

from tefuda.server.event_loop import Threads
from tefuda.server.store.erasures import DialectInsert, Kept, Rows, erased_among
from tefuda.server.store.port import StoredRow, Unavailable

MOST_TOGETHER = 256  # jobs in one commit, or somewhat more

Result = TypeVar("Result")

Work: TypeAlias = Callable[[Connection], object]
"""Something to be written, in a transaction that it may share with others."""


def fault_of(error: Exception) -> str:
    """The first line of what a driver says is wrong, or of another error."""
    return str(error.orig if isinstance(error, DBAPIError) else error).splitlines()[0]


class StoreAccess(ABC):
    """A database of the present version, read by ``readers`` threads; ``insert`` is that of its dialect.

    Every method raises ``Unavailable`` if it does not answer."""

    def __init__(self, engine: Engine, insert: DialectInsert, readers: int) -> None:
        self.engine, self.insert = engine, insert
        self._threads = Threads("store", readers)

    async def fetch(self, query: Select[Any], read: Callable[[StoredRow], Result]) -> list[Result]:
        """The rows that a query finds, each read by ``read``, in another thread."""
        return await self._threads.run(self._connected, lambda connection: list(map(read, connection.execute(query))))

    async def change(self, *statements: Insert | Update | Delete, person: str | None = None) -> bool:
        """Carry out statements in one transaction, none if the person whom they name has been erased; True if the last
        of them has changed a row."""
        changed = [0]

        def work(connection: Connection) -> None:
            if erased_among(connection, [person]):
                return
            counting = [each.execution_options(preserve_rowcount=True) for each in statements]
            changed.extend(connection.execute(each).rowcount for each in counting)

        await self.write(work)
        return changed[-1] > 0

    @abstractmethod
    async def write(self, work: Work) -> None:
        """Do work in a transaction, in another thread."""

    def transact(self, work: Callable[[Connection], Result]) -> Result:
        """Do work in a transaction of its own, in this thread."""

        def committed(connection: Connection) -> Result:
            result = work(connection)
            connection.commit()
            return result

        return self._connected(committed)

    def _connected(self, work: Callable[[Connection], Result]) -> Result:
        for tries_left in (1, 0):
            try:
                with self.engine.connect() as connection:
                    return work(connection)
            except DBAPIError as error:
                # A pooled connection that was cut is noticed by using it; all of them are then made anew.
                if not (error.connection_invalidated and tries_left):
                    raise Unavailable(fault_of(error)) from error
        raise AssertionError


class StorePart:
    """A part of what one database keeps. Every method raises ``Unavailable`` if the database does not answer."""

    def __init__(self, access: StoreAccess) -> None:
        self._access = access


Job: TypeAlias = Rows | Work  # rows to be appended to logs, or other work

_Waiting: TypeAlias = tuple[Job, asyncio.Future[None]]  # a job, and when it is done


class BatchWriter:
    """One thread that writes: all jobs that arrive while it is busy go into the next commit, as do those of one turn
    of the event loop, for which the thread is woken once. ``write`` keeps a batch, and gives for each job the error
    for its caller, None if it is kept; ``observe`` gets the seconds that a batch took, and its jobs."""

    def __init__(self, write: Callable[[list[Job]], Kept], observe: Callable[[float, int], object]) -> None:
        self._write, self._observe = write, observe
        self._gathered: list[_Waiting] = []  # in this turn of the event loop
        self._waiting: queue.SimpleQueue[list[_Waiting] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def write(self, job: Job) -> None:
        """Keep a job, even if the caller stops waiting; the error that ``write`` gave for it, if it fails."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._gathered:
            loop.call_soon(self._hand_over)
        self._gathered.append((job, done))
        await done

    def _hand_over(self) -> None:
        gathered, self._gathered = self._gathered, []
        self._waiting.put(gathered)

    async def close(self) -> None:
        """Finish what was begun."""
        self._hand_over()
        self._waiting.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        ended = False
        while not ended:
            batch: list[_Waiting] = []
            while not ended and (not batch or (len(batch) < MOST_TOGETHER and not self._waiting.empty())):
                gathered = self._waiting.get()
                ended = gathered is None
                batch += gathered or ()
            if batch:
                began = time.perf_counter()
                try:
                    told = self._write([job for job, _ in batch])
                except Exception as error:  # a fault in one job must not end all writing
                    told = [error] * len(batch)
                self._observe(time.perf_counter() - began, len(batch))
                batch[0][1].get_loop().call_soon_threadsafe(_settle, batch, told)


def _settle(batch: Sequence[_Waiting], told: Kept) -> None:
    for (_, done), error in zip(batch, told, strict=True):
        if done.cancelled():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
