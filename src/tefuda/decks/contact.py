"""A contact sheet: every card of a deck and its back side by side, to be looked at."""

from math import ceil

from tefuda.decks.backs import back
from tefuda.decks.data import Deck
from tefuda.decks.faces import Style, face
from tefuda.decks.shapes import Drawing, drawing, moved, rectangle
from tefuda.decks.sprite import edge

GAP = 3.0
"""Millimetres between cards."""

TABLE = "#e7e1d3"


def contact_sheet(deck: Deck, style: Style, columns: int = 0) -> tuple[Drawing, float, float]:
    """All cards and the back, and the sheet's width and height in millimetres.

    Args:
        columns: cards in a row; by default as many as make the sheet half again as wide as it is high.
    """
    width, height = deck.size
    cards = [face(deck, card, style) for card in deck.cards.values()] + [back(deck)]
    columns = columns or ceil((len(cards) * height / width * 1.5) ** 0.5)
    parts = [
        moved(drawing(edge(deck), card), GAP + place % columns * (width + GAP), GAP + place // columns * (height + GAP))
        for place, card in enumerate(cards)
    ]
    size = GAP + columns * (width + GAP), GAP + ceil(len(cards) / columns) * (height + GAP)
    return drawing(rectangle(0, 0, *size, fill=TABLE), *parts), *size
