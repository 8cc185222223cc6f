"""A tour: a newcomer's first deal, step by step at a table of their own. Its words can be read without scripts."""

import re
from functools import lru_cache
from html import escape
from typing import Any

from fastapi import APIRouter, HTTPException, Response
from markupsafe import Markup

from tefuda.decks import data
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.http.context import Context, RequestContext
from tefuda.server.http.scripts import scripts_of
from tefuda.server.pages import compilation, languages
from tefuda.server.pages.frame import Compressed, linked, name_of, page, page_text, served_game
from tefuda.server.pages.table import game_data, texts_data
from tefuda.server.table import tour_steps
from tefuda.table.tour import MARK, Step, Tour

router = APIRouter(include_in_schema=False)


@router.get("/games/{game}/tour")
@router.get("/games/{game}/tour/{name}")
async def show(context: Context, game: str, name: str = "") -> Response:
    """A tour of a game; the one to begin with by default."""
    description, language, services = served_game(context, game), context.language, context.services
    known = services.tours.of(description)
    if not known or (name and name not in known):
        raise HTTPException(404, page_text(language, "tour.none"))
    if not services.compiler.is_ready(game):
        return compilation.show(context, description)
    return await shown(context, known[name] if name else next(iter(known.values())), "tour.html")


async def shown(context: RequestContext, tour: Tour, template: str, **more: Any) -> Response:
    """The page of a tour, or of what is shown as one; ``more`` is for its template."""
    description, language, services = tour.game.description, context.language, context.services
    reader = name_of(context, context.profile)
    table = await services.background.in_thread(tour_steps.TourTable, tour, language, reader)
    told = tour.language(language)
    made = page(
        context,
        template,
        **more,
        title=catalogue(description.files.texts, language)("title"),
        heading=tour.title[told],
        told=told,
        words=[_words(tour, step, told) for step in tour.steps],
        game=game_data(context, table.table, None),
        texts=texts_data(description, language, "table", "keys", "settings", "shuffle", "tour"),
        steps=await services.background.in_thread(_steps, tour, language, reader),
        scripts=scripts_of("js/tour/main.js"),
    )
    return Compressed(made)


@lru_cache(64)
def _steps(tour: Tour, language: str, reader: str) -> list[tour_steps.ShownStep]:
    """The steps, cached: they are the same for all who read in one language and have one name."""
    return tour_steps.steps(tour, language, reader)


def _words(tour: Tour, step: Step, language: str) -> dict[str, Any]:
    """The words of a step: its heading, paragraphs with links to the rules, and those for another play."""
    words = step.words[language]
    return {
        "head": _plain(tour, words.head, language),
        "paragraphs": [_written(tour, part, language) for part in words.text.strip().split("\n\n")],
        "other": _plain(tour, words.other, language),
    }


def _plain(tour: Tour, text: str, language: str) -> str:
    """A text with cards and seats by name."""
    return MARK.sub(lambda found: _named(tour, found, language), text.strip())


def _written(tour: Tour, text: str, language: str) -> Markup:
    """The same, with cards in bold and rules as links."""

    def name(found: re.Match[str]) -> str:
        written = escape(_named(tour, found, language), quote=False)
        return f"<b>{written}</b>" if found[1] else written

    game = tour.game.description
    shown = linked(game, MARK.sub(name, escape(text, quote=False)), f"/games/{game.name}/rules")
    return languages.marked(shown, language, languages.home_of(game))


def _named(tour: Tour, found: re.Match[str], language: str) -> str:
    """The name of a card or a seat; the reader's own is "You", as everywhere at the table."""
    word, seat = found.groups()
    if seat:
        return tour.names[language][int(seat)] or catalogue(TEXTS, language)("you")
    game = tour.game.description
    return data.load(game).cards[word].names[language] if game.files.decks else game.display.faces[word].text
