"""Fonts for names in scripts that the fonts of the pages lack, and that the reader's machine perhaps cannot draw: the
few letters of a page, taken from fonts of the server's machine, which fontconfig finds (``fc-match``). Without it, and
without such fonts, readers see what their own machines have."""

import shutil
import subprocess
import unicodedata
from collections import defaultdict
from functools import cache, lru_cache
from io import BytesIO
from typing import Annotated, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Response
from fontTools.ttLib import TTFont, TTLibError

from tefuda.engine.texts import LANGUAGES
from tefuda.server.http.assets import FOR_EVER, WEB
from tefuda.server.http.context import Context, pay_for_log

router = APIRouter(include_in_schema=False, prefix="/fonts", dependencies=[Depends(pay_for_log)])

MOST_LETTERS = 96  # of one page; further ones are left to the reader's machine
MOST_KEPT = 256  # fonts, and letters whose fonts are known
WITHIN = 10.0  # seconds in which fontconfig must answer

LOCALES = {"zh-Hans": "zh-cn", "zh-Hant": "zh-tw"}
"""What fontconfig calls our languages; each has its own forms of the same characters."""

Letters = Annotated[str, Query(max_length=MOST_LETTERS)]


class FontFile(NamedTuple):
    """A font of this machine: its file, and its number in a collection."""

    path: str
    number: int

    def opened(self) -> TTFont:
        """The font. ``TTLibError`` or ``OSError`` if it cannot be read."""
        return TTFont(self.path, fontNumber=self.number, lazy=True)

    @lru_cache(MOST_KEPT)  # noqa: B019 - it is a tuple
    def codes(self) -> frozenset[int]:
        """The characters that it has, by their codes."""
        with self.opened() as font:
            return frozenset(font.getBestCmap() or ())

    @property
    def weights(self) -> str:
        """The weights of a variable font, as a style names them; empty for one that has a single weight."""
        with self.opened() as font:
            return "font-weight: 100 900; " if "fvar" in font else ""


def letters_lacking(text: str) -> str:
    """The letters of a text that no font of the pages has, in order; none where this machine has no fonts either."""
    if shutil.which("fc-match") is None:
        return ""
    lacking = (each for each in set(text) - _drawn() if unicodedata.category(each)[0] in "LM")
    return "".join(sorted(lacking)[:MOST_LETTERS])


@cache
def _drawn() -> frozenset[str]:
    """The characters that fonts of the pages have."""
    names = ("sans-400", *(f"{kind}-{language}" for language in LANGUAGES for kind in ("cjk", "read")))
    fonts = (TTFont(WEB / f"static/fonts/{name}.woff2") for name in names)
    return frozenset(chr(code) for font in fonts for code in font.getBestCmap())


def address_of(letters: str, language: str) -> str:
    """The address of the styles that bring these letters, as readers of this language write them."""
    return f"/fonts/names.css?{urlencode({'text': letters, 'lang': language})}"


@router.get("/names.css")
async def styles_of_names(context: Context, text: Letters) -> Response:
    """Styles of a family of fonts, one for each of this machine's that has some of the letters."""
    styles = await context.services.background.in_thread(_styles, letters_lacking(text), context.language)
    return Response(styles, media_type="text/css", headers={"cache-control": "public, max-age=86400"})


@router.get("/names.woff")
async def font_of_names(context: Context, text: Letters) -> Response:
    """A font with these letters, if one font of this machine has them all: 404 if none does."""
    made = await context.services.background.in_thread(_made, letters_lacking(text), context.language)
    headers = {"cache-control": FOR_EVER}
    return Response(made, media_type="font/woff", headers=headers) if made else Response(status_code=404)


def _styles(letters: str, language: str) -> str:
    """Styles of these letters, by the fonts that have them."""
    return "".join(
        f'@font-face {{ font-family: "Tefuda Names"; {font.weights}src: url("/fonts/names.woff?'
        f'{urlencode({"text": drawn, "lang": language})}"); '
        f"unicode-range: {', '.join(f'U+{ord(each):X}' for each in drawn)}; }}\n"
        for font, drawn in _fonts_of(letters, language).items()
    )


def _fonts_of(letters: str, language: str) -> dict[FontFile, str]:
    """The fonts that draw the letters, each with its own; without those that no font has."""
    found = defaultdict[FontFile, str](str)
    for each in letters:
        font = font_of(each, language)
        if font is not None:
            found[font] += each
    return found


@lru_cache(MOST_KEPT)
def font_of(letter: str, language: str) -> FontFile | None:
    """The font that this machine draws a letter with; None if it has none."""
    pattern = f"sans:charset={ord(letter):x}:lang={LOCALES.get(language, language)}"
    try:
        asked = ("fc-match", "--format=%{file}\n%{index}", pattern)
        found = subprocess.run(asked, capture_output=True, text=True, timeout=WITHIN, check=True).stdout  # noqa: S603
        path, _, number = found.partition("\n")
        font = FontFile(path, int(number) & 0xFFFF)  # what stands above is an instance of a variable font
        return font if ord(letter) in font.codes() else None
    except (OSError, ValueError, subprocess.SubprocessError, TTLibError):
        return None


@lru_cache(MOST_KEPT)
def _made(letters: str, language: str) -> bytes:
    """A font of these letters, and of the forms that they take beside each other; empty if several have them."""
    from fontTools.subset import Options, Subsetter  # not at the start of the server, which should not wait for it

    fonts = _fonts_of(letters, language)
    if len(fonts) != 1:
        return b""
    ((file, drawn),) = fonts.items()
    options, written = Options(hinting=False, notdef_outline=True), BytesIO()
    options.drop_tables += ["FFTM"]  # of FontForge, of which the library would warn
    subsetter = Subsetter(options)
    subsetter.populate(text=drawn)
    with file.opened() as font:
        subsetter.subset(font)
        font.flavor = "woff"
        font.save(written)
    return written.getvalue()
