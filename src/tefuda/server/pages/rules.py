"""The rules of a game: what teaches it, then every one by its number, and the options; where the game comes from."""

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from tefuda.decks import data
from tefuda.decks.data import pack_list
from tefuda.engine.background import background
from tefuda.engine.description import Description
from tefuda.engine.rulebook import CARDS, CODES, MARKS, Rulebook, glossary
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.http.context import Context
from tefuda.server.pages import decks, forms
from tefuda.server.pages.examples import linked_rules
from tefuda.server.pages.forms import TableForm
from tefuda.server.pages.frame import Preview, keep_deck, page, shown_game
from tefuda.server.pages.languages import home_of
from tefuda.server.pages.pictured import pictured, pictured_text
from tefuda.table.example_deal import full_rulebook

router = APIRouter(include_in_schema=False)

MOST_KEPT = 64
"""Games in some language and deck whose rules are kept as pages show them."""


@router.get("/games/{game}/rules")
async def rules(context: Context, game: str) -> HTMLResponse:
    """Each rule is an anchor: ``/games/luk-fu/rules#LF-18``. How cards are typed is left out: here nobody types.

    ``?deck=`` chooses the deck in which the reader sees this game, here and at its tables.
    """
    description, language = shown_game(context, game), context.language
    told = _told(description, language)
    tours, preview = (
        context.services.tours.links(description, language),
        Preview(told["book"].summary, f"/games/{game}/preview"),
    )
    response = page(context, "rules.html", preview=preview, game=game, tours=tours, **told)
    keep_deck(context, game, response)
    return response


@router.get("/games/{game}/about")
async def about(context: Context, game: str) -> HTMLResponse:
    """Where a game comes from, and its terms."""
    description, language = shown_game(context, game), context.language
    blocks = background(description, language)
    if not blocks:
        raise HTTPException(404, catalogue(TEXTS, language)("server.not_found"))
    return page(
        context,
        "about.html",
        game=game,
        title=catalogue(description.files.texts, language)("title"),
        home=home_of(description),
        groups=[(kind, list(group)) for kind, group in groupby(blocks, key=lambda block: block.kind)],
        terms=glossary(description, language),
        linked=pictured(description, language, f"/games/{game}/rules"),
    )


@lru_cache(MOST_KEPT)
def _told(game: Description, language: str) -> Mapping[str, Any]:
    """What the page tells everybody who reads this language and plays with this deck."""
    book = full_rulebook(game, language, pictured_text(game, language))
    taught = [section for section in book.sections if section.key != CODES]
    return {
        "book": book,
        "home": home_of(game),
        "sections": sorted(taught, key=lambda section: section.key != CARDS),  # whoever reads on has seen the pack
        "marks": _marks(book, language),
        "examples": linked_rules(game),
        "options": forms.template_values(game, TableForm(game.seats[0]), language)["options"],
        "cards": _cards(game, language),
        "cards_key": CARDS,
        "about": bool(background(game, language)),
        "linked": cache(pictured(game, language)),
    }


def _marks(book: Rulebook, language: str) -> dict[str, tuple[str, str]]:
    """The origins that this game's rules have: their signs, and what they say."""
    common = catalogue(TEXTS, language)
    used = {origin for origins in book.origins.values() for origin in origins}
    return {origin: (sign, common(f"rulebook.mark.{origin}")) for origin, sign in MARKS.items() if origin in used}


def _cards(game: Description, language: str) -> dict[str, Any] | None:
    """The sprite, and the cards by suit, each suit's from the lowest place to the highest."""
    if not game.files.decks:
        return None
    deck = data.load(game)
    return {
        "sprite": decks.address(game, "cards", language),
        "view": f"0 0 {deck.size[0]:g} {deck.size[1]:g}",
        "narrow": deck.size[0] / deck.size[1] < 0.4,
        "suits": pack_list(deck, language),
        "choices": sorted(decks.choices(game, language)),
        "chosen": deck.name,
        "prints": decks.prints(game, language),
    }
