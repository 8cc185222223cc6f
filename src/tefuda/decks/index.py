"""The learner's index: number, sign and short name at the end of a card, to be read when only its top is seen.

Narrow cards have number and sign side by side and the name beneath, small ones the name between them; cards as wide as
western ones have all three in the corner.
"""

from tefuda.decks.data import Card
from tefuda.decks.fonts import BLACK, BOLD, typeface
from tefuda.decks.glyphs import row
from tefuda.decks.shapes import Drawing, Placed, drawing, fitted
from tefuda.decks.signs import sign_of

NARROW, WIDE = 28.0, 40.0
"""Millimetres: cards below and above these widths have an index of their own kind."""

MARGIN = 1.6
NAME = 3.3
"""Size of the short name, where it fits."""

_CAP = 0.74
"""Height of figures and capitals, as a share of the size."""


def room(width: float) -> tuple[float, float]:
    """What the index of a card takes at each side and at each end, in millimetres."""
    if width < NARROW:
        return 0.0, 12.0
    return (0.0, 8.2) if width < WIDE else (12.4, 0.0)


def index(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    """The index at the upper end.

    Args:
        width: of the card.
        top: where the index may begin.
        language: of the short name.
        marked: whether the suit has its letter and a colour for any kind of colour vision.
    """
    if width < NARROW:
        return _narrow(card, width, top, language, marked)
    return (_small if width < WIDE else _corner)(card, width, top, language, marked)


def coloured(card: Card, marked: bool) -> Drawing:
    """The suit's sign, in the colour that goes with its letter if it is to be marked."""
    sign: Drawing = sign_of(card.suit.sign)
    if not marked:
        return sign
    inks = {"black": card.suit.colour, "red": card.suit.colour, "paper": "paper", "": ""}
    return tuple(
        Placed(part.shape.inked(inks[part.shape.fill], inks[part.shape.line], part.shape.width), part.matrix)
        for part in sign
    )


def _narrow(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    figures = typeface("en", BLACK)
    sign = 5.8
    size = min(8.0, 8.0 * (width - sign - 2 * MARGIN - 0.8) / figures.width(card.index, 8.0))
    foot = top + 1.3 + 8.0 * _CAP
    middle = foot - 8.0 * _CAP / 2
    parts = [
        row(card.index, MARGIN, middle + size * _CAP / 2, size, figures, middle=False),
        fitted(coloured(card, marked), width - MARGIN - sign / 2, middle, sign, sign),
    ]
    number = figures.width(card.index, size)
    between = width - 2 * MARGIN - number - sign
    if marked and between > 3.6:
        x = MARGIN + number + between / 2
        parts.append(row(card.suit.letter, x, foot, min(4.2, between), figures, card.suit.colour))
    parts.append(_name(card, width / 2, top + room(width)[1] - 1.0, width - 2.4, language))
    return drawing(*parts)


def _small(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    figures = typeface("en", BLACK)
    size, sign = 7.6, 6.0
    foot = top + 1.3 + size * _CAP
    middle = foot - size * _CAP / 2
    left = MARGIN + figures.width(card.index, size) + 0.7
    parts = [
        row(card.index, MARGIN, foot, size, figures, middle=False),
        fitted(coloured(card, marked), width - MARGIN - sign / 2, middle, sign, sign),
    ]
    if marked:
        parts.append(row(card.suit.letter, left + 1.6, foot, 4.2, figures, card.suit.colour))
        left += 3.8
    right = width - MARGIN - sign - 0.7
    parts.append(_name(card, (left + right) / 2, middle + NAME * _CAP / 2, right - left, language))
    return drawing(*parts)


def _corner(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    figures = typeface("en", BLACK)
    red = sign_of(card.suit.sign)[0].shape.fill == "red"
    ink = card.suit.colour if marked else "red" if red else "black"
    share = 0.86 if marked else 1.0  # all of it stands in the upper fifth of the card
    x, high = 7.0, 11.6 * share
    foot = top + 1.9 + high * _CAP
    sign = 7.0 * share
    parts = [
        row(card.index, x, foot, high if len(card.index) == 1 else 0.8 * high, figures, ink),
        fitted(coloured(card, marked), x, foot + 1.0 + sign / 2, sign, sign),
    ]
    foot += sign + 5.2
    if marked:
        parts.append(row(card.suit.letter, x, foot, 5.0, figures, ink))
        foot += 4.6
    if card.seal:
        parts.append(_name(card, x, foot, 11.0, language))
    return drawing(*parts)


def _name(card: Card, x: float, foot: float, width: float, language: str) -> Drawing:
    words = typeface(language, BOLD)
    text = card.short[language]
    return row(text, x, foot, min(NAME, NAME * width / words.width(text, NAME)), words)
