"""The store of logs, as far as both databases have it in common."""

import json
import random
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from logging import getLogger
from typing import Any

import orjson
from sqlalchemy import Connection, Engine, Executable, Insert, Select, delete, func, or_, select, update

from tefuda.server.store import port, schema
from tefuda.server.store.access import BatchWriter, StoreAccess, Work
from tefuda.server.store.clubs import Clubs
from tefuda.server.store.erasures import DialectInsert, Kept, Rows, erased_among
from tefuda.server.store.heads import Heads
from tefuda.server.store.leases import Leases
from tefuda.server.store.people import DailyDeals, NoticeAddresses, Passkeys, People
from tefuda.server.store.schema import belongings, events, listings

log = getLogger("tefuda.server")

MOST_ANSWERS = 20_000  # answers whose times are kept, the latest
CHECK_EVERY = 2.0  # seconds during which a store that could be written is taken to be so still


class Store(StoreAccess):
    """Logs of events in a database, each appended to at its end only, and what is kept beside them. Every method raises
    ``Unavailable`` if the database does not answer.

    Attributes:
        shared: True if other processes may append to the same logs: each table is then driven by the holder of its
            lease.
        secret: 32 random bytes that all processes on this store share, for signing; made when the store was.
        address: of the database, for those who open it beside the server; it may hold a password.
        on_commit: called, in the thread that writes, with the seconds of a commit and the number of its jobs.
        on_read: called with the seconds in which a log was read.
    """

    shared: bool

    def __init__(self, engine: Engine, insert: DialectInsert, readers: int) -> None:
        super().__init__(engine, insert, readers)
        self.leases, self.people = Leases(self), People(self)
        self.daily, self.passkeys, self.clubs = DailyDeals(self), Passkeys(self), Clubs(self, self.people)
        self.notice_addresses, self.heads = NoticeAddresses(self), Heads(self)
        self.address = engine.url.render_as_string(hide_password=False)
        self._checked = -CHECK_EVERY
        with engine.connect() as connection:
            value = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.key == "secret"))
        assert value is not None
        self.secret = bytes.fromhex(value)
        self.on_commit: Callable[[float, int], object] = lambda _seconds, _jobs: None
        self.on_read: Callable[[float], object] = lambda _: None
        self._writer = BatchWriter(self._commit, lambda *took: self.on_commit(*took))

    async def append(self, table: str, after: int, drafts: Sequence[port.Draft]) -> list[port.Event]:
        """Keep events, at least one, all or none; when this returns they survive a crash and a power cut.

        The first follows the seq ``after``, 0 for a new table. ``Conflict`` if the log does not end there; ``Erased``
        if an event names a person who has been erased; ``NotHolder`` if this process has joined others, and does not
        hold the table's lease; ``Unavailable`` if the store does not answer."""
        rows = rows_of(table, after, drafts)
        await self._writer.write(rows)
        return [
            port.Event(row["seq"], row["at"], draft.kind, draft.body) for row, draft in zip(rows, drafts, strict=True)
        ]

    @abstractmethod
    def _commit(self, jobs: list[Rows | Work]) -> Kept:
        """Write a batch of jobs, in the thread that writes: lists of rows to be appended, and other work."""

    async def read(self, table: str, after: int = 0) -> list[port.Event]:
        """A table's events from ``after`` + 1 on; empty if there are none."""
        query = select(events).where(events.c.table == table, events.c.seq > after).order_by(events.c.seq)
        began = time.perf_counter()
        found = await self.fetch(query, event_of)
        self.on_read(time.perf_counter() - began)
        return found

    async def show(self, listing: port.Listing) -> None:
        """Change the entry of a table in the list, unless it already shows something later, or names a person who has
        been erased: it then follows from a log that was rewritten since."""
        await self.write(lambda connection: self._write_listing(connection, listing))

    async def listing(self, table: str) -> port.Listing | None:
        """A table's entry in the list; its ``people`` are left out."""
        found = await self._listed(select(listings).where(listings.c.table == table), 1)
        return found[0] if found else None

    async def public(self, limit: int) -> list[port.Listing]:
        """The public tables, the latest changed first."""
        return await self._listed(select(listings).where(listings.c.public, ~listings.c.hidden), limit)

    async def of(self, guest: str, limit: int) -> list[port.Listing]:
        """The tables that are or were this guest's, public or not, the latest changed first; ``own`` says how they are
        theirs, their ``people`` are left out."""
        theirs = listings.join(belongings, belongings.c.table == listings.c.table)
        query = select(listings, belongings.c.guest, belongings.c.seat, belongings.c.host).select_from(theirs)
        return await self._listed(query.where(belongings.c.guest == guest), limit)

    async def due(self, before: int, limit: int) -> dict[str, int]:
        """The slow tables at which something has been due since ``before``, with when it was; the longest first."""
        query = select(listings.c.table, listings.c.due).where(listings.c.due < before)
        return dict(await self.fetch(query.order_by(listings.c.due).limit(limit), lambda row: (row.table, row.due)))

    async def underway(self, before: int, limit: int) -> list[str]:
        """The tables in the middle of a game at which nothing that is listed has happened since; the longest first."""
        phases = (listings.c.summary.contains(f'"phase":"{phase}"') for phase in ("playing", "shuffling"))
        query = select(listings.c.table).where(listings.c.at < before, or_(*phases)).order_by(listings.c.at)
        return await self.fetch(query.limit(limit), lambda row: str(row.table))

    async def _listed(self, query: Select[Any], limit: int) -> list[port.Listing]:
        latest = query.order_by(listings.c.at.desc()).limit(limit)
        return [listing for listing in await self.fetch(latest, _listing) if listing is not None]

    async def bans(self) -> list[port.Ban]:
        """All bans, also those that have run out."""
        return await self.fetch(select(schema.bans), lambda row: port.Ban(**row._mapping))

    async def is_moderator(self, hashes: Sequence[str | None]) -> bool:
        """Tell if one of these hashes is a moderator's."""
        return bool(await self.fetch(select(schema.moderators).where(schema.moderators.c.person.in_(hashes)), bool))

    async def erased(self) -> frozenset[str]:
        """The marks of those who have been erased; see ``erasures``."""
        return frozenset(await self.fetch(select(schema.erased.c.mark), lambda row: str(row.mark)))

    async def notices(self, after: int) -> list[port.Notice]:
        """The administrators' deeds after the notice of this number."""
        done = schema.administration
        query = select(done.c.number, done.c.action, done.c.subject).where(done.c.number > after)
        return await self.fetch(query.order_by(done.c.number), lambda row: port.Notice(**row._mapping))

    async def keep_answer(self, answer: port.AnswerTime) -> None:
        """Keep how long a person took for an answer; without their hash if they have been erased."""
        kept = schema.answers

        def work(connection: Connection) -> None:
            player = None if erased_among(connection, [answer.player]) else answer.player
            connection.execute(kept.insert().values(**answer._replace(player=player)._asdict()))
            latest = select(func.max(kept.c.number)).scalar_subquery()
            connection.execute(delete(kept).where(kept.c.number <= latest - MOST_ANSWERS))

        await self.write(work)

    async def answers(self, after: int) -> list[tuple[int, port.AnswerTime]]:
        """The answers kept after that of this number, each with its number; the oldest are not kept."""
        kept = schema.answers
        query = select(kept).where(kept.c.number > after).order_by(kept.c.number)
        return await self.fetch(query, lambda r: (r.number, port.AnswerTime(r.game, r.word, r.player, r.seconds)))

    async def check(self) -> None:
        """Make sure that the store can be read and written."""
        if time.monotonic() - self._checked > CHECK_EVERY:
            await self.write(self._note_check)
            self._checked = time.monotonic()

    def _note_check(self, connection: Connection) -> None:
        """Write the time: what only reads would answer with a full disk too."""
        now = str(time.time_ns())
        new = self.insert(schema.meta).values(key="checked", value=now)
        connection.execute(new.on_conflict_do_update(index_elements=[schema.meta.c.key], set_={"value": now}))

    async def close(self) -> None:
        """Finish what was begun, and close the store."""
        await self._writer.close()
        self._threads.close(wait=True)
        self.engine.dispose()

    @cached_property
    def _upsert_listing(self) -> Executable:
        """The statement that writes a line of the list unless a later one is there; it returns a row if it has."""
        new = self.insert(listings)
        shown = {name: new.excluded[name] for name in ("seq", "at", "public", "summary", "due")}
        later = new.excluded.seq >= listings.c.seq
        upsert: Insert = new.on_conflict_do_update(index_elements=[listings.c.table], set_=shown, where=later)
        return upsert.returning(listings.c.table)

    def _write_listing(self, connection: Connection, listing: port.Listing) -> None:
        if erased_among(connection, listing.hashes):
            return
        row = {"table": listing.table, "seq": listing.seq, "at": listing.at, "public": listing.public}
        row |= {"summary": to_json(listing.summary), "due": listing.due}
        if connection.execute(self._upsert_listing, row).first() is None or listing.people is None:
            return
        seated = belongings.c.table == listing.table, belongings.c.seat.is_not(None)
        connection.execute(update(belongings).where(*seated).values(seat=None))  # those who sit there now come next
        if listing.people:
            theirs = self.insert(belongings)
            now = {"seat": theirs.excluded.seat, "host": theirs.excluded.host}
            anew = theirs.on_conflict_do_update(index_elements=[belongings.c.guest, belongings.c.table], set_=now)
            connection.execute(anew, [{"table": listing.table, **vars(each)} for each in listing.people])


