"""The database as administrators reach it: beside the server, without its lock."""

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Select, func, insert, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError

from tefuda.server.store import postgres, read_url, schema, sqlite
from tefuda.server.store.access import Result, fault_of
from tefuda.server.store.port import JsonObject, StoredRow, StoreError
from tefuda.server.store.schema import administration, events

TRIES = 20  # tries at writing something, where the server or another administrator was faster


class Database:
    """An open database until the end of a ``with`` block, at an address as of ``open_store``; ``older`` if one of an
    older version will do, which is only copied. ``name`` is for people: the file, or the address without its password.
    ``StoreError`` if there is none, it cannot be opened, or it is of another version."""

    def __init__(self, address: str, *, older: bool = False) -> None:
        self.url = read_url(address)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.name = str(self.file) if self.is_sqlite else self.url.render_as_string(hide_password=True)
        self.insert = sqlite_dialect.insert if self.is_sqlite else postgresql.insert
        self.engine, self._writing = _engine(self.url, "BEGIN"), _engine(self.url, "BEGIN IMMEDIATE")
        try:
            with self.engine.connect() as connection:
                schema.check(connection, older=older)
        except (DBAPIError, StoreError) as error:
            self.__exit__()
            raise StoreError(f"{self.name}: {fault_of(error)}") from error

    @property
    def file(self) -> Path:
        """The file of an SQLite database."""
        return sqlite.file_of(self.url)

    def fetch(self, query: Select[Any], read: Callable[[StoredRow], Result]) -> list[Result]:
        """The rows that a query finds, each read by ``read``."""
        with self.engine.connect() as connection:
            return [read(row) for row in connection.execute(query)]

    def change(self, work: Callable[[Connection], Result]) -> Result:
        """Do work in a transaction, again if the server or another administrator has written in between. The server's
        own transactions wait for its end. ``StoreError`` if the database cannot be written."""
        for _ in range(TRIES):
            try:
                with self._writing.begin() as connection:
                    return work(connection)
            except IntegrityError:  # another process has taken the same place
                continue
            except DBAPIError as error:
                raise StoreError(f"{self.name}: {fault_of(error)}") from error
        raise StoreError(f"{self.name}: others wrote at the same time, again and again; try once more")

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: object) -> None:
        for engine in (self.engine, self._writing):
            engine.dispose()


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def notify(connection: Connection, action: str, subject: str = "", **deed: Any) -> None:
    """Tell the server's processes what was done, in the transaction that does it: ``changed`` or ``rewritten`` (the
    table ``subject``), ``bans`` (of ``subject``), ``erased``; other actions are for the record alone, as is ``deed``,
    of a person (``moderation.Deed``)."""
    number = select(func.coalesce(func.max(administration.c.number), 0) + 1).scalar_subquery()
    row = {"number": number, "at": now(), "action": action, "subject": subject, **deed}
    connection.execute(insert(administration).values(row))


def log_of(connection: Connection, table: str) -> list[StoredRow]:
    """The rows of a table's log."""
    return list(connection.execute(select(events).where(events.c.table == table).order_by(events.c.seq)))


def append_event(connection: Connection, table: str, kind: str, body: str) -> None:
    """Append an event to a log, in a transaction of ``Database.change``, begun again if a server was faster. Until it
    ends no other process appends to the log."""
    after = select(func.max(events.c.seq)).where(events.c.table == table).scalar_subquery()
    row: JsonObject = {"table": table, "seq": after + 1, "at": now(), "id": secrets.token_hex(8)}
    connection.execute(insert(events).values(**row, kind=kind, body=body))


def _engine(url: URL, begin: str) -> Engine:
    if url.get_backend_name() == "sqlite":
        if not sqlite.file_of(url).is_file():
            raise StoreError(f"{url.database}: there is no such database")
        return sqlite.connect(url, begin=begin, pragmas=("secure_delete=ON",))
    return postgres.connect(url, "tefuda admin")
