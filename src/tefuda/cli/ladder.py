"""``tefuda ladder``: every bot against every other, rated on one scale."""

import hashlib
import json
import os
import re
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

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
from tefuda.engine import cache
from tefuda.engine.errors import TefudaError
from tefuda.lab.play.ladder import Ladder, LadderResult, usual_bots
from tefuda.lab.report.plots import FORMATS, write_picture
from tefuda.table.game import Game

WIDTH = 100
"""Of a table that goes to a file or a pipe."""

_BY_CLOCK = re.compile(r"^search$|\d+ms")


class LadderOptions(NamedTuple):
    """How to play, and what to keep."""

    threads: int | None = None
    save: Path | None = None
    picture: Path | None = None
    ray: str | None = None


def run(
    game_name: str, bots: Sequence[str], seats: int | None, deals: int, settings: Sequence[str], seed: int,
    options: LadderOptions, as_json: bool,
) -> None:  # fmt: skip
    """Play the ladder and print it; exit status 130 if Ctrl-C cut it short.

    Raises:
        TefudaError: unknown game, option or bot; a picture of an unknown format; the Ray cluster cannot be reached.
    """
    check_count(options.ray, "--threads", options.threads)
    if options.picture is not None and options.picture.suffix.removeprefix(".").lower() not in FORMATS:
        raise TefudaError(f"{options.picture}: a picture is one of {', '.join(FORMATS)}; name a file that ends so")
    game = game_with(game_name, seats, settings)
    names = list(bots) or usual_bots(game)
    threads = options.threads or (1 if any(map(_BY_CLOCK.search, names)) else os.cpu_count())
    ladder = Ladder(game, names, deals, seed, options.save or default_folder(game, seed), 1 if options.ray else threads)
    result = _play_with_progress(ladder, options.ray, options.threads)
    if options.picture is not None:
        write_picture(result, options.picture)
    if as_json:
        print_json({**result.as_dict(), "tefuda": version("tefuda")})
    else:
        show(result, ladder.folder)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


def default_folder(game: Game, seed: int) -> Path:
    """Where ladders of this table and seed are kept: a bot that is added later plays only its own deals."""
    identity = [game.name, game.seats, game.changed_options(), seed, cache.key()]
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:12]
    return Path(platformdirs.user_data_dir("tefuda")) / "ladders" / f"{game.name}-{digest}"


def _play_with_progress(ladder: Ladder, ray: str | None, processes: int | None) -> LadderResult:
    """Play here or on a Ray cluster; standard error shows how far it is."""
    console, pairs = Console(file=sys.stderr), len(ladder.pairs)
    announce(
        console,
        f"Ladder of {ladder.game.name}: {', '.join(ladder.bots)}. Pairs: {pairs}; each plays {ladder.deals:,} deals "
        "in every rotation. What is new is compiled first.",
    )
    backend = None if ray is None else connect(ladder.job, ray, processes, console)
    if backend is None:
        prepare(ladder.game.description)
    with progress(console, "deals of all pairs", ladder.deals * pairs) as advance:
        return ladder.play(lambda: advance(1), backend)


def show(result: LadderResult, folder: Path) -> None:
    """Print the ladder as a table: ratings, and what each bot gained a deal over each other."""
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    order = [each.bot for each in result.ratings]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("bot", no_wrap=True)
    table.add_column("rating", justify="right", no_wrap=True)
    for place, _ in enumerate(order, 1):
        table.add_column(f"over {place}", justify="right", no_wrap=True)
    for place, each in enumerate(result.ratings, 1):
        gains = [_gain(result, each.bot, other) for other in order]
        interval = "" if each.low == each.high else f" ({each.low:+.0f} … {each.high:+.0f})"
        table.add_row(f"{place} {each.bot}", f"{each.rating:+.0f}{interval}", *gains)
    console.print(table)
    console.print()
    for line in _notes(result, folder):
        console.print(line, markup=False, soft_wrap=True)


def _gain(result: LadderResult, bot: str, other: str) -> str:
    if (bot, other) in result.gains:
        return f"{result.gains[bot, other].mean:+.1f}"
    return f"{-result.gains[other, bot].mean:+.1f}" if (other, bot) in result.gains else ""


def _notes(result: LadderResult, folder: Path) -> list[str]:
    """What the figures mean and depend on."""
    options = "".join(f", {name}={value}" for name, value in result.options.items())
    lines = [
        f"{result.game} (rules version {result.rules_version}{options}), seed {result.seed}: {result.deals} duplicate "
        f"deals a pair, {result.seconds / 60:.1f} minutes of thinking, tefuda {version('tefuda')}",
        f"Rating: points above {result.bots[0]}, with the 95 % interval; 400 points win ten deals out of eleven. "
        "Over: gain a deal over the bot of that place.",
    ]
    if result.interrupted:
        lines.append(f"Interrupted after {result.deals} of {result.asked} deals; the same command goes on.")
    return [*lines, f"Deals and records: {folder}"]
