"""What the commands of ``tefuda admin`` do; ``admin`` declares them."""

import json
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from tefuda.cli import times
from tefuda.cli.json_output import print_json
from tefuda.engine.errors import TefudaError
from tefuda.engine.whole_file import whole
from tefuda.server.live.compiler import GameCompiler
from tefuda.server.store import backups, bans, identities, stored_tables, usual_address
from tefuda.server.store import bans as ban_list
from tefuda.server.store.database import Database, opened
from tefuda.server.store.people import HouseRules
from tefuda.server.store.stored_tables import Person, TableLine, close_table, list_tables, show_table


@dataclass(frozen=True)
class Consent:
    """Whether to do what cannot be undone.

    Attributes:
        yes: nobody need be asked.
        dry_run: only say what would be done.
        as_json: a program reads the output.
    """

    yes: bool
    dry_run: bool
    as_json: bool

    def to(self, what: str) -> bool:
        """Whether to do this; a person is asked.

        Raises:
            TefudaError: nobody can be asked.
        """
        if self.dry_run:
            self.tell({"would": what}, [f"would {what}"])
            return False
        if self.yes:
            return True
        if not sys.stdin.isatty():
            raise TefudaError(f"to {what}, add --yes")
        return typer.confirm(f"{what[0].upper()}{what[1:]}?", err=True)

    def tell(self, data: Any, lines: Iterable[str]) -> None:
        """Print a result, as data or as lines."""
        _tell(self.as_json, data, lines)


@dataclass(frozen=True)
class OldTables:
    """Which tables are old.

    Attributes:
        older_than, finished_before: since when nothing has happened there, in one of two ways.
        unfinished: also those whose game never ended.
    """

    older_than: str | None
    finished_before: str | None
    unfinished: bool

    @property
    def before(self) -> int:
        """Since when, milliseconds since 1970."""
        if self.older_than is not None and self.finished_before is None:
            return times.ago(self.older_than, "--older-than")
        if self.finished_before is not None and self.older_than is None:
            return times.read_day(self.finished_before, "--finished-before")
        raise TefudaError("say either --older-than 90d or --finished-before 2026-08-31")


def tables(db: str | None, game: str | None, phase: str | None, limit: int, as_json: bool) -> None:
    """List tables."""
    with _database(db) as database:
        found = list_tables(database, game=game, phase=phase, limit=limit)
    _tell(as_json, found, map(_table_line, found))


def show(db: str | None, table: str, as_json: bool) -> None:
    """Show one table."""
    with _database(db) as database:
        found = show_table(database, table)
    if as_json:
        print_json(found)
        return
    people = found.pop("people")
    found |= {name: times.written(found[name]) for name in ("began", "at")}
    for name, value in found.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        _say(f"{name:<11}{text}")
    for each in people:
        _say(_person_line(each))


def close(db: str | None, names: list[str], consent: Consent) -> None:
    """Close tables, unless one of them does not exist."""
    with _database(db) as database:
        for name in names:
            show_table(database, name)
        if not consent.to(f"close {_count(len(names), 'table')}: {' '.join(names)}"):
            return
        done = {name: close_table(database, name) for name in names}
    lines = [f"{name}: {'closed' if changed else 'was closed already'}" for name, changed in done.items()]
    consent.tell({"closed": [name for name, changed in done.items() if changed]}, lines)


def ban(db: str | None, whom: str, reason: str, length: str | None, as_json: bool) -> None:
    """Ban somebody."""
    until = None if length is None else times.ahead(length, "--for")
    with _database(db) as database:
        subjects = ban_list.subjects(database, whom)
        ban_list.ban(database, subjects, until, reason)
    _tell(as_json, {"banned": subjects, "until": until}, [f"banned {_until(until)}: {' '.join(subjects)}"])


def unban(db: str | None, whom: str, as_json: bool) -> None:
    """Let somebody in again.

    Raises:
        TefudaError: they were not banned.
    """
    with _database(db) as database:
        subjects = ban_list.subjects(database, whom)
        if not ban_list.unban(database, subjects):
            raise TefudaError(f"{whom} is not banned")
    _tell(as_json, {"unbanned": subjects}, [f"no longer banned: {' '.join(subjects)}"])


def list_bans(db: str | None, as_json: bool) -> None:
    """List who is banned."""
    with _database(db) as database:
        found = ban_list.bans(database)
    _tell(as_json, found, [f"{each.subject}  {_until(each.until)}  {each.reason}".rstrip() for each in found])


def list_house_rules(db: str | None, game: str | None, as_json: bool) -> None:
    """List saved house rules."""
    with _database(db) as database:
        found = bans.house_rules(database, game=game)
    lines = [f"{each.id}  {times.written(each.at)}  {each.game:<12}{each.title}  {_options(each)}" for each in found]
    _tell(as_json, found, map(str.rstrip, lines))


