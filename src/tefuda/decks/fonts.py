"""Characters as outlines, in the forms of a language; drawings of one, of a line, of a column; text broken into lines.

The package's own font (``FONT``) is a part of Noto Sans CJK: the characters that the decks and printed pages of its
games need, as ``tools/deck_font.py`` collects them. What it lacks is taken from the font of ``use_font``."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from io import BytesIO
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import Any

from tefuda.decks.shapes import Command, Drawing, Placed, Shape, drawing
from tefuda.engine.errors import TefudaError, file_fault
from tefuda.engine.rulebook import Paragraph, Section
from tefuda.engine.texts import TEXTS, catalogue, unbroken

FONT = Path(__file__).parent / "font" / "tefuda-sans-cjk.ttc"
LICENCE = FONT.with_name("OFL.txt")
"""The font's copyright notice and licence, which must go with every copy of it or of a part of it."""

PACKAGED_FACES = {"ja": 0, "zh-Hans": 1, "zh-Hant": 2}
"""Place of each language's forms in ``FONT``; other languages take the first."""

FACE_NAMES = {"ja": "JP", "zh-Hans": "SC", "zh-Hant": "TC"}
"""Ends of the names of a collection's faces, such as Noto Sans CJK JP, by language."""

REGULAR, BOLD, BLACK = 400, 700, 900  # weights

EM = 1000  # units of an outline in the size of the type
_KINDS = (b"\0\1\0\0", b"true", b"OTTO", b"ttcf", b"wOFF", b"wOF2")  # how files of fonts begin
_ALWAYS = 3029529600  # the year 2000, in seconds from 1904: the same font is the same bytes


class FontError(TefudaError):
    """A file that is no font."""


class MissingGlyphError(TefudaError):
    """No font has the character."""


class Typeface:
    """A weight (100 to 900) of the font in the forms of one language, and a ``further`` font for what it lacks.

    ``MissingGlyphError`` tells of a character that no font has."""

    def __init__(self, language: str, weight: int, further: Path | None = None) -> None:
        self.language, self.weight, self.further = language, weight, further
        self._own = _open(FONT, PACKAGED_FACES.get(language, 0))
        self._fonts = [
            (font.getBestCmap(), font.getGlyphSet(location={"wght": weight}), EM / font["head"].unitsPerEm)
            for font in [self._own, *([_face_for(further, language)] if further else [])]
        ]
        self._glyphs: dict[str, Glyph] = {}

    def glyph(self, character: str) -> "Glyph":
        """The glyph of a character."""
        if character not in self._glyphs:
            code = ord(character)
            glyph = next(
                (Glyph(drawn, names[code], scale) for names, drawn, scale in self._fonts if code in names), None
            )
            if glyph is None:
                lacking = f"{character!r} (U+{code:04X})"
                if self.further:
                    raise MissingGlyphError(f"neither the package's font nor {self.further.name} has {lacking}")
                raise MissingGlyphError(
                    f"the package's font has no {lacking}: name a font that has it, as tefuda deck … --font FILE"
                )
            self._glyphs[character] = glyph
        return self._glyphs[character]

    def width(self, text: str, size: float) -> float:
        """Width of a line of text of this size, in the size's unit."""
        return sum(self.glyph(character).width for character in text) * size / EM

    def subset(self, characters: Iterable[str], flavour: str = "") -> bytes:
        """A TrueType font of these characters and the space, with the licence in its names; the same bytes every time.

        ``woff2`` as ``flavour`` is for the web, and needs ``brotli``."""
        used = "".join(sorted({*characters, " "}))
        own = f"Tefuda-{self.language}-{self.weight}-{sha256(used.encode()).hexdigest()[:16]}"  # ReportLab goes by it
        names = {"familyName": f"Tefuda {self.language}", "styleName": str(self.weight), "psName": own}
        for name, number in (("copyright", 0), ("licenseDescription", 13), ("licenseInfoURL", 14)):
            names[name] = self._own["name"].getDebugName(number)
        return _built({each: self.glyph(each) for each in used}, names, flavour)


