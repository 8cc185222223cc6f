"""Characters as outlines, in the forms of a language.

The package's own font (``FONT``) is a part of Noto Sans CJK: the characters that the decks and printed pages of its
games need, as ``tools/deck_font.py`` collects them. For the characters of any other deck Noto Sans CJK itself has to be
installed (``uv run --extra cjk``); it is then used for what the package's own font lacks.
"""

from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tefuda.decks.shapes import Command
from tefuda.decks.truetype import EM, build
from tefuda.engine.errors import TefudaError, installation

FONT = Path(__file__).parent / "font" / "tefuda-sans-cjk.ttc"
LICENCE = FONT.with_name("OFL.txt")
"""The font's copyright notice and licence, which must go with every copy of it or of a part of it."""

PACKAGED_FACES = {"ja": 0, "zh-Hans": 1, "zh-Hant": 2}
"""Place of each language's forms in ``FONT``; other languages take the first."""

FULL_FACES = {"ja": 0, "zh-Hans": 2, "zh-Hant": 3}
"""The same in Noto Sans CJK."""

REGULAR, BOLD, BLACK = 400, 700, 900
"""Weights."""


class MissingGlyphError(TefudaError):
    """No font that is installed has the character."""


class Typeface:
    """A weight of the font in the forms of one language.

    Args:
        language: one of ``tefuda.engine.texts.LANGUAGES``.
        weight: ``REGULAR``, ``BOLD``, ``BLACK`` or any other number from 100 to 900.
        packaged: whether to do without Noto Sans CJK where that is installed.
    """

    def __init__(self, language: str, weight: int, packaged: bool = False) -> None:
        self.language, self.weight = language, weight
        self._fonts = [_Face(FONT, PACKAGED_FACES.get(language, 0), weight)]
        if not packaged and find_spec("manimgx_fonts_cjk"):
            self._fonts.append(_Face(full_font(), FULL_FACES.get(language, 0), weight))
        self._outlines: dict[str, tuple[Command, ...]] = {}
        self._advances: dict[str, float] = {}

    def _face(self, character: str) -> "_Face":
        for face in self._fonts:
            if character in face:
                return face
        raise MissingGlyphError(
            f"no font has {character!r} (U+{ord(character):04X})"
            if len(self._fonts) > 1
            else f"the package's font has no {character!r} (U+{ord(character):04X}): {installation('cjk')}"
        )

    def glyph(self, character: str) -> Any:
        """The glyph as fontTools gives it, with ``draw`` and ``width``.

        Raises:
            MissingGlyphError: no font has it.
        """
        return self._face(character).glyph(character)

    def advance(self, character: str) -> float:
        """Width in units of ``EM``.

        Raises:
            MissingGlyphError: no font has it.
        """
        if character not in self._advances:
            self._advances[character] = float(self.glyph(character).width)
        return self._advances[character]

    def outline(self, character: str) -> tuple[Command, ...]:
        """Commands in units of ``EM``, the baseline at y = 0, y downwards.

        Raises:
            MissingGlyphError: no font has it.
        """
        if character not in self._outlines:
            self._outlines[character] = self._face(character).outline(character)
        return self._outlines[character]

    def width(self, text: str, size: float) -> float:
        """Width of a line of text of this size, in the size's unit."""
        return sum(self.advance(character) for character in text) * size / EM

    def subset(self, characters: Iterable[str], flavour: str = "") -> bytes:
        """A TrueType font of these characters and the space, with the licence in its names; the same bytes every time.

        Args:
            characters: in any order.
            flavour: ``woff2`` for the web; needs ``brotli``.

        Raises:
            MissingGlyphError: no font has one of them.
        """
        names = {"familyName": f"Tefuda {self.language}", "styleName": str(self.weight), **self._fonts[0].notices()}
        return build({character: self.glyph(character) for character in {*characters, " "}}, names, flavour)


class _Face:
    """One weight of one face of a font file."""

    def __init__(self, path: Path, place: int, weight: int) -> None:
        self._font = _open(path, place)
        self._names = self._font.getBestCmap()
        self._glyphs = self._font.getGlyphSet(location={"wght": weight})

    def __contains__(self, character: str) -> bool:
        return ord(character) in self._names

    def glyph(self, character: str) -> Any:
        return self._glyphs[self._names[ord(character)]]

    def outline(self, character: str) -> tuple[Command, ...]:
        from fontTools.pens.recordingPen import DecomposingRecordingPen

        pen = DecomposingRecordingPen(self._glyphs)
        self.glyph(character).draw(pen)
        return tuple(_command(name, points) for name, points in pen.value)

    def notices(self) -> dict[str, str]:
        """What a copy must say of copyright and licence."""
        names = {"copyright": 0, "licenseDescription": 13, "licenseInfoURL": 14}
        return {name: self._font["name"].getDebugName(number) for name, number in names.items()}


def _command(name: str, points: Any) -> Command:
    letter = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "closePath": "Z", "endPath": "Z"}[name]
    return (letter, *(value for x, y in points for value in (round(x), -round(y))))


@cache
def typeface(language: str, weight: int = BOLD) -> Typeface:
    """The typeface for a language, always the same object."""
    return Typeface(language, weight)


def full_font() -> Path:
    """The file of Noto Sans CJK.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    import manimgx_fonts_cjk

    return Path(manimgx_fonts_cjk.__file__).parent / "NotoSansCJK-VF.otf.ttc"


@cache
def _open(path: Path, place: int) -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(path, fontNumber=place, lazy=True)
