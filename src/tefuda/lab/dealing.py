"""Many decks at once, each with a number: deck k of seed s is the same whoever asks for it, and for how many."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import rng
from tefuda.engine.playout import deal_at_random
from tefuda.engine.verbs import rule
from tefuda.table.game import Game


def deals_of(game: Game, seed: int, numbers: range) -> tuple[NDArray[Any], NDArray[np.uint64]]:
    """The deals of these numbers, dealt as ``game.deal((seed, number))`` deals them.

    Returns:
        records of shape (deals,), and each deal's generator, uint64 of shape (deals, 1), as the shuffle left it.
    """
    rngs = np.concatenate([rng.generators((seed, number), 1) for number in numbers])
    states = np.zeros(len(rngs), game.template.dtype)
    deal_each(states, game.template, game.pack, rngs)
    return states, rngs


@rule
def deal_each(states: Any, template: Any, pack: Any, rngs: Any) -> None:
    """Deal every state anew from the template, row k with the k-th generator; ``pack`` is int64 card numbers."""
    order = np.empty_like(pack)
    for i in range(len(states)):
        order[:] = pack
        deal_at_random(states, i, template, order, rngs[i])
