"""``tefuda problems``: moments of deals to solve."""

import sys
from datetime import date
from typing import TYPE_CHECKING, Annotated

from typer import Option

from tefuda.cli.chosen import game_with, language_of, prepare
from tefuda.cli.parameters import Commands, GameName, Language, later
from tefuda.cli.standard_streams import INTERRUPTED
from tefuda.engine.errors import TefudaError, nearest, needed_by

if TYPE_CHECKING:
    from tefuda.bots import problem
    from tefuda.cli import lesson
else:
    problem, lesson = later("tefuda", "bots.problem", "cli.lesson")

app = Commands(help="Problems with one best play: what would you play?", callback=lambda: None)


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
    problems = problem.problems_of(found.description)
    if not problems:
        raise TefudaError(f"{found.name} has no problems")
    known = {each.name: each for each in problems}
    if name is not None and name not in known:
        raise TefudaError(f"--name: {found.name} has no problem {name!r}{nearest(name, known)}")
    prepare(found.description, language)
    course = new_lesson(found, language)
    try:
        if name is not None:
            course.solve(known[name])
        elif today:
            course.solve(problem.of_day(problems, date.today()))
        else:
            course.solve_all(problems)
    except EOFError:
        course.console.print()
    except KeyboardInterrupt:
        course.console.print()
        sys.exit(INTERRUPTED)
