"""Standard streams as they are, closed or unable to write every character, and the JSON that goes to them."""

import codecs
import json
import os
import shutil
import sys
import unicodedata
from dataclasses import asdict, is_dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import cast

from tefuda.engine.texts import LANGUAGES, TEXTS

BAD_INPUT = 2  # exit status after bad input
INTERRUPTED = 130  # exit status after Ctrl-C, as shells have it: 128 and the number of the signal

STAND_INS = {
    "−": "-", "–": "-", "—": "-", "·": "*", "•": "*", "★": "*", "°": "*", "×": "x", "±": "+/-", "µ": "u", "…": "...",
    "“": '"', "”": '"', "‘": "'", "’": "'", "›": ">", "▸": ">", "▶": ">", "→": "->", "←": "<-"
}  # fmt: skip
"""Signs that cannot be written, with what a reader takes for them."""

LEAST_COLUMNS, LEAST_LINES = 60, 20  # of a terminal that a table can fill

MOST_LOST = 0.02  # fraction of the characters of a language's texts that a stream may lack, since others stand for them


def set_up() -> None:
    """Let commands read and write the streams they were started with: nothing where one is closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the process
    codecs.register_error("stand-in", stand_in)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="stand-in")


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that the encoding lacks: an error handler of ``codecs``."""
    missing = cast(UnicodeEncodeError, error)
    return "".join(map(_written, missing.object[missing.start : missing.end])), missing.end


def _written(character: str) -> str:
    """Return a stand-in, a letter without its accent, or blanks: beside the sign of a suit stands its letter."""
    if unicodedata.category(character) == "Cs":  # a byte of a file's name that is no character
        return f"\\x{ord(character) & 0xFF:02x}"
    if character in STAND_INS:
        return STAND_INS[character]
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    if plain or unicodedata.combining(character):
        return plain
    return "  " if unicodedata.east_asian_width(character) in "WF" else " "


def fills_screen() -> bool:
    """Tell if a person sits at a terminal that is large and able enough for a table that fills it."""
    columns, lines = shutil.get_terminal_size()
    able = os.environ.get("TERM") not in ("dumb", "unknown") and can_write("é▸中")  # UTF-8
    is_large = columns >= LEAST_COLUMNS and lines >= LEAST_LINES
    return able and is_large and all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def can_write(text: str) -> bool:
    """Tell if standard output can write all of this."""
    return len(_kept(text)) == len(text)


def can_show(language: str) -> bool:
    """Tell if standard output can write the texts of a language, up to a few signs."""
    if language == LANGUAGES[0]:
        return True
    text = (TEXTS / f"{language}.toml").read_text("utf-8")
    return len(text) - len(_kept(text)) <= MOST_LOST * len(text)


def _kept(text: str) -> str:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "ignore").decode(encoding, "ignore")


def print_json(data: object) -> None:
    """Print data in ASCII, as any terminal takes it; a dataclass becomes an object with its fields as keys."""
    sys.stdout.write(json.dumps(data, default=_json_form, indent=2) + "\n")


def _json_form(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
