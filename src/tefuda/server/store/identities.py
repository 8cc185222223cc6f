"""The belongings of one person, whom logs know by hashes alone: found, exported, erased."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Column, Connection, delete, or_, select, update

from tefuda.engine.errors import TefudaError
from tefuda.server.store import schema
from tefuda.server.store.database import Database, append_event, log_of, notify, now
from tefuda.server.store.erasures import NAMING, hashes_in, mark
from tefuda.server.store.people import ERASED
from tefuda.server.store.port import JsonObject, StoredRow
from tefuda.server.store.schema import belongings, events, listings, passkeys, results
from tefuda.server.store.sql import read_object, to_json

HASH = re.compile(r"[0-9a-f]{40}")
SEAT = re.compile(r"([a-z0-9]{1,24}):(\d)")

_Left = dict[str, str | None]  # what then stands in a row

_OWNED: dict[str, tuple[Column[Any], _Left | None]] = {
    "results": (results.c.person, {"person": None, "name": ERASED}),
    "ratings": (schema.ratings.c.rated, None),
    "house_rules": (schema.house_rules.c.person, {"person": None}),
    "deals_of_the_day": (schema.daily_results.c.player, None),
    "clubs": (schema.club_members.c.person, {"person": None, "name": ERASED, "face": ""}),
    "passkeys": (passkeys.c.guest, None),
    "notice_addresses": (schema.notice_addresses.c.guest, None),
    "answers": (schema.answers.c.player, {"player": None}),
    "moderator": (schema.moderators.c.person, None),
}
"""The columns that say whose a row is, by the name under which it is exported, with what stands in the row once the
person is erased; None where it is deleted."""

_NOT_EXPORTED: tuple[tuple[Column[Any], _Left | None], ...] = (
    (belongings.c.guest, None),
    (schema.administration.c.by, {"by": ERASED, "name": ERASED}),
)


@dataclass(frozen=True)
class KnownPerson:
    """One person: the hashes of their cookie and their tokens, and the tables where they were host or had a seat."""

    hashes: tuple[str, ...]
    tables: tuple[str, ...]


Find = Callable[[Database, Iterable[str]], KnownPerson]  # finds the person of these hashes


def find_identity(database: Database, named: str) -> KnownPerson:
    """The person of this hash, or the last at this seat (``TABLE:SEAT``).

    Hashes that stand side by side in a log are of one person: their cookie and a token that they were given.
    ``TefudaError`` if there is no such person."""
    with database.engine.connect() as connection:
        hashes = _hashes_named(connection, named)
    return _everywhere(database, hashes)


def _everywhere(database: Database, named: Iterable[str]) -> KnownPerson:
    """The person of these hashes, by all logs."""
    hashes, tables = set(named), set[str]()
    with database.engine.connect() as connection:
        asked: set[str] = set()
        while hashes > asked:
            asked |= hashes
            for row in _naming(connection, asked):
                if asked & (person := _person(row)):
                    hashes |= person
                    tables.add(row.table)
    return KnownPerson(tuple(sorted(hashes)), tuple(sorted(tables)))


def own_identity(database: Database, hashes: Iterable[str]) -> KnownPerson:
    """The person who shows that these hashes are theirs, one of them a guest's; found without a look at the logs of
    other tables."""
    own = set(hashes)
    with database.engine.connect() as connection:
        belonging = select(belongings.c.table).where(belongings.c.guest.in_(own))
        played = select(results.c.table).where(results.c.person.in_(own))
        tables = {*connection.scalars(belonging), *connection.scalars(played)}
        for table in tables:
            for person in map(_person, log_of(connection, table)):
                own |= person if person & own else set()
    return KnownPerson(tuple(sorted(own)), tuple(sorted(tables)))


def export(database: Database, identity: KnownPerson) -> JsonObject:
    """Export all that the database holds about a person: the seats they had, all that they did there, and what followed
    from it."""
    with database.engine.connect() as connection:
        tables = {
            table: [
                {"seq": row.seq, "at": row.at, "kind": row.kind, **body}
                for row, body, is_theirs in _told(log_of(connection, table), identity)
                if is_theirs
            ]
            for table in identity.tables
        }
        theirs = {name: select(whose.table).where(whose.in_(identity.hashes)) for name, (whose, _) in _OWNED.items()}
        people = {name: [dict(row._mapping) for row in connection.execute(query)] for name, query in theirs.items()}
    return {"hashes": identity.hashes, "tables": tables, **people}


def erase(database: Database, identity: KnownPerson, find: Find = _everywhere) -> KnownPerson:
    """Remove a person's names and hashes everywhere; the plays stay, so that records and replays of others do.

    At a table that is not closed they leave their seat. Bans of their hashes stay. Nothing that a process of the server
    is about to write brings them back; see ``store/erasures``. ``find`` finds what has come to be known of them since
    ``identity`` was found. Returns the person, with all their hashes and tables."""
    marked: KnownPerson | None = None
    while marked is None or marked.hashes != identity.hashes:  # what was written meanwhile may name another of theirs
        marked = identity
        database.change(partial(_mark, database=database, hashes=identity.hashes))
        identity = find(database, identity.hashes)
    for table in identity.tables:
        database.change(partial(_erase_at, table=table, identity=identity))
    database.change(partial(_erase_beside_logs, identity=identity))
    return identity


def _mark(connection: Connection, database: Database, hashes: Iterable[str]) -> None:
    mark(connection, database.insert, hashes, now())
    notify(connection, "erased")


def _erase_beside_logs(connection: Connection, identity: KnownPerson) -> None:
    for whose, left in (*_OWNED.values(), *_NOT_EXPORTED):
        changed = delete(whose.table) if left is None else update(whose.table).values(left)
        connection.execute(changed.where(whose.in_(identity.hashes)))
    about = or_(*map(schema.administration.c.subject.contains, identity.hashes))
    connection.execute(update(schema.administration).where(about).values(whom=ERASED))


def _erase_at(connection: Connection, table: str, identity: KnownPerson) -> None:
    log = log_of(connection, table)
    is_closed = any(row.kind == "closed" for row in log)
    for seat in () if is_closed else _seats(log, identity):
        append_event(connection, table, "left", to_json({"seat": seat}))
    names: set[tuple[int, str]] = set()
    for row, body, is_theirs in _told(log_of(connection, table), identity):
        is_about = row.kind == "reported" and body["of"] in {seat for seat, _ in names}
        if not is_theirs and not is_about:
            continue
        if row.kind == "seated":
            names.add((body["seat"], body["name"]))
            body |= {"name": ERASED, "guest": None, "token": None}
            body.pop("face", None)
        body |= {name: ERASED for name in ("text", "note") if body.get(name)}
        if row.kind == "created":
            body["host"] = {"guest": None, "token": None}
        body.pop("key", None)  # a hash that the order was given under
        changed = update(events).where(events.c.table == table, events.c.seq == row.seq)
        connection.execute(changed.values(body=to_json(body)))
    _erase_listing(connection, table, names, is_closed)
    notify(connection, "rewritten", table)


def _seats(log: Iterable[StoredRow], identity: KnownPerson) -> list[int]:
    """The seats that they have at the end of a log."""
    seats: set[int] = set()
    for row, body, is_theirs in _told(log, identity):
        if row.kind in ("seated", "left"):
            seats.discard(body["seat"])
        if row.kind == "seated" and is_theirs:
            seats.add(body["seat"])
    return sorted(seats)


def _erase_listing(connection: Connection, table: str, names: Iterable[tuple[int, str]], is_closed: bool) -> None:
    """Take their names, each of a seat, out of what the list of tables shows; a server that has the table makes it
    anew. The list may be behind the log."""
    summary = read_object(connection.scalar(select(listings.c.summary).where(listings.c.table == table)) or "")
    if summary is None:
        return
    for seat, name in names:
        if summary["seats"][seat]["name"] == name:
            summary["seats"][seat]["name"] = ERASED if is_closed else ""
    connection.execute(update(listings).where(listings.c.table == table).values(summary=to_json(summary)))


def _hashes_named(connection: Connection, named: str) -> set[str]:
    if HASH.fullmatch(named):
        has_played = connection.scalar(select(results.c.table).where(results.c.person == named).limit(1))
        has_passkey = connection.scalar(select(passkeys.c.id).where(passkeys.c.guest == named).limit(1))
        if not has_played and not has_passkey and not list(_naming(connection, {named})):
            raise TefudaError(f"{named}: no table knows this hash")
        return {named}
    at = SEAT.fullmatch(named)
    if not at:
        raise TefudaError(f"{named!r} is no address, no hash (40 digits) and no seat, such as abcdefghijkm:0")
    seated = [read_object(row.body) for row in log_of(connection, at[1]) if row.kind == "seated"]
    taken = [body for body in seated if body is not None and body["seat"] == int(at[2])]
    hashes = {each for each in (taken[-1].get("guest"), taken[-1].get("token")) if each} if taken else set()
    if not hashes:
        raise TefudaError(f"{named}: nobody is known to have had this seat")
    return hashes


def _naming(connection: Connection, hashes: Iterable[str]) -> list[StoredRow]:
    """The events that say who opened a table or took a seat, and name one of these hashes."""
    named = or_(*(events.c.body.contains(each) for each in hashes))
    return list(connection.execute(select(events).where(events.c.kind.in_(NAMING), named)))


def _person(row: StoredRow) -> set[str]:
    return set(hashes_in(row.kind, row.body).values())


def _told(log: Iterable[StoredRow], identity: KnownPerson) -> Iterator[tuple[StoredRow, JsonObject, bool]]:
    """Each event with its body, and True if it tells of this person: from taking a seat to leaving it."""
    seats: set[int] = set()
    hashes = set(identity.hashes)
    for row in log:
        body = read_object(row.body)
        if body is None:  # damaged: it names no one who could be known
            continue
        if row.kind == "seated":
            seats.discard(body["seat"])
            if _person(row) & hashes:
                seats.add(body["seat"])
        is_theirs = body.get("seat") in seats or (row.kind == "created" and bool(_person(row) & hashes))
        if row.kind == "left":
            seats.discard(body["seat"])
        yield row, body, is_theirs
