"""Bots made for questions: ``never`` and ``always`` have a habit, ``believes`` is mistaken about the rules.

``never:drop`` plays as ``hints`` do but does not drop, ``always:stop`` stops whenever it may, ``never:stop if fu<18``
does not stop below 18, ``never:drop by search:100it`` plays as that bot does: so one finds out what a kind of play is
worth. ``believes:accuser=false:search:200it`` plays as the search would at a table without the accuser, whatever the
table's rules are: beside the same search that knows the rule, it loses what the rule is worth to those who heed it."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.play_estimates import rollout_payoffs
from tefuda.bots.players import Bot, HintsBot, bot, warm_bot
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.rng import Rng, generator, shuffle
from tefuda.table.view import View

WORLDS = 16  #: worlds in which the other actions are compared where the habit forbids what the rules of thumb advise
MOST_TRIED = 12  #: actions compared at most; where there are more, these are drawn at random

_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le, ">=": operator.ge, "=": operator.eq, "<": operator.lt, ">": operator.gt,
}  # fmt: skip

_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|=|<|>)\s*(-?\d+)\s*")


class PlayPattern(NamedTuple):
    """Names some of a game's plays: ``drop``, ``expose:.*SQ.*``, ``on if held>=3 and tricks=6``."""

    words: re.Pattern[str]  #: a regular expression that the whole word of a play must match
    conditions: tuple[tuple[str, str, int], ...] = ()
    """field of the record (the mover's, where each seat has one), comparison and number; all must hold"""

    @classmethod
    def read(cls, text: str) -> "PlayPattern":
        """Read ``WORDS`` or ``WORDS if FIELD<NUMBER and …``; TefudaError if it is malformed."""
        words, _, rest = text.partition(" if ")
        if not words:
            raise TefudaError("say which play, such as pass")
        conditions = []
        for part in rest.split(" and ") if rest else []:
            found = _CONDITION.fullmatch(part)
            if not found:
                raise TefudaError(f"{part!r} is not written like held<3")
            conditions.append((found[1], found[2], int(found[3])))
        try:
            return cls(re.compile(words), tuple(conditions))
        except re.error as error:
            raise TefudaError(f"{words!r} is not a regular expression: {error}") from error

    def check(self, game: Description, states: NDArray[np.void]) -> None:
        """Check that the game has such plays and numbers, by any record of it, of shape (1,); TefudaError if not."""
        words = [game.notation.plays(states, [action])[0] for action in range(game.actions)]
        words += [f"~{count}" for count in range(2, 13)]  # how cards thrown together are listed
        if not any(map(self.words.fullmatch, words)):
            asked = self.words.pattern
            raise TefudaError(f"{game.name}: no play is called {asked!r}{nearest(asked, words)}")
        numbers = [each.name for each in game.fields if len(each.shape) <= 1]
        for name, _, _ in self.conditions:
            if name not in numbers:
                raise TefudaError(f"{game.name}: its record has no number {name!r}{nearest(name, numbers)}")

    def among(self, view: View, legal: Sequence[int]) -> list[int]:
        """The legal actions of a seat that begin one of these plays; none where a condition fails."""
        for name, sign, number in self.conditions:
            value = view.record[name]
            if not _COMPARISONS[sign](int(value[view.seat] if np.ndim(value) else value), number):
                return []
        return [action for action in legal if self.words.fullmatch(view.game.notation.plays(view.array, [action])[0])]


class HabitBot:
    """Does what another bot would do if the habit allows it, else what rollouts find best of the rest.

    The habit is ``always`` to make these plays, or never. Where it leaves no action, or asks for a play that cannot be
    made, the bot ignores it."""

    def __init__(self, always: bool, plays: PlayPattern, player: Bot) -> None:
        self.always, self.plays, self.player = always, plays, player

    def warm(self, view: View) -> None:
        """Check that the game has such plays (else TefudaError), and let the other bot load what it needs."""
        self.plays.check(view.game, view.array)
        warm_bot(self.player, view)

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """One of ``legal``; a habit that changes nothing draws the same random numbers as the player without it."""
        wanted = self.player.choose(view, legal, rng)
        allowed = self.allowed(view, legal)
        if wanted in allowed or wanted not in legal:  # the caller refuses what is not legal
            return wanted
        return best_by_rollouts(view, allowed, generator(int(rng[0])))

    def allowed(self, view: View, legal: Sequence[int]) -> Sequence[int]:
        """The actions that the habit leaves; all of them where it leaves none."""
        named = self.plays.among(view, legal)
        return (named if self.always else [action for action in legal if action not in named]) or legal


def best_by_rollouts(view: View, actions: Sequence[int], rng: Rng) -> int:
    """The action with the highest mean payoff in rollouts from this view."""
    if len(actions) == 1:
        return actions[0]
    tried = np.array(actions, np.int64)
    if len(tried) > MOST_TRIED:
        shuffle(rng, tried)
        tried = tried[:MOST_TRIED].copy()
    (payoffs,) = rollout_payoffs(view.array, 0, rng, tried.tolist(), WORLDS)
    return int(tried[payoffs[:, :, view.seat].sum(0).argmax()])


class BelievingBot:
    """Asks another bot what it would play if options had other values, as people write them.

    If the answer is not legal at the table, the other bot is asked again under the table's own options."""

    def __init__(self, options: Mapping[str, str], player: Bot) -> None:
        self.options, self.player = options, player

    def warm(self, view: View) -> None:
        """Check that the game has such options (else TefudaError), and let the other bot load what it needs."""
        warm_bot(self.player, self.believed(view))

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """One of ``legal``."""
        drawn = rng.copy()
        action = self.player.choose(self.believed(view), legal, rng)
        return action if action in legal else self.player.choose(view, legal, drawn)

    def believed(self, view: View) -> View:
        """A view under the options that this bot believes in; TefudaError if the game has no such option or value."""
        states = view.array.copy()
        known = view.game.rules.settings
        for name, value in self.options.items():
            if name not in known:
                raise TefudaError(f"{view.game.name} has no option {name!r}{nearest(name, known)}")
            known[name].write(states, known[name].number(value))
        return View(view.game, states, view.seat)


# The bots by name: entry points of ``tefuda.bots``


def habit(name: str, text: str) -> HabitBot:
    """The bot of the spec ``NAME:PLAYS`` or ``NAME:PLAYS by BOT``, where the name is ``never`` or ``always``."""
    plays, by, spec = text.partition(" by ")
    try:
        return HabitBot(name == "always", PlayPattern.read(plays), bot(spec) if by else HintsBot())
    except TefudaError as error:
        raise TefudaError(f"bot '{name}:{text}': {error}") from error


never, always = partial(habit, "never"), partial(habit, "always")


def believes(text: str) -> BelievingBot:
    """The bot of the spec ``believes:OPTION=VALUE,…:BOT``; TefudaError if it is not written like this."""
    given, colon, spec = text.partition(":")
    pairs = [each.partition("=") for each in given.split(",")]
    if not colon or not all(name and value for name, _, value in pairs):
        raise TefudaError(f"bot 'believes:{text}' is not written like believes:accuser=false:search:200it")
    return BelievingBot({name: value for name, _, value in pairs}, bot(spec))
