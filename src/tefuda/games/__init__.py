"""The games, found by entry point: a game in another package is loaded like one of ours."""

from functools import cache
from importlib.metadata import entry_points

from tefuda.engine.cache import GAMES
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest


class UnknownGameError(TefudaError):
    """No package announces a game of this name."""


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted({entry.name for entry in entry_points(group=GAMES)})


@cache
def description(name: str) -> Description:
    """The description of a game.

    Raises:
        UnknownGameError: there is no such game.
    """
    for entry in entry_points(group=GAMES, name=name):
        found = entry.load()
        if not isinstance(found, Description):
            raise UnknownGameError(f"{entry.value} is not a tefuda.engine.description.Description")
        return found
    raise UnknownGameError(f"there is no game {name!r}{nearest(name, names())}; there are: {', '.join(names())}")
