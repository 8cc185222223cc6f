"""The store of logs, as far as both databases have it in common, and the thread that writes."""

import asyncio
import json
import queue
import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from logging import getLogger
from typing import Any, Generic, TypeVar

import orjson
from sqlalchemy import Connection, Engine, Row, Select, delete, func, select, update
from sqlalchemy.exc import DBAPIError

from tefuda.server.store import schema
from tefuda.server.store.erasures import Kept, Rows, erased_among
from tefuda.server.store.leases import Insert, Leases
from tefuda.server.store.people import DailyDeals, Passkeys, People
from tefuda.server.store.port import (
    AnswerTime,
    Ban,
    Belonging,
    DamagedLog,
    Draft,
    Event,
    Listing,
    Notice,
    Observer,
    Unavailable,
)
from tefuda.server.store.schema import belongings, events, listings
from tefuda.server.threads import Threads

Result = TypeVar("Result")

log = getLogger("tefuda.server")

MOST_ANSWERS = 20_000
"""Answers whose times are kept, the latest."""

CHECK_EVERY = 2.0
"""Seconds during which a store that could be written is taken to be so still."""

MOST_TOGETHER = 256
"""Jobs in one commit, or somewhat more."""

Job = TypeVar("Job")


class Store(ABC):
    """Logs of events in a database, each appended to at its end only, and what is kept beside them.

    Every method raises ``Unavailable`` if the database does not answer.

    Args:
        engine: connected to a database of the present version.
        insert: of its dialect.
        readers: threads that read.

    Attributes:
        shared: True if other processes may append to the same logs: each table is then driven by the holder of its
            lease.
        address: of the database, for those who open it beside the server; it may hold a password.
        observer: told how long commits and reads take.
    """

    shared: bool
    observer: Observer = Observer()

    def __init__(self, engine: Engine, insert: Insert, readers: int) -> None:
        self.leases = Leases(self.transact, insert)
        self.people = People(self._in_thread, self._write, insert)
        self.daily = DailyDeals(self._in_thread, self._write, insert)
        self.passkeys = Passkeys(self._in_thread, self._write, insert)
        self.engine, self._insert = engine, insert
        self.address = engine.url.render_as_string(hide_password=False)
        self._threads = Threads("store", readers)
        new = insert(listings)
        shown = {name: new.excluded[name] for name in ("seq", "at", "public", "summary")}
        later = new.excluded.seq >= listings.c.seq
        upsert = new.on_conflict_do_update(index_elements=[listings.c.table], set_=shown, where=later)
        self._upsert_listing = upsert.returning(listings.c.table)
        self._checked = -CHECK_EVERY
        with engine.connect() as connection:
            value = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.key == "secret"))
        assert value is not None
        self._secret = bytes.fromhex(value)
        self._writer: BatchWriter[Any] = BatchWriter(self._commit, lambda *took: self.observer.commit(*took))

    def secret(self) -> bytes:
        """32 random bytes that all processes on this store share, for signing; made when the store was."""
        return self._secret

    async def append(self, table: str, after: int, drafts: Sequence[Draft]) -> list[Event]:
        """Keep events, all or none; when this returns they survive a crash and a power cut.

        Args:
            table: whose log.
            after: the seq that the first of them follows; 0 for a new table.
            drafts: at least one.

        Raises:
            Conflict: the log does not end at ``after``.
            Erased: an event names a person who has been erased.
            NotHolder: this process has joined others, and does not hold the table's lease.
            Unavailable: the store does not answer.
        """
        rows = rows_of(table, after, drafts)
        await self._writer.write(rows)
        return [Event(row["seq"], row["at"], draft.kind, draft.body) for row, draft in zip(rows, drafts, strict=True)]

    @abstractmethod
    def _commit(self, jobs: list[Any]) -> Kept:
        """Write a batch of jobs, in the thread that writes: lists of rows to be appended, and other work."""

    async def read(self, table: str, after: int = 0) -> list[Event]:
        """A table's events from ``after`` + 1 on; empty if there are none."""
        query = select(events).where(events.c.table == table, events.c.seq > after).order_by(events.c.seq)
        began = time.perf_counter()
        found = await self._in_thread(lambda connection: [event_of(row) for row in connection.execute(query)])
        self.observer.read(time.perf_counter() - began)
        return found

    async def show(self, listing: Listing) -> None:
        """Change the entry of a table in the list, unless it already shows something later, or names a person who has
        been erased: it then follows from a log that was rewritten since."""
        await self._write(lambda connection: self._write_listing(connection, listing))

    async def listing(self, table: str) -> Listing | None:
        """A table's entry in the list; its ``people`` are left out."""
        found = await self._listed(select(listings).where(listings.c.table == table), 1)
        return found[0] if found else None

    async def public(self, limit: int) -> list[Listing]:
        """The public tables, the latest changed first."""
        return await self._listed(select(listings).where(listings.c.public), limit)

    async def of(self, guest: str, limit: int) -> list[Listing]:
        """The tables that are or were this guest's, public or not, the latest changed first; ``own`` says how they are
        theirs, their ``people`` are left out."""
        theirs = listings.join(belongings, belongings.c.table == listings.c.table)
        query = select(listings, belongings.c.guest, belongings.c.seat, belongings.c.host).select_from(theirs)
        return await self._listed(query.where(belongings.c.guest == guest), limit)

    async def _listed(self, query: Select[Any], limit: int) -> list[Listing]:
        latest = query.order_by(listings.c.at.desc()).limit(limit)
        rows = await self._in_thread(lambda connection: list(connection.execute(latest)))
        return [listing for row in rows if (listing := _listing(row)) is not None]

    async def bans(self) -> list[Ban]:
        """All bans, also those that have run out."""
        query = select(schema.bans)
        return await self._in_thread(lambda connection: [ban_of(row) for row in connection.execute(query)])

    async def erased(self) -> frozenset[str]:
        """The marks of those who have been erased; see ``erasures``."""
        query = select(schema.erased.c.mark)
        return await self._in_thread(lambda connection: frozenset(connection.scalars(query)))

    async def notices(self, after: int) -> list[Notice]:
        """The administrators' deeds after the notice of this number."""
        done = schema.administration
        query = select(done.c.number, done.c.action, done.c.subject).where(done.c.number > after)
        ordered = query.order_by(done.c.number)
        return await self._in_thread(lambda connection: [Notice(*row) for row in connection.execute(ordered)])

    async def keep_answer(self, answer: AnswerTime) -> None:
        """Keep how long a person took for an answer; without their hash if they have been erased."""
        kept = schema.answers

        def work(connection: Connection) -> None:
            player = None if erased_among(connection, [answer.player]) else answer.player
            connection.execute(kept.insert().values(**answer._replace(player=player)._asdict()))
            latest = select(func.max(kept.c.number)).scalar_subquery()
            connection.execute(delete(kept).where(kept.c.number <= latest - MOST_ANSWERS))

        await self._write(work)

    async def answers(self, after: int) -> list[tuple[int, AnswerTime]]:
        """The answers kept after that of this number, each with its number; the oldest are not kept."""
        kept = schema.answers
        query = select(kept).where(kept.c.number > after).order_by(kept.c.number)
        return await self._in_thread(
            lambda connection: [(number, AnswerTime(*answer)) for number, *answer in connection.execute(query)]
        )

    async def check(self) -> None:
        """Make sure that the store can be read and written."""
        if time.monotonic() - self._checked > CHECK_EVERY:
            await self._write(self._note_check)
            self._checked = time.monotonic()

    @abstractmethod
    async def _write(self, work: Callable[[Connection], object]) -> None:
        """Write something other than events, in a transaction."""

    def _note_check(self, connection: Connection) -> None:
        """Write the time: what only reads would answer with a full disk too."""
        now = str(time.time_ns())
        insert = self._insert(schema.meta).values(key="checked", value=now)
        connection.execute(insert.on_conflict_do_update(index_elements=[schema.meta.c.key], set_={"value": now}))

    async def close(self) -> None:
        """Finish what was begun, and close the store."""
        await self._writer.close()
        self._threads.close(wait=True)
        self.engine.dispose()

    def transact(self, work: Callable[[Connection], Result]) -> Result:
        """Do work in a transaction of its own, in this thread.

        Raises:
            Unavailable: the store does not answer.
        """

        def committed(connection: Connection) -> Result:
            result = work(connection)
            connection.commit()
            return result

        return self._connected(committed)

    async def _in_thread(self, work: Callable[[Connection], Result]) -> Result:
        return await self._threads.run(self._connected, work)

    def _connected(self, work: Callable[[Connection], Result]) -> Result:
        for tries_left in (1, 0):
            try:
                with self.engine.connect() as connection:
                    return work(connection)
            except DBAPIError as error:
                # A pooled connection that was cut is noticed by using it; all of them are then made anew.
                if not (error.connection_invalidated and tries_left):
                    raise Unavailable(str(error.orig).splitlines()[0]) from error
        raise AssertionError

    def _write_listing(self, connection: Connection, listing: Listing) -> None:
        if erased_among(connection, listing.hashes):
            return
        row = {"table": listing.table, "seq": listing.seq, "at": listing.at, "public": listing.public}
        row["summary"] = to_json(listing.summary)
        if connection.execute(self._upsert_listing, row).first() is None or listing.people is None:
            return
        seated = belongings.c.table == listing.table, belongings.c.seat.is_not(None)
        connection.execute(update(belongings).where(*seated).values(seat=None))  # those who sit there now come next
        if listing.people:
            theirs = self._insert(belongings)
            now = {"seat": theirs.excluded.seat, "host": theirs.excluded.host}
            anew = theirs.on_conflict_do_update(index_elements=[belongings.c.guest, belongings.c.table], set_=now)
            connection.execute(anew, [{"table": listing.table, **vars(each)} for each in listing.people])


