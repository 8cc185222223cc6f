"""``tefuda problems``: moments of deals to solve."""

import sys
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Annotated

from typer import Option

import tefuda
from tefuda.cli.chosen import command, game_with, language_of, prepare
from tefuda.cli.parameters import AsJson, Commands, GameName, Language, later
from tefuda.cli.standard_streams import INTERRUPTED, print_json
from tefuda.engine.errors import TefudaError, nearest, needed_by
from tefuda.engine.texts import TEXTS, catalogue

if TYPE_CHECKING:
    from tefuda.bots import problem
    from tefuda.cli import lesson
else:
    problem, lesson = later("tefuda", "bots.problem", "cli.lesson")

app = Commands(help="Problems with one best play: what would you play?")


@app.command(example="problems solve kakkuri --today")
def solve(
    game: GameName,
    name: Annotated[str | None, Option(help="Only this problem.", metavar="NAME", show_default="due, then new")] = None,
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


@app.command("list", example="problems list kakkuri")
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
        table.add_row(each.name, "★" * each.grade, own(each.theme), words(f"problems.{solved.state(each)}"))
    Console(highlight=False).print(table)


def _problems(game: "tefuda.Game") -> "list[problem.Problem]":
    found = problem.problems_of(game.description)
    if not found:
        raise TefudaError(f"{game.name} has no problems")
    return found


def _named(game: "tefuda.Game", problems: "list[problem.Problem]", name: str) -> "problem.Problem":
    known = {each.name: each for each in problems}
    if name not in known:
        listed = command("problems", "list", game.name)
        raise TefudaError(f"--name: there is no problem {name!r}; see: {listed}{nearest(name, known)}")
    return known[name]
