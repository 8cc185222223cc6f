"""Why a play is refused, in the reader's language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tefuda.engine.description import Description, Line, Why
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import Catalogue, catalogue

TEXTS = Path(__file__).parent.parent / "texts"
"""The catalogues of what is not said by one game alone."""

_SEAT = re.compile(r"#(\d+)")


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


def say(game: Description, why: Why, language: str, names: Sequence[str] = ()) -> Reason:
    """The reason in this language; seats by name where names are given."""
    return Reason(why.rule, why.code, say_line(game, Line(f"why.{why.code}", why.fields), language, names))


def say_line(game: Description, line: Line, language: str, names: Sequence[str] = ()) -> str:
    """A sentence about a deal in this language; seats by name where names are given."""
    texts = catalogue(game.texts, language)
    return texts(line.code, **{name: _value(texts, value, names) for name, value in line.fields.items()})


def _value(texts: Catalogue, value: str, names: Sequence[str]) -> str:
    """``@key`` stands for a text, ``#2`` for a seat; anything else for itself."""
    if value.startswith("@"):
        return texts(value[1:])
    return _SEAT.sub(lambda found: seat_name(int(found[1]), texts.language, names), value)


def seat_name(seat: int, language: str, names: Sequence[str] = ()) -> str:
    """What a seat is called."""
    return names[seat] if names else catalogue(TEXTS, language)("seat", number=seat)
