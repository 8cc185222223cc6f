"""Waiting for the compiler, with a progress bar that says why."""

import sys

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tefuda.engine import compilation
from tefuda.engine.description import Description
from tefuda.engine.texts import TEXTS, catalogue


def prepare(game: Description, language: str = "en") -> None:
    """Compile what a table of this game needs, if that has not been done since the last change of the sources."""
    if compilation.is_warm(game):
        return
    console = Console(file=sys.stderr)
    console.print(catalogue(TEXTS, language)("compiling.why", game=catalogue(game.files.texts, language)("title")))
    columns = (
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        steps = compilation.steps(game)
        task = progress.add_task("", total=len(steps))
        for label, compile_it in steps:
            progress.update(task, description=label)
            compile_it()
            progress.advance(task)
    compilation.mark(game)
