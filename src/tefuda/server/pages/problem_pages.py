"""Problems of a game, each a tour of two steps; and the deal of the day, played once by everybody, then compared."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from fastapi import HTTPException, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from pydantic import BaseModel, Field

from tefuda.bots import problem_schedule
from tefuda.bots.players import level_spec
from tefuda.bots.problem import GRADES, Problem, problems_of
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue, signed
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.create_table import create_given, identify
from tefuda.server.live import daily_games
from tefuda.server.live.daily_games import SEAT, compared, deal_of
from tefuda.server.pages.layout import page, router
from tefuda.server.pages.shown_game import OfAddress, ShownGame, today
from tefuda.server.pages.tours import seat_titles, steps_page
from tefuda.server.store.port import DailyResult, DealOfDay
from tefuda.server.table.player_names import notation_text
from tefuda.table.game import Game
from tefuda.table.shuffle import Proof
from tefuda.table.tour import Step, StepText, Tour


class ProblemAnswer(BaseModel):
    """A reader's answer to a problem, and what their browser has kept of earlier answers: nothing at the first."""

    solved: bool
    card: str = Field("", max_length=1000)


@router.get("/games/{game}/problems")
async def problems_page(context: Context, game: OfAddress) -> Response:
    """All problems of a game; which of them the reader has solved their browser knows."""
    return page(context, "problems.html", game=game, problems=_problems_of(game), grades=GRADES)


@router.get("/games/{game}/problems/today")
async def problem_of_today(context: Context, game: OfAddress) -> Response:
    """The problem of the day, by universal time, in the language and with the deck that the address asks for."""
    _problems_of(game)
    query = context.connection.url.query
    return RedirectResponse(game.problem_of_today + (f"?{query}" if query else ""), 303)


@router.get("/games/{game}/problems/{name}")
async def problem_page(context: Context, game: OfAddress, name: str) -> Response:
    """One problem, at the table of the game."""
    known, problem = [each.name for each in _problems_of(game)], _problem(game, name)
    game.must_be_ready()
    made = await context.services.background.in_thread(problem_tour, game.served, problem)
    then = known[(known.index(name) + 1) % len(known)]
    return await steps_page(game, made, "problem.html", kind="problem", problem=name, following=then, problems=known)


@router.post("/games/{game}/problems/{name}/answered")
async def schedule_problem(game: OfAddress, name: str, answer: ProblemAnswer) -> Response:
    """Tell when a problem comes back after this answer. Nothing is kept here: that is for the reader's browser.

    Where what it has kept is damaged, the problem is answered for the first time."""
    _problem(game, name)
    try:
        card = problem_schedule.answered(problem_schedule.read_card(answer.card), solved=answer.solved)
    except (TefudaError, OverflowError):
        card = problem_schedule.answered(None, solved=answer.solved)
    return JSONResponse({"card": card.to_json(), "due": round(card.due.timestamp() * 1000)})


@lru_cache(256)
def problem_tour(description: Description, problem: Problem) -> Tour:
    """A problem as a tour: what is to be decided, then the solution. ``TefudaError`` if the problem was found under
    other rules."""
    game = Game(description)
    deal = problem.deal(game)
    verdict = problem.solution(deal)
    ask, answer = dict[str, StepText](), dict[str, StepText]()
    names = seat_titles(game, problem.seat)
    for language in LANGUAGES:
        words = catalogue(TEXTS, language).under("page.problems")
        spoken = [name or catalogue(TEXTS, language)("you") for name in names[language]]
        told = (deal, language, spoken, notation_text(description, language))
        sentences = [verdict.sentence(*told), *verdict.figures(*told)]
        grade = words["grade"].format(grade="★" * problem.grade + "☆" * (GRADES - problem.grade))
        ask[language] = StepText(words["ask"], f"{grade}\n\n{words['how']}", words["wrong"])
        answer[language] = StepText(words["answer"], "\n\n".join(sentences), "")
    moves = tuple(f"{seat}:{word}" for seat, word in deal.history)
    steps = (Step(moves, (), (), (problem.best,), "", ask), Step((), (), (), (), "", answer))
    titles = {language: catalogue(TEXTS, language)("page.problems.title") for language in LANGUAGES}
    return Tour(Path(problem.name), game, problem.seat, {"deal": {"seed": problem.seed}}, titles, names, steps)


def _problems_of(game: ShownGame) -> list[Problem]:
    found = problems_of(game.served)
    if not found:
        raise HTTPException(404, game.context.text("problems.none"))
    return found


def _problem(game: ShownGame, name: str) -> Problem:
    found = next((each for each in _problems_of(game) if each.name == name), None)
    if found is None:
        raise HTTPException(404, game.context.text("problems.none"))
    return found


# The deal of the day

MOST_RESULTS = 100  # results in the list, beside the reader's own
BOTS_WITHIN = 3.0  # seconds for which the page waits for bots that still play
BEFORE = 7  # days whose deals can be looked at


@router.get("/games/{game}/day")
@router.get("/games/{game}/day/{day}")
async def day_page(game: OfAddress, day: str = "") -> HTMLResponse:
    """The deal of a day, by default of today, by universal time: to be played, or what everybody made of it."""
    return await _day_page(game, _past_or_today(day) if day else today())


