"""``never`` and ``always``: a player with a habit, to find out what a kind of play is worth.

``never:drop`` plays as ``hints`` do but does not drop, ``always:stop`` stops whenever it may, ``never:stop if fu<18``
does not stop below 18 (``patterns`` says how plays are named). ``never:drop by search:100it`` plays as that bot does.
"""

from collections.abc import Sequence

import numpy as np

from tefuda.bots.players import Bot, HintsBot, bot
from tefuda.bots.rollouts import rollout_payoffs
from tefuda.engine.errors import TefudaError
from tefuda.engine.rng import Rng, generator, shuffle
from tefuda.lab.play.patterns import PlayPattern
from tefuda.table.view import View

WORLDS = 16
"""Worlds in which the other actions are compared where the habit forbids what the rules of thumb advise."""

MOST_TRIED = 12
"""Actions compared at most; where there are more, these are drawn at random."""


class HabitBot:
    """Does what another bot would do if the habit allows it, else what rollouts find best of the rest.

    Where the habit leaves no action, or asks for a play that cannot be made, the bot ignores it.

    Args:
        always: make these plays wherever possible; if false, never make them.
        plays: which plays.
        player: who has the habit.
    """

    def __init__(self, always: bool, plays: PlayPattern, player: Bot) -> None:
        self.always, self.plays, self.player = always, plays, player

    def warm(self, view: View) -> None:
        """Check that the game has such plays, and let the other bot load what it needs.

        Raises:
            TefudaError: it does not.
        """
        self.plays.check(view.game, view.array)
        warm = getattr(self.player, "warm", None)
        if warm is not None:
            warm(view)

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """One of ``legal``; a habit that changes nothing draws the same random numbers as the player without it."""
        wanted = self.player.choose(view, legal, rng)
        allowed = self.allowed(view, legal)
        if wanted in allowed or wanted not in legal:  # whoever asks refuses what is not legal
            return wanted
        return best_by_rollouts(view, allowed, generator(int(rng[0])))

    def allowed(self, view: View, legal: Sequence[int]) -> Sequence[int]:
        """The actions that the habit leaves; all of them where it leaves none."""
        named = self.plays.among(view, legal)
        return (named if self.always else [action for action in legal if action not in named]) or legal


def never(text: str) -> HabitBot:
    """The bot of the spec ``never:PLAYS`` or ``never:PLAYS by BOT``."""
    return _habit("never", text)


def always(text: str) -> HabitBot:
    """The bot of the spec ``always:PLAYS`` or ``always:PLAYS by BOT``."""
    return _habit("always", text)


def _habit(name: str, text: str) -> HabitBot:
    plays, by, spec = text.partition(" by ")
    try:
        return HabitBot(name == "always", PlayPattern.read(plays), bot(spec) if by else HintsBot())
    except TefudaError as error:
        raise TefudaError(f"bot '{name}:{text}': {error}") from error


def best_by_rollouts(view: View, actions: Sequence[int], rng: Rng) -> int:
    """The action with the highest mean payoff in rollouts from this view."""
    if len(actions) == 1:
        return actions[0]
    tried = np.array(actions, np.int64)
    if len(tried) > MOST_TRIED:
        shuffle(rng, tried)
        tried = tried[:MOST_TRIED].copy()
    payoffs = rollout_payoffs(view.array, 0, rng, tried.tolist(), WORLDS)
    return int(tried[payoffs[:, :, view.seat].sum(0).argmax()])
