"""From what was typed to a game: names, seats, ``--set option=value``, languages."""

import os
import re
from collections.abc import Sequence

from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import OptionError, Value
from tefuda.engine.texts import LANGUAGES, closest
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
        if options.setdefault(option.strip(), value.strip()) != value.strip():
            raise OptionError(f"--set {setting}: {option.strip()} has been set to {options[option.strip()]} before it")
    return load(name, seats, **options)


def rule_number(game: Description, text: str) -> str | None:
    """The number of a rule in the ways people write it (``GZ-8``, ``gz8``, ``8``); None if it is none."""
    found = re.fullmatch(rf"(?:{game.rules.prefix}-?)?\s*(\d{{1,3}})", text.strip(), re.IGNORECASE | re.ASCII)
    return f"{game.rules.prefix}-{int(found[1])}" if found else None


def command(words: str) -> str:
    """How to run a command again, as this one was run."""
    return f"uv run tefuda {words}" if "UV" in os.environ else f"tefuda {words}"


def language_of(tag: str) -> str:
    """The language of the texts that was asked for (``zh-Hant``, ``zh-TW``).

    Raises:
        TefudaError: there are no texts in it.
    """
    language = closest(tag)
    if language is None:
        raise TefudaError(f"--lang: there are no texts in {tag!r}; there are: {', '.join(LANGUAGES)}")
    return language