def rows_of(table: str, after: int, drafts: Sequence[port.Draft]) -> Rows:
    """The rows of these events, dated now."""
    here = {"table": table, "at": time.time_ns() // 1_000_000}
    return [
        {**here, "seq": seq, "id": f"{random.getrandbits(64):016x}", "kind": draft.kind, "body": to_json(draft.body)}
        for seq, draft in enumerate(drafts, after + 1)
    ]


def event_of(row: port.StoredRow) -> port.Event:
    """The event that a row keeps. ``DamagedLog`` if it cannot be read."""
    body = read_object(row.body)
    if body is None:
        raise port.DamagedLog(f"table {row.table}: event {row.seq} is damaged")
    return port.Event(row.seq, row.at, row.kind, body)


def read_object(text: str) -> port.JsonObject | None:
    """An object that a database keeps as JSON; None if it is damaged."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _listing(row: port.StoredRow) -> port.Listing | None:
    """A line of the list of tables; None if it is damaged, so that the others are shown all the same."""
    summary = read_object(row.summary)
    if summary is None:
        log.error("the listing is damaged", extra={"table": row.table, "seq": row.seq})
        return None
    own = port.Belonging(row.guest, row.seat, row.host) if "guest" in row._fields else None
    return port.Listing(row.table, row.seq, row.at, row.public, summary, own=own, due=row.due)


def to_json(value: Any) -> str:
    """A value as databases keep it."""
    return orjson.dumps(value).decode()
