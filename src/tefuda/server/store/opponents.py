"""The bots that people play against: at which level they play."""

from functools import lru_cache

from tefuda.bots.levels import LEVELS, levels
from tefuda.engine.description import Description


@lru_cache(256)
def level_of(game: Description, spec: str) -> str:
    """The level, one of ``LEVELS``, for which this bot stands in a game; empty if it is of none."""
    known = levels(game)
    return next((level for level in LEVELS if spec in known[level].bots), "")


def level_number(game: Description, spec: str) -> int:
    """The same as a number from 1, the weakest; 0 if it is of none."""
    level = level_of(game, spec)
    return 1 + LEVELS.index(level) if level else 0
