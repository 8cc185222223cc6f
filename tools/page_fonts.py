"""Writes the fonts of the pages: Latin letters of Source Sans and Source Serif, and of Noto Sans CJK the characters
that the pages show in each language: one font of those that a table needs, one of what rules, tours, examples,
background pages, clubs, e-mail and the laboratory have beyond them, which browsers load for no other page.

uv run --group page-fonts python -m tools.page_fonts NotoSansCJK-VF.otf.ttc

The file is the variable collection of https://github.com/notofonts/noto-cjk (Sans/Variable/OTC).

Run it when the texts of pages or games have new characters; what a font lacks, the system's fonts show. The same
characters give the same bytes. The licences (SIL Open Font License 1.1) reserve the name "Source", which the new names
avoid."""

import argparse
import tomllib
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from string import printable
from typing import Any

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

import tefuda
from tefuda import games
from tefuda.decks.data import load
from tefuda.engine.texts import LANGUAGES
from tools.deck_font import FULL_FACES

PACKAGE = Path(tefuda.__file__).parent
FONTS = PACKAGE / "web/static/fonts"

LATIN = {
    "sans-400": ("font_source_sans_pro", "SourceSansPro-Regular.ttf"),
    "sans-650": ("font_source_sans_pro", "SourceSansPro-Semibold.ttf"),
    "serif-600": ("font_source_serif_pro", "SourceSerifPro-Semibold.ttf"),
}
"""The new files, and the packages that they are made from."""

MARKS = "ÀÁÂÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖØÙÚÛÜßàáâäåæçèéêëìíîïñòóôöøùúûüÿāēīōūǎěǐǒǔ–—‘’“”…·×−±→←↑↓•©"
KANA = "".join(map(chr, (*range(0x3041, 0x3097), *range(0x3099, 0x3100))))
WEIGHT = 500
"""Of the characters of East Asia; browsers make the bold ones."""
ALWAYS = 3029529600
"""The year 2000, in seconds from 1904: the same font is the same bytes."""
MOST = 150_000
"""Bytes of all the fonts that a table needs in one language, and of the other font of a language."""

SHOWN = (
    "scene", "why", "outcome", "advice", "plays", "phase", "cards", "suits", "end", "sheet", "events", "combinations",
    "names",
)  # fmt: skip
"""The parts of a game's texts that its table shows."""


def leaves(value: Any, language: str = "") -> Iterator[str]:
    """All texts of a data file or of a part of one, but those that it has in other languages than the one named."""
    if isinstance(value, dict):
        for key, part in value.items():
            if not language or key == language or key not in LANGUAGES:
                yield from leaves(part, language)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, language)
    else:
        yield str(value)


def east_asian(texts: Iterable[str]) -> str:
    """The characters of East Asia in texts, in order."""
    return "".join(sorted({each for text in texts for each in text if ord(each) > 0x2E7F}))


def at_tables(language: str) -> Iterator[str]:
    """What lobby, forms and tables show in this language, what guests are called by default in any, and all kana, in
    which people write their names on any page."""
    page = tomllib.loads((PACKAGE / f"texts/{language}.toml").read_text("utf-8"))
    yield from (page["language"], "手札文", KANA if language == "ja" else "")
    for other in LANGUAGES:
        yield from leaves(tomllib.loads((PACKAGE / f"texts/{other}.toml").read_text("utf-8"))["page"]["me"]["animal"])
    clubs, moderation, _ = (page["page"].pop(name) for name in ("clubs", "moderation", "mail"))
    yield from (clubs["title"], moderation["title"])  # the rest is on pages of their own, which read more
    yield from (text for part in ("page", "hint", "review", "server") for text in leaves(page[part]))
    for path in PACKAGE.glob(f"games/*/texts/{language}.toml"):
        texts = tomllib.loads(path.read_text("utf-8"))
        yield from (texts[name] for name in ("title", "native", "unit", "summary"))
        yield from (text for part in SHOWN for text in leaves(texts.get(part, {})))
    for game in map(games.description, games.names()):
        for path in game.files.tours[:1]:  # the lobby shows a hand of it
            yield from tomllib.loads(path.read_text("utf-8"))["names"].get(language, ())
        for path in game.files.decks:
            for card in load(game, path.stem).cards.values():
                yield from (card.names[language], card.short[language], card.readings.get(language, ""))


