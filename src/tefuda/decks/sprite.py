"""A deck for the screen: a sprite, some of its cards fanned, all of them side by side.

A sprite is one SVG file with a symbol for every card. A page shows a card with ``<svg viewBox="0 0 22 82"><use
href="luk-fu-….svg#T9"/></svg>``. The file is named by a hash of what is in it, so it may be kept for ever.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from math import ceil, degrees

from tefuda.decks.backs import back
from tefuda.decks.data import Deck
from tefuda.decks.faces import Style, face
from tefuda.decks.shapes import Drawing, box, drawing, moved, rectangle, turned
from tefuda.decks.svg import Shared, document, number

BACK = "back"
"""The name of the back among the cards."""

STEP = 0.85
"""Distance between the tops of neighbouring cards, in widths of a card."""

REACH = 2.2
"""Depth below their tops of the point about which cards are turned, in heights of a card."""

MARGIN = 1.0
"""Millimetres round the fan."""

GAP = 3.0
"""Millimetres between the cards of a contact sheet."""

GROUND = "#e7e1d3"
"""Colour behind the cards of a contact sheet."""


@dataclass(frozen=True)
class Sprite:
    """A sprite's file name and SVG, its symbols (the cards' words, and ``back``), and the size of their view boxes."""

    name: str
    text: str
    symbols: tuple[str, ...]
    size: tuple[float, float]


@cache
def sprite(deck: Deck, style: Style) -> Sprite:
    """The sprite of a deck; drawn once for every style."""
    drawings = {word: on_paper(deck, word, style) for word in (*deck.cards, BACK)}
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


def on_paper(deck: Deck, word: str, style: Style) -> Drawing:
    """The face of a card, or the back for ``BACK``, on its paper with a fine line round it."""
    return drawing(edge(deck), back(deck) if word == BACK else face(deck, deck.cards[word], style))


def _title(deck: Deck, word: str, style: Style) -> str:
    return f"<title>{escape(deck.cards[word].names[style.language])}</title>" if word in deck.cards else ""


def edge(deck: Deck) -> Drawing:
    """The card itself: paper with round corners, a fine grey line round it."""
    width, height = deck.size
    return drawing(
        rectangle(0.05, 0.05, width - 0.1, height - 0.1, deck.corner, fill="paper", line="#b9b09d", width=0.1)
    )


def picture(deck: Deck, style: Style) -> tuple[str, str]:
    """A picture of a deck, some of its cards fanned: the name of a file, with the hash of its text, and the SVG."""
    parts = fan(deck, style)
    left, top, right, bottom = box(parts)
    placed = moved(parts, MARGIN - left, MARGIN - top)
    title = deck.titles[style.language]
    text = document(placed, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN, deck.inks, title)
    return f"{deck.game}-{deck.name}-fan-{sha256(text.encode()).hexdigest()[:16]}.svg", text


def fan(deck: Deck, style: Style) -> Drawing:
    """The cards of ``deck.shown``, turned about a point below them."""
    width, height = deck.size
    step = degrees(STEP * width / (REACH * height))
    first = -step * (len(deck.shown) - 1) / 2
    return drawing(
        *(
            turned(on_paper(deck, word, style), first + step * place, width / 2, REACH * height)
            for place, word in enumerate(deck.shown)
        )
    )


def contact_sheet(deck: Deck, style: Style, columns: int = 0) -> tuple[Drawing, float, float]:
    """All cards and the back side by side, and the sheet's width and height in millimetres.

    By default there are as many columns as make the sheet half again as wide as it is high.
    """
    width, height = deck.size
    cards = [on_paper(deck, word, style) for word in (*deck.cards, BACK)]
    columns = columns or ceil((len(cards) * height / width * 1.5) ** 0.5)
    parts = [
        moved(card, GAP + place % columns * (width + GAP), GAP + place // columns * (height + GAP))
        for place, card in enumerate(cards)
    ]
    size = GAP + columns * (width + GAP), GAP + ceil(len(cards) / columns) * (height + GAP)
    return drawing(rectangle(0, 0, *size, fill=GROUND), *parts), *size
