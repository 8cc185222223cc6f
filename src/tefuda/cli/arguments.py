"""Arguments and options that several commands take."""

from importlib.metadata import entry_points
from typing import Annotated

import typer


def game_names(begun: str) -> list[str]:
    """The names of games that begin so, for completion: asked of the packages, nothing of which is imported."""
    return sorted({entry.name for entry in entry_points(group="tefuda.games") if entry.name.startswith(begun)})


GameName = Annotated[
    str,
    typer.Argument(help="Name of the game, such as gong-zhu.", metavar="GAME", autocompletion=game_names),
]
Seats = Annotated[int | None, typer.Option("--seats", help="Number of players.")]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="Set an option of the rules; may be repeated.", metavar="OPTION=VALUE")
]
Language = Annotated[str, typer.Option("--lang", help="Language of the texts: en, ja, zh-Hant or zh-Hans.")]

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
