"""Where the logs of tables are kept: in an SQLite file or a PostgreSQL database, behind one interface (``port``)."""

from tefuda.server.store.location import read_url
from tefuda.server.store.port import Conflict, Draft, Event, Listing, NotHolder, Store, StoreError, Unavailable

__all__ = [
    "Conflict", "Draft", "Event", "Listing", "NotHolder", "Store", "StoreError", "Unavailable", "open_store",
]  # fmt: skip


def open_store(address: str, *, shared: bool = False) -> Store:
    """Open the store at this address; it is created, or brought up to date, if need be.

    Args:
        address: ``sqlite:////path/to/file`` or ``postgresql://user:password@host/database``.
        shared: whether this is one of several processes of a server, all of which may use one SQLite file.

    Raises:
        StoreError: it cannot be opened, is in use, or was written by a newer version.
    """
    url = read_url(address)
    if url.get_backend_name() == "sqlite":
        from tefuda.server.store.sqlite import SqliteStore

        return SqliteStore(url, shared=shared)
    from tefuda.server.store.postgres import PostgresStore

    return PostgresStore(url)