def to_read(language: str) -> Iterator[str]:
    """All else that pages tell in this language: rules, options, reasons, tours, a deal told, where games come from,
    what the laboratory has found."""
    for folder in ("texts", "lab/report/texts"):
        yield from leaves(tomllib.loads((PACKAGE / f"{folder}/{language}.toml").read_text("utf-8")))
    for game in map(games.description, games.names()):
        texts = game.files.texts
        yield from leaves(tomllib.loads((texts / f"{language}.toml").read_text("utf-8")))
        for path in (texts / "glossary.toml", texts / "example.toml", *game.files.tours):
            yield from leaves(tomllib.loads(path.read_text("utf-8")), language)
        yield from (load(game, path.stem).titles[language] for path in game.files.decks)
        yield (texts / f"about/{language}.md").read_text("utf-8")
        if language == "ja":  # what the page of rules says, in its own words on every page of rules
            yield (texts / "sources.toml").read_text("utf-8")


def reduce(font: Any, characters: str) -> None:
    """Leave these characters alone in a font."""
    options = Options(layout_features=["kern", "liga", "tnum", "lnum"], hinting=False, name_IDs=[0, 7, 13, 14])
    options.drop_tables += ["BASE", "DSIG", "VORG", "VVAR", "vhea", "vmtx"]
    reducing = Subsetter(options)
    reducing.populate(text=characters)
    reducing.subset(font)


def write(font: Any, name: str) -> int:
    """Keep a font as WOFF2; its size."""
    for number, text in ((1, f"Tefuda {name}"), (4, f"Tefuda {name}"), (6, f"Tefuda-{name}")):
        font["name"].setName(text, number, 3, 1, 0x409)
    font["head"].created = font["head"].modified = ALWAYS
    font.recalcTimestamp, font.flavor = False, "woff2"
    path = FONTS / f"{name}.woff2"
    font.save(path)
    print(f"{path.name}: {path.stat().st_size:,} bytes")
    return path.stat().st_size


def write_east_asian(full: Path, language: str, characters: str, name: str) -> int:
    """Keep characters as a language writes them; the size of the font."""
    font = TTFont(full, fontNumber=FULL_FACES.get(language, 0))
    reduce(font, characters)
    stream = BytesIO()
    font.save(stream)  # read again below: an instance is made of a whole file
    return write(instantiateVariableFont(TTFont(stream), {"wght": WEIGHT}), name)


def packaged(package: str, file: str) -> Path:
    """The file of a packaged font."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise SystemExit(f"{package} is not installed: uv sync --group page-fonts")
    return Path(found.origin).parent / "files" / file


def main() -> None:
    """Write all fonts."""
    words = argparse.ArgumentParser(description="Writes the fonts of pages.")
    words.add_argument("file", type=Path, help="NotoSansCJK-VF.otf.ttc")
    full = words.parse_args().file
    if not full.is_file():
        words.error(f"there is no file {full}")
    FONTS.mkdir(exist_ok=True)
    latin = 0
    for name, (package, file) in LATIN.items():
        font = TTFont(packaged(package, file))
        reduce(font, printable.strip() + " " + MARKS)
        latin += write(font, name)
    for language in LANGUAGES:
        first = east_asian(at_tables(language))
        further = "".join(each for each in east_asian(to_read(language)) if each not in first)
        table = latin + write_east_asian(full, language, first, f"cjk-{language}")
        for size in (table, write_east_asian(full, language, further, f"read-{language}")):
            if size > MOST:
                raise SystemExit(f"{language}: {size:,} bytes are more than {MOST:,}")


if __name__ == "__main__":
    main()
