"""The games, found by entry point: a game in another package is loaded like one of ours."""

import re
import unicodedata
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points

from tefuda.engine.cache import GAMES
from tefuda.engine.description import MINIATURE, SMALL, Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.texts import LANGUAGES, catalogue, own_texts


class UnknownGameError(TefudaError):
    """No package announces a game of this name."""


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted({entry.name for entry in entry_points(group=GAMES)})


def miniatures(ending: str = MINIATURE) -> list[str]:
    """The names of the miniatures (or the tiny games: ``TINY``) of those games that have one, sorted: small enough to
    be solved whole."""
    return [found.name for name in names() if (found := description(name).small(ending))]


@cache
def description(name: str) -> Description:
    """The description of a game, a miniature or a tiny game; ``UnknownGameError`` if there is no such game."""
    for ending in SMALL:
        if name.endswith(ending) and name.removesuffix(ending) in names():
            small = description(name.removesuffix(ending)).small(ending)
            if small is None:
                raise UnknownGameError(f"there is no {name}; there are: {', '.join(miniatures(ending))}")
            return small
    for entry in entry_points(group=GAMES, name=name):
        found = entry.load()
        if not isinstance(found, Description):
            raise UnknownGameError(f"{entry.value} is not a tefuda.engine.description.Description")
        if found.name != name:
            raise UnknownGameError(f"the entry point {name!r} leads to the game {found.name!r}: call it so")
        return found
    raise UnknownGameError(f"there is no game {name!r}; there are: {', '.join(names())}{nearest(name, names())}")


def called(word: str) -> str:
    """The name of the game that people call so: its name, however spelt (``Gong_Zhu``, ``gongzhu``), its title in a
    language, or the name in its glossary or how that is read (``六符``, ``liù fú``).

    ``UnknownGameError`` if there is no such game; it suggests the one whose names come nearest."""
    if word in names():
        return word
    known, said = _names_by_which_called(), _folded(word)
    if said not in known and not word.endswith(SMALL):
        close = get_close_matches(said, list(known), 1, cutoff=0.5)
        suggestion = f"; did you mean {known[close[0]]!r}?" if close else ""
        raise UnknownGameError(f"there is no game {word!r}; there are: {', '.join(names())}{suggestion}")
    return known.get(said) or description(word).name


@cache
def _names_by_which_called() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names():
        folder = description(name).files.texts
        titles = [catalogue(folder, language)(key) for language in LANGUAGES for key in ("title", "native")]
        terms = own_texts(folder, "glossary")
        written = (terms.get(f"{name}.{key}", "") for key in ("original", "reading"))
        called = (name, *titles, *(part for each in written for part in re.split("[/;,]", each)))
        found |= {_folded(each): name for each in called if each.strip()}
    return found


def _folded(word: str) -> str:
    letters = (each for each in unicodedata.normalize("NFKD", word).casefold() if not unicodedata.combining(each))
    return re.sub(r"[\s_-]", "", "".join(letters))
