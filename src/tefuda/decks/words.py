"""The words that stand on printed sheets, and the rules of a game on one page."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tefuda.decks.data import DeckError
from tefuda.engine.description import Description
from tefuda.engine.texts import Spell, catalogue, spelled, typed


@cache
def _words() -> dict[str, dict[str, str]]:
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def word(key: str, language: str, **fields: object) -> str:
    """A word of the printed sheets."""
    return _words()[key][language].format(**fields)


@dataclass(frozen=True)
class Leaflet:
    """The rules on one page.

    Attributes:
        name, about: of the game, and what it is in a sentence or two.
        lines: paragraphs; each ends with the numbers of its rules in brackets.
    """

    name: str
    about: str
    lines: Sequence[str]


def leaflet(game: Description, language: str, spell: Spell = typed) -> Leaflet:
    """The page of rules that lies beside a game's decks, ``rules.toml``, with its notation as ``spell`` writes it;
    without lines if there is no such file.

    Raises:
        DeckError: the file is wrong, or has no page in this language.
    """
    path = game.files.decks[0].parent / "rules.toml"
    if not path.exists():
        texts = catalogue(game.files.texts, language)
        return Leaflet(texts("title"), texts("about"), ())
    try:
        data = tomllib.loads(path.read_text("utf-8"))[language]
        return Leaflet(data["name"], data["about"], [spelled(line, spell) for line in data["lines"]])
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DeckError(f"{path}: {error}") from None
    except KeyError as error:
        raise DeckError(f"{path} has no {error.args[0]} for the page of rules in {language}") from None
