"""Decisions of a host about people: bans, by address, network or hash; house rules that are removed."""

import ipaddress
import re
from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, or_, select

from tefuda.engine.errors import TefudaError
from tefuda.server.store import schema
from tefuda.server.store.database import Database, notify, now
from tefuda.server.store.identities import find_identity
from tefuda.server.store.people import HouseRules, house_rules_of
from tefuda.server.store.port import Ban
from tefuda.server.store.sql import ban_of

_ADDRESS = re.compile(r"[0-9.]+(/\d+)?|[0-9a-fA-F.]*:[0-9a-fA-F:.]*(/\d+)?")


def subjects(database: Database, named: str) -> list[str]:
    """The subjects of a ban: an address or a network in one form, or the hashes of an identity. ``TefudaError`` if it
    is neither."""
    if not _ADDRESS.fullmatch(named) or re.fullmatch(r"[a-z0-9]{12}:\d", named):
        return list(find_identity(database, named).hashes)
    try:
        network = ipaddress.ip_network(named, strict=False)
    except ValueError as error:
        raise TefudaError(f"{named} is no address or network: {error}") from None
    return [str(network.network_address) if network.num_addresses == 1 else str(network)]


def ban(database: Database, subjects: list[str], until: int | None, reason: str) -> None:
    """Keep these subjects out until a time in milliseconds since 1970, or for good; they are told the reason."""

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
    return database.fetch(select(schema.bans).where(lasting).order_by(schema.bans.c.at.desc()), ban_of)


def house_rules(database: Database, *, game: str | None = None) -> list[HouseRules]:
    """All of them, or those of one game, the latest first."""
    query = select(schema.house_rules).order_by(schema.house_rules.c.at.desc())
    return database.fetch(query if game is None else query.where(schema.house_rules.c.game == game), house_rules_of)


def remove_house_rules(database: Database, keys: Sequence[str]) -> int:
    """Remove house rules of all people; how many there were. Tables opened by them go on."""

    def work(connection: Connection) -> int:
        notify(connection, "house-rules", " ".join(keys))
        return connection.execute(delete(schema.house_rules).where(schema.house_rules.c.id.in_(keys))).rowcount

    return database.change(work)
