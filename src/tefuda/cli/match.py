"""``tefuda match``: bots against bots on duplicate deals, as a table or as JSON."""

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs
import typer
from rich.console import Console
from rich.table import Table

from tefuda.cli.cluster import check_count, connect
from tefuda.cli.exit_status import INTERRUPTED
from tefuda.cli.json_output import print_json
from tefuda.cli.long_command import announce, progress
from tefuda.cli.progress import prepare
from tefuda.cli.settings import game_with
from tefuda.lab.play.match import Match
from tefuda.lab.play.match_folder import delete_match
from tefuda.lab.play.runner import is_compiled
from tefuda.lab.play.scores import MatchResult

FAULTS_SHOWN = 5
WIDTH = 100
"""Of a table that goes to a file or a pipe."""


class MatchOptions(NamedTuple):
    """How long to play, on how many threads or on which Ray cluster, and what to keep."""

    until_decided: bool = False
    threads: int | None = None
    save: Path | None = None
    fresh: bool = False
    luck: bool | None = None
    ray: str | None = None


def run(
    game_name: str,
    bots: Sequence[str],
    deals: int,
    settings: Sequence[str],
    seed: int,
    options: MatchOptions,
    as_json: bool,
) -> None:
    """Play the match and print its result; exit status 130 if Ctrl-C cut it short.

    Raises:
        TefudaError: unknown game, option or bot, or a number of bots that the game cannot seat; the Ray cluster cannot
            be reached.
    """
    check_count(options.ray, "--threads", options.threads)
    game = game_with(game_name, len(bots), settings)
    match = Match(
        game, bots, deals, seed, threads=options.threads, until_decided=options.until_decided, folder=options.save,
        luck=options.luck,
    )  # fmt: skip
    if not match.folder and not is_compiled(bots):
        match = replace(match, folder=default_folder(match.identity()))
    if match.folder and options.fresh:
        delete_match(match.folder)
    result = play_with_progress(match, options.ray)
    if as_json:
        print_json({**result.as_dict(), "tefuda": version("tefuda")})
    else:
        show(result, match.folder)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


def default_folder(identity: Mapping[str, Any]) -> Path:
    """Where a match is kept unless ``--save`` says otherwise: one folder for everything that its deals depend on."""
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:12]
    return Path(platformdirs.user_data_dir("tefuda")) / "matches" / f"{identity['game']}-{digest}"


def play_with_progress(match: Match, ray: str | None = None) -> MatchResult:
    """Play here or on a Ray cluster; standard error shows how far it is."""
    console = Console(file=sys.stderr)
    luck = ", the luck of the cards measured in each" if match.measures_luck else ""
    announce(
        console,
        f"Match of {match.game.name}: {', '.join(match.bots)}; {match.deals:,} deals × {match.game.seats} rotations"
        f"{luck}. What is new is compiled first.",
    )
    backend = None if ray is None else connect(replace(match, threads=1).job, ray, match.threads, console)
    if backend is None:
        prepare(match.game.description)
        with console.status("Compiling the match (once after each change of the sources) …"):
            match.compile()
    with progress(console, "deals", match.deals) as advance:
        return match.play(advance, backend)


def show(result: MatchResult, folder: Path | None) -> None:
    """Print the result as a table, and under it what it depends on."""
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("bot", no_wrap=True)
    has_luck = result.entries[0].gain_without_luck is not None
    luck_heading = ["without luck"] if has_luck else []
    for heading in ("points per deal", "gain over others", *luck_heading, "first places", "illegal", "µs per decision"):
        table.add_column(heading, justify="right")
    for entry in result.entries:
        table.add_row(
            entry.name,
            str(entry.points),
            str(entry.gain),
            *([str(entry.gain_without_luck)] if has_luck else []),
            f"{entry.first_places:.1%}",
            str(entry.illegal),
            f"{entry.microseconds:.2f}",
        )
    console.print(table)
    console.print()
    for line in [*notes(result, folder), *faults(result)]:
        console.print(line, markup=False, soft_wrap=True)


def notes(result: MatchResult, folder: Path | None) -> list[str]:
    """What the figures mean and depend on."""
    options = "".join(f", {name}={value}" for name, value in result.options.items())
    timed = "in the match" if folder else "one core, measured apart with every seat this bot"
    lines = [
        f"{result.game} (rules version {result.rules_version}{options}), seed {result.seed}: {result.deals} deals × "
        f"{result.rotations} rotations in {result.seconds:.1f} s, tefuda {version('tefuda')}",
        f"± is the 95 % interval, from the deals. Time per decision: {timed}.",
    ]
    lines += luck_note(result)
    if result.entries[0].gain.margin == 0 == result.entries[0].gain.mean:
        lines.append(f"{result.entries[0].name} gained and lost nothing in any deal: this compares nothing.")
    if 1 < len({entry.bot for entry in result.entries}) < len(result.entries):
        lines.append(
            "Bots keep their order round the table, so those of a kind may differ: each plays after another neighbour."
        )
    if result.earlier:
        lines.append(f"{result.earlier} of the deals were played in an earlier run (--fresh begins anew).")
    if result.decided:
        lines.append(f"Stopped after {result.deals} of {result.asked} deals: the first bot's gain is clear.")
    if result.interrupted:
        goes_on = "; the same command goes on" if folder else ""
        lines.append(f"Interrupted: {result.deals} of {result.asked} deals were played{goes_on}.")
    if folder:
        lines.append(f"Deals and records: {folder}")
    return lines


def luck_note(result: MatchResult) -> list[str]:
    """What the gain without luck is, and how many deals it saves."""
    gain, found = result.entries[0].gain, result.entries[0].gain_without_luck
    if found is None:
        return []
    exact = ""
    if gain.margin and found.margin:
        exact = f"; for the first bot as exact as {(gain.margin / found.margin) ** 2:.1f} times the deals"
    return [f"Without luck: the gain, less what the cards brought that nobody could foresee; also unbiased{exact}."]


def faults(result: MatchResult) -> list[str]:
    """What bots did wrong: the first lines of each."""
    lines = []
    for entry in result.entries:
        if entry.faults:
            lines.append(f"{entry.name} lost deals by default {len(entry.faults)} times, such as:")
            lines += [f"  {fault}" for fault in entry.faults[:FAULTS_SHOWN]]
    return lines
