"""The tables of the database; Alembic's scripts in ``migrations`` bring an older one up to date.

``meta`` has the version too. By it older versions of Tefuda refuse a newer database, and a database of the present
version is known without importing Alembic, which would take a third of a second of every start."""

import secrets
from logging import getLogger
from pathlib import Path
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    false,
    inspect,
    select,
    text,
)
from sqlalchemy.schema import CreateColumn

from tefuda.server.store.port import StoreError

log = getLogger("tefuda.server")

metadata = MetaData()


def _table(name: str, *parts: Column[Any] | Index) -> Table:
    return Table(name, metadata, *parts)


events = _table(
    "events",
    Column("table", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("id", Text, nullable=False),  # random, tells a writer whether a commit that was cut off has happened
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON
)
listings = _table(
    "listings",
    Column("table", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("summary", Text, nullable=False),  # JSON
    Column("hidden", Boolean, nullable=False, server_default=false()),  # by a moderator, though it may be public
    Column("due", BigInteger),  # when something happens at a slow table by itself; none if nothing does
    Index("listings_by_time", "public", "at"),
    Index("listings_by_due", "due"),
)
belongings = _table(
    "belongings",
    Column("guest", Text, primary_key=True),
    Column("table", Text, primary_key=True),
    Column("seat", Integer),  # that they have now; none if they have left it, or never had one
    Column("host", Boolean, nullable=False, server_default=false()),
    Index("belongings_by_table", "table"),
)
results = _table(
    "results",
    Column("table", Text, primary_key=True),
    Column("session", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),  # of the latest deal that was finished
    Column("game", Text, nullable=False),
    Column("deals", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("practice", Boolean, nullable=False),
    Column("name", Text, nullable=False),
    Column("person", Text),  # hash of a guest, else of a token; none for bots and those who are forgotten
    Column("bot", Text),
    Column("side", Integer, nullable=False),
    Column("points", Float, nullable=False),
    Column("place", Integer, nullable=False),
    Index("results_by_person", "person", "at"),
)
ratings = _table(
    "ratings",
    Column("rated", Text, primary_key=True),  # a person, or a bot
    Column("game", Text, primary_key=True),
    Column("pool", Text, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
)
house_rules = _table(
    "house_rules",
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("person", Text),  # who saved them; none if they are forgotten
    Column("title", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Index("house_rules_by_person", "person"),
)
daily_deals = _table(
    "daily_deals",
    Column("day", Text, primary_key=True),  # of universal time, as 2026-11-23
    Column("game", Text, primary_key=True),
    Column("proof", Text, nullable=False),  # JSON: the shuffle, which everybody is dealt
)
daily_results = _table(
    "daily_results",
    Column("day", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("player", Text, primary_key=True),  # hash of a guest, else of a token; or "bot" and its spec
    Column("at", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("points", Float, nullable=False),
    Column("table", Text, nullable=False),  # empty for bots
    Index("daily_results_by_player", "player", "day"),
)
clubs = _table(
    "clubs",
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
)
club_members = _table(
    "club_members",
    Column("club", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person", Text),  # hash of a guest, else of a token; none for those who have left or are forgotten
    Column("name", Text, nullable=False),
    Column("face", Text, nullable=False),
    Index("club_members_by_person", "person", "club", unique=True),
)
club_seasons = _table(
    "club_seasons",
    Column("club", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("game", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("rounds", Integer, nullable=False),
    Column("deals", Integer, nullable=False),  # of a round
    Column("played", Text, nullable=False),  # JSON: the rounds, their tables, and the numbers of members by seat
)
passkeys = _table(
    "passkeys",
    Column("id", Text, primary_key=True),  # of the credential, base64url
    Column("guest", Text, nullable=False),
    Column("public_key", Text, nullable=False),  # COSE, base64url
    Column("counter", BigInteger, nullable=False),  # of signatures
    Column("at", BigInteger, nullable=False),
    Column("used", BigInteger),
    Column("name", Text, nullable=False),
    Column("face", Text, nullable=False),
    Index("passkeys_by_guest", "guest"),
)
notice_addresses = _table(
    "notice_addresses",
    Column("address", Text, primary_key=True),  # of a browser at its push service, or of a mailbox
    Column("guest", Text, nullable=False),
    Column("p256dh", Text, nullable=False),  # a browser's public key, base64url, like the secret that goes with it
    Column("auth", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("notice_addresses_by_guest", "guest", "at"),
)
spent_challenges = _table(
    "spent_challenges",
    Column("challenge", Text, primary_key=True),  # answered with a passkey, never again
    Column("until", BigInteger, nullable=False),  # it can be forgotten then
)
answers = _table(
    "answers",
    Column("number", Integer, primary_key=True),
    Column("game", Text, nullable=False),
    Column("word", Text, nullable=False),
    Column("player", Text),  # hash of a guest, else of a token; none for those who are forgotten
    Column("seconds", Float, nullable=False),
    Index("answers_by_player", "player"),
)
bans = _table(
    "bans",
    Column("subject", Text, primary_key=True),  # an address, a network or the hash of a guest or token
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger),  # milliseconds since 1970; for good if there is none
    Column("reason", Text, nullable=False),
    Column("mute", Boolean, nullable=False, server_default=false()),  # they may come in, but write and say nothing
)
moderators = _table(
    "moderators",
    Column("person", Text, primary_key=True),  # hash of a guest or a token
    Column("at", BigInteger, nullable=False),
)
erased = _table(
    "erased",
    Column("mark", Text, primary_key=True),  # hash of the hash of a guest or a token: nothing that names it is written
    Column("at", BigInteger, nullable=False),
)
administration = _table(
    "administration",
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),  # a table, a ban or nothing
    Column("deed", Text),  # of what a person did, as the next ones; see ``store/moderation``
    Column("whom", Text),
    Column("why", Text),
    Column("until", BigInteger),
    Column("by", Text),
    Column("name", Text),
)
heads = _table(
    "heads",
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),  # dealt, or pruned
    Column("table", Text, nullable=False),  # not shown to anybody
    Column("head", Text, nullable=False),  # of the table's chain of commitments
    Column("link", Text, nullable=False),  # onto the entry before
    Index("heads_by_table", "table", "head"),
)
processes = _table(
    "processes",
    Column("id", Text, primary_key=True),  # random, of one start of one process
    Column("family", Text, nullable=False),  # the same for processes that can hand each other their connections
    Column("address", Text, nullable=False),  # where other families reach it: host:port
    Column("beat", BigInteger, nullable=False),  # counted up while it lives
)
leases = _table(
    "leases",
    Column("table", Text, primary_key=True),
    Column("process", Text, ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
    Index("leases_by_process", "process"),
)
meta = _table("meta", Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

BASELINE = 10
"""The version to which one script leads from all before it, released or not; 0.1.0 and 0.2.0 have version 3."""

VERSION = 12  # the latest of ``migrations/versions``


def prepare(connection: Connection) -> None:
    """Bring the database to the present version, in the caller's transaction. ``StoreError`` if it was written by a
    newer Tefuda, or is not a database of Tefuda's."""
    found = _version(connection)
    _refuse_newer(found)
    if found < VERSION:
        _migrate(connection, found)
        log.info("the database was of version %s, and is now of version %s", found, VERSION)
        connection.execute(meta.delete().where(meta.c.key == "version"))
        connection.execute(meta.insert().values(key="version", value=str(VERSION)))


def check(connection: Connection, *, older: bool = False) -> None:
    """Make sure that the database is of the present version, or an older one if that will do too, without changing it.
    ``StoreError`` if it is older, newer, or not a database of Tefuda's."""
    if not inspect(connection).has_table("meta"):
        raise StoreError("this is not a database of Tefuda's")
    found = _version(connection)
    _refuse_newer(found)
    if found < VERSION and not older:
        raise StoreError(
            f"the database is of version {found}, this Tefuda needs {VERSION}: start `tefuda serve` on it once, which "
            "brings it up to date"
        )


def _refuse_newer(found: int) -> None:
    if found > VERSION:
        raise StoreError(
            f"the database is of version {found}, this Tefuda reads up to {VERSION}: install a newer Tefuda"
        )


def _migrate(connection: Connection, found: int) -> None:
    """Let Alembic run the scripts after version ``found``."""
    from alembic import command
    from alembic.config import Config

    if found < BASELINE:
        connection.execute(text("DROP TABLE IF EXISTS alembic_version"))  # names a script that is gone
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, str(VERSION))


def add_missing(connection: Connection) -> None:
    """Add the tables, columns and indexes that an older database lacks; what it has stays as it is."""
    metadata.create_all(connection)
    found = inspect(connection)
    for table in metadata.sorted_tables:
        columns = {column["name"] for column in found.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                written = CreateColumn(column).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {written}")
        for index in table.indexes:
            index.create(connection, checkfirst=True)


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
