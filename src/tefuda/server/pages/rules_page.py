"""The rules of a game: what teaches it, then every one by its number, and the options; where the game comes from."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from fastapi import HTTPException
from fastapi.responses import HTMLResponse

from tefuda.decks import data
from tefuda.engine.description import Description
from tefuda.engine.rulebook import CARDS, CODES, background, glossary
from tefuda.engine.texts import TEXTS, catalogue
from tefuda.server.http.context import DECK_COOKIE, Context
from tefuda.server.http.identity import YEAR
from tefuda.server.pages.drawings import deck_address, deck_choices, deck_prints, pictured, pictured_text
from tefuda.server.pages.games import TableForm, option_fields
from tefuda.server.pages.layout import page, router
from tefuda.server.pages.shown_game import OfAddress
from tefuda.server.pages.tours import linked_rules
from tefuda.table.example_deal import full_rulebook

MOST_RULES_KEPT = 64  # games in some language and deck whose rules are kept as pages show them


@router.get("/games/{game}/rules")
async def rules_page(context: Context, game: OfAddress) -> HTMLResponse:
    """Each rule is an anchor: ``/games/luk-fu/rules#LF-18``. How cards are typed is left out: here nobody types.

    ``?deck=`` chooses the deck in which the reader sees this game, here and at its tables."""
    told = _rules_told(game.in_own_deck, context.language)
    preview = replace(game.preview, text=told["book"].summary)
    response = page(context, "rules.html", preview=preview, game=game, **told)
    deck = context.connection.query_params.get("deck", "")
    if deck in {path.stem for path in game.served.files.decks}:
        secure = context.services.identity.secure
        response.set_cookie(DECK_COOKIE + game.name, deck, YEAR, secure=secure, samesite="lax")
    return response


@router.get("/games/{game}/about")
async def about_page(context: Context, game: OfAddress) -> HTMLResponse:
    """The origin of a game, and its terms."""
    description, language = game.in_own_deck, context.language
    blocks = background(description, language)
    if not blocks:
        raise HTTPException(404)
    return page(
        context,
        "about.html",
        game=game,
        groups=[(kind, list(group)) for kind, group in groupby(blocks, key=lambda block: block.kind)],
        terms=glossary(description, language),
        linked=pictured(description, language, f"/games/{game.name}/rules"),
    )


@lru_cache(MOST_RULES_KEPT)
def _rules_told(game: Description, language: str) -> Mapping[str, Any]:
    """The part of the page that is the same for all who read this language and play with this deck."""
    book = full_rulebook(game, language, pictured_text(game, language))
    taught = [section for section in book.sections if section.key != CODES]
    return {
        "book": book,
        "sections": sorted(taught, key=lambda section: section.key != CARDS),  # who reads on has seen the pack
        "legend": catalogue(TEXTS, language)("rulebook.marks") if book.sources else "",
        "examples": linked_rules(game),
        "options": option_fields(game, TableForm(game.seats[0]), language),
        "cards": _cards_by_suit(game, language),
        "cards_key": CARDS,
        "linked": cache(pictured(game, language)),
    }


def _cards_by_suit(game: Description, language: str) -> dict[str, object] | None:
    """The sprite, and the cards by suit, each suit's from the lowest place to the highest."""
    if not game.files.decks:
        return None
    deck = data.load(game)
    return {
        "sprite": deck_address(game, "cards", language),
        "view": f"0 0 {deck.size[0]:g} {deck.size[1]:g}",
        "narrow": deck.size[0] / deck.size[1] < 0.4,
        "suits": {suit.names[language]: deck.of(suit) for suit in deck.suits},
        "language": language,
        "choices": sorted(deck_choices(game, language), key=lambda choice: choice["name"]),
        "chosen": deck.name,
        "prints": deck_prints(game, language),
    }
