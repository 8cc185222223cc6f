"""Who plays where: bots that run compiled, and the rotations of a deal."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.players import bot
from tefuda.engine.playout import HINTS, RANDOM
from tefuda.table.game import Game

POLICIES = {"random": RANDOM, "hints": HINTS}
"""The bots that play in compiled code."""


def is_compiled(bots: Sequence[str]) -> bool:
    """Whether all of these bots play in compiled code."""
    return all(each in POLICIES for each in bots)


def rotations(seats: int) -> NDArray[np.int64]:
    """Where each bot sits: int64 of shape (rotations, bots). Who sits next to whom stays the same."""
    bots = np.arange(seats)
    return (bots[None, :] + bots[:, None]) % seats


def rotation_count(bots: Sequence[str]) -> int:
    """How often a deal is played so that every kind of bot sits everywhere: once where all are alike."""
    seats = len(bots)
    return next(k for k in range(1, seats + 1) if [*bots[k:], *bots[:k]] == [*bots])


def warm_bots(game: Game, bots: Sequence[str]) -> None:
    """Let bots that think in Python compile or load what their first move would wait for."""
    deal = game.deal(0)
    for spec in set(bots).difference(POLICIES):
        warm = getattr(bot(spec), "warm", None)
        if warm is not None:
            warm(deal.view(deal.mover))
