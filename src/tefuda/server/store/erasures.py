"""Marks of people who have been erased, and what these forbid.

A process may still know a person whom another has just erased: their seat, a result that it is writing, a name they
have typed. So each hash that is erased leaves a mark, and every write that names a person reads the marks first, in its
own transaction. ``mark`` waits for the transactions that have read them before; when it has committed, all that was
ever written of the person can be found, and nothing more will be.

In SQLite writers take turns. In PostgreSQL readers of marks lock the table ``erased`` for each other (``FOR SHARE``),
``mark`` locks it for itself; a dump of the database gets in the way of neither. Read the marks before anything else is
locked, else two transactions may wait for each other."""

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table, delete, select, text

from tefuda.server.store.port import Erased, JsonObject
from tefuda.server.store.schema import belongings, erased

KEPT = 366 * 24 * 3600 * 1000  # milliseconds for which a mark is kept: longer than a browser keeps the cookie

DialectInsert = Callable[[Table], Any]  # ``insert`` of a dialect that knows ``ON CONFLICT``

Rows = list[JsonObject]  # the rows of one append

Kept = list[Exception | None]  # the reason why each append was not kept, None for those that were

NAMING = ("created", "seated")  # the kinds of events that name a person


def mark_of(hashed: str) -> str:
    """The mark of a hash: by it only the bearer of the cookie or the token is known."""
    return sha256(f"tefuda erased {hashed}".encode()).hexdigest()[:40]


def hashes_in(kind: str, body: str) -> dict[str, str]:
    """The hashes of the person whom an event names, of their cookie (``guest``) and token; its body is JSON."""
    if kind not in NAMING:
        return {}
    try:
        told = json.loads(body)
    except ValueError:  # damaged
        return {}
    person = told.get("host", {}) if kind == "created" else told
    return {name: person[name] for name in ("guest", "token") if person.get(name)}


def erased_among(connection: Connection, hashes: Iterable[str | None]) -> set[str]:
    """Find those of these hashes that have been erased; no others will be before the caller's transaction has ended."""
    asked = {mark_of(each): each for each in hashes if each}
    query = select(erased.c.mark).where(erased.c.mark.in_(asked)).with_for_update(read=True)
    return {asked[each] for each in connection.scalars(query)} if asked else set()


def mark(connection: Connection, insert: DialectInsert, hashes: Iterable[str], at: int) -> None:
    """Mark the hashes of a person as erased ``at`` this time (milliseconds since 1970), in a transaction that does
    nothing else."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE erased IN EXCLUSIVE MODE"))
    connection.execute(delete(erased).where(erased.c.at < at - KEPT))
    connection.execute(insert(erased).on_conflict_do_nothing(), [{"mark": mark_of(each), "at": at} for each in hashes])


def names_a_person(rows: Rows) -> bool:
    """Tell if one of these rows of a log names a person."""
    return any(row["kind"] in NAMING for row in rows)


def append_naming(
    connection: Connection, insert: DialectInsert, appends: list[Rows], append: Callable[[list[Rows]], Kept]
) -> Kept:
    """Append to logs, where some rows name people: what names one who has been erased is not kept. By what is kept
    the table belongs to the guests named, so that their erasure finds it; the list of tables adds what they have there.

    ``connection`` is in a transaction, on which ``append`` keeps ``appends``, each of one table, whole or not at all.
    """
    named = [[hashes_in(row["kind"], row["body"]) for row in rows] for rows in appends]
    gone = erased_among(connection, (each for people in named for person in people for each in person.values()))
    refused = [any(gone & {*person.values()} for person in people) for people in named]
    told = iter(append([rows for rows, is_refused in zip(appends, refused, strict=True) if not is_refused]))
    kept: Kept = [Erased() if is_refused else next(told) for is_refused in refused]
    guests = {
        (person["guest"], rows[0]["table"])
        for rows, people, error in zip(appends, named, kept, strict=True)
        for person in people
        if error is None and "guest" in person
    }
    if guests:
        rows = [{"guest": guest, "table": table} for guest, table in sorted(guests)]
        connection.execute(insert(belongings).on_conflict_do_nothing(), rows)
    return kept
