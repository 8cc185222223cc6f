"""The learner's index: number, sign and short name at the end of a card, to be read when only its top is seen.

Narrow cards have number and sign side by side and the name beneath, small ones the name between them; cards as wide as
western ones have all three in the corner.
"""

from tefuda.decks.data import Card
from tefuda.decks.fonts import BLACK, BOLD, typeface
from tefuda.decks.glyphs import row
from tefuda.decks.shapes import Drawing, box, drawing, fitted, moved, rectangle, reinked, scaled
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
    return reinked(sign, {"black": card.suit.colour, "red": card.suit.colour})


def _narrow(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    figures = typeface("en", BLACK)
    sign = 5.8
    size = min(8.0, 8.0 * (width - sign - 2 * MARGIN - 0.8) / figures.width(card.index, 8.0))
    foot = top + 1.3 + 8.0 * _CAP
    middle = foot - 8.0 * _CAP / 2
    number, end = _number(card, MARGIN, middle + size * _CAP / 2, size)
    parts = [number, fitted(coloured(card, marked), width - MARGIN - sign / 2, middle, sign, sign)]
    between = width - MARGIN - sign - end
    if marked and between > 3.6:
        parts.append(row(card.suit.letter, end + between / 2, foot, min(4.2, between), figures, card.suit.colour))
    parts.append(_name(card, width / 2, top + room(width)[1] - 1.0, width - 2.4, language))
    return drawing(*parts)


def _small(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    figures = typeface("en", BLACK)
    size, sign = 7.6, 6.0
    foot = top + 1.3 + size * _CAP
    middle = foot - size * _CAP / 2
    number, end = _number(card, MARGIN, foot, size)
    left = end + 0.7
    parts = [number, fitted(coloured(card, marked), width - MARGIN - sign / 2, middle, sign, sign)]
    if marked:
        parts.append(row(card.suit.letter, left + 1.6, foot, 4.2, figures, card.suit.colour))
        left += 3.8
    right = width - MARGIN - sign - 0.7
    parts.append(_name(card, (left + right) / 2, middle + NAME * _CAP / 2, right - left, language))
    return drawing(*parts)


def _corner(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    red = sign_of(card.suit.sign)[0].shape.fill == "red"
    ink = card.suit.colour if marked else "red" if red else "black"
    share = 0.86 if marked else 1.0  # all of it stands in the upper fifth of the card
    x, high = 7.0, 11.6 * share
    foot = top + 1.9 + high * _CAP
    sign = 7.0 * share
    size = min(high, 10.4 / typeface("en", BLACK).width(card.index, 1.0))
    parts = [
        _number(card, x, foot, size, ink, middle=True)[0],
        fitted(coloured(card, marked), x, foot + 1.2 + sign / 2, sign, sign),
    ]
    foot += sign + 5.2
    if marked:
        parts.append(row(card.suit.letter, x, foot, 5.0, typeface("en", BLACK), ink))
        foot += 4.6
    if card.seal or card.short != card.suit.names:
        parts.append(_name(card, x, foot, 11.0, language))
    return drawing(*parts)


def _number(
    card: Card, x: float, foot: float, size: float, ink: str = "black", *, middle: bool = False
) -> tuple[Drawing, float]:
    """What stands largest, on its foot, and where it ends; on red cards cut out of a red field.

    Args:
        card: of the index.
        x: the left end, or the middle if ``middle``.
        foot: nothing reaches lower, not even the tail of a Q.
        size: of the type.
        ink: of the characters on cards that are not red.
        middle: what ``x`` is.
    """
    figures = typeface("en", BLACK)
    number = row(card.index, x, foot, size, figures, "paper" if card.red else ink, middle=middle)
    left, top, right, bottom = box(number)
    if bottom - foot > 0.04 * size:
        number = moved(scaled(moved(number, -left, -top), (foot - top) / (bottom - top)), left, top)
        left, top, right, bottom = box(number)
        if middle:
            number = moved(number, x - (left + right) / 2, 0)
    if not card.red:
        return number, max(right, x + (0 if middle else figures.width(card.index, size)))
    side = 0.9 if middle else 0.6
    field = rectangle(left - side, top - 0.5, right - left + 2 * side, bottom - top + 0.9, 0.8, fill="red")
    return drawing(field, number), right + side


def _name(card: Card, x: float, foot: float, width: float, language: str) -> Drawing:
    words = typeface(language, BOLD)
    text = card.short[language]
    return row(text, x, foot, min(NAME, NAME * width / words.width(text, NAME)), words)
