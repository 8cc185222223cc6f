"""Stores of the logs of tables: in an SQLite file or a PostgreSQL database, behind one interface (``sql.Store``)."""

import os
from pathlib import Path

import platformdirs
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from tefuda.engine.errors import TefudaError
from tefuda.server.store.port import Conflict, Draft, Event, Listing, NotHolder, StoreError, Unavailable
from tefuda.server.store.sql import Store

__all__ = [
    "Conflict", "Draft", "Event", "Listing", "NotHolder", "Store", "StoreError", "Unavailable", "open_store",
    "read_url", "usual_address",
]  # fmt: skip

VARIABLE = "TEFUDA_DB"
"""Names the database where ``--db`` does not: other users of a machine see a command line, and a password on it."""


def usual_address(named: str | None) -> str:
    """The address that was named, else that of the environment, else of a file in the user's data folder."""
    own = f"sqlite:///{Path(platformdirs.user_data_dir('tefuda')) / 'tables.db'}"
    return named or os.environ.get(VARIABLE) or own


def read_url(address: str) -> URL:
    """The parsed address of an SQLite file or a PostgreSQL database. ``TefudaError`` if it is neither."""
    try:
        url = make_url(address)
    except ArgumentError:
        raise TefudaError("--db: write it like sqlite:///file.db or postgresql://user@host/database") from None
    kind = url.get_backend_name()
    if kind not in ("sqlite", "postgresql"):
        raise TefudaError(f"--db: there is no store {kind!r}; there are: sqlite, postgresql")
    return url


def open_store(address: str, *, shared: bool = False) -> Store:
    """Open the store at this address; it is created, or brought up to date, if need be.

    The address is ``sqlite:////path/to/file`` or ``postgresql://user:password@host/database``. ``shared`` is for one of
    several processes of a server, all of which may use one SQLite file. ``StoreError`` if it cannot be opened, is in
    use, or was written by a newer version."""
    url = read_url(address)
    if url.get_backend_name() == "sqlite":
        from tefuda.server.store.sqlite import SqliteStore

        return SqliteStore(url, shared=shared)
    from tefuda.server.store.postgres import PostgresStore

    return PostgresStore(url)
