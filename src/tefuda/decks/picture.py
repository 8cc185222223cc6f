"""A picture of a deck: some of its cards, fanned as a hand holds them."""

from hashlib import sha256
from math import degrees

from tefuda.decks.data import Deck
from tefuda.decks.faces import Style, face
from tefuda.decks.shapes import Drawing, box, drawing, moved, turned
from tefuda.decks.sprite import edge
from tefuda.decks.svg import document

STEP = 0.85
"""How far the tops of neighbouring cards lie apart, in widths of a card."""

REACH = 2.2
"""How far below their tops the point lies about which the cards are turned, in heights of a card."""

MARGIN = 1.0
"""Millimetres round the fan."""


def picture(deck: Deck, style: Style) -> tuple[str, str]:
    """The name of a file, with the hash of its text, and the SVG."""
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
    cards = [drawing(edge(deck), face(deck, deck.cards[word], style)) for word in deck.shown]
    return drawing(*(turned(card, first + step * place, width / 2, REACH * height) for place, card in enumerate(cards)))
