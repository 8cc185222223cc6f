"""A game's own page: what it is, and a form to open a table of it."""

from dataclasses import replace
from typing import get_args
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tefuda.engine.background import background
from tefuda.engine.description import Description
from tefuda.engine.texts import catalogue
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.create_table import create_table
from tefuda.server.http.errors import error_of
from tefuda.server.pages import decks, forms, house_rules
from tefuda.server.pages.forms import Company, TableForm
from tefuda.server.pages.frame import Preview, name_of, page, served_game
from tefuda.server.pages.languages import home_of
from tefuda.server.table.callers import Refused
from tefuda.server.table.player_names import clean_name

router = APIRouter(include_in_schema=False)


@router.get("/games/{game}")
async def show(context: Context, game: str, rules: str = "") -> HTMLResponse:
    """The page with a fresh form, or one that is filled in by house rules."""
    description = served_game(context, game)
    if not rules:
        return _page(context, description, TableForm(description.seats[0]))
    saved, of = await house_rules.find(context, rules)
    sent = {"seats": str(saved.seats), **{f"set-{name}": str(value) for name, value in saved.options.items()}}
    return _page(context, description, forms.read(description, sent if of is description else {}, context.language))


@router.post("/games/{game}")
async def open_table(context: Context, request: Request, game: str) -> Response:
    """Open a table and go there; a form with faults comes back as it was typed, with what is wrong.

    The button that sent the form says with whom (``with``).
    """
    description, language = served_game(context, game), context.language
    sent = await forms.sent_fields(request)
    form = forms.read(description, sent, language)
    company: Company = next((each for each in get_args(Company) if each == sent.get("with")), "bots")
    name = sent.get("name", "").strip()
    if form.faults:
        return _page(context, description, form, 422, name=name)
    try:
        name = name and clean_name(name)
    except Refused as refused:
        return _page(context, description, form, 422, name=name, name_fault=error_of(refused, language)["text"])
    if sent.get("with") == "save":
        return await _save(context, description, form, sent.get("title", ""))
    if not context.services.compiler.is_ready(game):
        return RedirectResponse(f"/games/{game}/preparing?{urlencode(sent)}", 303)
    response = RedirectResponse("", 303)
    wanted = forms.wanted_table(description, form, name or name_of(context, context.profile), company)
    opened = await create_table(context, response, wanted)
    response.headers["location"] = f"/t/{opened.table}" + ("/invite" if company == "friends" else "")
    if name:
        await context.keep(response, replace(context.profile, typed=name))
    return response


async def _save(context: RequestContext, game: Description, form: TableForm, title: str) -> Response:
    """Save the options under a name, and show them."""
    try:
        return RedirectResponse(await house_rules.save(context, game, form, title), 303)
    except Refused as refused:
        fault = error_of(refused, context.language)["text"]
        return _page(context, game, replace(form, faults={"": fault}), refused.status)


def _page(
    context: RequestContext, game: Description, form: TableForm, status: int = 200, name: str | None = None,
    name_fault: str = "",
) -> HTMLResponse:  # fmt: skip
    language = context.language
    texts = catalogue(game.files.texts, language)
    return page(
        context,
        "game.html",
        status,
        Preview(texts("summary" if "summary" in texts else "about"), f"/games/{game.name}/preview"),
        game=game.name,
        title=texts("title"),
        native=texts("native"),
        home=home_of(game),
        reading=texts("reading") if "reading" in texts else "",
        about=texts("about"),
        history=bool(background(game, language)),
        picture=decks.address(context.in_own_deck(game), "picture", language),
        typed=name,
        name_fault=name_fault,
        form=forms.template_values(game, form, language),
        tours=context.services.tours.links(game, language),
        problems=game.files.problems is not None,
        ready=context.services.compiler.is_ready(game.name),
    )
