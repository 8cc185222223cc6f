"""Who is kept out: addresses, networks, and people by their hashes."""

import ipaddress
import re

from sqlalchemy import Connection, delete, insert, or_, select

from tefuda.engine.errors import TefudaError
from tefuda.server.store import schema
from tefuda.server.store.database import Database, notify, now
from tefuda.server.store.identities import find_identity
from tefuda.server.store.port import Ban
from tefuda.server.store.sql import ban_of

_ADDRESS = re.compile(r"[0-9.]+(/\d+)?|[0-9a-fA-F.]*:[0-9a-fA-F:.]*(/\d+)?")


def subjects(database: Database, named: str) -> list[str]:
    """What is banned: an address or a network in one form, or the hashes of an identity.

    Raises:
        TefudaError: it is neither.
    """
    if not _ADDRESS.fullmatch(named) or re.fullmatch(r"[a-z0-9]{12}:\d", named):
        return list(find_identity(database, named).hashes)
    try:
        network = ipaddress.ip_network(named, strict=False)
    except ValueError as error:
        raise TefudaError(f"{named} is no address or network: {error}") from None
    return [str(network.network_address) if network.num_addresses == 1 else str(network)]


def ban(database: Database, subjects: list[str], until: int | None, reason: str) -> None:
    """Keep them out from now on.

    Args:
        database: of the server.
        subjects: see ``subjects``.
        until: when it ends, milliseconds since 1970; never if None.
        reason: what they are told.
    """

    def work(connection: Connection) -> None:
        connection.execute(delete(schema.bans).where(schema.bans.c.subject.in_(subjects)))
        rows = [{"subject": each, "at": now(), "until": until, "reason": reason} for each in subjects]
        connection.execute(insert(schema.bans), rows)
        notify(connection, "bans", " ".join(subjects))

    database.change(work)


def unban(database: Database, subjects: list[str]) -> int:
    """Let them in again; how many of them were banned."""

    def work(connection: Connection) -> int:
        notify(connection, "bans", " ".join(subjects))
        return connection.execute(delete(schema.bans).where(schema.bans.c.subject.in_(subjects))).rowcount

    return database.change(work)


def bans(database: Database) -> list[Ban]:
    """Those that have not run out, the latest first."""
    lasting = or_(schema.bans.c.until.is_(None), schema.bans.c.until > now())
    with database.engine.connect() as connection:
        query = select(schema.bans).where(lasting).order_by(schema.bans.c.at.desc())
        return [ban_of(row) for row in connection.execute(query)]
