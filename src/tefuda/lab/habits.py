"""``never`` and ``always``: rules of thumb with a habit, to find out what a kind of play is worth.

``never:drop`` plays as ``hints`` do but does not drop, ``always:stop`` stops whenever it may, ``never:stop if fu<18``
does not stop below 18 (``plays`` says how plays are named).
"""

from collections.abc import Sequence

import numpy as np

from tefuda.engine import verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import Rng, generator, shuffle
from tefuda.lab.plays import Plays
from tefuda.lab.rehearsing import rehearse
from tefuda.table.view import View

WORLDS = 16
"""Worlds in which what is left is rehearsed where the habit forbids what the rules of thumb advise."""

MOST_TRIED = 12
"""Actions that are rehearsed at most, at random where there are more."""


class HabitBot:
    """Does what the rules of thumb advise if the habit allows it, else the best of the rest by rehearsals.

    A habit that leaves nothing, or asks for a play that is not there, is not kept.

    Args:
        always: whether the plays are made wherever they can be; else they are made nowhere.
        plays: which.
    """

    def __init__(self, always: bool, plays: Plays) -> None:
        self.always, self.plays = always, plays

    def warm(self, view: View) -> None:
        """See that the game has such plays.

        Raises:
            TefudaError: it has not.
        """
        self.plays.check(view.game, view.array)

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """One of ``legal``; a habit that changes nothing draws the same random numbers as ``hints``."""
        advised = int(verbs.advise(view.record, rng))
        allowed = self.allowed(view, legal)
        return advised if advised in allowed else best_rehearsed(view, allowed, generator(int(rng[0])))

    def allowed(self, view: View, legal: Sequence[int]) -> Sequence[int]:
        """The actions that the habit leaves; all, where it leaves none."""
        named = self.plays.among(view, legal)
        return (named if self.always else [action for action in legal if action not in named]) or legal


def never(text: str) -> HabitBot:
    """The bot of the spec ``never:PLAYS``."""
    return _habit("never", text)


def always(text: str) -> HabitBot:
    """The bot of the spec ``always:PLAYS``."""
    return _habit("always", text)


def _habit(name: str, text: str) -> HabitBot:
    try:
        return HabitBot(name == "always", Plays.read(text))
    except TefudaError as error:
        raise TefudaError(f"bot '{name}:{text}': {error}") from error


def best_rehearsed(view: View, actions: Sequence[int], rng: Rng) -> int:
    """The action that brings most where rules of thumb play the deal on, in worlds that the seat believes in."""
    if len(actions) == 1:
        return actions[0]
    tried = np.array(actions, np.int64)
    if len(tried) > MOST_TRIED:
        shuffle(rng, tried)
        tried = tried[:MOST_TRIED].copy()
    payoffs = rehearse(view.array, 0, rng, tried.tolist(), WORLDS)
    return int(tried[payoffs[:, :, view.seat].sum(0).argmax()])