class Glyph:
    """A glyph of a font in units of ``EM``; ``width`` is from its origin to the next glyph's."""

    def __init__(self, glyphs: Any, name: str, scale: float) -> None:
        self._glyphs, self._name, self._scale = glyphs, name, scale
        self.width = float(glyphs[name].width) * scale

    def draw(self, pen: Any) -> None:
        """Draw the outline with a pen of fontTools."""
        from fontTools.pens.transformPen import TransformPen

        own = pen if self._scale == 1 else TransformPen(pen, (self._scale, 0, 0, self._scale, 0, 0))
        self._glyphs[self._name].draw(own)

    @cached_property
    def outline(self) -> tuple[Command, ...]:
        """Commands in whole units, the baseline at y = 0, y downwards."""
        return tuple(
            (head, *(-round(float(value)) if place % 2 else round(float(value)) for place, value in enumerate(rest)))
            for head, *rest in outlined(self.draw, self._glyphs)
        )


def outlined(draw: Callable[[Any], None], glyphs: Any = None) -> tuple[Command, ...]:
    """The commands of what is drawn with a pen of fontTools, perhaps of a font's glyphs; all curves become cubic."""
    from fontTools.pens.basePen import decomposeQuadraticSegment
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    pen = DecomposingRecordingPen(glyphs or {})
    draw(pen)
    letters = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "closePath": "Z"}
    found: list[Command] = []
    for name, points in pen.value:
        if name in letters:
            found.append((letters[name], *(value for point in points for value in point)))
        elif name == "qCurveTo":
            if points[-1] is None:  # a contour of handles alone begins between the last and the first
                start = tuple((a + b) / 2 for a, b in zip(points[-2], points[0], strict=True))
                found.append(("M", *start))
                points = (*points[:-1], start)
            for (x1, y1), (x2, y2) in decomposeQuadraticSegment(points):
                x0, y0 = (float(value) for value in found[-1][-2:])
                handles = ((x + (x1 - x) * 2 / 3, y + (y1 - y) * 2 / 3) for x, y in ((x0, y0), (x2, y2)))
                found.append(("C", *(value for handle in handles for value in handle), x2, y2))
    return tuple(found)


_further: list[Path] = []


def use_font(file: Path) -> None:
    """Take from this font, in this process, the characters that the package's own lacks; ``FontError`` if it is none.

    Of a collection such as Noto Sans CJK each language takes its own face."""
    _face_for(file, "")
    _further[:] = [file]
    typeface.cache_clear()


@cache
def typeface(language: str, weight: int = BOLD) -> Typeface:
    """The typeface for a language, always the same object."""
    return Typeface(language, weight, *_further)


def _face_for(file: Path, language: str) -> Any:
    """A font, or the face of a collection that is made for a language."""
    from fontTools.ttLib import TTLibError

    try:
        with file.open("rb") as stream:
            head = stream.read(12)
        if head[:4] not in _KINDS:
            raise FontError(f"{file}: this is no font")
        count = int.from_bytes(head[8:12]) if head[:4] == b"ttcf" else 1
        faces = [_open(file, place) for place in range(count)]
        if not all(face.getBestCmap() for face in faces):
            raise FontError(f"{file}: this font has no characters")
    except OSError as error:
        raise FontError(file_fault(error)) from error
    except (TTLibError, KeyError) as error:
        raise FontError(f"{file}: this font cannot be read: {error}") from error
    end = FACE_NAMES.get(language, "JP")
    named = (face for face in faces if str(face["name"].getDebugName(1)).endswith(f" {end}"))
    return next(named, faces[0])


@cache
def _open(path: Path, place: int) -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(path, fontNumber=place, lazy=True)


def _built(glyphs: Mapping[str, Glyph], names: Mapping[str, str], flavour: str) -> bytes:
    """A small TrueType font; browsers and readers of PDF need no more. The same bytes for the same glyphs."""
    from fontTools.fontBuilder import FontBuilder

    keys = {character: f"u{ord(character):04X}" for character in sorted(glyphs)}
    outlines = {".notdef": _quadratic(None), **{key: _quadratic(glyphs[character]) for character, key in keys.items()}}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(list(outlines))
    builder.setupCharacterMap({ord(character): key for character, key in keys.items()})
    builder.setupGlyf(outlines)
    # A reader shifts a glyph whose left bearing is not the least x of its outline, which setupGlyf has worked out.
    metrics = {
        key: (round(glyphs[character].width), outlines[key].xMin if outlines[key].numberOfContours else 0)
        for character, key in keys.items()
    }
    builder.setupHorizontalMetrics({".notdef": (EM, 0), **metrics})
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupNameTable(dict(names))
    builder.setupOS2(sTypoAscender=880, sTypoDescender=-120, usWinAscent=1160, usWinDescent=288)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = _ALWAYS
    builder.font.flavor = flavour or None
    builder.font.recalcTimestamp = False
    stream = BytesIO()
    builder.save(stream)
    return stream.getvalue()


