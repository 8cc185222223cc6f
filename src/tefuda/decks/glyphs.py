"""Characters as drawings: one alone, a line of text, a column."""

from tefuda.decks.fonts import Typeface
from tefuda.decks.shapes import Drawing, Placed, Shape, drawing
from tefuda.decks.truetype import EM


def glyph(
    character: str, size: float, face: Typeface, ink: str = "black", wide: float = 1.0, high: float = 1.0
) -> Drawing:
    """One character in a square of this size whose centre is the origin.

    Args:
        character: to draw.
        size: of the type, in the drawing's unit.
        face: typeface.
        ink: of the character.
        wide, high: factors by which it is stretched.
    """
    scale = size / EM
    left = -face.advance(character) / 2 * scale * wide
    placed = Placed(Shape(face.outline(character), ink), (scale * wide, 0, 0, scale * high, left, 0.38 * size * high))
    return drawing(placed)


def row(text: str, x: float, y: float, size: float, face: Typeface, ink: str = "black", middle: bool = True) -> Drawing:
    """A line of text.

    Args:
        text: to draw.
        x: its middle, or its left end unless ``middle``.
        y: its baseline.
        size: of the type, in the drawing's unit.
        face: typeface.
        ink: of the text.
        middle: what ``x`` is.
    """
    scale = size / EM
    start = x - face.width(text, size) / 2 if middle else x
    parts = []
    for character in text:
        if not character.isspace():
            parts.append(Placed(Shape(face.outline(character), ink), (scale, 0, 0, scale, start, y)))
        start += face.advance(character) * scale
    return tuple(parts)


def column(
    text: str,
    x: float,
    top: float,
    size: float,
    face: Typeface,
    ink: str = "black",
    pitch: float = 1.04,
    high: float = 1.0,
) -> Drawing:
    """A column of text, character under character.

    Args:
        text: to draw.
        x: the middle of the column.
        top: its upper end.
        size: of the type, in the drawing's unit.
        face: typeface.
        ink: of the text.
        pitch: from one character to the next, in heights of a character.
        high: factor by which characters are stretched in height.
    """
    parts: list[Placed] = []
    for place, character in enumerate(text):
        y = top + size * high * (pitch * place + 0.5)
        parts += [
            Placed(part.shape, (*part.matrix[:4], part.matrix[4] + x, part.matrix[5] + y))
            for part in glyph(character, size, face, ink, high=high)
        ]
    return tuple(parts)
