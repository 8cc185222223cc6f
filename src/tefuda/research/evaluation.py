"""A policy's gain against a bot, by duplicate deals: the same decks for the policy in every seat.

    from tefuda.research.evaluation import evaluate

    print(evaluate(policy, "gong-zhu", against="hints", deals=500))     # +12.3 ± 4.5

Each deal is played once for every team, which the policy then plays while the bot plays the others. Decks and random
numbers are those of ``tefuda match``. All games of a block are played side by side, so the policy answers for many
tables in one call."""

from collections.abc import Sequence
from functools import partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.net import NetBot, Network
from tefuda.bots.players import Bot, bot
from tefuda.engine.errors import TefudaError
from tefuda.engine.estimates import Estimate, estimate
from tefuda.engine.objective import gain_weights, teams_of
from tefuda.engine.play import POLICIES
from tefuda.engine.rng import Rng
from tefuda.research.arguments import as_game, check_whole
from tefuda.research.buffers import FIRST_ASKED, SeatedBots
from tefuda.research.seated_bots import Answer, Policy, by_bot, by_network, by_policy, network_of, play_given
from tefuda.table.game import Game, numbered_deals
from tefuda.table.planes import Observation
from tefuda.table.view import View

SIDE_BY_SIDE = 512  #: deals that are played at once

Player = Policy | Network | str | Bot  #: a policy as a function, a network, a bot, or a bot's name


class PolicyBot:
    """A policy, as ``evaluate`` takes it, as a bot, for matches and tables: one observation in, one action out. Its
    observations tell the game's ``options`` of these names too.

    Example:
        >>> import numpy as np
        >>> import tefuda
        >>> first = PolicyBot(lambda observations, masks: np.argmax(masks, 1))
        >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
        >>> tefuda.choose_play(first, deal, seed=0)
        'H2'
    """

    def __init__(self, policy: Policy, options: Sequence[str] = ()) -> None:
        self._policy, self._options = policy, options
        self._observations: dict[tuple[str, int], Observation] = {}

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """The policy's answer."""
        key = (view.game.name, int(view.record.seats))
        if key not in self._observations:
            self._observations[key] = Observation(Game(view.game, key[1]), self._options)
        mask = np.zeros((1, view.game.actions), np.bool_)
        mask[0, legal] = True
        chosen: int = np.asarray(self._policy(self._observations[key].encode(view.array), mask))[0]
        return chosen


def evaluate(
    policy: Player,
    game: Game | str,
    against: Player = "hints",
    *,
    deals: int = 500,
    seed: int = 0,
    options: Sequence[str] = (),
) -> Estimate:
    """Estimate a policy's gain a deal against a bot: its team's payoff less the mean of the others', as people count.
    Returns the mean and its 95% interval, from the deals. ``TefudaError`` for an unknown game or bot, something that
    is no policy, or an answer that is no legal action.

    Args:
        policy: a function, a network, or a bot or its spec.
        game: by name, or with seats and options (``tefuda.load``).
        against: who plays the other seats, in the same way.
        deals: each played once for every team.
        seed: deck k is that of ``game.deal((seed, k))``.
        options: names of the game's options that observations tell too (``Observation``).
    """
    game = as_game(game)
    check_whole("deals", deals, 1)
    answers: list[Answer] = []
    own, other = [_number(each, game, options, answers) for each in (policy, against)]
    weights, of_seat = gain_weights(game.template[0]), np.array(teams_of(game.template[0]))
    teams = (of_seat == np.unique(of_seat)[:, None]).astype(np.int64)  # a row for each team, with a 1 at its seats
    seated = np.where(teams, own, other).astype(np.int8)
    gains: list[NDArray[np.float64]] = []
    for first in range(0, deals, SIDE_BY_SIDE):
        numbers = range(first, min(first + SIDE_BY_SIDE, deals))
        dealt, rngs = numbered_deals(game, seed, numbers)
        bots = SeatedBots(np.tile(seated, (len(numbers), 1)), np.repeat(rngs, len(teams), axis=0))
        payoffs = play_given(game, np.repeat(dealt, len(teams)), bots, answers)
        won = (payoffs @ weights).reshape(len(numbers), *teams.shape)
        gains.append((won * teams).sum((1, 2)) / teams.sum())
    return estimate(np.concatenate(gains) / game.description.rules.unit)


def _number(who: Player, game: Game, options: Sequence[str], answers: list[Answer]) -> int:
    """The number by which a player is seated; its answer is added to the others if it is one that is asked."""
    if isinstance(who, str) and who in POLICIES:
        return POLICIES[who]
    found = bot(who) if isinstance(who, str) else who
    if isinstance(found, NetBot):
        found = network_of(found, game)
    if isinstance(found, Network):
        answers.append(partial(by_network, found))
    elif hasattr(found, "choose"):
        answers.append(partial(by_bot, cast(Bot, found), game))
    elif callable(found):
        answers.append(partial(by_policy, found, Observation(game, options)))
    else:
        raise TefudaError(
            f"{who!r} is no policy: give a function of observations and masks, a network, "
            "a bot (with a method choose), or a bot's name such as 'hints'"
        )
    return FIRST_ASKED + len(answers) - 1
