"""Arguments and options that several commands take, and what the Tab key offers for them in a shell.

Packages and their texts are asked, nothing of which is imported: Tab answers at once.
"""

import tomllib
from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from tefuda.engine.texts import LANGUAGES

GAMES = "tefuda.games"
"""As ``engine.cache`` has it; like the words below, those of modules that take seconds to import (tested)."""

BOTS = ("random", "hints", "net", "search", "beginner", "easy", "strong", "strongest")
PAPERS = ("a4", "letter")
SIZES = ("life", "large", "bridge", "poker", "poker-us", "mini", "tarot", "jumbo")
LAYERS = ("traditional", "index", "accessible", "all")


def one_of(words: Iterable[str]) -> Callable[[str], list[str]]:
    """Make what completes a word of a list."""
    known = tuple(words)

    def complete(begun: str) -> list[str]:
        return [word for word in known if word.startswith(begun)]

    return complete


def game_names(begun: str) -> list[str]:
    """List the games whose names begin so."""
    return sorted({entry.name for entry in entry_points(group=GAMES) if entry.name.startswith(begun)})


def rule_numbers(context: typer.Context, begun: str) -> list[str]:
    """List the rules of the game that is named before."""
    return [number for number in _texts(context).get("rules", {}) if number.startswith(begun)]


def option_names(context: typer.Context, begun: str) -> list[str]:
    """List the options of the game that is named before, ready for a value."""
    return [f"{name}=" for name in _texts(context).get("options", {}) if name.startswith(begun)]


def _texts(context: typer.Context) -> dict[str, Any]:
    """Read the English texts of the game that is named before."""
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


def game_called(context: typer.Context, word: str | None) -> str | None:
    """Return the name of the game that people call so; TefudaError if there is none."""
    if word is None or context.resilient_parsing or word in game_names(word):
        return word
    from tefuda.games import called

    return called(word)


def games_called(context: typer.Context, words: list[str] | None) -> list[str] | None:
    """Return the names of several games."""
    return words and [name for word in words if (name := game_called(context, word)) is not None]


def folded(word: str | None) -> str | None:
    """Return a word of a list in small letters, as it stands there."""
    return word and word.casefold()


GameName = Annotated[
    str,
    Argument(
        help="Name of the game, such as gong-zhu or 拱猪.",
        metavar="GAME",
        autocompletion=game_names,
        callback=game_called,
    ),
]
RecordFile = Annotated[Path, Argument(help="A record (.tfd).", metavar="FILE")]
Seats = Annotated[int | None, Option("--seats", help="Number of players.")]
Settings = Annotated[
    list[str] | None,
    Option(
        "--set",
        help="Set an option of the rules; may be repeated.",
        metavar="OPTION=VALUE",
        autocompletion=option_names,
    ),
]
Seed = Annotated[int, Option("--seed", min=0, help="The same seed deals the same cards.")]
Language = Annotated[
    str | None,
    Option(
        "--lang",
        help="en, ja, zh-Hant or zh-Hans.",
        metavar="LANGUAGE",
        show_default="the system's",
        autocompletion=one_of(LANGUAGES),
    ),
]
AsJson = Annotated[bool, Option("--json", help="Print the result as JSON.")]
RayAddress = Annotated[
    str | None,
    Option(
        "--ray",
        help="Play on a Ray cluster: auto, HOST:6379 or ray://HOST:10001; local for one started here.",
        metavar="ADDRESS",
    ),
]
