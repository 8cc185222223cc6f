"""``tefuda admin``: a host's commands for the database of a server, whether it runs or not."""

import json
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from time import time_ns
from typing import Annotated

import typer
from typer import Argument, Option

from tefuda.cli.parameters import SEVERAL_GAMES, AsJson, Commands, later
from tefuda.cli.standard_streams import print_json
from tefuda.engine.errors import TefudaError, needed_by
from tefuda.engine.files import whole

with later():
    from tefuda.server import store
    from tefuda.server.live import compiler
    from tefuda.server.store import backups, database, identities, moderation, stored_tables

app = Commands(help="A host's tables, bans, people's data and backups.")

Db = Annotated[str | None, Option(help="The server's database, as for tefuda serve; by default TEFUDA_DB.")]
OfGame = Annotated[str | None, Option("--game", help="Only this game.")]
Limit = Annotated[int, Option(min=0, help="How many to list; 0 for all.")]
Yes = Annotated[bool, Option("--yes", "-y", help="Do not ask for confirmation.")]
DryRun = Annotated[bool, Option("--dry-run", help="Say what would be done, without doing it.")]
Whom = Annotated[
    str,
    Argument(
        help="An address, a network such as 203.0.113.0/24, a hash (40 digits), or a seat such as abcdefghijkm:0.",
        metavar="WHOM",
    ),
]
Identity = Annotated[str, Argument(help="A hash (40 digits), or a seat such as abcdefghijkm:0.", metavar="PERSON")]
Moderator = Annotated[str | None, Argument(help="A hash (40 digits), or a seat.", metavar="[PERSON]")]
Remove = Annotated[bool, Option("--remove", help="Remove PERSON from the moderators.")]
Pack = Annotated[
    Path | None, Option(help="Write their records (.tfd) first: to a folder, or to a .tar or .tar.gz.", metavar="PATH")
]


