"""Levels for people: names for how well bots play, and the bot that stands for each in a game.

A game's file ``levels.toml`` lists them from the weakest to the strongest, with what each was measured to gain against
the one below.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

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
        gain, margin: what it gains a deal against the level below, and half of the 95 % interval.
        deals: by how many duplicate deals.
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
"""Of a game that has measured none."""


@cache
def levels(game: Description) -> Mapping[str, Level]:
    """The levels of a game, the weakest first."""
    file = game.files.texts.parent / "levels.toml"
    if not file.exists():
        return USUAL
    return {name: Level(**entry) for name, entry in tomllib.loads(file.read_text("utf-8")).items()}


def level_spec(level: str, game: Description, record: Any) -> str:
    """The bot that stands for a level.

    Args:
        level: one of ``LEVELS``.
        game: whose.
        record: of a view or state at the table, with its seats and options.
    """
    *choices, last = levels(game)[level].bots
    return next((spec for spec in choices if is_learned(game, record) or not asks_network(spec)), last)


def asks_network(spec: str) -> bool:
    """Whether this bot needs a network that has learned to play at the table."""
    return spec == "net" or "net=1" in spec.split(",")
