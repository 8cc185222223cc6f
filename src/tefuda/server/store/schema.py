"""The tables of the database; Alembic's scripts in ``migrations`` bring an older one up to date.

``meta`` has the version too. By it older versions of Tefuda refuse a newer database, and a database of the present
version is known without importing Alembic, which would take a third of a second of every start."""

import secrets
from logging import getLogger
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.schema import CreateColumn

from tefuda.server.store.port import StoreError

log = getLogger("tefuda.server")

metadata = sa.MetaData()


def _table(name: str, *parts: sa.Column[Any] | sa.Index) -> sa.Table:
    return sa.Table(name, metadata, *parts)


events = _table(
    "events",
    sa.Column("table", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("id", sa.Text, nullable=False),  # random, tells a writer whether a commit that was cut off has happened
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),  # JSON
)
listings = _table(
    "listings",
    sa.Column("table", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("summary", sa.Text, nullable=False),  # JSON
    sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()),  # by a moderator, even a public one
    sa.Column("due", sa.BigInteger),  # when something happens at a slow table by itself; none if nothing does
    sa.Index("listings_by_time", "public", "at"),
    sa.Index("listings_by_due", "due"),
)
belongings = _table(
    "belongings",
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("table", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer),  # that they have now; none if they have left it, or never had one
    sa.Column("host", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("belongings_by_table", "table"),
)
results = _table(
    "results",
    sa.Column("table", sa.Text, primary_key=True),
    sa.Column("session", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),  # of the latest deal that was finished
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("deals", sa.Integer, nullable=False),
    sa.Column("over", sa.Boolean, nullable=False),
    sa.Column("practice", sa.Boolean, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("person", sa.Text),  # hash of a guest, else of a token; none for bots and those who are forgotten
    sa.Column("bot", sa.Text),
    sa.Column("side", sa.Integer, nullable=False),
    sa.Column("points", sa.Float, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Index("results_by_person", "person", "at"),
)
ratings = _table(
    "ratings",
    sa.Column("rated", sa.Text, primary_key=True),  # a person, or a bot
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("pool", sa.Text, primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
)
house_rules = _table(
    "house_rules",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("person", sa.Text),  # who saved them; none if they are forgotten
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("options", sa.Text, nullable=False),  # JSON
    sa.Index("house_rules_by_person", "person"),
)
daily_deals = _table(
    "daily_deals",
    sa.Column("day", sa.Text, primary_key=True),  # of universal time, as 2026-11-23
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("proof", sa.Text, nullable=False),  # JSON: the shuffle, which everybody is dealt
)
daily_results = _table(
    "daily_results",
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("player", sa.Text, primary_key=True),  # hash of a guest, else of a token; or "bot" and its spec
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("points", sa.Float, nullable=False),
    sa.Column("table", sa.Text, nullable=False),  # empty for bots
    sa.Index("daily_results_by_player", "player", "day"),
)
clubs = _table(
    "clubs",
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
)
club_members = _table(
    "club_members",
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("person", sa.Text),  # hash of a guest, else of a token; none for those who have left or are forgotten
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("face", sa.Text, nullable=False),
    sa.Index("club_members_by_person", "person", "club", unique=True),
)
club_seasons = _table(
    "club_seasons",
    sa.Column("club", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("options", sa.Text, nullable=False),  # JSON
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("deals", sa.Integer, nullable=False),  # of a round
    sa.Column("played", sa.Text, nullable=False),  # JSON: the rounds, their tables, and the numbers of members by seat
)
passkeys = _table(
    "passkeys",
    sa.Column("id", sa.Text, primary_key=True),  # of the credential, base64url
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("public_key", sa.Text, nullable=False),  # COSE, base64url
    sa.Column("counter", sa.BigInteger, nullable=False),  # of signatures
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("face", sa.Text, nullable=False),
    sa.Index("passkeys_by_guest", "guest"),
)
notice_addresses = _table(
    "notice_addresses",
    sa.Column("address", sa.Text, primary_key=True),  # of a browser at its push service, or of a mailbox
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("p256dh", sa.Text, nullable=False),  # a browser's public key, base64url, like the secret with it
    sa.Column("auth", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("notice_addresses_by_guest", "guest", "at"),
)
spent_challenges = _table(
    "spent_challenges",
    sa.Column("challenge", sa.Text, primary_key=True),  # answered with a passkey, never again
    sa.Column("until", sa.BigInteger, nullable=False),  # it can be forgotten then
)
answers = _table(
    "answers",
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("word", sa.Text, nullable=False),
    sa.Column("player", sa.Text),  # hash of a guest, else of a token; none for those who are forgotten
    sa.Column("seconds", sa.Float, nullable=False),
    sa.Index("answers_by_player", "player"),
)
bans = _table(
    "bans",
    sa.Column("subject", sa.Text, primary_key=True),  # an address, a network or the hash of a guest or token
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger),  # milliseconds since 1970; for good if there is none
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("mute", sa.Boolean, nullable=False, server_default=sa.false()),  # may come in, but write and say nothing
)
moderators = _table(
    "moderators",
    sa.Column("person", sa.Text, primary_key=True),  # hash of a guest or a token
    sa.Column("at", sa.BigInteger, nullable=False),
)
erased = _table(
    "erased",
    sa.Column("mark", sa.Text, primary_key=True),  # hash of the hash of a guest or a token, which is written nowhere
    sa.Column("at", sa.BigInteger, nullable=False),
)
administration = _table(
    "administration",
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),  # a table, a ban or nothing
    sa.Column("deed", sa.Text),  # of what a person did, as the next ones; see ``store/moderation``
    sa.Column("whom", sa.Text),
    sa.Column("why", sa.Text),
    sa.Column("until", sa.BigInteger),
    sa.Column("by", sa.Text),
    sa.Column("name", sa.Text),
)
heads = _table(
    "heads",
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),  # dealt, or pruned
    sa.Column("table", sa.Text, nullable=False),  # not shown to anybody
    sa.Column("head", sa.Text, nullable=False),  # of the table's chain of commitments
    sa.Column("link", sa.Text, nullable=False),  # onto the entry before
    sa.Index("heads_by_table", "table", "head"),
)
processes = _table(
    "processes",
    sa.Column("id", sa.Text, primary_key=True),  # random, of one start of one process
    sa.Column("family", sa.Text, nullable=False),  # the same for processes that can hand each other their connections
    sa.Column("address", sa.Text, nullable=False),  # where other families reach it: host:port
    sa.Column("beat", sa.BigInteger, nullable=False),  # counted up while it lives
)
leases = _table(
    "leases",
    sa.Column("table", sa.Text, primary_key=True),
    sa.Column("process", sa.Text, sa.ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
    sa.Index("leases_by_process", "process"),
)
meta = _table("meta", sa.Column("key", sa.Text, primary_key=True), sa.Column("value", sa.Text, nullable=False))

BASELINE = 12
"""The version to which one script leads from all before it, released or not; 0.1.0 and 0.2.0 have version 3, 0.3.0 has
version 10."""

VERSION = 12  # the latest of ``migrations/versions``


def prepare(connection: sa.Connection) -> None:
    """Bring the database to the present version, in the caller's transaction. ``StoreError`` if it was written by a
    newer Tefuda, or is not a database of Tefuda's."""
    found = _version(connection)
    if found < VERSION:
        _migrate(connection, found)
        log.info("the database was of version %s, and is now of version %s", found, VERSION)
        connection.execute(meta.delete().where(meta.c.key == "version"))
        connection.execute(meta.insert().values(key="version", value=str(VERSION)))


def check(connection: sa.Connection, *, older: bool = False) -> None:
    """Make sure that the database is of the present version, or an older one if that will do too, without changing it.
    ``StoreError`` if it is older, newer, or not a database of Tefuda's."""
    if not sa.inspect(connection).has_table("meta"):
        raise StoreError("this is not a database of Tefuda's")
    found = _version(connection)
    if found < VERSION and not older:
        raise StoreError(
            f"the database is of version {found}, this Tefuda needs {VERSION}: start `tefuda serve` on it once, which "
            "brings it up to date"
        )


def _migrate(connection: sa.Connection, found: int) -> None:
    """Let Alembic run the scripts after version ``found``."""
    from alembic import command
    from alembic.config import Config

    if found < BASELINE:
        connection.execute(sa.text("DROP TABLE IF EXISTS alembic_version"))  # names a script that is gone
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, str(VERSION))


def add_missing(connection: sa.Connection) -> None:
    """Add the tables, columns and indexes that an older database lacks; what it has stays as it is."""
    metadata.create_all(connection)
    found = sa.inspect(connection)
    for table in metadata.sorted_tables:
        columns = {column["name"] for column in found.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                written = CreateColumn(column).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {written}")
        for index in table.indexes:
            index.create(connection, checkfirst=True)


def _version(connection: sa.Connection) -> int:
    """The version of the database, which is no newer; 0 for an empty one, whose table ``meta`` is made here."""
    if sa.inspect(connection).has_table("meta"):
        value = connection.scalar(sa.select(meta.c.value).where(meta.c.key == "version"))
        if value is None or not value.isdecimal():
            raise StoreError("the database has a table 'meta' that is not Tefuda's: name another database")
        if (found := int(value)) > VERSION:
            raise StoreError(
                f"the database is of version {found}, this Tefuda reads up to {VERSION}: install a newer Tefuda"
            )
        return found
    if sa.inspect(connection).has_table("events"):
        raise StoreError("the database has a table 'events' that is not Tefuda's: name another database")
    connection.execute(sa.text("CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)"))
    connection.execute(meta.insert().values(key="secret", value=secrets.token_hex(32)))
    return 0
