"""The tables of a server: listed, looked at, closed, deleted."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from tefuda.engine.errors import TefudaError
from tefuda.server.store.database import Database, append_event, notify
from tefuda.server.store.schema import belongings, events, listings
from tefuda.server.store.sql import read_object


@dataclass(frozen=True)
class TableLine:
    """One table in the list.

    Attributes:
        table, game, phase: its name, what is played there and how far.
        names: by seat; empty where nobody sits.
        public: whether anybody may see it in the list of tables.
        deals: dealt in the present session.
        events: of its log.
        began, at: of the first and the latest, milliseconds since 1970.
    """

    table: str
    game: str
    phase: str
    names: tuple[str, ...]
    public: bool
    deals: int
    events: int
    began: int
    at: int


@dataclass(frozen=True)
class Person:
    """Somebody who has had a seat.

    Attributes:
        seat, name: theirs.
        since, until: when they took it and left it, milliseconds since 1970.
        bot: which bot; None for a person.
        guest, token: hashes of a person.
    """

    seat: int
    name: str
    since: int
    until: int | None
    bot: str | None
    guest: str | None
    token: str | None


def list_tables(
    database: Database, *, game: str | None = None, phase: str | None = None, before: int | None = None, limit: int = 0
) -> list[TableLine]:
    """The tables, the latest changed first.

    Args:
        database: of the server.
        game, phase: these only.
        before: only those whose latest event is older, milliseconds since 1970.
        limit: at most so many; 0 for all.
    """
    found = []
    with database.engine.connect() as connection:
        for line in _lines(connection):
            if game in (None, line.game) and phase in (None, line.phase) and (before is None or line.at < before):
                found.append(line)
                if len(found) == limit:
                    break
    return found


def show_table(database: Database, table: str) -> dict[str, Any]:
    """One table: how it was opened, who sat there and when, what happened; ``damaged`` are events that nobody can read,
    without which nobody can play on.

    Raises:
        TefudaError: there is none.
    """
    with database.engine.connect() as connection:
        log = connection.execute(select(events).where(events.c.table == table).order_by(events.c.seq)).all()
    if not log:
        raise TefudaError(f"{table}: there is no such table")
    people: list[Person] = []
    bodies = [read_object(row.body) for row in log]
    for row, body in zip(log, bodies, strict=True):
        if body is None:
            continue
        if row.kind in ("seated", "left"):
            people = [_left(each, row.at) if each.seat == body["seat"] and not each.until else each for each in people]
        if row.kind == "seated":
            who = {name: body.get(name) for name in ("bot", "guest", "token")}
            people.append(Person(body["seat"], body["name"], row.at, None, **who))
    settings = {name: value for name, value in (bodies[0] or {}).items() if name not in ("key", "invite")}
    damaged = [row.seq for row, body in zip(log, bodies, strict=True) if body is None]
    return {
        **settings,
        "events": len(log),
        **({"damaged": damaged} if damaged else {}),
        "bytes": sum(len(row.body.encode()) for row in log),
        "began": log[0].at,
        "at": log[-1].at,
        "kinds": dict(Counter(row.kind for row in log)),
        "people": people,
    }


def close_table(database: Database, table: str) -> bool:
    """Close a table for good, whatever is played there; False if it was closed already.

    Raises:
        TefudaError: there is none.
    """
    return database.change(partial(_close, table=table))


def delete_tables(connection: Connection, tables: Sequence[str]) -> None:
    """Remove tables and all that belongs to them, in the caller's transaction."""
    for each in (events, listings, belongings):
        connection.execute(delete(each).where(each.c.table.in_(tables)))
    for table in tables:
        notify(connection, "rewritten", table)


def _close(connection: Connection, table: str) -> bool:
    kinds = set(connection.scalars(select(events.c.kind).where(events.c.table == table)))
    if not kinds:
        raise TefudaError(f"{table}: there is no such table")
    if "closed" in kinds:
        return False
    append_event(connection, table, "closed", "{}")
    text = connection.scalar(select(listings.c.summary).where(listings.c.table == table))
    shown = None if text is None else read_object(text)
    if shown is not None:
        summary = json.dumps({**shown, "phase": "closed"}, ensure_ascii=False, separators=(",", ":"))
        closed = update(listings).where(listings.c.table == table)
        connection.execute(closed.values(public=False, summary=summary))
    notify(connection, "changed", table)
    return True


def _lines(connection: Connection) -> Iterator[TableLine]:
    """All tables. Those that the server has not listed yet have neither phase nor names."""
    first, last = func.min(events.c.at).label("began"), func.max(events.c.at).label("at")
    grouped = select(events.c.table, func.count().label("events"), first, last).group_by(events.c.table).subquery()
    query = select(grouped, listings.c.summary, listings.c.public)
    query = query.outerjoin(listings, listings.c.table == grouped.c.table)
    for row in connection.execute(query.order_by(grouped.c.at.desc())):
        summary = read_object(row.summary or "{}") or {}  # of a damaged one the log still tells
        names = tuple(each["name"] for each in summary.get("seats", ()))
        yield TableLine(
            row.table, summary.get("game", ""), summary.get("phase", ""), names, bool(row.public),
            summary.get("deals", 0), row.events, row.began, row.at,
        )  # fmt: skip


def _left(person: Person, at: int) -> Person:
    return Person(person.seat, person.name, person.since, at, person.bot, person.guest, person.token)
