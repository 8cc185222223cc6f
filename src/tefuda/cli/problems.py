"""``tefuda problems``: moments of deals to solve, and the command that finds them."""

import sys
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from tefuda.cli.arguments import AsJson, GameName, Language
from tefuda.cli.exit_status import INTERRUPTED
from tefuda.cli.help import Commands

app = Commands(help="Problems with one best play: what would you play?")


@app.callback()
def about() -> None:
    """Problems with one best play: what would you play?"""


@app.command()
def solve(
    game: GameName,
    name: Annotated[
        str | None, typer.Option("--name", help="This problem.", metavar="NAME", show_default="due, then new")
    ] = None,
    today: Annotated[bool, typer.Option("--today", help="The problem of the day.")] = False,
    language: Language = None,
) -> None:
    """Solve problems. Those that you miss come back after some time."""
    from tefuda.cli import problem_lesson as command

    command.run(game, name, date.today() if today else None, language)


@app.command("list")
def list_them(game: GameName, language: Language = None, as_json: AsJson = False) -> None:
    """List the problems of a game, and which you have solved."""
    from tefuda.cli import problem_lesson as command

    command.list_them(game, language, as_json)


@app.command()
def make(
    game: GameName,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The file.", metavar="FILE", show_default="GAME-problems.jsonl"),
    ] = None,
    number: Annotated[int, typer.Option("--count", min=1, help="Problems in the file.")] = 60,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the first deal.")] = 0,
) -> None:
    """Find problems in deals between bots. A file that is there already is gone on with, also after Ctrl-C."""
    from rich.console import Console

    from tefuda.bots import problem
    from tefuda.bots.problem import ProblemMaker
    from tefuda.cli.long_command import announce, progress
    from tefuda.cli.progress import prepare
    from tefuda.cli.settings import game_with

    found_game, path = game_with(game, None, []), output or Path(f"{game}-problems.jsonl")
    found = problem.read(path) if path.exists() else []
    hard, easy = ([each for each in found if each.is_hard == hard] for hard in (True, False))
    console = Console(file=sys.stderr)
    announce(console, f"Looks for {number} problems of {game}, {len(found)} of which are in {path} already.")
    prepare(found_game.description)
    begin = max((each.seed + 1 for each in found), default=seed)
    interrupted = False
    with progress(console, "problems", number) as advance:
        advance(len(found))
        maker = ProblemMaker(found_game, begin).problems()
        try:
            while len(hard) + len(easy) < number:
                before = len(hard) + len(easy)
                for each in next(maker):
                    kind, most = (hard, number) if each.is_hard else (easy, number // 2)
                    if len(kind) < most and len(hard) + len(easy) < number:
                        kind.append(each)
                advance(len(hard) + len(easy) - before)
                problem.write(path, [*hard, *easy])
        except KeyboardInterrupt:
            interrupted = True
    sys.stdout.write(f"{path}: {len(hard) + len(easy)} problems, {len(hard)} of them hard\n")
    if interrupted:
        sys.stdout.write("Interrupted: the same command goes on.\n")
        raise typer.Exit(INTERRUPTED)
