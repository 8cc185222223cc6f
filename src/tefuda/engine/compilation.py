"""Compiling a game's code before it is needed, in steps that a progress display can show.

Compiled code is kept on disk (``cache``), so this is waited for once after each change of the sources.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from tefuda.engine import cache, rng, turn, verbs
from tefuda.engine.description import Description
from tefuda.engine.playout import MOST_ACTIONS

SPARSE = 16
"""Of how many plays one is asked about at each position where reasons have only to be loaded."""

TABLE = "table"
"""What is compiled for a game: all that a table needs; other rooms have names of their own."""


def is_warm(game: Description, what: str = TABLE) -> bool:
    """Whether all that a table (or another room) needs has been compiled from the present sources."""
    return verbs.UNCOMPILED or _marker(game, what).exists()


def mark(game: Description, what: str = TABLE) -> None:
    """Remember that everything has been compiled; code compiled from much older sources is deleted."""
    with suppress(OSError):  # where nothing can be kept, the next start compiles again
        _marker(game, what).parent.mkdir(parents=True, exist_ok=True)
        _marker(game, what).touch()
        cache.forget_old()


def _marker(game: Description, what: str) -> Path:
    return cache.folder() / f"{game.name}.{what}.compiled"


def steps(game: Description) -> list[tuple[str, Callable[[], object]]]:
    """What there is to compile or load, in this order: what it is for, and a call that does it by using it once."""
    every = SPARSE if is_warm(game) else 1  # each play at each position is asked about only to find all that compiles
    states, following = game.template(), game.template()
    pack, generator = game.rules.pack(states[0]), rng.generator(0)
    out = np.zeros(MOST_ACTIONS, np.int64)

    def shuffle() -> None:
        rng.shuffle(generator, pack)
        rng.below(generator, 2)

    def play_a_deal() -> None:
        moves = 0
        while (seat := verbs.mover(states[0])) >= 0:
            for word in game.notation.plays(states, range(moves % every, game.actions, every)):
                game.rules.why_not(states[0], seat, word)
            turn.act(states, int(out[0]), out)
            moves += 1

    def settle() -> None:
        verbs.payoff(states[0], out)
        verbs.next_deal(states[0], following[0])
        game.setup.facts(states[0])
        for seat in range(states[0].seats):
            game.display.sheet(states[0], seat)

    return [
        ("shuffling", shuffle),
        ("dealing", lambda: turn.deal(states, pack, out)),
        ("legal plays", lambda: (turn.write_turn(states, out), turn.is_open(states, int(out[0]), game.actions))),
        ("the hint bot", lambda: verbs.advise(states[0], generator)),
        ("moves and reasons", play_a_deal),
        ("scoring", settle),
    ]
