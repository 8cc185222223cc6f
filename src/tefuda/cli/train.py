"""``tefuda train``: a network learns a game in a folder; the same command goes on after Ctrl-C."""

import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import platformdirs
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tefuda.cli.exit_status import INTERRUPTED
from tefuda.cli.long_command import PaceLines, announce
from tefuda.cli.progress import prepare
from tefuda.cli.settings import command, game_with
from tefuda.engine.errors import TefudaError, needed_by
from tefuda.research.training.recipe import DEVICES, Recipe, varying


class TrainingOptions(NamedTuple):
    """Where and how fast."""

    folder: Path | None
    device: str
    threads: int | None


def run(
    game_name: str,
    seats: int | None,
    settings: Sequence[str],
    vary: Sequence[str],
    options: TrainingOptions,
    **recipe: Any,
) -> None:
    """Train, and say what the network gains; exit status 130 if Ctrl-C cut it short.

    Raises:
        TefudaError: an unknown game, option or device, a folder that holds another run, or PyTorch is missing.
    """
    if options.device not in DEVICES:
        raise TefudaError(f"--device: {options.device!r} is not one of {', '.join(DEVICES)}")
    players = recipe["players"]
    if players != "hints" and (seats or settings or vary or "hidden" in recipe):
        raise TefudaError(
            f"--players {players}: what that network knows is learned on; leave --seats, --set, --vary and --hidden out"
        )
    game = game_with(game_name, seats, settings)
    known = {name: [value] for name, value in game.changed_options().items()} | varying(game, vary)
    asked = Recipe(game.name, game.seats, known, **recipe)
    folder = options.folder or default_folder(asked)
    with needed_by("tefuda train", "train"):
        from tefuda.research.training.run import TrainingRun
    prepare(game.description)
    training = TrainingRun(folder, asked, options.device, options.threads)
    console = Console(stderr=True)
    announce(
        console,
        f"Trains {game.name} in {folder}: {asked.deals:,} deals in {asked.rounds} rounds, after each of which "
        f"{asked.judged:,} deals judge the network. What is new is compiled first.",
    )
    with TrainingProgress(console, training.curve) as progress:
        try:
            training.follow(progress)
        except KeyboardInterrupt:
            sys.stderr.write(f"Interrupted; the same command goes on. Kept in {folder}\n")
            raise typer.Exit(INTERRUPTED) from None
    bots = [f"net:{folder}", *[players] * (training.game.seats - 1)]
    sys.stdout.write(f"Network: {folder}\nTo play it:\n{command('match', game.name, *bots)}\n")


def default_folder(recipe: Recipe) -> Path:
    """Where a run is kept unless ``--folder`` says otherwise."""
    name = f"{recipe.game}-{recipe.seats}-{recipe.seed}" + ("" if recipe.players == "hints" else "-on")
    return Path(platformdirs.user_data_dir("tefuda")) / "training" / name


class TrainingProgress:
    """A bar for the deals on a terminal; a line for each round, with the strength so far, elsewhere too.

    Args:
        console: on standard error.
        curve: what an earlier run has reached.
    """

    def __init__(self, console: Console, curve: Sequence[dict[str, Any]]) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total} {task.fields[note]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self._console = console
        self._bars = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._deals = self._bars.add_task("deals", total=None, note="")
        self._lines = PaceLines(lambda line: announce(console, line), "deals", 0)
        self._first: tuple[float, int] | None = None
        for row in curve:
            self.judged(row)

    def __enter__(self) -> "TrainingProgress":
        self._bars.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bars.stop()

    def deals(self, done: int, wanted: int, loss: float) -> None:
        """So many deals of so many are learned from; the loss of the last."""
        self._lines.reach(done, wanted)
        now = perf_counter()
        if self._first is None:
            self._first = (now, done)
        began, before = self._first
        speed = f"{(done - before) / (now - began):.0f}/s, " if now > began else ""
        self._bars.update(self._deals, completed=done, total=wanted, note=f"{speed}loss {loss:.4f}")

    def judged(self, row: dict[str, Any]) -> None:
        """A round is finished; its line of the curve."""
        before = "the round before" if row["round"] > 1 else "the network it learns on from"
        past = f", {row['past_gain']:+.2f} ± {row['past_margin']:.2f} against {before}" if "past_gain" in row else ""
        self._console.print(
            f"round {row['round']}: {row['deals']} deals, {row['positions']} positions, {row['seconds'] / 60:.1f} min; "
            f"{row['gain']:+.2f} ± {row['margin']:.2f} a deal against hints{past}",
            highlight=False,
            soft_wrap=True,
        )
