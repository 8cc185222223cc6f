"""Arguments and options that several commands take."""

from typing import Annotated

import typer

from tefuda.cli.completion import game_names, languages, option_names


def game_called(context: typer.Context, word: str | None) -> str | None:
    """The name of the game that people call so.

    Raises:
        TefudaError: there is no such game.
    """
    if word is None or context.resilient_parsing or word in game_names(word):
        return word
    from tefuda.games import called

    return called(word)


def games_called(context: typer.Context, words: list[str] | None) -> list[str] | None:
    """The names of several games."""
    return words and [name for word in words if (name := game_called(context, word)) is not None]


def folded(word: str | None) -> str | None:
    """A word of a list in small letters, as it stands there."""
    return word and word.casefold()


GameName = Annotated[
    str,
    typer.Argument(
        help="Name of the game, such as gong-zhu or 拱猪.",
        metavar="GAME",
        autocompletion=game_names,
        callback=game_called,
    ),
]
Seats = Annotated[int | None, typer.Option("--seats", help="Number of players.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="Set an option of the rules; may be repeated.",
        metavar="OPTION=VALUE",
        autocompletion=option_names,
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--lang",
        help="en, ja, zh-Hant or zh-Hans.",
        metavar="LANGUAGE",
        show_default="the system's",
        autocompletion=languages,
    ),
]

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
