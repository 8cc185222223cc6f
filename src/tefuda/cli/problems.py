"""``tefuda problems``: moments of deals to solve, and the command that finds them."""

import sys
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

import tefuda
from tefuda.cli.chosen import command, game_with, language_of, prepare
from tefuda.cli.parameters import AsJson, Commands, GameName, Language, later
from tefuda.cli.standard_streams import INTERRUPTED, print_json
from tefuda.engine.errors import TefudaError, nearest, needed_by
from tefuda.engine.texts import TEXTS, catalogue

if TYPE_CHECKING:
    from tefuda.bots import problem
    from tefuda.cli import lesson, progress
else:
    problem, lesson, progress = later("tefuda", "bots.problem", "cli.lesson", "cli.progress")

app = Commands(help="Problems with one best play: what would you play?")


@app.command()
def solve(
    game: GameName,
    name: Annotated[str | None, Option(help="This problem.", metavar="NAME", show_default="due, then new")] = None,
    today: Annotated[bool, Option("--today", help="The problem of the day.")] = False,
    language: Language = None,
) -> None:
    """Solve problems. Those that you miss come back after some time."""
    with needed_by("tefuda problems", "problems"):
        new_lesson = lesson.Lesson
    found, language = game_with(game), language_of(language)
    problems = _problems(found)
    prepare(found.description, language)
    course = new_lesson(found, language)
    try:
        if name is not None:
            course.solve(_named(found, problems, name))
        elif today:
            course.solve(problem.of_day(problems, date.today()))
        else:
            course.solve_all(problems)
    except EOFError:
        course.console.print()
    except KeyboardInterrupt:
        course.console.print()
        sys.exit(INTERRUPTED)


@app.command("list")
def list_problems(game: GameName, language: Language = None, as_json: AsJson = False) -> None:
    """List the problems of a game, and which you have solved."""
    from rich.console import Console
    from rich.table import Table

    with needed_by("tefuda problems", "problems"):
        progress_file = lesson.SolvedProblems
    found, language = game_with(game), language_of(language, printed=not as_json)
    problems, solved = _problems(found), progress_file.of_game(game)
    if as_json:
        print_json([{"name": p.name, "grade": p.grade, "state": solved.state(p), **asdict(p)} for p in problems])
        return
    words, own = catalogue(TEXTS, language), catalogue(found.description.files.texts, language)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("name", "grade", "theme", "state"):
        table.add_column(words(f"problems.{heading}"))
    for each in problems:
        state = words(f"problems.{solved.state(each)}")
        table.add_row(each.name, "★" * each.grade, own(each.theme), state)
    Console(highlight=False).print(table)


def _problems(game: "tefuda.Game") -> "list[problem.Problem]":
    found = problem.problems_of(game.description)
    if not found:
        raise TefudaError(f"{game.name} has no problems; find some: {command('problems', 'make', game.name)}")
    return found


def _named(game: "tefuda.Game", problems: "list[problem.Problem]", name: str) -> "problem.Problem":
    known = {each.name: each for each in problems}
    if name not in known:
        listed = command("problems", "list", game.name)
        raise TefudaError(f"--name: there is no problem {name!r}; see: {listed}{nearest(name, known)}")
    return known[name]


@app.command()
def make(
    game: GameName,
    output: Annotated[
        Path | None, Option("-o", "--output", help="The file.", metavar="FILE", show_default="GAME-problems.jsonl")
    ] = None,
    number: Annotated[int, Option("--count", min=1, help="Problems in the file.")] = 60,
    seed: Annotated[int, Option(min=0, help="Of the first deal.")] = 0,
) -> None:
    """Find problems in deals between bots. A file that is there already is gone on with, also after Ctrl-C."""
    from rich.console import Console

    found_game, path = game_with(game), output or Path(f"{game}-problems.jsonl")
    found = problem.read(path) if path.exists() else []
    hard, easy = ([each for each in found if each.is_hard == hard] for hard in (True, False))
    console = Console(stderr=True)
    progress.announce(console, f"Looks for {number} problems of {game}, {len(found)} of which are in {path} already.")
    prepare(found_game.description)
    begin = max((each.seed + 1 for each in found), default=seed)
    interrupted = False
    with progress.progress(console, "problems", number) as advance:
        advance(len(found))
        maker = problem.ProblemMaker(found_game, begin).problems()
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