def remove_house_rules(db: str | None, keys: list[str], consent: Consent) -> None:
    """Remove saved house rules, unless one of them does not exist.

    Raises:
        TefudaError: one of them does not exist.
    """
    with _database(db) as database:
        titles = {each.id: each.title for each in bans.house_rules(database)}
        for key in keys:
            if key not in titles:
                raise TefudaError(f"{key}: there are no such house rules")
        named = ", ".join(f"{key} ({titles[key]})" for key in keys)
        if not consent.to(f"remove the house rules {named}"):
            return
        bans.remove_house_rules(database, keys)
    consent.tell({"removed": keys}, [f"removed {named}"])


def export(db: str | None, person: str, output: Path | None) -> None:
    """Write what belongs to a person."""
    with _database(db) as database:
        found = identities.export(database, identities.find_identity(database, person))
    if output is None:
        print_json(found)
    else:
        with whole(output) as file:
            file.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def erase(db: str | None, person: str, consent: Consent) -> None:
    """Erase a person."""
    with _database(db) as database:
        identity = identities.find_identity(database, person)
        where = _count(len(identity.tables), "table")
        if not consent.to(f"erase {' '.join(identity.hashes)} and their names at {where}: {' '.join(identity.tables)}"):
            return
        identities.erase(database, identity)
    consent.tell({"erased": identity}, [f"erased at {where}; older backups and packed records still have the names"])


def prune(db: str | None, old: OldTables, pack: Path | None, delete: bool, consent: Consent) -> None:
    """Pack or delete old tables."""
    before = old.before
    if (pack is None) != delete:
        raise TefudaError("say either --pack PATH or --delete")
    with _database(db) as database:
        lines = stored_tables.old_tables(database, before, old.unfinished)
        what = "delete" if pack is None else f"pack into {pack} and delete"
        if not consent.to(f"{what} {_count(len(lines), 'table')} unchanged since {times.written(before)}"):
            return
        records: list[str] = []
        if pack is not None and lines:
            lines, records = _pack(database, lines, pack)
        deleted = [line.table for line in lines if stored_tables.discard(database, line)]
    told = f"deleted {_count(len(deleted), 'table')}, wrote {_count(len(records), 'record')}"
    consent.tell({"deleted": deleted, "records": records}, [told])


def _pack(database: Database, lines: list[TableLine], path: Path) -> tuple[list[TableLine], list[str]]:
    """Write the records of tables; the tables that can then be deleted, and the names of the records."""
    packed, records = [], []
    with stored_tables.open_archive(path) as archive:
        for line in lines:
            try:
                records += stored_tables.pack(database, line, archive)
            except TefudaError as error:
                sys.stderr.write(f"tefuda: {line.table} is kept: {error}\n")
            else:
                packed.append(line)
    return packed, records


def vacuum(db: str | None, consent: Consent) -> None:
    """Give free space back."""
    with _database(db) as database:
        if not consent.to(f"rewrite {database.name}, while plays wait on SQLite"):
            return
        before, after = backups.vacuum(database)
    consent.tell({"bytes_before": before, "bytes_after": after}, [f"{_size(before)} before, {_size(after)} now"])


def backup(db: str | None, file: Path, consent: Consent) -> None:
    """Make a copy."""
    if (file.exists() or consent.dry_run) and not consent.to(f"{'replace' if file.exists() else 'write'} {file}"):
        return
    with opened(usual_address(db), older=True) as database:
        length = backups.back_up(database, file)
    consent.tell({"file": file, "bytes": length}, [f"{file}: {_size(length)}"])


def restore(db: str | None, file: Path, consent: Consent) -> None:
    """Put a copy back."""
    address = usual_address(db)
    what = "replace the database by" if backups.exists(address) else "make a database from"
    if consent.to(f"{what} {file}"):
        backups.restore(address, file)
        consent.tell({"restored": file}, [f"restored from {file}; start the server now"])


def compile_games(names: list[str]) -> None:
    """Compile games, and the searches of their bots."""
    compiler = GameCompiler(names, lambda game, label, done, steps: _say(f"{game}: {label or 'done'} ({done}/{steps})"))
    compiler.compile_all(searches=True)


def _database(db: str | None) -> AbstractContextManager[Database]:
    return opened(usual_address(db))


def _tell(as_json: bool, data: Any, lines: Iterable[str]) -> None:
    if as_json:
        print_json(data)
        return
    for line in lines:
        _say(line)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


def _table_line(line: TableLine) -> str:
    names, public = ", ".join(name or "–" for name in line.names), "" if line.public else "  unlisted"
    when = times.written(line.at)
    return f"{line.table:<14}{when}  {line.game:<12}{line.phase:<10}{line.events:>6} events  {names}{public}"


def _person_line(person: Person) -> str:
    known = (("guest", person.guest), ("token", person.token))
    who = person.bot or " ".join(f"{kind}:{value}" for kind, value in known if value)
    until = times.written(person.until) if person.until else "now"
    return f"seat {person.seat}     {times.written(person.since)} to {until}  {person.name}  {who}"


def _options(rules: HouseRules) -> str:
    return " ".join(f"{name}={value}" for name, value in rules.options.items())


def _until(until: int | None) -> str:
    return "for good" if until is None else f"until {times.written(until)}"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
