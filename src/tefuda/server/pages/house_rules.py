"""House rules: options that somebody has saved under a name, with a page and a link; and the club's own page."""

import secrets
import time
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tefuda.engine.description import Description
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.pages import decks, forms
from tefuda.server.pages.forms import TableForm
from tefuda.server.pages.frame import Preview, page, page_text
from tefuda.server.pages.languages import home_of
from tefuda.server.store.people import HouseRules
from tefuda.server.table.callers import Refused
from tefuda.server.table.player_names import clean_name

router = APIRouter(include_in_schema=False)

MOST_LISTED = 50
"""House rules on the club's page."""


async def save(context: RequestContext, game: Description, form: TableForm, title: str) -> str:
    """Save what a form has chosen under a name; the address of its page.

    Args:
        context: of the request of whoever saves it.
        game: of the form.
        form: without faults.
        title: the name.

    Raises:
        Refused: the name is empty or too long, or this address has saved and opened too much.
    """
    if not context.services.new_tables.bucket(context.address).take():
        raise Refused("too_many_tables", 429)
    options = {name: value for name, value in form.options.items() if forms.differs(game, name, value)}
    key, person = secrets.token_hex(5), context.services.identity.guest(context.connection)
    kept = HouseRules(
        key, time.time_ns() // 1_000_000, person, clean_name(title), game.name, form.seats, options
    )  # fmt: skip
    await context.services.store.people.save_rules(kept)
    return f"/house-rules/{key}"


async def find(context: RequestContext, key: str) -> tuple[HouseRules, Description]:
    """House rules and their game.

    Raises:
        HTTPException: there are none (404), or their game is not served here.
    """
    found = await context.services.store.people.rules(key)
    game = found and context.services.compiler.games.get(found.game)
    if not found or not game:
        raise HTTPException(404, catalogue(TEXTS, context.language)("server.not_found"))
    return found, game


@router.get("/house-rules/{key}")
async def show(context: Context, key: str) -> HTMLResponse:
    """What they change, in words, and a form to open a table by them."""
    rules, game = await find(context, key)
    texts, language = catalogue(game.files.texts, context.language), context.language
    mine = rules.person is not None and rules.person == context.services.identity.guest(context.connection)
    return page(
        context,
        "house-rules.html",
        preview=Preview(texts("title"), f"/games/{game.name}/preview"),
        rules=rules,
        game=game.name,
        title=texts("title"),
        home=home_of(game),
        picture=decks.address(context.in_own_deck(game), "picture", language),
        changes=_changes(game, rules, language),
        link=f"{context.origin}/house-rules/{key}",
        mine=mine,
    )


@router.post("/house-rules/{key}/remove")
async def remove(context: Context, key: str, sure: Annotated[str, Form()] = "") -> Response:
    """Delete them, if the reader has saved them."""
    guest = context.services.identity.guest(context.connection)
    if guest is None or not sure or not await context.services.store.people.remove_rules(key, guest):
        return RedirectResponse(f"/house-rules/{key}", 303)
    return RedirectResponse("/me", 303)


@router.get("/club")
async def club(context: Context) -> HTMLResponse:
    """The club's own page: its tours and its house rules. Only where whoever runs the server has named the club."""
    services, language = context.services, context.language
    if services.settings.club is None:
        raise HTTPException(404, catalogue(TEXTS, language)("server.not_found"))
    served = services.compiler.games
    saved = [each for each in await services.store.people.all_rules(MOST_LISTED) if each.game in served]
    return page(
        context,
        "club.html",
        preview=Preview(page_text(language, "club.lead")),
        name=services.settings.club,
        games=[
            {
                "name": name,
                "title": catalogue(game.files.texts, language)("title"),
                "tours": services.tours.links(game, language),
                "saved": [each for each in saved if each.game == name],
            }
            for name, game in served.items()
        ],
    )


def _changes(game: Description, rules: HouseRules, language: str) -> list[dict[str, Any]]:
    """The options that differ from the usual ones; those that the game has no more are left out."""
    form = TableForm(rules.seats, {name: str(value) for name, value in rules.options.items()})
    options = forms.template_values(game, form, language)["options"]
    return [
        {**option, "said": _said(option, language)}
        for option in options
        if option["name"] in rules.options and option["value"] != option["default"]
    ]


def _said(option: dict[str, Any], language: str) -> str:
    """A value in words."""
    value: str = option["value"]
    if option["kind"] == "switch":
        return page_text(language, "rules.on" if value == "true" else "rules.off")
    return str(dict(option["values"]).get(value, value))
