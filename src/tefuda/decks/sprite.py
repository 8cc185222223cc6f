"""A deck for the screen: one SVG file with a symbol for every card, named by a hash of what is in it.

A page shows a card with ``<svg viewBox="0 0 22 82"><use href="luk-fu-….svg#T9"/></svg>``. A file of that name never
changes, so it may be kept for ever.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape

from tefuda.decks.backs import back
from tefuda.decks.data import Deck
from tefuda.decks.faces import Style, face
from tefuda.decks.shapes import Drawing, drawing, rectangle
from tefuda.decks.svg import Shared, number


@dataclass(frozen=True)
class Sprite:
    """A sprite.

    Attributes:
        name: of the file, with the hash of its text.
        text: the SVG.
        symbols: the cards' words, and ``back``.
        size: of a card, width and height, the unit of the symbols' view boxes.
    """

    name: str
    text: str
    symbols: tuple[str, ...]
    size: tuple[float, float]


@cache
def sprite(deck: Deck, style: Style) -> Sprite:
    """The sprite of a deck; drawn once for every style."""
    drawings = {word: drawing(edge(deck), face(deck, card, style)) for word, card in deck.cards.items()}
    drawings["back"] = drawing(edge(deck), back(deck))
    shared = Shared(drawings.values(), deck.inks)
    view = f'viewBox="0 0 {number(deck.size[0])} {number(deck.size[1])}"'
    symbols = (
        f'<symbol id="{word}" {view}>{_title(deck, word, style)}{shared.written(parts)}</symbol>'
        for word, parts in drawings.items()
    )
    inside = shared.definitions() + "".join(symbols)
    text = f'<svg xmlns="http://www.w3.org/2000/svg" stroke-linejoin="round">{inside}</svg>\n'
    digest = sha256(text.encode()).hexdigest()[:16]
    return Sprite(f"{deck.game}-{deck.name}-{digest}.svg", text, tuple(drawings), deck.size)


def _title(deck: Deck, word: str, style: Style) -> str:
    return f"<title>{escape(deck.cards[word].names[style.language])}</title>" if word in deck.cards else ""


def edge(deck: Deck) -> Drawing:
    """The card itself: paper with round corners, a fine grey line round it."""
    width, height = deck.size
    return drawing(
        rectangle(0.05, 0.05, width - 0.1, height - 0.1, deck.corner, fill="paper", line="#b9b09d", width=0.1)
    )
