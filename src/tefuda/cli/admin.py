"""``tefuda admin``: a host's commands for the database of a server, whether it runs or not.

The commands are declared here; ``admin_commands`` carries them out.
"""

from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from tefuda.cli.arguments import AsJson, games_called
from tefuda.cli.completion import game_names
from tefuda.cli.help import Commands
from tefuda.engine.errors import needed_by

app = Commands(help="A host's tables, bans, people's data and backups.")

Db = Annotated[
    str | None,
    typer.Option("--db", help="The server's database, as for tefuda serve; else the variable TEFUDA_DB."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")]
Whom = Annotated[
    str,
    typer.Argument(
        help="An address, a network such as 203.0.113.0/24, a hash (40 digits), or a seat such as abcdefghijkm:0.",
        metavar="WHOM",
    ),
]
Person = Annotated[str, typer.Argument(help="A hash (40 digits), or a seat such as abcdefghijkm:0.", metavar="PERSON")]


def _commands() -> ModuleType:
    with needed_by("tefuda admin", "server"):
        from tefuda.cli import admin_commands
    return admin_commands


@app.command()
def tables(
    db: Db = None,
    game: Annotated[str | None, typer.Option("--game", help="Of this game only.")] = None,
    phase: Annotated[
        str | None, typer.Option("--phase", help="Only waiting, shuffling, playing, over or closed.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most so many; 0 for all.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List tables, the latest changed first."""
    _commands().tables(db, game, phase, limit, as_json)


@app.command()
def show(
    table: Annotated[str, typer.Argument(help="Name of a table.", metavar="TABLE")],
    db: Db = None,
    as_json: AsJson = False,
) -> None:
    """Look at one table: how it was opened, who sat there (with their hashes), what happened."""
    _commands().show(db, table, as_json)


@app.command()
def close(
    tables: Annotated[list[str], typer.Argument(help="Names of tables.", metavar="TABLE…")],
    db: Db = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Close tables for good, whatever is played there. The players see it within seconds."""
    command = _commands()
    command.close(db, tables, command.Consent(yes, dry_run, as_json))


@app.command()
def ban(
    whom: Whom,
    db: Db = None,
    reason: Annotated[str, typer.Option("--reason", help="What they are told.")] = "",
    length: Annotated[str | None, typer.Option("--for", help="How long, such as 12h or 7d; else for good.")] = None,
    as_json: AsJson = False,
) -> None:
    """Keep an address, a network or a person out. The server obeys within seconds, and tells them."""
    _commands().ban(db, whom, reason, length, as_json)


@app.command()
def unban(whom: Whom, db: Db = None, as_json: AsJson = False) -> None:
    """Let somebody in again."""
    _commands().unban(db, whom, as_json)


@app.command()
def bans(db: Db = None, as_json: AsJson = False) -> None:
    """List who is banned."""
    _commands().list_bans(db, as_json)


@app.command()
def house_rules(
    db: Db = None,
    game: Annotated[str | None, typer.Option("--game", help="Of this game only.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the house rules that people have saved, the latest first."""
    _commands().list_house_rules(db, game, as_json)


@app.command()
def remove_house_rules(
    keys: Annotated[list[str], typer.Argument(help="Keys, the end of their addresses.", metavar="KEY…")],
    db: Db = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Remove house rules from the club's page, whoever saved them. Tables that were opened by them go on."""
    command = _commands()
    command.remove_house_rules(db, keys, command.Consent(yes, dry_run, as_json))


@app.command()
def export(
    person: Person,
    db: Db = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file.", metavar="FILE")] = None,
) -> None:
    """Write everything that the database holds about one person, as JSON."""
    _commands().export(db, person, output)


@app.command()
def erase(person: Person, db: Db = None, yes: Yes = False, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Erase one person's names and hashes. Their plays stay, so that the records of the others do."""
    command = _commands()
    command.erase(db, person, command.Consent(yes, dry_run, as_json))


@app.command()
def prune(
    db: Db = None,
    older_than: Annotated[
        str | None, typer.Option("--older-than", help="Nothing has happened there for so long: 90d, 12h.")
    ] = None,
    finished_before: Annotated[
        str | None, typer.Option("--finished-before", help="Nothing has happened there since this day: 2026-08-31.")
    ] = None,
    pack: Annotated[
        Path | None,
        typer.Option(
            "--pack", help="Write their records (.tfd) first: to a folder, or to a .tar or .tar.gz.", metavar="PATH"
        ),
    ] = None,
    delete: Annotated[bool, typer.Option("--delete", help="Write no records.")] = False,
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Also tables whose game never ended.")] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Remove old tables that are over or closed. A table whose records cannot be written is kept."""
    command = _commands()
    old = command.OldTables(older_than, finished_before, unfinished)
    command.prune(db, old, pack, delete, command.Consent(yes, dry_run, as_json))


@app.command()
def vacuum(db: Db = None, yes: Yes = False, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Give space that has become free back to the disk. On SQLite plays wait until it is done."""
    command = _commands()
    command.vacuum(db, command.Consent(yes, dry_run, as_json))


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes.", metavar="FILE")],
    db: Db = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Copy the database while the server runs. The copy holds all that was acknowledged before."""
    command = _commands()
    command.backup(db, file, command.Consent(yes, dry_run, as_json))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A copy made by tefuda admin backup.", metavar="FILE")],
    db: Db = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Put a copy in the place of the database. Stop the server first."""
    command = _commands()
    command.restore(db, file, command.Consent(yes, dry_run, as_json))


@app.command(name="compile")
def compile_games(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            help="Names of games; all if none is named.",
            metavar="[GAME…]",
            autocompletion=game_names,
            callback=games_called,
        ),
    ] = None,
) -> None:
    """Compile the rules of games and their search, so that a server that starts later need not."""
    _commands().compile_games(games or [])
