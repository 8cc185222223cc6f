"""The rules of a game: on one page, then every one by its number, the options, the cards."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from markupsafe import escape

from tefuda.decks import data
from tefuda.decks.words import Leaflet, leaflet
from tefuda.engine.description import Description
from tefuda.engine.texts import Spell, catalogue
from tefuda.server.events.notation_text import notation_text
from tefuda.server.web.context import Context
from tefuda.server.web.pages import decks, forms
from tefuda.server.web.pages.forms import TableForm
from tefuda.server.web.pages.frame import linked, page, served_game
from tefuda.server.web.pages.languages import home_of
from tefuda.table.reasons import say_all

router = APIRouter(include_in_schema=False)


@router.get("/games/{game}/rules")
async def rules(context: Context, game: str) -> HTMLResponse:
    """Each rule is an anchor: ``/games/luk-fu/rules#LF-18``."""
    description, language = served_game(context, game), context.language
    texts = catalogue(description.files.texts, language)
    spell = notation_text(description, language)

    return page(
        context,
        "rules.html",
        game=game,
        title=texts("title"),
        native=texts("native"),
        home=home_of(description),
        rules=say_all(description, "rules", language, spell),
        short=_short(description, language, spell),
        options=forms.template_values(description, TableForm(description.seats[0]), language)["options"],
        cards=_cards(description, language),
        linked=lambda text: linked(description, str(escape(text))),
    )


def _short(game: Description, language: str, spell: Spell) -> Leaflet | None:
    found = leaflet(game, language, spell) if game.files.decks else None
    return found if found and found.lines else None


def _cards(game: Description, language: str) -> dict[str, Any] | None:
    """The sprite, and the cards by suit, each suit's from the lowest place to the highest."""
    if not game.files.decks:
        return None
    deck = data.load(game)
    return {
        "sprite": decks.address(game, "cards", language),
        "view": f"0 0 {deck.size[0]:g} {deck.size[1]:g}",
        "narrow": deck.size[0] / deck.size[1] < 0.4,
        "suits": [
            (
                suit.names[language],
                [
                    {"word": card.word, "name": card.names[language], "copies": card.copies}
                    for card in sorted(deck.cards.values(), key=lambda card: card.place)
                    if card.suit.key == suit.key
                ],
            )
            for suit in deck.suits
        ],
    }
