"""Where the logs of tables are kept: in an SQLite file or a PostgreSQL database, behind one interface (``port``)."""

from tefuda.engine.errors import TefudaError
from tefuda.server.store.port import Conflict, Draft, Event, Listing, NotHolder, Peer, Store, StoreError, Unavailable

__all__ = [
    "Conflict", "Draft", "Event", "Listing", "NotHolder", "Peer", "Store", "StoreError", "Unavailable", "open_store",
]  # fmt: skip


def open_store(url: str, *, shared: bool = False) -> Store:
    """Open the store at this address; it is created, or brought up to date, if need be.

    Args:
        url: ``sqlite:////path/to/file`` or ``postgresql://user:password@host/database``.
        shared: whether this is one of several processes of a server, all of which may use one SQLite file.

    Raises:
        StoreError: it cannot be opened, is in use, or was written by a newer version.
    """
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(url)
    except ArgumentError:
        raise TefudaError("--db: write it like sqlite:///file.db or postgresql://user@host/database") from None
    kind = parsed.get_backend_name()
    if kind == "sqlite":
        from tefuda.server.store.sqlite import SqliteStore

        return SqliteStore(parsed, shared=shared)
    if kind == "postgresql":
        from tefuda.server.store.postgres import PostgresStore

        return PostgresStore(parsed)
    raise TefudaError(f"--db: there is no store {kind!r}; there are: sqlite, postgresql")
