"""A table: the frame that scripts fill, and what can be done without them."""

from typing import Any
from urllib.parse import parse_qs, urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.texts import catalogue
from tefuda.server.house.rooms import Rooms
from tefuda.server.log import commands, showing
from tefuda.server.log.commands import Refused
from tefuda.server.log.fold import Table
from tefuda.server.log.wording import wording
from tefuda.server.web.errors import language_of
from tefuda.server.web.identity import Identity, token_hash
from tefuda.server.web.pages import decks, preparing
from tefuda.server.web.pages.forms import LEVELS
from tefuda.server.web.pages.frame import WEB, page, said
from tefuda.table.reasons import TEXTS, say_line

router = APIRouter(include_in_schema=False)

SCRIPTS = sorted(path.relative_to(WEB / "static").as_posix() for path in (WEB / "static/js").rglob("*.js"))
"""Asked for at once: a browser that followed imports would wait for one after the other."""

NOT_NEEDED = ("rules", "teach", "options", "why", "events", "sheet", "cards")
"""Sections of a game's texts that the server writes out, or other pages show."""


@router.get("/t/{table}")
async def show(request: Request, table: str, invite: str = "") -> Response:
    """The table; without scripts who sits there, and how to sit down."""
    rooms: Rooms = request.app.state.rooms
    if (waiting := await preparing.before(request, table)) is not None:
        return waiting
    found = (await rooms.room(table)).table
    game = found.game.description
    if _waits_for_search(rooms, found):
        return preparing.show(request, game, search=True)
    language = language_of(request)
    identity: Identity = request.app.state.identity
    if found.settings["invite"] and found.is_host(identity.who(request)):
        invite = identity.invitation(table)  # for the host to send again
    texts = catalogue(found.game.description.files.texts, language)
    return page(
        request,
        "table.html",
        table=table,
        invite=invite,
        title=texts("title"),
        seats=showing.seats(found),
        game=game_data(found, language, invite or None),
        texts=texts_data(found.game.description, language, "table", "keys"),
        tours=request.app.state.guides.links(game, language)[:1],
        scripts=[script for script in SCRIPTS if script.startswith("js/table/") or script.count("/") == 1],
    )


def _waits_for_search(rooms: Rooms, table: Table) -> bool:
    """Whether the first bot to play would keep everybody waiting."""
    searches = any((chair.bot or "").startswith("search") for chair in table.chairs)
    return searches and not table.begun and not rooms.kitchen.search_is_ready(table.game.name)


@router.post("/t/{table}/join")
async def join(request: Request, table: str) -> Response:
    """Take a seat by a form."""
    form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
    if await preparing.before(request, table) is not None:
        return RedirectResponse(f"/t/{table}/joining?{urlencode(form)}", 303)
    who = request.app.state.identity.who(request)
    response = RedirectResponse(f"/t/{table}", 303)
    if who.guest is None:
        identity: Identity = request.app.state.identity
        who = identity.welcome(response)
    invite = token_hash(form["invite"]) if form.get("invite") else None
    seat = form.get("seat", "")
    if seat and not seat.isdecimal():
        raise Refused("no_such_seat", 422, last="…")
    order = (form.get("name", ""), int(seat) if seat else None, invite)
    await request.app.state.rooms.order(table, lambda now: commands.join(now, who, *order))
    return response


@router.get("/t/{table}/joining")
async def wait(request: Request, table: str) -> Response:
    """The page for somebody who has sent that form while the game is being compiled: it is sent again."""
    rooms: Rooms = request.app.state.rooms
    game = rooms.kitchen.description(await rooms.game(table))
    return preparing.show(request, game, form=request.query_params, action=f"/t/{table}/join")


def game_data(table: Table, language: str, invite: str | None) -> dict[str, Any]:
    """What the scripts need to know from the start; see ``js/table/game.js``."""
    description = table.game.description
    return {
        "table": table.name,
        "name": description.name,
        "title": catalogue(description.files.texts, language)("title"),
        "language": language,
        "unit": description.rules.unit,
        "cards": {word: _card(table, word, language) for word in description.display.faces},
        "size": data.load(description).size if description.files.decks else (5, 7),
        "sprite": decks.address(description, "cards", language),
        "marked": decks.address(description, "marked", language),
        "rules": f"/games/{description.name}/rules",
        "bots": {bot: said(language, f"new.level.{level}") for level, bot in LEVELS.items()},
        "phrases": commands.PHRASES,
        "invite": invite,
        "after": max(0, table.began - 1) if table.deal else table.seq,  # what comes while the page loads is told too
    }


def _card(table: Table, word: str, language: str) -> dict[str, Any]:
    """How a card is written, what it is called and how that is read, and what a player should know of it."""
    description = table.game.description
    name, reading = data.named(description, word, language)
    lines = description.display.card_lines(table.game.template[0], word)
    return {
        "text": data.brief(description, word, language),
        "name": name,
        "reading": reading,
        "about": [say_line(description, line, language, spell=wording(description, language)) for line in lines],
    }


def texts_data(description: Description, language: str, *sections: str) -> dict[str, dict[str, str]]:
    """The texts that scripts need: the page's in these sections, and the game's."""
    page_texts = catalogue(TEXTS, language).under("page")
    return {
        "page": {key: text for key, text in page_texts.items() if key.partition(".")[0] in (*sections, "wording")},
        "game": catalogue(description.files.texts, language).without(*NOT_NEEDED),
    }
