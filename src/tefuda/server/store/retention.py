"""Old tables: packed into records, or deleted."""

import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, func, select

from tefuda.engine.errors import TefudaError
from tefuda.server.store.database import Database
from tefuda.server.store.port import DamagedLog, Event
from tefuda.server.store.schema import events
from tefuda.server.store.sql import event_of
from tefuda.server.store.tables import TableLine, delete_tables, list_tables
from tefuda.server.table import records

ARCHIVES = (".tar", ".tar.gz", ".tgz")


class Archive(Protocol):
    """Where records are written to."""

    def add(self, name: str, text: str, at: int) -> None:
        """Write a record, dated in milliseconds since 1970."""


def old_tables(database: Database, before: int, unfinished: bool) -> list[TableLine]:
    """The tables in which nothing has happened since then: those that are over or closed, or all."""
    found = list_tables(database, before=before)
    return [line for line in found if unfinished or line.phase in ("over", "closed")]


def pack(database: Database, line: TableLine, archive: Archive) -> list[str]:
    """Write the records of a table, one for each session in which a deal was finished; their names.

    Raises:
        TefudaError: they cannot be read; the table is to be kept.
    """
    log = _log(database, line.table)
    sessions = 1 + sum(event.kind == "restarted" for event in log)
    written = []
    for session in range(1, sessions + 1):
        _, deals = records.shown_deals(log, session)
        if deals:
            name = f"{line.table}-{session}.tfd"
            archive.add(name, records.write(log, session), log[-1].at)
            written.append(name)
    return written


def discard(database: Database, line: TableLine) -> bool:
    """Delete a table, unless something has happened there since; whether it was deleted."""

    def work(connection: Connection) -> bool:
        count = select(func.count()).where(events.c.table == line.table)
        is_as_it_was = connection.scalar(count) == line.events
        if is_as_it_was:
            delete_tables(connection, [line.table])
        return is_as_it_was

    return database.change(work)


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """A folder, or an archive if it is called like one; on disk when the block ends.

    Raises:
        TefudaError: there is such an archive already.
    """
    if not path.name.endswith(ARCHIVES):
        path.mkdir(parents=True, exist_ok=True)
        yield _Folder(path)
        return
    if path.exists():
        raise TefudaError(f"{path} exists; name another archive")
    with path.open("xb") as file:
        is_plain = path.suffix == ".tar"
        with tarfile.open(fileobj=file, mode="w") if is_plain else tarfile.open(fileobj=file, mode="w:gz") as archive:
            yield _Tar(archive)
        file.flush()
        os.fsync(file.fileno())


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, name: str, text: str, at: int) -> None:
        with (self._path / name).open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.utime(self._path / name, (at / 1000, at / 1000))


class _Tar:
    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive

    def add(self, name: str, text: str, at: int) -> None:
        data = text.encode()
        member = tarfile.TarInfo(name)
        member.size, member.mtime = len(data), at // 1000
        self._archive.addfile(member, io.BytesIO(data))


def _log(database: Database, table: str) -> list[Event]:
    with database.engine.connect() as connection:
        rows = connection.execute(select(events).where(events.c.table == table).order_by(events.c.seq)).all()
    try:
        return [event_of(row) for row in rows]
    except DamagedLog as error:
        raise TefudaError(str(error)) from error
