"""What the Tab key offers in a shell: asked of packages and their texts, nothing of which is imported, so at once."""

import tomllib
from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer

from tefuda.engine.texts import LANGUAGES

GAMES = "tefuda.games"
"""As in ``engine.cache``; the words below, too, are those of modules that take seconds to import (tested)."""

BOTS = ("random", "hints", "net", "search", "beginner", "easy", "strong", "strongest")
PAPERS = ("a4", "letter")
SIZES = ("life", "large", "bridge", "poker", "poker-us", "mini", "tarot", "jumbo")
LAYERS = ("traditional", "index", "accessible", "all")

Completer = Callable[[str], list[str]]


def one_of(words: Iterable[str]) -> Completer:
    """Offers the words that begin so."""
    known = tuple(words)

    def complete(begun: str) -> list[str]:
        return [word for word in known if word.startswith(begun)]

    return complete


def game_names(begun: str) -> list[str]:
    """The names of games that begin so."""
    return sorted({entry.name for entry in entry_points(group=GAMES) if entry.name.startswith(begun)})


def rule_numbers(context: typer.Context, begun: str) -> list[str]:
    """The numbers of the rules of the game that is named before."""
    return [number for number in _texts(context).get("rules", {}) if number.startswith(begun)]


def option_names(context: typer.Context, begun: str) -> list[str]:
    """The options of the game that is named before, ready for a value."""
    return [f"{name}=" for name in _texts(context).get("options", {}) if name.startswith(begun)]


languages, bots, papers, sizes, layers = map(one_of, (LANGUAGES, BOTS, PAPERS, SIZES, LAYERS))


def _texts(context: typer.Context) -> dict[str, Any]:
    """The English texts of the game that is named before."""
    # Behind an option without its value, nothing has been read of the line.
    game = context.params.get("game") or next(iter(context.args), "")
    for entry in entry_points(group=GAMES, name=game):
        package, *below = entry.module.split(".")
        spec = find_spec(package)
        for place in spec.submodule_search_locations or () if spec else ():
            path = Path(place, *below, "texts", f"{LANGUAGES[0]}.toml")
            if path.exists():
                return tomllib.loads(path.read_text("utf-8"))
    return {}
