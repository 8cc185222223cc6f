"""The tables of a server: listed, looked at, closed; old ones packed into records, or deleted."""

import io
import os
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, delete, func, select

from tefuda.engine.errors import TefudaError
from tefuda.server.store import heads
from tefuda.server.store.database import Database, log_of, notify
from tefuda.server.store.moderation import done_reports
from tefuda.server.store.port import DamagedLog, Event, JsonObject, StoredRow
from tefuda.server.store.schema import belongings, events, listings
from tefuda.server.store.sql import event_of, read_object
from tefuda.server.table import replays


@dataclass(frozen=True)
class TableLine:
    """One table in the list."""

    table: str
    game: str
    phase: str
    names: tuple[str, ...]  # by seat; empty for a free one
    public: bool  # everybody may see it in the list of tables
    deals: int  # dealt in the present session
    events: int  # of its log
    began: int  # the first event, milliseconds since 1970
    at: int  # the latest


@dataclass(frozen=True)
class Person:
    """A player who has had a seat, from one time to another in milliseconds since 1970: which bot, or the hashes of a
    person."""

    seat: int
    name: str
    since: int
    until: int | None
    bot: str | None
    guest: str | None
    token: str | None


@dataclass(frozen=True)
class PersonReport:
    """A report of one person on another to the host of the server: what they ``said`` (a text, or the name of a
    phrase), or, where that is empty, their name."""

    at: int  # milliseconds since 1970
    table: str
    seq: int  # of the report in the table's log
    whom: Person
    said: str
    note: str
    by: Person
    done: bool = False  # a moderator has done with it


def list_tables(
    database: Database, *, game: str | None = None, phase: str | None = None, before: int | None = None, limit: int = 0
) -> list[TableLine]:
    """The tables, the latest changed first, at most ``limit`` of them (0: all): of this game and phase only, if named,
    and with no event since ``before`` (milliseconds since 1970)."""

    def is_wanted(line: TableLine) -> bool:
        return game in (None, line.game) and phase in (None, line.phase) and (before is None or line.at < before)

    with database.engine.connect() as connection:
        return list(islice(filter(is_wanted, _lines(connection)), limit or None))


def show_table(database: Database, table: str) -> JsonObject:
    """One table: how it was opened, who sat there and when, what happened; ``damaged`` are unreadable events, without
    which the game cannot go on. ``TefudaError`` if there is none."""
    with database.engine.connect() as connection:
        log = log_of(connection, table)
    if not log:
        raise TefudaError(f"{table}: there is no such table")
    people, bodies = _people(log), [read_object(row.body) for row in log]
    settings = {name: value for name, value in (bodies[0] or {}).items() if name not in ("key", "invite")}
    damaged = [row.seq for row, body in zip(log, bodies, strict=True) if body is None]
    return {
        **settings,
        "events": len(log),
        **({"damaged": damaged} if damaged else {}),
        "bytes": sum(len(row.body.encode()) for row in log),
        "began": log[0].at,
        "at": log[-1].at,
        "kinds": dict(Counter(row.kind for row in log)),
        "people": people,
    }


def list_reports(database: Database, *, open_only: bool = False, limit: int = 0) -> list[PersonReport]:
    """Reports, the latest first, at most ``limit`` of them (0: all), perhaps without those that are done with; the
    reports of a table are gone when it is."""
    done = done_reports(database)
    query = select(events.c.table, events.c.seq).where(events.c.kind == "reported")
    latest = query.order_by(events.c.at.desc(), events.c.seq.desc())
    known = database.fetch(latest, lambda row: f"{row.table}:{row.seq}")
    found = [key for key in known if not (open_only and key in done)][: limit or None]
    with database.engine.connect() as connection:
        logs = [log_of(connection, table) for table in {key.partition(":")[0] for key in found}]
    told = {f"{report.table}:{report.seq}": report for log in logs for report in _reports(log)}
    return [replace(told[key], done=key in done) for key in found if key in told]


def delete_tables(connection: Connection, tables: Sequence[str]) -> None:
    """Remove tables and all that belongs to them, in the caller's transaction."""
    for each in (events, listings, belongings):
        connection.execute(delete(each).where(each.c.table.in_(tables)))
    for table in tables:
        notify(connection, "rewritten", table)


def _people(log: Sequence[StoredRow]) -> list[Person]:
    """All who have had a seat, by a log."""
    people: list[Person] = []
    for row in log:
        body = read_object(row.body)
        if body is None:
            continue
        if row.kind in ("seated", "left"):
            sat = [each.seat == body["seat"] and not each.until for each in people]
            people = [replace(each, until=row.at) if k else each for each, k in zip(people, sat, strict=True)]
        if row.kind == "seated":
            who = {name: body.get(name) for name in ("bot", "guest", "token")}
            people.append(Person(body["seat"], body["name"], row.at, None, **who))
    return people


