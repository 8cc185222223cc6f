"""What a deal has disclosed: whether a play is open, and whether anything is still hidden."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import turn
from tefuda.table.deal import Deal
from tefuda.table.view import SPECTATOR


def is_open(deal: Deal, word: str) -> bool:
    """Whether the others see which legal play of the mover this is; what they do see of it, their views tell.

    Raises:
        NotationError: the word is no play of this game.
    """
    description, states = deal.game.description, _states(deal)
    actions = description.notation.actions(states, word)
    trial = deal.copy() if len(actions) > 1 else deal  # servers ask this of every play, and most are one action
    for number, action in enumerate(actions):
        if number:
            trial.act(actions[number - 1])
            states = _states(trial)
        if not turn.is_open(states, action, description.actions):
            return False
    return True


def is_all_public(deal: Deal) -> bool:
    """Whether a spectator now knows everything but the deal's random number."""
    known, states = deal.view(SPECTATOR).array, _states(deal)
    known["chance"] = known["viewer"] = states["chance"] = states["viewer"] = 0
    return bool(known.tobytes() == states.tobytes())


def _states(deal: Deal) -> NDArray[Any]:
    """A copy of the full state, shape (1,)."""
    state = deal.state
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)
