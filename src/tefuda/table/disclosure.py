"""What a deal has disclosed: whether a play is open, and whether anything is still hidden."""

from tefuda.engine import turn
from tefuda.table.deal import Deal
from tefuda.table.view import SPECTATOR


def is_open(deal: Deal, word: str) -> bool:
    """Whether the others see which legal play of the mover this is; what they do see of it, their views tell.

    Raises:
        NotationError: the word is no play of this game.
    """
    description, states = deal.game.description, deal.array
    first, *others = description.notation.actions(states, word)
    if not turn.is_open(states, first, description.actions):
        return False
    if not others:  # servers ask this of every play, and most are one action
        return True
    trial = deal.copy()
    for before, action in zip((first, *others), others, strict=False):
        trial.act(before)
        if not turn.is_open(trial.array, action, description.actions):
            return False
    return True


def is_all_public(deal: Deal) -> bool:
    """Whether a spectator now knows everything but the deal's random number."""
    known, states = deal.view(SPECTATOR).array, deal.array
    known["chance"] = known["viewer"] = states["chance"] = states["viewer"] = 0
    return bool(known.tobytes() == states.tobytes())
