"""What both databases have in common."""

import asyncio
import json
import random
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from logging import getLogger
from typing import Any, TypeVar

import orjson
from sqlalchemy import Connection, Engine, Row, Select, delete, func, select, update
from sqlalchemy.exc import DBAPIError

from tefuda.server.store import schema
from tefuda.server.store.erasures import Rows, erased_among
from tefuda.server.store.leases import Insert, Leases
from tefuda.server.store.port import (
    Answer,
    Ban,
    Belonging,
    DamagedLog,
    Draft,
    Event,
    Listing,
    Notice,
    Store,
    Unavailable,
)
from tefuda.server.store.schema import belongings, events, listings
from tefuda.server.store.sql_daily import SqlDailyDeals
from tefuda.server.store.sql_passkeys import SqlPasskeys
from tefuda.server.store.sql_people import SqlPeople

Result = TypeVar("Result")

log = getLogger("tefuda.server")

MOST_ANSWERS = 20_000
"""Answers whose times are kept, the latest."""

CHECK_EVERY = 2.0
"""Seconds during which a store that could be written is taken to be so still."""


class SqlStore(Store):
    """A store in a database.

    Args:
        engine: connected to a database of the present version.
        insert: of its dialect.
        readers: threads that read.
    """

    def __init__(self, engine: Engine, insert: Insert, readers: int) -> None:
        self.leases = Leases(self.transact, insert)
        self.people = SqlPeople(self._in_thread, self._write, insert)
        self.daily = SqlDailyDeals(self._in_thread, self._write, insert)
        self.passkeys = SqlPasskeys(self._in_thread, self._write, insert)
        self.engine, self._insert = engine, insert
        self.address = engine.url.render_as_string(hide_password=False)
        self._threads = ThreadPoolExecutor(readers, "store")
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

    def secret(self) -> bytes:
        return self._secret

    async def read(self, table: str, after: int = 0) -> list[Event]:
        query = select(events).where(events.c.table == table, events.c.seq > after).order_by(events.c.seq)
        began = time.perf_counter()
        found = await self._in_thread(lambda connection: [event_of(row) for row in connection.execute(query)])
        self.observer.read(time.perf_counter() - began)
        return found

    async def listing(self, table: str) -> Listing | None:
        found = await self._listed(select(listings).where(listings.c.table == table), 1)
        return found[0] if found else None

    async def public(self, limit: int) -> list[Listing]:
        return await self._listed(select(listings).where(listings.c.public), limit)

    async def of(self, guest: str, limit: int) -> list[Listing]:
        theirs = listings.join(belongings, belongings.c.table == listings.c.table)
        query = select(listings, belongings.c.guest, belongings.c.seat, belongings.c.host).select_from(theirs)
        return await self._listed(query.where(belongings.c.guest == guest), limit)

    async def _listed(self, query: Select[Any], limit: int) -> list[Listing]:
        latest = query.order_by(listings.c.at.desc()).limit(limit)
        rows = await self._in_thread(lambda connection: list(connection.execute(latest)))
        return [listing for row in rows if (listing := _listing(row)) is not None]

    async def bans(self) -> list[Ban]:
        return await self._in_thread(
            lambda connection: [ban_of(row) for row in connection.execute(select(schema.bans))]
        )

    async def erased(self) -> frozenset[str]:
        query = select(schema.erased.c.mark)
        return await self._in_thread(lambda connection: frozenset(connection.scalars(query)))

    async def notices(self, after: int) -> list[Notice]:
        done = schema.administration
        query = select(done.c.number, done.c.action, done.c.subject).where(done.c.number > after)
        ordered = query.order_by(done.c.number)
        return await self._in_thread(lambda connection: [Notice(*row) for row in connection.execute(ordered)])

    async def keep_answer(self, answer: Answer) -> None:
        kept = schema.answers

        def work(connection: Connection) -> None:
            player = None if erased_among(connection, [answer.player]) else answer.player
            connection.execute(kept.insert().values(**answer._replace(player=player)._asdict()))
            latest = select(func.max(kept.c.number)).scalar_subquery()
            connection.execute(delete(kept).where(kept.c.number <= latest - MOST_ANSWERS))

        await self._write(work)

    async def answers(self, after: int) -> list[tuple[int, Answer]]:
        kept = schema.answers
        query = select(kept).where(kept.c.number > after).order_by(kept.c.number)
        return await self._in_thread(
            lambda connection: [(number, Answer(*answer)) for number, *answer in connection.execute(query)]
        )

    async def check(self) -> None:
        if time.monotonic() - self._checked > CHECK_EVERY:
            await self._write(self._note_check)
            self._checked = time.monotonic()

    @abstractmethod
    async def _write(self, work: Callable[[Connection], None]) -> None:
        """Write something other than events, in a transaction."""

    def _note_check(self, connection: Connection) -> None:
        """Write the time: what only reads would answer with a full disk too."""
        now = str(time.time_ns())
        insert = self._insert(schema.meta).values(key="checked", value=now)
        connection.execute(insert.on_conflict_do_update(index_elements=[schema.meta.c.key], set_={"value": now}))

    async def close(self) -> None:
        self._threads.shutdown()
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
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._connected, work)

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

    def write_listing(self, connection: Connection, listing: Listing) -> None:
        """Change the list of tables, in the caller's transaction."""
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
    at = time.time_ns() // 1_000_000
    return [
        {
            "table": table,
            "seq": seq,
            "at": at,
            "id": f"{random.getrandbits(64):016x}",
            "kind": draft.kind,
            "body": to_json(draft.body),
        }
        for seq, draft in enumerate(drafts, after + 1)
    ]


def events_of(rows: Rows, drafts: Sequence[Draft]) -> list[Event]:
    """The events that these rows keep."""
    return [Event(row["seq"], row["at"], draft.kind, draft.body) for row, draft in zip(rows, drafts, strict=True)]


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
