"""The tables of the database; Alembic's scripts in ``migrations`` bring an older one up to date.

``meta`` has the version too. By it older versions of Tefuda refuse a newer database, and a database of the present
version is known without importing Alembic, which would take a third of a second of every start."""

import secrets
from collections.abc import Mapping, Sequence
from logging import getLogger
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import sqlalchemy as sa
from sqlalchemy.schema import CreateColumn

from tefuda.server.store import port

log = getLogger("tefuda.server")

metadata = sa.MetaData()


def _table(name: str, *parts: sa.Column[Any] | sa.Index, of: Sequence[type] = (), keys: Sequence[str] = ()) -> sa.Table:
    """A table of these columns and indexes; one ``of`` records has a column for each further field of theirs, which is
    part of the primary key if it is among ``keys``."""
    given = {part.name for part in parts}
    hints = {field: hint for kind in of for field, hint in get_type_hints(kind, include_extras=True).items()}
    columns = [_column(field, hint, is_key=field in keys) for field, hint in hints.items() if field not in given]
    return sa.Table(name, metadata, *sorted([*parts, *columns], key=lambda part: isinstance(part, sa.Index)))


_TYPES: Mapping[type, Any] = {bool: sa.Boolean, float: sa.Float, int: sa.Integer, str: sa.Text}


def _column(name: str, hint: Any, *, is_key: bool) -> sa.Column[Any]:
    """The column of a field of this type, which is null where the field is None."""
    is_optional = NoneType in get_args(hint)
    kind = get_args(hint)[0] if is_optional else hint
    (found,) = getattr(kind, "__metadata__", None) or (_TYPES[kind],)
    return sa.Column(name, found, primary_key=is_key, nullable=is_optional)


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
    sa.Column("at", sa.BigInteger, nullable=False),  # of the latest deal that was finished
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("deals", sa.Integer, nullable=False),
    sa.Column("over", sa.Boolean, nullable=False),
    sa.Column("practice", sa.Boolean, nullable=False),
    sa.Index("results_by_person", "person", "at"),
    of=[port.SeatResult],
    keys=["seat"],
)
ratings = _table(
    "ratings",
    sa.Column("rated", sa.Text, primary_key=True),  # a person, or a bot
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("pool", sa.Text, primary_key=True),
    of=[port.PlayerRating],
)
house_rules = _table(
    "house_rules",
    sa.Column("options", sa.Text, nullable=False),  # JSON
    sa.Index("house_rules_by_person", "person"),
    of=[port.HouseRules],
    keys=["id"],
)
daily_deals = _table(
    "daily_deals",
    sa.Column("proof", sa.Text, nullable=False),  # JSON: the shuffle, which everybody is dealt
    of=[port.DealOfDay],
    keys=port.DealOfDay._fields,
)
daily_results = _table(
    "daily_results",
    sa.Index("daily_results_by_player", "player", "day"),
    of=[port.DealOfDay, port.DailyResult],
    keys=[*port.DealOfDay._fields, "player"],
)
clubs = _table("clubs", of=[port.Club], keys=["id"])
club_members = _table(
    "club_members",
    sa.Index("club_members_by_person", "person", "club", unique=True),
    of=[port.Member],
    keys=["club", "number"],
)
club_seasons = _table("club_seasons", of=[port.Season], keys=["club", "number"])
passkeys = _table("passkeys", sa.Index("passkeys_by_guest", "guest"), of=[port.Passkey], keys=["id"])
notice_addresses = _table(
    "notice_addresses", sa.Index("notice_addresses_by_guest", "guest", "at"), of=[port.NoticeAddress], keys=["address"]
)
spent_challenges = _table(
    "spent_challenges",
    sa.Column("challenge", sa.Text, primary_key=True),  # answered with a passkey, never again
    sa.Column("until", sa.BigInteger, nullable=False),  # it can be forgotten then
)
answers = _table(
    "answers",
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Index("answers_by_player", "player"),
    of=[port.AnswerTime],
)
bans = _table(
    "bans",
    sa.Column("mute", sa.Boolean, nullable=False, server_default=sa.false()),  # may come in, but write and say nothing
    of=[port.Ban],
    keys=["subject"],
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
        raise port.StoreError("this is not a database of Tefuda's")
    found = _version(connection)
    if found < VERSION and not older:
        raise port.StoreError(
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
            raise port.StoreError("the database has a table 'meta' that is not Tefuda's: name another database")
        if (found := int(value)) > VERSION:
            raise port.StoreError(
                f"the database is of version {found}, this Tefuda reads up to {VERSION}: install a newer Tefuda"
            )
        return found
    if sa.inspect(connection).has_table("events"):
        raise port.StoreError("the database has a table 'events' that is not Tefuda's: name another database")
    connection.execute(sa.text("CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)"))
    connection.execute(meta.insert().values(key="secret", value=secrets.token_hex(32)))
    return 0
