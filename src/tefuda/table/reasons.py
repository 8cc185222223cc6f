"""Why a play is refused, in the reader's language."""

from dataclasses import dataclass

from tefuda.engine.errors import TefudaError
from tefuda.engine.description import Description, SheetLine, Why
from tefuda.engine.texts import Catalogue, catalogue


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


def say(game: Description, why: Why, language: str) -> Reason:
    """The reason in this language."""
    texts = catalogue(game.texts, language)
    return Reason(why.rule, why.code, texts(f"why.{why.code}", **_fields(texts, why.fields)))


def say_line(game: Description, line: SheetLine, language: str) -> str:
    """A line of the score sheet in this language."""
    texts = catalogue(game.texts, language)
    return texts(f"sheet.{line.code}", **_fields(texts, line.fields))


def _fields(texts: Catalogue, fields: object) -> dict[str, str]:
    """``@key`` stands for a text of the catalogue."""
    assert isinstance(fields, dict)
    return {name: texts(value[1:]) if value.startswith("@") else value for name, value in fields.items()}
