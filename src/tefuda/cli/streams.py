"""Standard streams as they are: closed ones, and those that cannot write every character."""

import codecs
import os
import sys
import unicodedata
from io import TextIOWrapper
from typing import cast

from tefuda.engine.texts import LANGUAGES, TEXTS

STAND_INS = {
    "−": "-", "–": "-", "—": "-", "·": "*", "•": "*", "★": "*", "°": "*", "×": "x", "±": "+/-", "µ": "u", "…": "...",
    "“": '"', "”": '"', "‘": "'", "’": "'", "›": ">", "▸": ">", "▶": ">", "→": "->", "←": "<-",
}  # fmt: skip
"""What a reader takes for a sign that cannot be written."""

MOST_LOST = 0.02
"""Of the characters of a language's texts: how many a stream need not be able to write, since others stand for them."""


def set_up() -> None:
    """Let commands read and write whatever streams they were started with: nothing where one is closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
    codecs.register_error("stand-in", stand_in)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="stand-in")


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """An error handler (``codecs``): what to write instead of characters that the encoding lacks."""
    missing = cast(UnicodeEncodeError, error)
    return "".join(map(_written, missing.object[missing.start : missing.end])), missing.end


def _written(character: str) -> str:
    """A sign's stand-in, a letter without its accent, or blanks: beside the sign of a suit stands its letter."""
    if unicodedata.category(character) == "Cs":  # a byte of a file's name that is no character
        return f"\\x{ord(character) & 0xFF:02x}"
    if character in STAND_INS:
        return STAND_INS[character]
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    if plain or unicodedata.combining(character):
        return plain
    return "  " if unicodedata.east_asian_width(character) in "WF" else " "


def can_write(text: str) -> bool:
    """Whether standard output can write all of this."""
    return len(_kept(text)) == len(text)


def can_show(language: str) -> bool:
    """Whether standard output can write the texts of a language, up to a few signs."""
    if language == LANGUAGES[0]:
        return True
    text = (TEXTS / f"{language}.toml").read_text("utf-8")
    return len(text) - len(_kept(text)) <= MOST_LOST * len(text)


def _kept(text: str) -> str:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "ignore").decode(encoding, "ignore")
