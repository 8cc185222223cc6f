"""Moderation: deeds of moderators and of the host, each written down with what it does, in one transaction."""

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, or_, select, update

from tefuda.engine.errors import TefudaError
from tefuda.server.store.database import Database, append_event, log_of, notify, now
from tefuda.server.store.identities import find_identity
from tefuda.server.store.port import Ban
from tefuda.server.store.schema import administration, bans, house_rules, listings, moderators
from tefuda.server.store.sql import read_object, to_json

_ADDRESS = re.compile(r"[0-9.]+(/\d+)?|[0-9a-fA-F.]*:[0-9a-fA-F:.]*(/\d+)?")

UNDO = {"ban": "unban", "mute": "unban", "hide": "show", "done": "reopen"}  # what undoes a deed


class Deed(NamedTuple):
    """Something done to a ``subject``: the subjects of a ban, parted by blanks; a table; a report, ``TABLE:SEQ``; the
    key of house rules."""

    deed: str
    subject: str
    whom: str = ""  # the name of the person, as it was seen
    why: str = ""  # whoever is kept out or muted is told so
    until: int | None = None  # milliseconds since 1970; for good if there is none
    by: str = ""  # the hash of a moderator, empty for the host at a shell; ``name`` is what they are called
    name: str = ""
    at: int = 0  # milliseconds since 1970


def do(database: Database, deed: Deed) -> bool:
    """Do something, and write it down; False if it was so already. ``TefudaError`` if there is no such table."""

    def work(connection: Connection) -> bool:
        action, change = _DEEDS[deed.deed]
        changed = change(connection, deed)
        if changed:
            notify(connection, action, **deed._replace(at=now())._asdict())
        return changed

    return database.change(work)


def deeds(database: Database, limit: int = 0) -> list[Deed]:
    """The deeds, the latest first, at most ``limit`` deeds (0: all)."""
    columns = [administration.c[name] for name in Deed._fields]
    query = select(*columns).where(administration.c.deed.is_not(None)).order_by(administration.c.number.desc())
    return database.fetch(query.limit(limit or None), lambda row: Deed(**row._mapping))


def done_reports(database: Database) -> set[str]:
    """The reports that are done with, as ``TABLE:SEQ``."""
    latest = {each.subject: each.deed for each in reversed(deeds(database)) if each.deed in ("done", "reopen")}
    return {report for report, deed in latest.items() if deed == "done"}


def list_moderators(database: Database) -> Mapping[str, int]:
    """The moderators' hashes, with when each was made one, in milliseconds since 1970."""
    return dict(database.fetch(select(moderators).order_by(moderators.c.at), lambda row: (row.person, row.at)))


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


def list_bans(database: Database) -> list[Ban]:
    """The bans and mutes that have not run out, the latest first."""
    lasting = or_(bans.c.until.is_(None), bans.c.until > now())
    return database.fetch(select(bans).where(lasting).order_by(bans.c.at.desc()), lambda row: Ban(**row._mapping))


def _keep_out(connection: Connection, deed: Deed) -> bool:
    _let_in(connection, deed)
    row = {"at": now(), "until": deed.until, "reason": deed.why, "mute": deed.deed == "mute"}
    connection.execute(insert(bans), [{"subject": each, **row} for each in deed.subject.split()])
    return True


def _let_in(connection: Connection, deed: Deed) -> bool:
    return connection.execute(delete(bans).where(bans.c.subject.in_(deed.subject.split()))).rowcount > 0


def _close(connection: Connection, deed: Deed) -> bool:
    kinds = {row.kind for row in log_of(connection, deed.subject)}
    if not kinds:
        raise TefudaError(f"{deed.subject}: there is no such table")
    if "closed" in kinds:
        return False
    append_event(connection, deed.subject, "closed", "{}")
    here = listings.c.table == deed.subject
    shown = read_object(connection.scalar(select(listings.c.summary).where(here)) or "")
    if shown is not None:
        closed = update(listings).where(here)
        connection.execute(closed.values(public=False, summary=to_json({**shown, "phase": "closed"})))
    return True


def _hide(connection: Connection, deed: Deed) -> bool:
    """Keep a table out of the list, or let it be there again."""
    here, hides = listings.c.table == deed.subject, deed.deed == "hide"
    if connection.scalar(select(listings.c.hidden).where(here)) is None:
        raise TefudaError(f"{deed.subject}: there is no such table")
    other = here & (listings.c.hidden != hides)
    return connection.execute(update(listings).where(other).values(hidden=hides)).rowcount > 0


def _remove_rules(connection: Connection, deed: Deed) -> bool:
    return connection.execute(delete(house_rules).where(house_rules.c.id == deed.subject)).rowcount > 0


def _appoint(connection: Connection, deed: Deed) -> bool:
    hashes = deed.subject.split()
    gone = connection.execute(delete(moderators).where(moderators.c.person.in_(hashes))).rowcount
    if deed.deed == "add_moderator":
        connection.execute(insert(moderators), [{"person": each, "at": now()} for each in hashes])
        return gone < len(hashes)
    return gone > 0


_DEEDS: dict[str, tuple[str, Callable[[Connection, Deed], bool]]] = {
    "ban": ("bans", _keep_out),
    "mute": ("bans", _keep_out),
    "unban": ("bans", _let_in),
    "close": ("changed", _close),
    "hide": ("listings", _hide),
    "show": ("listings", _hide),
    "done": ("reports", lambda *_: True),  # what is written down is all
    "reopen": ("reports", lambda *_: True),
    "remove_rules": ("house-rules", _remove_rules),
    "add_moderator": ("moderators", _appoint),
    "remove_moderator": ("moderators", _appoint),
}
