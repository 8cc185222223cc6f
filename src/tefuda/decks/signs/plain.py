"""Plain signs: pips, shapes for suits that have no sign of their own, and seals."""

from functools import cache

from tefuda.decks.fonts import BLACK, typeface
from tefuda.decks.glyphs import glyph
from tefuda.decks.shapes import Drawing, Shape, at, circle, drawing, moved, polygon, rectangle, ring


@cache
def disc() -> Drawing:
    """A ring with a disc in it."""
    return drawing(ring(0, 0, 1, 0.72), circle(0, 0, 0.38))


@cache
def square() -> Drawing:
    """Three squares, one in the other."""
    return drawing(
        rectangle(-0.88, -0.88, 1.76, 1.76, 0.1),
        rectangle(-0.6, -0.6, 1.2, 1.2, fill="paper"),
        rectangle(-0.3, -0.3, 0.6, 0.6),
    )


@cache
def triangle() -> Drawing:
    """Three triangles, one in the other."""
    return drawing(_triangle(1.0, "black"), _triangle(0.56, "paper"), _triangle(0.24, "black"))


def _triangle(size: float, ink: str) -> Shape:
    return polygon([(0, -0.96 * size + 0.1), (size, 0.74 * size + 0.1), (-size, 0.74 * size + 0.1)], fill=ink)


def seal(text: str, size: float, ground: str = "red") -> Drawing:
    """A seal round the origin: characters cut out of its ground, one or a column of two; black on ``paper``."""
    ink = "black" if ground == "paper" else "paper"
    face = typeface("zh-Hant", BLACK)
    height = size * (1.0 if len(text) == 1 else 1.72)
    stamp = drawing(
        rectangle(-size / 2, -height / 2, size, height, size * 0.16, fill=ground),
        rectangle(
            -size * 0.43,
            -height / 2 + size * 0.07,
            size * 0.86,
            height - size * 0.14,
            size * 0.1,
            line=ink,
            width=size * 0.035,
        ),
    )
    middle = (len(text) - 1) / 2
    letters = [
        moved(glyph(character, size * 0.7, face, ink), 0, (place - middle) * size * 0.74)
        for place, character in enumerate(text)
    ]
    return drawing(stamp, *letters)


def chop(x: float, y: float, text: str, size: float, ground: str = "red") -> Drawing:
    """A seal pressed somewhere on a card."""
    return at(seal(text, size, ground), x, y)
