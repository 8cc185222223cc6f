"""``tefuda match``: bots play each other and are compared."""

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import platformdirs
import typer
from typer import Argument, Option

import tefuda
from tefuda.cli.chosen import game_with
from tefuda.cli.parameters import AsJson, Commands, GameName, Preset, RayAddress, Seed, Settings, later
from tefuda.cli.standard_streams import INTERRUPTED, print_json

with later():
    from rich.table import Table

    from tefuda.cli import progress
    from tefuda.lab.play import match as matches
    from tefuda.lab.play import runner

app = Commands()

FAULTS_SHOWN = 5
WIDTH = 100  # columns of a table that goes to a file or a pipe

MatchBots = Annotated[
    list[str],
    Argument(
        help="A bot for each seat: random, hints, net, search, search:100ms, search:2000it, net:FOLDER, a level, "
        "llm:URL,model=NAME, mcp:URL, or module:Class.",
        metavar="BOT…",
    ),
]


@app.command(example="match gong-zhu search hints hints hints --deals 200")
def match(
    game: GameName,
    bots: MatchBots,
    deals: Annotated[int, Option(min=1, help="Duplicate deals, each played once in every rotation.")] = 1000,
    settings: Settings = None,
    preset: Preset = None,
    seed: Seed = 0,
    until_decided: Annotated[
        bool, Option("--until-decided", help="Stop as soon as it is clear whether the first bot gains.")
    ] = False,
    threads: Annotated[int | None, Option(min=1, help="Games to play in parallel; by default on all cores.")] = None,
    save: Annotated[
        Path | None, Option(help="Folder for the deals and records; if bots think, they are kept anyway.")
    ] = None,
    fresh: Annotated[bool, Option("--fresh", help="Start again instead of resuming an interrupted match.")] = False,
    luck: Annotated[
        bool | None, Option("--luck/--no-luck", help="Measure the luck of the cards too; by default if bots think.")
    ] = None,
    ray: RayAddress = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play duplicate deals, seats rotated, and compare them. The same command goes on after Ctrl-C."""
    progress.check_count(ray, "--threads", threads)
    found = game_with(game, len(bots), settings, preset)
    contest = matches.Match(
        found, bots, deals, seed, threads=threads, until_decided=until_decided, folder=save, luck=luck
    )
    if not contest.folder and not runner.is_compiled(bots):
        contest = replace(contest, folder=kept_folder("matches", found.name, contest.identity()))
    if contest.folder and fresh:
        matches.delete_match(contest.folder)
    result = play_match(contest, ray)
    if as_json:
        print_json({**result.as_dict(), "tefuda": version("tefuda")})
    else:
        show_match(result, contest.folder)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


def kept_folder(kind: str, game: str, identity: object) -> Path:
    """Return where a contest of a kind is kept unless its user names another folder: one for all it depends on."""
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:12]
    return platformdirs.user_data_path("tefuda") / kind / f"{game}-{digest}"


def play_match(match: "matches.Match", ray: str | None = None) -> "tefuda.MatchResult":
    """Play here or on a Ray cluster; standard error shows how far it is."""
    game, luck = match.game, ", the luck of the cards measured in each" if match.measures_luck else ""
    what = f"{', '.join(match.bots)}; {match.deals:,} deals × {game.seats} rotations{luck}"
    with progress.playing(
        f"Match of {game.name}: {what}.", replace(match, threads=1), game.description, unit="deals", total=match.deals,
        ray=ray, processes=match.threads, compiling="Compiling the match (once after each change of the sources) …",
    ) as (advance, backend):  # fmt: skip
        return match.play(advance, backend)


def show_match(result: "tefuda.MatchResult", folder: Path | None) -> None:
    """Print the result as a table, and under it what it depends on."""
    has_luck = result.entries[0].gain_without_luck is not None
    luck = ["without luck"] if has_luck else []
    has_models = any(entry.tokens_read or entry.refused for entry in result.entries)
    models = ["asked again", "tokens each"] if has_models else []
    headings = ["points per deal", "gain over others", *luck, "first places", "illegal", *models, "µs per decision"]
    table = figures_table("bot", headings, wrap=True)
    table.columns[0].overflow, table.columns[0].no_wrap = "fold", False  # addresses of models may be long
    for entry in result.entries:
        gains = [str(entry.gain), *([str(entry.gain_without_luck)] if has_luck else [])]
        tokens = (entry.tokens_read + entry.tokens_written) / max(1, entry.decisions)
        used = [str(entry.refused), f"{tokens:,.0f}"] if has_models else []
        counted = [f"{entry.first_places:.1%}", str(entry.illegal), *used, f"{entry.microseconds:.2f}"]
        table.add_row(entry.name, str(entry.points), *gains, *counted)
    print_figures(table, [*match_notes(result, folder), *faults(result)])


def match_notes(result: "tefuda.MatchResult", folder: Path | None) -> list[str]:
    """Say what the figures mean and depend on."""
    options = "".join(f", {name}={value}" for name, value in result.options.items())
    timed = "in the match" if folder else "one core, measured apart with every seat this bot"
    lines = [
        f"{result.game} (rules version {result.rules_version}{options}), seed {result.seed}: {result.deals} deals × "
        f"{result.rotations} rotations in {result.seconds:.1f} s, tefuda {version('tefuda')}",
        f"± is the 95% interval, from the deals. Time per decision: {timed}.",
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


def luck_note(result: "tefuda.MatchResult") -> list[str]:
    """Say what the gain without luck is, and how many deals it saves."""
    gain, found = result.entries[0].gain, result.entries[0].gain_without_luck
    if found is None:
        return []
    exact = ""
    if gain.margin and found.margin:
        exact = f"; for the first bot as exact as {(gain.margin / found.margin) ** 2:.1f} times the deals"
    return [f"Without luck: the gain, less what the cards brought that nobody could foresee; also unbiased{exact}."]


def faults(result: "tefuda.MatchResult") -> list[str]:
    """Say what bots did wrong: the first lines of each."""
    lines = []
    for entry in result.entries:
        if entry.faults:
            lines.append(f"{entry.name} lost deals by default {len(entry.faults)} times, such as:")
            lines += [f"  {fault}" for fault in entry.faults[:FAULTS_SHOWN]]
    return lines


def print_figures(table: "Table", notes: Sequence[str]) -> None:
    """Print a table of figures, and under it notes on it, a line each."""
    from rich.console import Console

    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    console.print(table)
    console.print()
    for line in notes:
        console.print(line, markup=False, soft_wrap=True)


def figures_table(name: str, figures: Sequence[str], *, wrap: bool = False) -> "Table":
    """Make a table without lines: names on the left, then a right-aligned column for each figure."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(name, no_wrap=True)
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=not wrap)
    return table