def rows_of(table: str, after: int, drafts: Sequence[Draft]) -> Rows:
    """The rows of these events, dated now."""
    here = {"table": table, "at": time.time_ns() // 1_000_000}
    return [
        {**here, "seq": seq, "id": f"{random.getrandbits(64):016x}", "kind": draft.kind, "body": to_json(draft.body)}
        for seq, draft in enumerate(drafts, after + 1)
    ]


def event_of(row: Row[Any]) -> Event:
    """The event that a row keeps.

    Raises:
        DamagedLog: it cannot be read.
    """
    body = read_object(row.body)
    if body is None:
        raise DamagedLog(f"table {row.table}: event {row.seq} is damaged")
    return Event(row.seq, row.at, row.kind, body)


def read_object(text: str) -> dict[str, Any] | None:
    """An object that a database keeps as JSON; None if it is damaged."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def ban_of(row: Row[Any]) -> Ban:
    """The ban that a row keeps."""
    return Ban(row.subject, row.at, row.until, row.reason)


def _listing(row: Row[Any]) -> Listing | None:
    """A line of the list of tables; None if it is damaged, so that the others are shown all the same."""
    summary = read_object(row.summary)
    if summary is None:
        log.error("the listing is damaged", extra={"table": row.table, "seq": row.seq})
        return None
    own = Belonging(row.guest, row.seat, row.host) if "guest" in row._fields else None
    return Listing(row.table, row.seq, row.at, row.public, summary, own=own)


def to_json(value: Any) -> str:
    """A value as databases keep it."""
    return orjson.dumps(value).decode()


@dataclass
class _Waiting(Generic[Job]):
    job: Job
    done: asyncio.Future[None]


class BatchWriter(Generic[Job]):
    """One thread that writes: all jobs that arrive while it is busy go into the next commit, as do those of one turn
    of the event loop, for which the thread is woken once. ``write`` keeps a batch, and gives for each job the error
    for its caller, None if it is kept; ``observe`` gets the seconds that a batch took, and its jobs."""

    def __init__(
        self,
        write: Callable[[list[Job]], Sequence[Exception | None]],
        observe: Callable[[float, int], object] = lambda _seconds, _jobs: None,
    ) -> None:
        self._write, self._observe = write, observe
        self._gathered: list[_Waiting[Job]] = []  # in this turn of the event loop
        self._waiting: queue.SimpleQueue[list[_Waiting[Job]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def write(self, job: Job) -> None:
        """Keep a job; it is kept even if the caller stops waiting.

        Raises:
            Exception: the error that ``write`` gave for it.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._gathered:
            loop.call_soon(self._hand_over)
        self._gathered.append(_Waiting(job, done))
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
            batch: list[_Waiting[Job]] = []
            while not ended and (not batch or (len(batch) < MOST_TOGETHER and not self._waiting.empty())):
                gathered = self._waiting.get()
                ended = gathered is None
                batch += gathered or ()
            if batch:
                began = time.perf_counter()
                told = self._try([each.job for each in batch])
                self._observe(time.perf_counter() - began, len(batch))
                loop = batch[0].done.get_loop()
                loop.call_soon_threadsafe(_settle, [each.done for each in batch], told)

    def _try(self, jobs: list[Job]) -> Sequence[Exception | None]:
        try:
            return self._write(jobs)
        except Exception as error:  # a fault in one job must not end all writing
            return [error for _ in jobs]


def _settle(futures: Sequence[asyncio.Future[None]], told: Sequence[Exception | None]) -> None:
    for done, error in zip(futures, told, strict=True):
        if done.cancelled():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