def _reports(log: Sequence[StoredRow]) -> Iterator[PersonReport]:
    """The reports in a log, without those that are damaged."""
    bodies = {row.seq: read_object(row.body) or {} for row in log}

    def sitting(seat: int, seq: int) -> Person:
        people = _people([row for row in log if row.seq <= seq])
        return next((each for each in reversed(people) if each.seat == seat), Person(seat, "", 0, *[None] * 4))

    for row in log:
        if row.kind == "reported" and (body := bodies[row.seq]):
            words = bodies.get(body.get("said", 0), {})
            said = words.get("text") or words.get("phrase", "")
            whom, by = sitting(body["of"], body.get("said", row.seq)), sitting(body["seat"], row.seq)
            yield PersonReport(row.at, row.table, row.seq, whom, said, body["note"], by)


def _lines(connection: Connection) -> Iterator[TableLine]:
    """All tables. Those that the server has not listed yet have neither phase nor names."""
    first, last = func.min(events.c.at).label("began"), func.max(events.c.at).label("at")
    grouped = select(events.c.table, func.count().label("events"), first, last).group_by(events.c.table).subquery()
    query = select(grouped, listings.c.summary, (listings.c.public & ~listings.c.hidden).label("public"))
    query = query.outerjoin(listings, listings.c.table == grouped.c.table)
    for row in connection.execute(query.order_by(grouped.c.at.desc())):
        summary = read_object(row.summary or "{}") or {}  # of a damaged one the log still tells
        names = tuple(each["name"] for each in summary.get("seats", ()))
        yield TableLine(
            row.table, summary.get("game", ""), summary.get("phase", ""), names, bool(row.public),
            summary.get("deals", 0), row.events, row.began, row.at,
        )  # fmt: skip


ARCHIVES = (".tar", ".tar.gz", ".tgz")

Archive = Callable[[str, str, int], None]  # writes a record under a name, dated in milliseconds since 1970


def old_tables(database: Database, before: int, unfinished: bool) -> list[TableLine]:
    """The tables in which nothing has happened since ``before``: those that are over or closed, or all."""
    return [each for each in list_tables(database, before=before) if unfinished or each.phase in ("over", "closed")]


def pack(database: Database, line: TableLine, archive: Archive) -> list[str]:
    """Write the records of a table, one for each session in which a deal was finished; their names. ``TefudaError`` if
    they cannot be read; the table is to be kept."""
    log = _log(database, line.table)
    sessions = 1 + sum(event.kind == "restarted" for event in log)
    written = []
    for session in range(1, sessions + 1):
        _, deals = replays.shown_deals(log, session)
        if deals:
            name = f"{line.table}-{session}.tfd"
            archive(name, replays.write_record(log, session), log[-1].at)
            written.append(name)
    return written


def discard(database: Database, line: TableLine) -> bool:
    """Delete a table, unless something has happened there since; True if it was deleted. The log of all tables keeps
    its heads."""

    def work(connection: Connection) -> bool:
        count = select(func.count()).where(events.c.table == line.table)
        is_as_it_was = connection.scalar(count) == line.events
        if is_as_it_was:
            heads.append(connection, line.table)
            delete_tables(connection, [line.table])
        return is_as_it_was

    return database.change(work)


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """A folder, or an archive if it is called like one; on disk when the block ends. ``TefudaError`` if there is such
    an archive already."""
    if not path.name.endswith(ARCHIVES):
        path.mkdir(parents=True, exist_ok=True)
        yield partial(_add_to_folder, path)
        return
    if path.exists():
        raise TefudaError(f"{path} exists; name another archive")
    with path.open("xb") as file:
        is_plain = path.suffix == ".tar"
        with tarfile.open(fileobj=file, mode="w") if is_plain else tarfile.open(fileobj=file, mode="w:gz") as archive:
            yield partial(_add_to_tar, archive)
        file.flush()
        os.fsync(file.fileno())


def _add_to_folder(folder: Path, name: str, text: str, at: int) -> None:
    with (folder / name).open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.utime(folder / name, (at / 1000, at / 1000))


def _add_to_tar(archive: tarfile.TarFile, name: str, text: str, at: int) -> None:
    data = text.encode()
    member = tarfile.TarInfo(name)
    member.size, member.mtime = len(data), at // 1000
    archive.addfile(member, io.BytesIO(data))


def _log(database: Database, table: str) -> list[Event]:
    with database.engine.connect() as connection:
        rows = log_of(connection, table)
    try:
        return [event_of(row) for row in rows]
    except DamagedLog as error:
        raise TefudaError(str(error)) from error
