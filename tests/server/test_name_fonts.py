"""Fonts for names: from fonts of this machine, for letters that ours lack, and nothing where there are none."""

import asyncio
import html
import re
import shutil
from collections.abc import Awaitable, Callable, Iterator
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from tefuda.server.http import name_fonts
from tests.server.guests import ORIGIN, Guest, serving

KHMER, LAO = "ស", "ລ"

pytestmark = pytest.mark.skipif(shutil.which("fc-match") is None, reason="fonts of names need fontconfig")


def make_font(path: Path, family: str, letter: str) -> None:
    """Write a font that has one letter, a square."""
    pen = TTGlyphPen(None)
    for point, draw in (((0, 0), pen.moveTo), ((0, 700), pen.lineTo), ((700, 700), pen.lineTo), ((700, 0), pen.lineTo)):
        draw(point)
    pen.closePath()
    glyph, builder = pen.glyph(), FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", "letter"])
    builder.setupCharacterMap({ord(letter): "letter"})
    builder.setupGlyf({".notdef": glyph, "letter": glyph})
    builder.setupHorizontalMetrics({".notdef": (800, 0), "letter": (800, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)


@pytest.fixture
def fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine with a font for each of two scripts, and no others."""
    folder = tmp_path / "fonts"
    folder.mkdir()
    make_font(folder / "khmer.ttf", "Khmer", KHMER)
    make_font(folder / "lao.ttf", "Lao", LAO)
    settings = tmp_path / "fonts.conf"
    settings.write_text(
        f"<fontconfig><dir>{folder}</dir><cachedir>{tmp_path / 'cache'}</cachedir></fontconfig>", encoding="utf-8"
    )
    monkeypatch.setenv("FONTCONFIG_FILE", str(settings))
    for known in (name_fonts.font_of, name_fonts._made):
        known.cache_clear()
    yield folder
    for known in (name_fonts.font_of, name_fonts._made):
        known.cache_clear()


def at_server(folder: Path, visit: Callable[[Guest], Awaitable[None]]) -> None:
    """Let Ann visit a server."""

    async def scenario() -> None:
        async with serving(folder, "ann") as (ann,):
            await visit(ann)

    asyncio.run(scenario())


async def call(guest: Guest, name: str) -> list[str]:
    """Give somebody a name; the addresses of styles in their page."""
    await guest.client.post("/me", data={"name": name}, headers={"origin": ORIGIN})
    return styles_of((await guest.client.get("/me")).text)


async def fetch(guest: Guest, kind: str, text: str) -> httpx.Response:
    return await guest.client.get(f"/fonts/names.{kind}", params={"text": text})


def styles_of(page: str) -> list[str]:
    """The addresses of styles for names in a page."""
    return [html.unescape(each) for each in re.findall(r'href="(/fonts/[^"]+)"', page)]


@pytest.mark.usefixtures("fonts")
@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("Ann", ""), ("Æöñ 王小明 あいこ", ""), ("🐷 2 €", ""), (f"Ann {KHMER}", KHMER),
        (f"{KHMER}{LAO}{KHMER}", LAO + KHMER), ("م" * 200, "م"),
    ],
)  # fmt: skip
def test_letters_that_our_fonts_lack(text: str, lacking: str) -> None:
    assert name_fonts.letters_lacking(text) == lacking


@pytest.mark.usefixtures("fonts")
def test_a_page_brings_the_letters_of_its_names(tmp_path: Path) -> None:
    async def visit(ann: Guest) -> None:
        assert await call(ann, "Ann") == []
        (address,) = await call(ann, f"{KHMER}{LAO}")
        styles = await ann.client.get(address)
        assert styles.headers["content-type"].startswith("text/css")
        for letter in (KHMER, LAO):
            (rule,) = (each for each in styles.text.splitlines() if f"unicode-range: U+{ord(letter):X};" in each)
            (font,) = re.findall(r'url\("([^"]+)"\)', rule)
            made = TTFont(BytesIO((await ann.client.get(font)).content))
            assert (made.flavor, set(made.getBestCmap())) == ("woff", {ord(letter)})

    at_server(tmp_path, visit)


@pytest.mark.usefixtures("fonts")
def test_letters_that_no_font_of_the_machine_has(tmp_path: Path) -> None:
    async def visit(ann: Guest) -> None:
        assert (await fetch(ann, "css", "ㅎ")).text == ""
        for text in ("ㅎ", KHMER + LAO, "Ann"):  # no font has it, no font has both, ours has it
            assert (await fetch(ann, "woff", text)).status_code == 404

    at_server(tmp_path, visit)


def test_a_font_that_cannot_be_read_is_none(tmp_path: Path, fonts: Path) -> None:
    async def visit(ann: Guest) -> None:
        for path in fonts.iterdir():
            path.write_bytes(b"")
        assert (await fetch(ann, "css", KHMER)).text == ""

    at_server(tmp_path, visit)


@pytest.mark.usefixtures("fonts")
def test_without_fontconfig_pages_are_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit(ann: Guest) -> None:
        monkeypatch.setenv("PATH", "")
        assert await call(ann, KHMER) == []
        assert (await fetch(ann, "css", KHMER)).text == ""

    at_server(tmp_path, visit)


def test_too_many_letters_are_refused(tmp_path: Path) -> None:
    async def visit(ann: Guest) -> None:
        assert (await fetch(ann, "css", KHMER * 97)).status_code == 422

    at_server(tmp_path, visit)