def _quadratic(glyph: Glyph | None) -> Any:
    """A glyph's outline in quadratic curves; empty for none."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    if glyph is not None:
        glyph.draw(Cu2QuPen(pen, 0.6, reverse_direction=True))
    return pen.glyph()


# Characters as drawings


def glyph(character: str, size: float, face: Typeface, ink: str = "black") -> Drawing:
    """One character in a square of this size round the origin."""
    scale, drawn = size / EM, face.glyph(character)
    return drawing(Placed(Shape(drawn.outline, ink), (scale, 0, 0, scale, -drawn.width / 2 * scale, 0.38 * size)))


def row(text: str, x: float, y: float, size: float, face: Typeface, ink: str = "black", middle: bool = True) -> Drawing:
    """A line of text on the baseline y; x is its middle, or its left end unless ``middle``."""
    scale = size / EM
    start = x - face.width(text, size) / 2 if middle else x
    parts = []
    for character in text:
        drawn = face.glyph(character)
        if not character.isspace():
            parts.append(Placed(Shape(drawn.outline, ink), (scale, 0, 0, scale, start, y)))
        start += drawn.width * scale
    return Drawing(parts)


def column(text: str, x: float, top: float, size: float, face: Typeface) -> Drawing:
    """A column of text from ``top`` down, character under character, its middle at x."""
    places = enumerate(text)
    return drawing(glyph(each, size, face).moved(x, top + size * (1.04 * place + 0.5)) for place, each in places)


# Text in lines, lines in columns

LEADING, ABOVE = 1.33, 0.45  # from line to line, and above a heading or a paragraph, in sizes of the text
Line = tuple[float, float, str, bool, bool]  # its place in the column, text, if of a heading, if the first of it
APART, NARROWEST = 0.9, 4.5  # between the cells of a table, and a cell's least width, in sizes of the text


def lines(text: str, face: Typeface, size: float, width: float) -> list[str]:
    """A paragraph in lines that are no wider than this, in millimetres."""
    found, line = [], ""
    for piece in unbroken(text):
        if line and face.width((line + piece).rstrip(), size) > width:
            found.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*found, line.rstrip()] if line.strip() else found


def flowed(
    sections: Sequence[Section], language: str, size: float, width: float, heights: Iterator[float], indent: float = 0.0
) -> list[list[Line]]:
    """Columns of this width and these heights in millimetres, filled one after another; none without sections.

    Paragraphs and tables are indented. A heading has at least two lines below it."""
    regular, bold = typeface(language, REGULAR), typeface(language, BOLD)
    found: list[list[Line]] = []
    y = height = 0.0
    for section in sections:
        told = [_laid(each, regular, size, width - indent) for each in section.paragraphs]
        for place, parts in enumerate([_laid(Paragraph(section.heading), bold, size, width), *told]):
            for number, row in enumerate(parts):
                y += size * (LEADING + (0.0 if number else ABOVE))
                if y + (0.0 if place else 2 * LEADING * size) > height:
                    found.append([])
                    y, height = size * LEADING, next(heights)
                found[-1] += [(x, y, text, not place, not number and not x) for x, text in row]
    return found


def _laid(paragraph: Paragraph, face: Typeface, size: float, width: float) -> list[list[tuple[float, str]]]:
    """The lines of a paragraph or a table, each in parts with their places across.

    The widest cells of a table are broken into lines; where that leaves too little, a row is a paragraph."""
    columns = list(zip(*paragraph.rows, strict=True))
    wide = [max(face.width(cell, size) for cell in column) for column in columns]
    room = width - APART * size * (len(wide) - 1)
    most = max(wide, default=0.0)
    while wide and sum(min(each, most) for each in wide) > room and most > NARROWEST * size:
        most -= size / 4
    if not wide or sum(min(each, most) for each in wide) > room:
        colon, comma = (catalogue(TEXTS, face.language)(f"page.wording.{sign}") for sign in ("colon", "comma"))
        rows = [row.replace(" | ", colon, 1).replace(" | ", comma) for row in paragraph.text.split("\n")]
        return [[(0.0, line)] for text in rows for line in lines(text, face, size, width)]
    places = list(accumulate((min(each, most) + APART * size for each in wide), initial=0.0))
    broken = ([lines(cell, face, size, most + 0.01) for cell in row] for row in paragraph.rows)
    return [
        [(x, text) for x, text in zip(places, texts, strict=False) if text]
        for row in broken
        for texts in zip_longest(*row, fillvalue="")
    ]
