"""Why a play is refused, in the reader's language."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tefuda.engine.description import Description, Refusal, Sentence
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import catalogue

TEXTS = Path(__file__).parent.parent / "texts"
"""The catalogues of what is not said by one game alone."""

_SEAT = re.compile(r"#(\d+)")
_QUOTED = re.compile(r"( ?)`([^`]*)`( ?)")
_CHARACTER = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff「」]")

Spell = Callable[[str], str]
"""Writes notation that a text quotes between backquotes: plays and cards, by whom (``#2``) where there are several."""


def typed(quoted: str) -> str:
    """Notation for those who type it: as it is."""
    return quoted


@dataclass(frozen=True)
class Reason:
    """Why a play is illegal.

    Attributes:
        rule: number of the rule that forbids it, such as ``GZ-12``.
        code: of the text, the same in every language.
        text: one or two sentences for the player.
    """

    rule: str
    code: str
    text: str

    def __str__(self) -> str:
        return f"{self.text} [{self.rule}]"


class IllegalPlay(TefudaError):  # noqa: N818 - the name the design gives it
    """A play that the rules forbid; nothing has happened."""

    def __init__(self, play: str, reason: Reason) -> None:
        super().__init__(f"{play}: {reason}")
        self.play, self.reason = play, reason


def say(game: Description, why: Refusal, language: str, names: Sequence[str] = (), spell: Spell = typed) -> Reason:
    """The reason in this language; see ``say_line``."""
    text = say_line(game, Sentence(f"why.{why.code}", why.fields), language, names, spell)
    return Reason(why.rule, why.code, text[:1].upper() + text[1:])


def say_line(game: Description, line: Sentence, language: str, names: Sequence[str] = (), spell: Spell = typed) -> str:
    """A sentence about a deal in this language; seats by name where names are given, notation as ``spell`` writes it.

    In a field ``@key`` stands for a text and ``#2`` for a seat.
    """
    texts = catalogue(game.files.texts, language)
    fields = {name: texts(value[1:]) if value.startswith("@") else value for name, value in line.fields.items()}
    text = spelled(texts(line.code, **fields), spell)
    return _SEAT.sub(lambda found: seat_name(int(found[1]), language, names), text)


def say_all(game: Description, section: str, language: str, spell: Spell = typed) -> dict[str, str]:
    """The game's texts under a section, by the rest of their keys, with their notation as ``spell`` writes it."""
    keys = catalogue(game.files.texts, language).under(section)
    return {key: say_line(game, Sentence(f"{section}.{key}"), language, spell=spell) for key in keys}


def spelled(text: str, spell: Spell = typed) -> str:
    """A text without its backquotes, the notation between them as ``spell`` writes it."""

    def write(found: re.Match[str]) -> str:
        before, words, after = found[1], spell(found[2]), found[3]
        # Between characters there are no spaces.
        return f"{'' if _CHARACTER.match(words) else before}{words}{'' if _CHARACTER.match(words[-1:]) else after}"

    return _QUOTED.sub(write, text)


def seat_name(seat: int, language: str, names: Sequence[str] = ()) -> str:
    """What a seat is called."""
    return names[seat] if names else catalogue(TEXTS, language)("seat", number=seat)
