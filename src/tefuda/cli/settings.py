"""From what was typed to a game: names, seats, ``--set option=value``, languages."""

from collections.abc import Sequence

from tefuda.engine.description import OptionError, Value
from tefuda.engine.errors import TefudaError
from tefuda.engine.texts import LANGUAGES
from tefuda.table.game import Game, load


def game_with(name: str, seats: int | None, settings: Sequence[str]) -> Game:
    """The game that was asked for.

    Raises:
        TefudaError: unknown game, option, value or number of seats.
    """
    options: dict[str, Value] = {}
    for setting in settings:
        option, equals, value = setting.partition("=")
        if not equals:
            raise OptionError(f"--set {setting}: write it as option=value")
        options[option.strip()] = value.strip()
    return load(name, seats, **options)


def check_language(language: str) -> None:
    """Refuse a language that has no texts."""
    if language not in LANGUAGES:
        raise TefudaError(f"--lang: there are no texts in {language!r}; there are: {', '.join(LANGUAGES)}")
