"""Levels for people: names for the strength of bots, and the bot that stands for each in a game.

A game's file ``levels.toml`` lists them from the weakest to the strongest, each with its measured gain over the one
below.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from tefuda.bots.net import is_learned
from tefuda.engine.description import Description

LEVELS = ("beginner", "easy", "strong", "strongest")
"""From the weakest."""


@dataclass(frozen=True)
class Level:
    """A level in a game.

    Attributes:
        bots: specs; the first that knows the table plays. A network may not know it, nor a search in which it plays
            deals out (``net=1``); every other bot does.
        gain, margin: over the level below, a deal, and half of its 95 % interval.
        deals: duplicate deals that it was measured by.
    """

    bots: Sequence[str]
    gain: float | None = None
    margin: float | None = None
    deals: int = 0


USUAL: Mapping[str, Level] = {
    "beginner": Level(("hints:slip=25",)),
    "easy": Level(("hints",)),
    "strong": Level(("search:100it",)),
    "strongest": Level(("search:1000it",)),
}
"""The levels of a game that has measured none."""


@cache
def levels(game: Description) -> Mapping[str, Level]:
    """Read the levels of a game, the weakest first."""
    file = game.files.texts.parent / "levels.toml"
    if not file.exists():
        return USUAL
    return {name: Level(**entry) for name, entry in tomllib.loads(file.read_text("utf-8")).items()}


def level_spec(level: str, game: Description, record: np.void) -> str:
    """Choose the bot that stands for one of ``LEVELS``, at the table of a view's or state's record."""
    *choices, last = levels(game)[level].bots
    return next((spec for spec in choices if is_learned(game, record) or not asks_network(spec)), last)


def asks_network(spec: str) -> bool:
    """Tell if this bot needs a network that has learned to play at the table."""
    return spec == "net" or "net=1" in spec.split(",")