@app.command(example="admin tables --phase playing")
def tables(
    db: Db = None,
    game: OfGame = None,
    phase: Annotated[str | None, Option(help="Only waiting, shuffling, playing, over or closed.")] = None,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List tables, the latest changed first."""
    with _database(db) as opened:
        found = stored_tables.list_tables(opened, game=game, phase=phase, limit=limit)
    _tell(as_json, found, map(_table_line, found))


def _table_line(line: "stored_tables.TableLine") -> str:
    names, public = ", ".join(name or "–" for name in line.names), "" if line.public else "  unlisted"
    when = written(line.at)
    return f"{line.table:<14}{when}  {line.game:<12}{line.phase:<10}{line.events:>6} events  {names}{public}"


@app.command(example="admin show abcdefghijkm")
def show(
    table: Annotated[str, Argument(help="Name of a table.", metavar="TABLE")], db: Db = None, as_json: AsJson = False
) -> None:
    """Look at one table: how it was opened, who sat there (with their hashes), what happened."""
    with _database(db) as opened:
        found = stored_tables.show_table(opened, table)
    if as_json:
        print_json(found)
        return
    people = found.pop("people")
    found |= {name: written(found[name]) for name in ("began", "at")}
    for name, value in found.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        _say(f"{name:<11}{text}")
    for each in people:
        _say(_person_line(each))


def _person_line(person: "stored_tables.Person") -> str:
    known = (("guest", person.guest), ("token", person.token))
    who = person.bot or " ".join(f"{kind}:{value}" for kind, value in known if value)
    until = written(person.until) if person.until else "now"
    return f"seat {person.seat}     {written(person.since)} to {until}  {person.name}  {who}"


@app.command(example="admin close abcdefghijkm")
def close(
    tables: Annotated[list[str], Argument(help="Names of tables.", metavar="TABLE…")],
    db: Db = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Close tables for good, whatever is played there. The players see it within seconds."""
    with _database(db) as opened:
        for name in tables:
            stored_tables.show_table(opened, name)  # unless one of them does not exist
        if not _may(f"close {_count(len(tables), 'table')}: {' '.join(tables)}", yes, dry_run, as_json):
            return
        done = {name: moderation.do(opened, moderation.Deed("close", name)) for name in tables}
    lines = [f"{name}: {'closed' if changed else 'was closed already'}" for name, changed in done.items()]
    _tell(as_json, {"closed": [name for name, changed in done.items() if changed]}, lines)


@app.command(example="admin ban 203.0.113.7 --for 7d")
def ban(
    whom: Whom,
    db: Db = None,
    reason: Annotated[str, Option(help="What they are told.")] = "",
    length: Annotated[str | None, Option("--for", help="How long, such as 12h or 7d; by default for good.")] = None,
    as_json: AsJson = False,
) -> None:
    """Keep an address, a network or a person out. The server obeys within seconds, and tells them."""
    until = None if length is None else time_ns() // 1_000_000 + milliseconds(length, "--for")
    with _database(db) as opened:
        subjects = moderation.subjects(opened, whom)
        moderation.do(opened, moderation.Deed("ban", " ".join(subjects), why=reason, until=until))
    _tell(as_json, {"banned": subjects, "until": until}, [f"banned {_until(until)}: {' '.join(subjects)}"])


@app.command(example="admin unban 203.0.113.7")
def unban(whom: Whom, db: Db = None, as_json: AsJson = False) -> None:
    """Let somebody in again, or speak."""
    with _database(db) as opened:
        subjects = moderation.subjects(opened, whom)
        if not moderation.do(opened, moderation.Deed("unban", " ".join(subjects))):
            raise TefudaError(f"{whom} is not banned")
    _tell(as_json, {"unbanned": subjects}, [f"no longer banned: {' '.join(subjects)}"])


@app.command("bans", example="admin bans --json")
def list_bans(db: Db = None, as_json: AsJson = False) -> None:
    """List who is banned or muted."""
    with _database(db) as opened:
        found = moderation.list_bans(opened)
    lines = [f"{each.subject}  {'muted ' * each.mute}{_until(each.until)}  {each.reason}".rstrip() for each in found]
    _tell(as_json, found, lines)


@app.command(example="admin moderators 0123456789abcdef0123456789abcdef01234567")
def moderators(person: Moderator = None, remove: Remove = False, db: Db = None, as_json: AsJson = False) -> None:
    """Let a person moderate on the page /moderation, which tells everybody their hash; list all moderators."""
    with _database(db) as opened:
        if person is not None:
            hashes = [person] if identities.HASH.fullmatch(person) else identities.find_identity(opened, person).hashes
            deed = moderation.Deed("remove_moderator" if remove else "add_moderator", " ".join(hashes))
            if not moderation.do(opened, deed) and remove:
                raise TefudaError(f"{person} is no moderator")
        found = moderation.list_moderators(opened)
    _tell(as_json, found, [f"{each}  since {written(at)}" for each, at in found.items()])


@app.command("log", example="admin log --limit 20")
def show_log(db: Db = None, limit: Limit = 50, as_json: AsJson = False) -> None:
    """List what moderators and you have done to people and tables, the latest first."""
    with _database(db) as opened:
        found = moderation.deeds(opened, limit)
    _tell(as_json, [each._asdict() for each in found], map(_deed_line, found))


def _deed_line(deed: "moderation.Deed") -> str:
    who = f"{deed.name} {deed.by}" if deed.by else "host"
    return f"{written(deed.at)}  {who}  {deed.deed}  {deed.subject}  {deed.whom}  {deed.why}".rstrip()


@app.command(example="admin reports")
def reports(db: Db = None, as_json: AsJson = False) -> None:
    """List what people have reported of each other, the latest first."""
    with _database(db) as opened:
        found = stored_tables.list_reports(opened)
    _tell(as_json, found, map(_report_line, found))


def _report_line(report: "stored_tables.PersonReport") -> str:
    said, whom, by = report.said or "(the name)", report.whom, report.by
    told = f"{written(report.at)}  {report.table}:{whom.seat} {whom.guest or whom.token}  {whom.name}: {said}"
    done = "  (done)" if report.done else ""
    return f"{told}  {report.note}  by {report.table}:{by.seat} {by.guest or by.token} {by.name}{done}"


@app.command(example="admin export abcdefghijkm:0 -o person.json")
def export(
    person: Identity,
    db: Db = None,
    output: Annotated[Path | None, Option("-o", "--output", help="Write to this file.", metavar="FILE")] = None,
) -> None:
    """Write everything that the database holds about one person, as JSON."""
    with _database(db) as opened:
        found = identities.export(opened, identities.find_identity(opened, person))
    if output is None:
        print_json(found)
        return
    with whole(output) as file:
        file.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


@app.command(example="admin erase abcdefghijkm:0 --dry-run")
def erase(person: Identity, db: Db = None, yes: Yes = False, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Erase one person's names and hashes. Their plays stay, so that the records of the others do."""
    with _database(db) as opened:
        found = identities.find_identity(opened, person)
        where = _count(len(found.tables), "table")
        what = f"erase {' '.join(found.hashes)} and their names at {where}: {' '.join(found.tables)}"
        if not _may(what, yes, dry_run, as_json):
            return
        identities.erase(opened, found)
    _tell(as_json, {"erased": found}, [f"erased at {where}; older backups and packed records still have the names"])


@app.command(example="admin prune --older-than 90d --pack old.tar.gz")
def prune(
    older_than: Annotated[str, Option(help="Only tables unchanged for so long, such as 90d or 12h.")],
    db: Db = None,
    pack: Pack = None,
    delete: Annotated[bool, Option("--delete", help="Delete without writing records.")] = False,
    unfinished: Annotated[bool, Option("--unfinished", help="Also tables whose game never ended.")] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Remove old tables that are over or closed. A table whose records cannot be written is kept."""
    before = time_ns() // 1_000_000 - milliseconds(older_than, "--older-than")
    if (pack is None) != delete:
        raise TefudaError("say either --pack PATH or --delete")
    with _database(db) as opened:
        lines = stored_tables.old_tables(opened, before, unfinished)
        what = "delete" if pack is None else f"pack into {pack} and delete"
        what = f"{what} {_count(len(lines), 'table')} unchanged since {written(before)}"
        if not _may(what, yes, dry_run, as_json):
            return
        records: list[str] = []
        if pack is not None and lines:
            lines, records = _pack(opened, lines, pack)
        deleted = [line.table for line in lines if stored_tables.discard(opened, line)]
    told = f"deleted {_count(len(deleted), 'table')}, wrote {_count(len(records), 'record')}"
    _tell(as_json, {"deleted": deleted, "records": records}, [told])


def _pack(
    opened: "database.Database", lines: "list[stored_tables.TableLine]", path: Path
) -> "tuple[list[stored_tables.TableLine], list[str]]":
    """Write the records of tables; return the tables that can then be deleted, and the names of the records."""
    packed, records = [], []
    with stored_tables.open_archive(path) as archive:
        for line in lines:
            try:
                records += stored_tables.pack(opened, line, archive)
            except TefudaError as error:
                sys.stderr.write(f"tefuda: {line.table} is kept: {error}\n")
            else:
                packed.append(line)
    return packed, records


@app.command(example="admin backup tables-copy.db")
def backup(
    file: Annotated[Path, Argument(help="Where the copy goes.", metavar="FILE")],
    db: Db = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Copy the database while the server runs. The copy holds all that was acknowledged before."""
    what = f"{'replace' if file.exists() else 'write'} {file}"
    if (file.exists() or dry_run) and not _may(what, yes, dry_run, as_json):
        return
    with _database(db, older=True) as opened:
        length = backups.back_up(opened, file)
    _tell(as_json, {"file": file, "bytes": length}, [f"{file}: {length / 1e6:.1f} MB"])


@app.command(example="admin restore tables-copy.db")
def restore(
    file: Annotated[Path, Argument(help="A copy made by tefuda admin backup.", metavar="FILE")],
    db: Db = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Put a copy in the place of the database. Stop the server first."""
    with needed_by("tefuda admin", "server"):
        address = store.usual_address(db)
    what = "replace the database by" if backups.exists(address) else "make a database from"
    if _may(f"{what} {file}", yes, dry_run, as_json):
        backups.restore(address, file)
        _tell(as_json, {"restored": file}, [f"restored from {file}; start the server now"])


@app.command("compile", example="admin compile gong-zhu luk-fu")
def compile_games(
    games: Annotated[
        list[str] | None, Argument(help="Names of games; all if none is named.", metavar="[GAME…]", **SEVERAL_GAMES)
    ] = None,
) -> None:
    """Compile the rules of games and their search, so that a server that starts later need not."""

    def say(game: str, label: str, done: int, steps: int) -> None:
        _say(f"{game}: {label or 'done'} ({done}/{steps})")

    with needed_by("tefuda admin", "server"):
        made = compiler.GameCompiler(games or [], say)
    made.compile_all(searches=True)


def _may(what: str, yes: bool, dry_run: bool, as_json: bool) -> bool:
    """Tell if this, which cannot be undone, may be done: not in a dry run, which says so; else ask, unless ``yes`` was
    said beforehand. TefudaError if nobody is at a terminal to be asked."""
    if dry_run:
        _tell(as_json, {"would": what}, [f"would {what}"])
        return False
    if not yes and not sys.stdin.isatty():
        raise TefudaError(f"to {what}, add --yes")
    return yes or typer.confirm(f"{what[0].upper()}{what[1:]}?", err=True)


def _database(db: str | None, *, older: bool = False) -> "database.Database":
    """Open the database; ``older`` also takes one of an older version."""
    with needed_by("tefuda admin", "server"):
        address = store.usual_address(db)
    return database.Database(address, older=older)


def _tell(as_json: bool, data: object, lines: Iterable[str]) -> None:
    """Print a result, as data or as lines."""
    if as_json:
        print_json(data)
        return
    for line in lines:
        _say(line)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


def _until(until: int | None) -> str:
    return "for good" if until is None else f"until {written(until)}"


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def written(milliseconds: int) -> str:
    """Write a time since 1970, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def milliseconds(length: str, option: str) -> int:
    """Read a length of time: ``90d``, ``12h``; else raise TefudaError, which names the option."""
    found = re.fullmatch(r"(\d{1,6})([mhdw])", length)
    if not found:
        raise TefudaError(f"{option} {length}: write a number with m, h, d or w, such as 90d")
    return int(found[1]) * SECONDS[found[2]] * 1000
