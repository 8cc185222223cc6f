"""Compiling a game's code before it is needed, in steps that a progress display can show.

Compiled code is kept on disk (``cache``), so this is waited for once after each change of the sources.
"""

from collections.abc import Callable, Iterator

import numpy as np

from tefuda.engine import cache, playout, rng, step, verbs
from tefuda.engine.description import Description
from tefuda.engine.notation import NotationError


def is_warm(game: Description) -> bool:
    """Whether all that a table needs has been compiled from the present sources."""
    return verbs.UNCOMPILED or _marker(game).exists()


def _marker(game: Description) -> "cache.Path":
    return cache.folder() / f"{game.name}.compiled"


def steps(game: Description) -> Iterator[tuple[str, Callable[[], object]]]:
    """What there is to compile: what it is for, and a call that compiles it by using it once. Ends by marking it done."""
    states = game.template()
    pack, generator = game.pack(states[0]), rng.generator(0)
    out = np.zeros(playout.MOST_ACTIONS, np.int64)
    following = game.template()

    def deal() -> None:
        verbs.deal(states[0], pack)

    def explain() -> None:
        for word in game.notation.plays(states[0], range(game.actions)):
            game.why_not(states[0], verbs.mover(states[0]), word)

    def finish() -> None:
        playout.random_playout(states, 0, generator, out)
        verbs.payoff(states[0], out)

    def settle() -> None:
        verbs.next_deal(states[0], following[0])
        game.facts(states[0])
        for seat in range(states[0].seats):
            game.sheet(states[0], seat)

    yield "shuffling", lambda: rng.shuffle(generator, pack)
    yield "dealing", deal
    yield "legal plays", lambda: step.situation(states, out)
    yield "moves", lambda: step.move(states, int(out[0]), out)
    yield "reasons", explain
    yield "the hint bot", lambda: verbs.advise(states[0], generator)
    yield "random play", finish
    yield "scoring", settle

    folder = cache.folder()
    folder.mkdir(parents=True, exist_ok=True)
    _marker(game).touch()
    cache.forget_old()


__all__ = ["NotationError", "is_warm", "steps"]
