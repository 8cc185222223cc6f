"""``tefuda data``: datasets of decisions for those who train or study players."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tefuda.cli.arguments import AsJson, GameName, Seats, Settings
from tefuda.cli.cluster import RayAddress, check_count, connect
from tefuda.cli.exit_status import INTERRUPTED
from tefuda.cli.help import Commands
from tefuda.cli.json_output import print_json
from tefuda.engine.errors import needed_by

app = Commands(help="Datasets of decisions as Parquet files, for any library.")


@app.callback()
def about() -> None:
    """Datasets of decisions as Parquet files, for any library."""


@app.command()
def make(
    game: GameName,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder of the dataset.", metavar="FOLDER", show_default="data-GAME"),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            help="Who plays, as in 'tefuda match'; may be repeated, the last one takes the seats that are left.",
            show_default="hints",
        ),
    ] = None,
    deals: Annotated[int, typer.Option("--deals", min=1, help="Deals, each played in every rotation.")] = 10_000,
    seats: Seats = None,
    settings: Settings = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed deals the same cards.")] = 0,
    values: Annotated[bool, typer.Option("--values", help="Keep what searches find of each action.")] = False,
    records: Annotated[bool, typer.Option("--records", help="Keep the record of each game.")] = False,
    threads: Annotated[
        int | None, typer.Option("--threads", min=1, help="Games played at a time where bots think.")
    ] = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play and write every decision to Parquet files. After Ctrl-C the same command goes on."""
    from rich.console import Console

    from tefuda.cli.long_command import announce, progress
    from tefuda.cli.progress import prepare
    from tefuda.cli.settings import game_with

    with needed_by("tefuda data", "lab"):
        from tefuda.lab.dataset import Dataset
        from tefuda.lab.dataset import make as make_parts

    check_count(ray, "--threads", threads)
    found = game_with(game, seats, settings or [])
    named = bots or ["hints"]
    seated = [*named, *[named[-1]] * (found.seats - len(named))]
    dataset = Dataset(found, seated, deals, seed, values, records)
    console = Console(file=sys.stderr)
    announce(console, f"Dataset of {game}: {', '.join(seated)}; {deals:,} deals. What is new is compiled first.")
    backend = None if ray is None else connect(dataset.job(threads=1), ray, threads, console)
    if backend is None:
        prepare(found.description)
    with progress(console, "deals", deals) as advance:
        made = make_parts(dataset, output or Path(f"data-{game}"), threads, lambda done, _: advance(done), backend)
    if as_json:
        print_json(made)
    else:
        sys.stdout.write(
            f"{made.folder}: {made.decisions:,} decisions in {made.games:,} games of {made.deals:,} deals, "
            f"{made.bytes / 2**20:.1f} MiB\n"
        )
        if made.interrupted:
            sys.stdout.write("Interrupted: the same command goes on.\n")
    if made.interrupted:
        raise typer.Exit(INTERRUPTED)
