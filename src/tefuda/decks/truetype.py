"""Small TrueType fonts, built from outlines, widths and a character map: browsers and readers of PDF need no more."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

EM = 1000
"""Units of a font in its size."""

_ALWAYS = 3029529600  # the year 2000, in seconds from 1904: the same font is the same bytes


def build(glyphs: Mapping[str, Any], names: Mapping[str, str], flavour: str = "") -> bytes:
    """A font of these characters.

    Args:
        glyphs: by character, glyphs of fontTools with ``draw`` and ``width``, in units of 1/1000 of the size.
        names: as ``FontBuilder.setupNameTable`` takes them, copyright and licence among them.
        flavour: ``woff2`` for the web; needs ``brotli``.

    Returns:
        The file; the same bytes for the same glyphs.
    """
    from fontTools.fontBuilder import FontBuilder

    keys = {character: f"u{ord(character):04X}" for character in sorted(glyphs)}
    outlines = {".notdef": _outline(None), **{key: _outline(glyphs[character]) for character, key in keys.items()}}
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


def _outline(glyph: Any) -> Any:
    """A glyph's outline in quadratic curves; empty for none."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    if glyph is not None:
        glyph.draw(Cu2QuPen(pen, 0.6, reverse_direction=True))
    return pen.glyph()
