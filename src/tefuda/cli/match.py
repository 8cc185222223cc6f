"""``tefuda match``: bots against bots on duplicate deals, as a table or as JSON."""

import json
import sys
from collections.abc import Sequence
from importlib.metadata import version

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tefuda.cli.settings import game_with
from tefuda.cli.warming import prepare
from tefuda.lab.match import MatchResult, compile_for, play_match, policies_of
from tefuda.table.game import Game

INTERRUPTED = 130
WIDTH = 100
"""Of a table that goes to a file or a pipe."""


def run(game_name: str, bots: Sequence[str], deals: int, settings: Sequence[str], seed: int, as_json: bool) -> None:
    """Play the match and print its result; exit status 130 if Ctrl-C cut it short.

    Raises:
        TefudaError: unknown game, option or bot, or a number of bots that the game cannot seat.
    """
    game = game_with(game_name, len(bots), settings)
    policies_of(game, bots)
    result = play_with_progress(game, bots, deals, seed)
    if as_json:
        sys.stdout.write(json.dumps({**result.as_dict(), "tefuda": version("tefuda")}, indent=2) + "\n")
    else:
        show(result)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


def play_with_progress(game: Game, bots: Sequence[str], deals: int, seed: int) -> MatchResult:
    """Play, with a bar on standard error if that is a terminal."""
    console = Console(file=sys.stderr)
    prepare(game.description)
    with console.status("Compiling the match (once after each change of the sources) …"):
        compile_for(game)
    columns = (TextColumn("deals"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=deals)
        return play_match(game, bots, deals, seed, lambda done: bar.advance(task, done))


def show(result: MatchResult) -> None:
    """Print the result as a table, and under it what it depends on."""
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("bot", no_wrap=True)
    for heading in ("points per deal", "gain over others", "first places", "illegal", "µs per decision"):
        table.add_column(heading, justify="right")
    for entry in result.entries:
        table.add_row(
            entry.name,
            str(entry.points),
            str(entry.gain),
            f"{entry.first_places:.1%}",
            str(entry.illegal),
            f"{entry.microseconds:.2f}",
        )
    console.print(table)
    console.print()
    for line in notes(result):
        console.print(line, markup=False, soft_wrap=True)


def notes(result: MatchResult) -> list[str]:
    """What the figures mean and depend on."""
    options = "".join(f", {name}={value}" for name, value in result.options.items())
    lines = [
        f"{result.game} (rules version {result.rules_version}{options}), seed {result.seed}: {result.deals} deals × "
        f"{result.rotations} rotations in {result.seconds:.1f} s, tefuda {version('tefuda')}",
        "± is the 95 % interval, from the deals. Time per decision: one core, measured apart with every seat this bot.",
    ]
    if result.interrupted:
        lines.append(f"Interrupted: {result.deals} of {result.asked} deals were played.")
    return lines