@router.post("/games/{game}/day")
async def play_today(context: Context, game: OfAddress) -> Response:
    """Play today's deal, or go on with it: a player who sends this twice comes to the same table."""
    day, services = today().isoformat(), context.services
    game.must_be_ready(form={}, action=f"/games/{game.name}/day")
    response = RedirectResponse("", 303)
    caller, _ = identify(context, response)
    table = services.identity.table_name(caller, f"day {game.name} {day}")
    response.headers["location"] = f"/t/{table}"
    if await services.tables.log_if_any(table):
        return response
    context.pay_for_table()
    played = Game(game.served)
    level = level_spec(daily_games.LEVEL, game.served, played.template[0])
    row = await services.tables.daily.row(DealOfDay(day, game.name), played)
    bots = [level] * (played.seats - 1)
    await create_given(context, table, caller, played, {"kind": "day", "day": day}, SEAT, bots, row)
    return response


def _past_or_today(text: str) -> date:
    """A day of which there may be a deal. ``HTTPException`` if it is none, or another one (404)."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.max
    if not today() - timedelta(BEFORE) <= day <= today():
        raise HTTPException(404)
    return day


async def _day_page(game: ShownGame, day: date) -> HTMLResponse:
    """The results of a deal; of today's, only those who have played it are told."""
    context, deal = game.context, DealOfDay(day.isoformat(), game.name)
    results, own = await day_results(context, deal)
    begun = "" if own or day != today() else await _table_begun(context, game.name, deal.day)
    if begun and await _has_ended(context, begun):
        results, own = await day_results(context, deal)
    is_told = own is not None or day < today()
    waits = False
    if is_told and any(not each.bot for each in results):
        results, waits = await _with_bots(context, game.served, deal, results)
    people = [each for each in results if not each.bot]
    return page(
        context,
        "daily.html",
        preview=replace(game.preview, text=context.text("daily.about")),
        game=game,
        day=day.isoformat(),
        is_today=day == today(),
        ends=datetime.combine(day + timedelta(1), time(), UTC).isoformat(),
        played=len(people),
        own=own,
        begun=begun,
        table=_day_lines(game, results, own) if is_told else [],
        waits=waits,
        days=[each.isoformat() for each in (today() - timedelta(back) for back in range(BEFORE + 1)) if each != day],
    )


async def day_results(context: RequestContext, deal: DealOfDay) -> tuple[list[DailyResult], DailyResult | None]:
    """The results of a deal, and the reader's own, if they have played it."""
    caller = context.caller
    results = await context.services.store.daily.results(deal)
    return results, next((each for each in results if each.player in (caller.guest, caller.token)), None)


async def _has_ended(context: RequestContext, name: str) -> bool:
    """Tell if the deal has ended at a table of the day; its result is kept by then.

    A reader who comes from the score sheet may be faster than what keeps it in the background."""
    tables = context.services.tables
    if not tables.is_loaded(name):
        return False
    table = await tables.get(name)
    if not table.state.results:
        return False
    await table.until_kept()
    return True


async def _table_begun(context: RequestContext, game: str, day: str) -> str:
    """The table at which the reader has begun today's deal; empty if they have not."""
    caller = context.caller
    if caller.lasting is None:
        return ""
    name = context.services.identity.table_name(caller, f"day {game} {day}")
    return name if await context.services.tables.log_if_any(name) else ""


async def _with_bots(
    context: RequestContext, game: Description, deal: DealOfDay, results: list[DailyResult]
) -> tuple[list[DailyResult], bool]:
    """The results with those of the bots, as far as they have played, and whether more will come by themselves."""
    services, daily = context.services, context.services.tables.daily
    if {each.bot for each in results} >= set(compared(game)):
        return results, False
    if not services.compiler.is_ready(game.name):
        return results, True
    if not daily.is_played_by_bots(deal):
        kept = await services.store.daily.proof(deal)
        if kept is None:
            return results, False
        daily.let_bots_play(deal, deal_of(Game(game), Proof.from_json(kept)))
    have_played = await daily.wait_for_bots(deal, BOTS_WITHIN)  # first: who ends meanwhile is among the results
    return await services.store.daily.results(deal), not have_played


def _day_lines(game: ShownGame, results: Sequence[DailyResult], own: DailyResult | None) -> list[dict[str, object]]:
    """The lines of the list: place, name, what was won or lost.

    Bots have no place of their own; they stand where their points do."""
    lines, place, unit = list[dict[str, object]](), 1, game.served.rules.unit
    for points, group in groupby(results, key=lambda each: each.points):
        same = list(group)
        for each in same:
            is_own = each is own or (own is not None and each.player == own.player)
            if is_own or each.bot or place <= MOST_RESULTS:
                name = game.context.text(f"daily.bot.{each.bot.partition(':')[0]}") if each.bot else each.name
                told = {"place": "" if each.bot else place, "name": name, "is_own": is_own, "is_bot": bool(each.bot)}
                lines.append({**told, "points": signed(round(points * unit), unit)})
        place += sum(not each.bot for each in same)
    return lines
