"""Characters as outlines, from the packaged font Noto Sans CJK, in the glyph forms that fit a language."""

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from tefuda.decks.shapes import Command, Drawing, Placed, Shape, drawing
from tefuda.engine.errors import TefudaError

EM = 1000
"""Units of the font in its size."""

_FACES = {"ja": 0, "zh-Hans": 2, "zh-Hant": 3, "en": 0}
"""Place of each language's forms in the collection."""

REGULAR, BOLD, BLACK = 400, 700, 900

_ALWAYS = 3029529600  # the year 2000, in seconds from 1904: the same font is the same bytes


class MissingGlyphError(TefudaError):
    """The font has no such character."""


class Typeface:
    """A weight of the font in the forms of one language."""

    def __init__(self, language: str, weight: int) -> None:
        font = _opened(_FACES.get(language, 0))
        self._glyphs = font.getGlyphSet(location={"wght": weight})
        self._names = font.getBestCmap()
        self._outlines: dict[str, tuple[Command, ...]] = {}
        self._advances: dict[str, float] = {}
        self.language, self.weight = language, weight

    def glyph(self, character: str) -> Any:
        """The font's own glyph.

        Raises:
            MissingGlyphError: it has none.
        """
        name = self._names.get(ord(character))
        if name is None:
            raise MissingGlyphError(f"the font has no {character!r} (U+{ord(character):04X})")
        return self._glyphs[name]

    def advance(self, character: str) -> float:
        """Width in font units."""
        if character not in self._advances:
            self._advances[character] = float(self.glyph(character).width)
        return self._advances[character]

    def outline(self, character: str) -> tuple[Command, ...]:
        """Commands in font units, the baseline at y = 0, y downwards."""
        if character not in self._outlines:
            from fontTools.pens.recordingPen import DecomposingRecordingPen

            pen = DecomposingRecordingPen(self._glyphs)
            self.glyph(character).draw(pen)
            self._outlines[character] = tuple(_command(name, points) for name, points in pen.value)
        return self._outlines[character]

    def width(self, text: str, size: float) -> float:
        """Width of a line of text of this size, in the size's unit."""
        return sum(self.advance(character) for character in text) * size / EM

    def subset(self, characters: Iterable[str], flavour: str = "") -> bytes:
        """A TrueType font of these characters; ``woff2`` is the flavour for the web. The same bytes every time."""
        return _truetype(self, "".join(sorted(set(characters) | {" "})), flavour)


def _command(name: str, points: Any) -> Command:
    letter = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "closePath": "Z", "endPath": "Z"}[name]
    return (letter, *(value for x, y in points for value in (round(x), -round(y))))


@cache
def typeface(language: str, weight: int = BOLD) -> Typeface:
    """The typeface for a language."""
    return Typeface(language, weight)


@cache
def _opened(place: int) -> Any:
    import manimgx_fonts_cjk
    from fontTools.ttLib import TTFont

    path = Path(manimgx_fonts_cjk.__file__).parent / "NotoSansCJK-VF.otf.ttc"
    return TTFont(path, fontNumber=place, lazy=True)


def _truetype(face: Typeface, characters: str, flavour: str) -> bytes:
    """Built from nothing but outlines, widths and the character map: readers of PDF and browsers need no more."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    names = [".notdef", *(f"u{ord(character):04X}" for character in characters)]
    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    for name, character in zip(names[1:], characters, strict=True):
        pen = TTGlyphPen(None)
        face.glyph(character).draw(Cu2QuPen(pen, 0.6, reverse_direction=True))
        glyphs[name] = pen.glyph()
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(character): name for character, name in zip(characters, names[1:], strict=True)})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({".notdef": (EM, 0), **_metrics(face, characters, glyphs)})
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable({"familyName": f"Tefuda {face.language}", "styleName": str(face.weight)})
    builder.setupOS2(sTypoAscender=880, sTypoDescender=-120, usWinAscent=1160, usWinDescent=288)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = _ALWAYS
    builder.font.flavor = flavour or None
    builder.font.recalcTimestamp = False
    stream = BytesIO()
    builder.save(stream)
    return stream.getvalue()


def _metrics(face: Typeface, characters: str, glyphs: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Width and left bearing of each glyph; readers shift a glyph whose bearing is not its own."""
    names = {character: f"u{ord(character):04X}" for character in characters}
    return {
        name: (round(face.advance(character)), glyphs[name].xMin if glyphs[name].numberOfContours else 0)
        for character, name in names.items()
    }


# Setting text


def glyph(
    character: str, size: float, face: Typeface, ink: str = "black", wide: float = 1.0, high: float = 1.0
) -> Drawing:
    """One character in a square of this size whose centre is the origin, stretched if asked."""
    scale = size / EM
    left = -face.advance(character) / 2 * scale * wide
    placed = Placed(Shape(face.outline(character), ink), (scale * wide, 0, 0, scale * high, left, 0.38 * size * high))
    return drawing(placed)


def row(text: str, x: float, y: float, size: float, face: Typeface, ink: str = "black", middle: bool = True) -> Drawing:
    """A line of text whose baseline is at y; x is its middle, or its left end."""
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
    """A column of text, character under character; x is its middle."""
    parts: list[Placed] = []
    for place, character in enumerate(text):
        y = top + size * high * (pitch * place + 0.5)
        parts += [
            Placed(part.shape, (*part.matrix[:4], part.matrix[4] + x, part.matrix[5] + y))
            for part in glyph(character, size, face, ink, high=high)
        ]
    return tuple(parts)
