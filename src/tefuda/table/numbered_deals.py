"""Numbered deals: deck k of seed s is the same whoever asks for it, and however many decks are dealt at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import rng
from tefuda.engine.playout import deal_each
from tefuda.table.game import Game


def numbered_deals(game: Game, seed: int, numbers: range) -> tuple[NDArray[Any], NDArray[np.uint64]]:
    """The deals of these numbers, dealt as ``game.deal((seed, number))`` deals them.

    Returns:
        records of shape (deals,), and each deal's generator, uint64 of shape (deals, 1), as the shuffle left it.
    """
    rngs = np.concatenate([rng.generators((seed, number), 1) for number in numbers])
    states = np.zeros(len(rngs), game.template.dtype)
    deal_each(states, game.template, game.pack, rngs)
    return states, rngs
