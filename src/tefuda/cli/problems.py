"""``tefuda problems``: moments of deals to solve."""

from datetime import date
from functools import partial
from typing import Annotated

from typer import Option

from tefuda.cli.chosen import game_with, language_of, prepare
from tefuda.cli.parameters import Commands, GameName, Language, Plain, later
from tefuda.cli.standard_streams import fills_screen
from tefuda.engine.errors import TefudaError, nearest, needed_by

with later():
    from tefuda.bots import problem
    from tefuda.cli import course, lesson

app = Commands(help="Problems with one best play: what would you play?", callback=lambda: None)


@app.command(example="problems solve kakkuri --today")
def solve(
    game: GameName,
    name: Annotated[str | None, Option(help="Only this problem.", metavar="NAME", show_default="due, then new")] = None,
    today: Annotated[bool, Option("--today", help="The problem of the day.")] = False,
    plain: Plain = False,
    language: Language = None,
) -> None:
    """Solve problems. Those that you miss come back after some time."""
    with needed_by("tefuda problems", "problems"):
        import fsrs  # noqa: F401
    found, language = game_with(game), language_of(language)
    problems = problem.problems_of(found.description)
    if not problems:
        raise TefudaError(f"{found.name} has no problems")
    known = {each.name: each for each in problems}
    if name is not None and name not in known:
        raise TefudaError(f"--name: {found.name} has no problem {name!r}{nearest(name, known)}")
    prepare(found.description, language)
    chosen = known[name] if name else problem.of_day(problems, date.today())
    one, every = partial(lesson.solve, found, language, chosen), partial(lesson.solve_all, found, language, problems)
    course.take(one if name or today else every, language, full=not plain and fills_screen())
