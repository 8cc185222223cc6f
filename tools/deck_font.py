"""Writes the font that decks draw with: the characters they need of Noto Sans CJK, in the forms of every language.

uv run python -m tools.deck_font NotoSansCJK-VF.otf.ttc

The file is the variable collection of https://github.com/notofonts/noto-cjk (Sans/Variable/OTC).

Run it when a deck, a page of rules or ``decks/words.toml`` has a new character; a test says so. The same characters
give the same bytes. The licence (SIL Open Font License 1.1) reserves the name "Source", which the new name avoids."""

import argparse
from io import BytesIO
from pathlib import Path
from string import printable
from typing import Any

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

import tefuda
from tefuda.decks.fonts import FONT, PACKAGED_FACES
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue

ALWAYS = 3029529600
"""The year 2000, in seconds from 1904: the same font is the same bytes."""

FULL_FACES = {"ja": 0, "zh-Hans": 2, "zh-Hant": 3}
"""Place of each language's forms in Noto Sans CJK; other languages take the first."""

FAMILY = "Tefuda Sans CJK"
UNUSED = ["BASE", "DSIG", "GDEF", "GPOS", "GSUB", "STAT", "VORG", "VVAR", "vhea", "vmtx"]
"""Tables for setting text in lines and columns; decks place every character themselves."""

COPYRIGHT, LICENCE, LICENCE_ADDRESS = 0, 13, 14
KEPT_NAMES = [COPYRIGHT, 7, 8, 9, 10, 11, LICENCE, LICENCE_ADDRESS]

KANA = "".join(map(chr, (*range(0x3041, 0x3097), *range(0x30A1, 0x30FD))))
PINYIN = "āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜüĀÁǍÀĒÉĚÈŌÓǑÒ"
SIGNS = "♠♥♦♣·×–…“”‘’（），。、「」『』：；？！"


def needed_characters() -> list[str]:
    """Every character of the decks, the games' texts and the words on printed sheets; a few signs are in the code."""
    package = Path(tefuda.__file__).parent
    patterns = ("games/*/decks/*.toml", "games/*/texts/*.toml", "decks/*.toml", "decks/*/*.py")
    files = [file for pattern in patterns for file in package.glob(pattern)]
    legends = [catalogue(TEXTS, language)("rulebook.marks") for language in LANGUAGES]
    texts = [printable, KANA, PINYIN, SIGNS, *legends, *(file.read_text("utf-8") for file in files)]
    return sorted({character for text in texts for character in text if character.isprintable()})


def main() -> None:
    """Write the collection: one face a language, all with the same outlines."""
    words = argparse.ArgumentParser(description="Writes the fonts of decks.")
    words.add_argument("file", type=Path, help="NotoSansCJK-VF.otf.ttc")
    full = words.parse_args().file
    if not full.is_file():
        words.error(f"there is no file {full}")
    characters = [ord(character) for character in needed_characters()]
    outlines: set[int] = set()
    for place in FULL_FACES.values():
        font = TTFont(full, fontNumber=place, lazy=True)
        cmap = font.getBestCmap()
        missing = [chr(code) for code in characters if code not in cmap]
        if missing:
            raise SystemExit(f"Noto Sans CJK has no {', '.join(missing)}")
        outlines |= {font.getGlyphID(cmap[code]) for code in characters}
    collection = TTCollection()
    collection.fonts = [face(full, language, characters, sorted(outlines)) for language in PACKAGED_FACES]
    FONT.parent.mkdir(exist_ok=True)
    stream = BytesIO()
    collection.save(stream, shareTables=True)
    FONT.write_bytes(stream.getvalue())
    print(f"{FONT.name}: {len(characters)} characters, {len(outlines)} outlines, {FONT.stat().st_size:,} bytes")


def face(full: Path, language: str, characters: list[int], outlines: list[int]) -> Any:
    """One language's face, reduced to these characters; all of them keep the same outlines, so as to share them."""
    font = TTFont(full, fontNumber=FULL_FACES[language])
    options = Options(layout_features=[], drop_tables=UNUSED, name_IDs=KEPT_NAMES, hinting=False, notdef_outline=True)
    reducing = Subsetter(options)
    reducing.populate(unicodes=characters, gids=outlines)
    reducing.subset(font)
    names = font["name"]
    for number, text in (
        (1, f"{FAMILY} {language}"),
        (2, "Regular"),
        (4, f"{FAMILY} {language}"),
        (6, "TefudaSansCJK"),
    ):
        names.setName(text, number, 3, 1, 0x409)
    font["head"].created = font["head"].modified = ALWAYS
    font.recalcTimestamp = False
    stream = BytesIO()  # what is read again has its tables in bytes, which the collection compares
    font.save(stream)
    stream.seek(0)
    return TTFont(stream, recalcTimestamp=False)


if __name__ == "__main__":
    main()
