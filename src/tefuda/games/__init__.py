"""The games, found by entry point: a game in another package is loaded like one of ours."""

import unicodedata
from functools import cache
from importlib.metadata import entry_points

from tefuda.engine.cache import GAMES
from tefuda.engine.description import MINIATURE, Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.texts import LANGUAGES, catalogue


class UnknownGameError(TefudaError):
    """No package announces a game of this name."""


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted({entry.name for entry in entry_points(group=GAMES)})


def miniatures() -> list[str]:
    """The names of the miniatures of those games that have one, sorted: small enough to be solved whole."""
    return [found.name for name in names() if (found := description(name).miniature)]


@cache
def description(name: str) -> Description:
    """The description of a game, or of a miniature; ``UnknownGameError`` if there is no such game."""
    if name.endswith(MINIATURE) and name.removesuffix(MINIATURE) in names():
        miniature = description(name.removesuffix(MINIATURE)).miniature
        if miniature is None:
            raise UnknownGameError(f"{name.removesuffix(MINIATURE)} has no miniature; have: {', '.join(miniatures())}")
        return miniature
    for entry in entry_points(group=GAMES, name=name):
        found = entry.load()
        if not isinstance(found, Description):
            raise UnknownGameError(f"{entry.value} is not a tefuda.engine.description.Description")
        if found.name != name:
            raise UnknownGameError(f"the entry point {name!r} leads to the game {found.name!r}: call it so")
        return found
    raise UnknownGameError(f"there is no game {name!r}; there are: {', '.join(names())}{nearest(name, names())}")


def called(word: str) -> str:
    """The name of the game that people call so: its name, whatever the case (``Gong_Zhu``), or its title in a language.

    ``UnknownGameError`` if there is no such game."""
    if word in names():
        return word
    said = _folded(word)
    if said in names():
        return said
    for name in names():
        texts = [catalogue(description(name).files.texts, language) for language in LANGUAGES]
        if said in {_folded(each(key)) for each in texts for key in ("title", "native")}:
            return name
    return description(word).name  # a miniature, or the error


def _folded(word: str) -> str:
    return "-".join(unicodedata.normalize("NFKC", word).casefold().replace("_", " ").replace("-", " ").split())
