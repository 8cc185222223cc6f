"""OpenSpiel's information-set Monte Carlo tree search (its Python ``ISMCTSBot``) as a player of Tefuda's matches.

    uv run --extra openspiel tefuda match gong-zhu search:100ms bench.ismcts:100ms search:100ms bench.ismcts:100ms

What follows the colon is a budget, with settings after commas: ``1000it,uct_c=150,compiled_rollouts=0``. The search,
its tree and its choices are OpenSpiel's. Worlds are drawn by ``imagine``, and played out at random in compiled code.
``ISMCTSBot`` plays in OpenSpiel (``pyspiel.evaluate_bots``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from time import perf_counter

import numpy as np
import pyspiel
from bench.at_random import AT_RANDOM
from numpy.typing import NDArray
from open_spiel.python.algorithms import ismcts, mcts

from tefuda.bots.search import DEFAULT_BUDGET, Budget, read_settings
from tefuda.engine import rng, verbs
from tefuda.engine.errors import TefudaError
from tefuda.engine.option import Value
from tefuda.engine.play import UNWATCHED, play_on
from tefuda.engine.raw import copy
from tefuda.engine.record import Ints, States
from tefuda.engine.rng import Rng
from tefuda.engine.verbs import rule
from tefuda.research.openspiel.adapter import OpenSpielState, short_name
from tefuda.research.openspiel.game_parameters import Rules, as_parameter
from tefuda.research.openspiel.nodes import CHANCE, PlayNode
from tefuda.table.view import View

SPREAD_DEALS = 256  #: random deals from which the spread of payoffs is measured
EXPLORATION = 1.0  #: weight of OpenSpiel's exploration term, in standard deviations of a random deal's payoff
FIRST_RATE = 500.0  #: simulations a second, until the first choice has shown how many there are

_MOST_SEED = 1 << 31


@dataclass(frozen=True)
class ISMCTSSettings:
    """Settings of OpenSpiel's search."""

    budget: Budget = DEFAULT_BUDGET  #: milliseconds, or simulations, for each action
    uct_c: float | None = None  #: weight of the exploration term, in units of payoff; by default from their spread
    compiled_rollouts: bool = True  #: worlds are played out in compiled code; else by OpenSpiel's loop, move by move

    @classmethod
    def read(cls, text: str) -> ISMCTSSettings:
        """Read ``100ms``, or with settings ``1000it,uct_c=150,compiled_rollouts=0``; else ``TefudaError``."""
        budget, *rest = text.split(",")
        return cls(Budget.read(budget), **read_settings("ismcts", rest, _READERS))


_READERS: dict[str, Callable[[str], float]] = {"uct_c": float, "compiled_rollouts": lambda value: bool(int(value))}
"""Readers of the settings."""


class ISMCTSBot(pyspiel.Bot):
    """OpenSpiel's ``ISMCTSBot`` with Tefuda's worlds and playouts; it chooses the most visited action.

    What it is shown of a state is what the seat that acts may know. OpenSpiel counts simulations only: of a budget in
    milliseconds it makes as many as the choices before have shown to fit."""

    def __init__(self, seed: int = 0, settings: ISMCTSSettings = ISMCTSSettings()) -> None:
        super().__init__()
        self.settings, self.rate = settings, FIRST_RATE
        self._rng = rng.generator(seed)
        self._choices = np.random.RandomState(seed & (_MOST_SEED - 1))  # what OpenSpiel takes

    def step(self, state: OpenSpielState) -> int:
        """The action to make."""
        return self.step_with_policy(state)[1]

    def step_with_policy(self, state: OpenSpielState) -> tuple[list[tuple[int, float]], int]:
        """The search's policy, and the action to make."""
        policy = self.get_policy(state)
        return policy, max(policy, key=lambda pair: pair[1])[0]

    def get_policy(self, state: OpenSpielState) -> list[tuple[int, float]]:
        """Every legal action: those most visited share 1, the others have 0; ``TefudaError`` if nobody is to act."""
        node = state.node
        if not isinstance(node, PlayNode):
            raise TefudaError("ISMCTSBot: nobody is to act in this state")
        return self.think(state.get_game(), node.view(node.player).copy(), node)

    def think(self, game: pyspiel.Game, view: States, seen: PlayNode) -> list[tuple[int, float]]:
        """The policy of the seat to act, which sees this view, of shape (1,), and has seen ``plays``, ``story`` and
        ``memory`` of the node ``seen``."""
        settings, rules = self.settings, seen.rules
        root = PlayNode(rules, view, [*seen.legal, seen.player], seen.plays, seen.story, seen.memory)
        playouts = Playouts(self._rng) if settings.compiled_rollouts else mcts.RandomRolloutEvaluator(1, self._choices)
        exploration = spread(rules) * EXPLORATION if settings.uct_c is None else settings.uct_c
        number = settings.budget.iterations or max(1, int(self.rate * settings.budget.milliseconds / 1000))
        search = ismcts.ISMCTSBot(game, playouts, exploration, number, random_state=self._choices)
        search.set_resampler(lambda state, seat: state.resample_from_infostate(seat, self._choices.random_sample))
        begun = perf_counter()
        policy: list[tuple[int, float]] = search.get_policy(OpenSpielState(game, root))
        if len(policy) > 1:  # else there was nothing to search
            self.rate = number / (perf_counter() - begun)
        return policy

    def provides_policy(self) -> bool:
        """True: it provides one."""
        return True

    def restart(self) -> None:
        """It remembers nothing."""

    def restart_at(self, state: OpenSpielState) -> None:
        """It remembers nothing."""


