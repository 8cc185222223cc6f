"""What a deal has disclosed: whether a play is open, and whether anything is still hidden."""

from tefuda.table.deal import Deal
from tefuda.table.view import SPECTATOR


def is_open(deal: Deal, word: str) -> bool:
    """Whether the others see which legal play of the mover this is; what they do see of it, their views tell.

    Raises:
        NotationError: the word is no play of this game.
    """
    notation = deal.game.description.notation
    if word in notation.single:  # servers ask this of every play, and most are one action
        return deal.shows(notation.single[word])
    trial, actions = deal.copy(), notation.actions(deal.array, word)
    for action in actions[:-1]:
        if not trial.shows(action):
            return False
        trial.act(action)
    return trial.shows(actions[-1])


def is_all_public(deal: Deal) -> bool:
    """Whether a spectator now knows everything but the deal's random number."""
    known, states = deal.view(SPECTATOR).array, deal.array
    known["chance"] = known["viewer"] = states["chance"] = states["viewer"] = 0
    return bool(known.tobytes() == states.tobytes())
