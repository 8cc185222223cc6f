"""The tables of the database, and the migrations that bring an older one up to date.

Alembic is left out: it would keep a second version beside the one in ``meta``, by which older versions of Tefuda refuse
a newer database, and its import would take a sixth of a second of every start, for three statements.
"""

import secrets

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    inspect,
    select,
    text,
)

from tefuda.server.store.port import StoreError

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("table", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("id", Text, nullable=False),  # random, tells a writer whether a commit that was cut off has happened
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON
)
listings = Table(
    "listings",
    metadata,
    Column("table", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("summary", Text, nullable=False),  # JSON
)
belongings = Table(
    "belongings",
    metadata,
    Column("guest", Text, primary_key=True),
    Column("table", Text, primary_key=True),
)
processes = Table(
    "processes",
    metadata,
    Column("id", Text, primary_key=True),  # random, of one start of one process
    Column("family", Text, nullable=False),  # the same for processes that can hand each other their connections
    Column("address", Text, nullable=False),  # where other families reach it: host:port
    Column("beat", BigInteger, nullable=False),  # counted up while it lives
)
leases = Table(
    "leases",
    metadata,
    Column("table", Text, primary_key=True),
    Column("process", Text, ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
)
meta = Table("meta", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        'CREATE TABLE events ("table" TEXT NOT NULL, seq INTEGER NOT NULL, at BIGINT NOT NULL, id TEXT NOT NULL, '
        'kind TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY ("table", seq))',
        'CREATE TABLE listings ("table" TEXT NOT NULL PRIMARY KEY, seq INTEGER NOT NULL, at BIGINT NOT NULL, '
        "public BOOLEAN NOT NULL, summary TEXT NOT NULL)",
    ),
    ("CREATE INDEX listings_by_time ON listings (public, at)",),
    ('CREATE TABLE belongings (guest TEXT NOT NULL, "table" TEXT NOT NULL, PRIMARY KEY (guest, "table"))',),
    (
        "CREATE TABLE processes (id TEXT NOT NULL PRIMARY KEY, family TEXT NOT NULL, address TEXT NOT NULL, "
        "beat BIGINT NOT NULL)",
        'CREATE TABLE leases ("table" TEXT NOT NULL PRIMARY KEY, '
        "process TEXT NOT NULL REFERENCES processes (id) ON DELETE CASCADE)",
        "CREATE INDEX leases_by_process ON leases (process)",
    ),
)
"""The statements that lead from each version to the next, for both databases. Add to them; never change them."""

VERSION = len(MIGRATIONS)


def prepare(connection: Connection) -> None:
    """Bring the database to the present version, in the caller's transaction.

    Raises:
        StoreError: it was written by a newer Tefuda, or is not a database of Tefuda's.
    """
    found = _version(connection)
    if found > VERSION:
        raise StoreError(
            f"the database is of version {found}, this Tefuda reads up to {VERSION}: install a newer Tefuda"
        )
    for statements in MIGRATIONS[found:]:
        for statement in statements:
            connection.execute(text(statement))
    if found < VERSION:
        connection.execute(meta.delete().where(meta.c.key == "version"))
        connection.execute(meta.insert().values(key="version", value=str(VERSION)))


def _version(connection: Connection) -> int:
    """The version of the database; 0 for an empty one, whose table ``meta`` is made here."""
    if inspect(connection).has_table("meta"):
        value = connection.scalar(select(meta.c.value).where(meta.c.key == "version"))
        if value is None or not value.isdecimal():
            raise StoreError("the database has a table 'meta' that is not Tefuda's: name another database")
        return int(value)
    if inspect(connection).has_table("events"):
        raise StoreError("the database has a table 'events' that is not Tefuda's: name another database")
    connection.execute(text("CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)"))
    connection.execute(meta.insert().values(key="secret", value=secrets.token_hex(32)))
    return 0