class Playouts(mcts.Evaluator):
    """An evaluator that plays out at random, in compiled code."""

    def __init__(self, generator: Rng) -> None:
        self._rng = generator

    def evaluate(self, state: OpenSpielState) -> NDArray[np.float64]:
        """Each seat's reward at the end of a random playout."""
        assert isinstance(state.node, PlayNode)
        return np.array(roll_out(state.node, self._rng).returns())

    def prior(self, state: OpenSpielState) -> list[tuple[int, float]]:
        """Every legal action with the same probability."""
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def roll_out(node: PlayNode, generator: Rng) -> PlayNode:
    """The end of the deal, if everybody makes random actions from here on; what happens on the way is not told."""
    states = np.empty(1, node.rules.record)
    play_out(node.states, generator, states, node.rules.work.out)
    return PlayNode(node.rules, states, [CHANCE], node.plays, node.story, node.memory)


@rule
def play_out(states: States, generator: Rng, end: States, out: Ints) -> None:
    """Fill ``end[0]`` with how the deal might end: everybody makes random actions; ``out`` is an int64 buffer."""
    copy(states[0], end[0])
    play_on(AT_RANDOM, UNWATCHED, end[0], generator, out)


@cache
def spread(rules: Rules) -> float:
    """The standard deviation of a seat's payoff in deals played at random, as people count it."""
    generator = rng.generator(0)
    ends = []
    for number in range(SPREAD_DEALS):
        states = rules.game.deal((0, number)).state
        node = PlayNode(rules, np.array([states], rules.record), [0])
        ends.append(roll_out(node, generator).returns())
    return float(np.std(ends)) or 1.0


class ISMCTSPlayer:
    """OpenSpiel's search as a player of Tefuda's matches."""

    def __init__(self, settings: ISMCTSSettings) -> None:
        self.settings = settings
        self._rate = FIRST_RATE
        self._games: dict[tuple[Value, ...], pyspiel.Game] = {}

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """One of ``legal``; what was played before is not told, but what the view says of it."""
        if len(legal) == 1:
            return legal[0]
        search = ISMCTSBot(int(rng[0]) & (_MOST_SEED - 1), self.settings)
        search.rate = self._rate
        policy = search.think(self._game(view), view.array, self._node(view, legal))
        self._rate = search.rate
        action = max(policy, key=lambda pair: pair[1])[0]
        return int(verbs.listed(view.record, action))

    def warm(self, view: View) -> None:
        """Compile what the search needs, by using it once."""
        generator = rng.generator(0)
        world = self._node(view, ()).imagine(view.seat, generator)
        roll_out(world.after(world.legal[0]), generator)
        world.knowledge(view.seat)
        spread(world.rules)

    def _node(self, view: View, legal: Sequence[int]) -> PlayNode:
        return PlayNode(self._game(view).rules, view.array, [*legal, view.seat])

    def _game(self, view: View) -> pyspiel.Game:
        """The OpenSpiel game with the view's seats and options."""
        record, options = view.record, view.game.rules.options
        given: dict[str, Value] = {each.name: as_parameter(each.word(int(record[each.name]))) for each in options}
        given["players"] = int(record["seats"])
        key = (view.game.name, *given.values())
        if key not in self._games:
            self._games[key] = pyspiel.load_game(short_name(view.game.name), given)
        return self._games[key]


def __getattr__(name: str) -> Callable[[], ISMCTSPlayer]:
    """What makes a player with these settings: by it ``tefuda match`` finds ``bench.ismcts:100ms``."""
    if name.startswith("_"):
        raise AttributeError(name)
    return partial(ISMCTSPlayer, ISMCTSSettings.read(name))
