"""Problems: a list of them, each as a tour of two steps (the moment, and what was best), and when each comes back."""

from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel, Field

from tefuda.bots import problem_schedule
from tefuda.bots.problem import GRADES, Problem, of_day, problems_of
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.pages import compilation, tour
from tefuda.server.pages.frame import page, page_text, served_game
from tefuda.server.table.player_names import bot_name, notation_text
from tefuda.table.game import Game
from tefuda.table.tour import Step, StepText, Tour

router = APIRouter(include_in_schema=False)


class Answer(BaseModel):
    """How a reader has answered a problem, and what their browser has kept of earlier answers: nothing at the first."""

    solved: bool
    card: str = Field("", max_length=1000)


@router.get("/games/{game}/problems")
async def show_all(context: Context, game: str) -> Response:
    """All problems of a game; which of them the reader has solved their browser knows."""
    description, language = served_game(context, game), context.language
    texts = catalogue(description.files.texts, language)
    return page(
        context,
        "problems.html",
        title=texts("title"),
        game=game,
        today=address_of_today(description),
        problems=[
            {"name": each.name, "grade": each.grade, "theme": texts(each.phase)}
            for each in _problems(context, description)
        ],
        grades=GRADES,
    )


@router.get("/games/{game}/problems/today")
async def show_today(context: Context, game: str) -> Response:
    """The problem of the day, by universal time, in the language and with the deck that the address asks for."""
    description = served_game(context, game)
    _problems(context, description)
    today, query = address_of_today(description), context.connection.url.query
    return RedirectResponse(f"{today}?{query}" if query else today, 303)


@router.get("/games/{game}/problems/{name}")
async def show(context: Context, game: str, name: str) -> Response:
    """One problem, at the table of the game."""
    description = served_game(context, game)
    problems = _problems(context, description)
    place = next((place for place, each in enumerate(problems) if each.name == name), None)
    if place is None:
        raise HTTPException(404, page_text(context.language, "problems.none"))
    if not context.services.compiler.is_ready(game):
        return compilation.show(context, description)
    made = await context.services.background.in_thread(tour_of, description, problems[place])
    following = problems[(place + 1) % len(problems)].name
    known = [each.name for each in problems]
    return await tour.shown(
        context, made, "problem.html", kind="problem", problem=name, following=following, problems=known
    )


@router.post("/games/{game}/problems/{name}/answered")
async def schedule(context: Context, game: str, name: str, answer: Answer) -> Response:
    """When a problem comes back after this answer. Nothing is kept here: what to keep goes to the reader's browser.

    Where what it has kept is damaged, the problem is answered for the first time.
    """
    description = served_game(context, game)
    if all(each.name != name for each in _problems(context, description)):
        raise HTTPException(404, page_text(context.language, "problems.none"))
    try:
        card = problem_schedule.answered(problem_schedule.read_card(answer.card), solved=answer.solved)
    except (TefudaError, OverflowError):
        card = problem_schedule.answered(None, solved=answer.solved)
    return JSONResponse({"card": card.to_json(), "due": round(card.due.timestamp() * 1000)})


@lru_cache(256)
def tour_of(description: Description, problem: Problem) -> Tour:
    """A problem as a tour: what is to be decided, then the solution.

    Raises:
        TefudaError: the problem was found under other rules.
    """
    game = Game(description)
    deal = problem.deal(game)
    verdict = problem.verdict(deal)
    ask, answer = dict[str, StepText](), dict[str, StepText]()
    names = {language: _names(game, problem, language) for language in LANGUAGES}
    for language in LANGUAGES:
        words = catalogue(TEXTS, language).under("page.problems")
        sentences = verdict.sentences(
            deal, language, _spoken(names[language], language), notation_text(description, language)
        )
        grade = words["grade"].format(grade="★" * problem.grade + "☆" * (GRADES - problem.grade))
        ask[language] = StepText(words["ask"], f"{grade}\n\n{words['how']}", words["wrong"])
        answer[language] = StepText(words["answer"], "\n\n".join(sentences), "")
    moves = tuple(f"{seat}:{word}" for seat, word in deal.history)
    steps = (Step(moves, (), (), (problem.best,), "", ask), Step((), (), (), (), "", answer))
    titles = {language: catalogue(TEXTS, language)("page.problems.title") for language in LANGUAGES}
    return Tour(Path(problem.name), game, problem.seat, {"deal": {"seed": problem.seed}}, titles, names, steps)


def address_of_today(description: Description) -> str:
    """Of the page of the problem of the day, by universal time; empty if the game has no problems."""
    known = problems_of(description)
    return f"/games/{description.name}/problems/{of_day(known, _today()).name}" if known else ""


def _today() -> date:
    return datetime.now(UTC).date()


def _problems(context: RequestContext, description: Description) -> list[Problem]:
    found = problems_of(description)
    if not found:
        raise HTTPException(404, page_text(context.language, "problems.none"))
    return found


def _names(game: Game, problem: Problem, language: str) -> list[str]:
    """What the seats are called: the reader's has no name here."""
    return ["" if seat == problem.seat else bot_name(seat, language) for seat in range(game.seats)]


def _spoken(names: list[str], language: str) -> list[str]:
    return [name or catalogue(TEXTS, language)("you") for name in names]
