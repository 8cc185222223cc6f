"""OpenSpiel's information-set Monte Carlo tree search (its C++ ``ISMCTSBot``) over Tefuda's games.

``ISMCTSBot`` plays in OpenSpiel (``pyspiel.evaluate_bots``), ``bot`` makes the same a player of Tefuda's matches. The
search itself, its tree and its choices are OpenSpiel's, unchanged. It gets each world by cloning the state that it
searches from (``clone_to_resample``), and plays a world out by cloning that. So our tables decide that the first clone
is a world drawn by ``imagine``, and the second the end of a random playout in compiled code.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyspiel

from tefuda.bots.search import DEFAULT_BUDGET, Budget
from tefuda.engine import rng, verbs
from tefuda.engine.description import Description
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.option import Value
from tefuda.engine.record import StateRecord, States
from tefuda.engine.rng import Rng
from tefuda.research.openspiel.adapter import OpenSpielState, short_name
from tefuda.research.openspiel.game_parameters import as_parameter
from tefuda.research.openspiel.nodes import NodeRules, PlayNode
from tefuda.table.view import View

SPREAD_DEALS = 256
"""Random deals from which the spread of payoffs is measured."""

EXPLORATION = 1.0
"""Weight of OpenSpiel's exploration term, in standard deviations of a random deal's payoff."""

_MOST_SEED = 1 << 31


@dataclass(frozen=True)
class ISMCTSSettings:
    """Settings of OpenSpiel's search.

    Attributes:
        budget: for each action: milliseconds, or simulations.
        uct_c: weight of the exploration term, in units of payoff; from the spread of payoffs by default.
        compiled_rollouts: worlds are played out in compiled code; else by OpenSpiel's loop, move by move.
    """

    budget: Budget = DEFAULT_BUDGET
    uct_c: float | None = None
    compiled_rollouts: bool = True

    @classmethod
    def read(cls, text: str) -> ISMCTSSettings:
        """Read a budget, and settings if any: ``100ms``, ``1000it,uct_c=150,compiled_rollouts=0``.

        ``TefudaError`` for a budget or a setting that is none.
        """
        budget, *rest = text.split(",")
        given: dict[str, Any] = {}
        for each in rest:
            name, _, value = each.partition("=")
            if name not in _READERS:
                known = ", ".join(_READERS)
                raise TefudaError(f"ismcts has no setting {name!r}; it has {known}{nearest(name, _READERS)}")
            try:
                given[name] = _READERS[name](value)
            except ValueError:
                raise TefudaError(f"ismcts: {name}={value} is not written as a number") from None
        return cls(Budget.read(budget), **given)


_READERS: dict[str, Callable[[str], float]] = {"uct_c": float, "compiled_rollouts": lambda value: bool(int(value))}
"""Readers of the settings."""


class ISMCTSBot(pyspiel.Bot):
    """OpenSpiel's C++ ``ISMCTSBot`` as a bot that can play games written in Python.

    It chooses the most visited action. What it is shown of a state is what the seat that acts may know. (The same seed
    need not give the same search: OpenSpiel goes through its nodes' actions in the order of a hash table.)

    Args:
        seed: of the search, and of the worlds.
        settings: how to search.
    """

    def __init__(self, seed: int = 0, settings: ISMCTSSettings = ISMCTSSettings()) -> None:
        super().__init__()
        self.settings = settings
        self._rng = rng.generator(seed)
        self._searches: dict[NodeRules, pyspiel.ISMCTSBot] = {}

    def step(self, state: OpenSpielState) -> int:
        """The action to make."""
        return self.step_with_policy(state)[1]

    def step_with_policy(self, state: OpenSpielState) -> tuple[list[tuple[int, float]], int]:
        """The search's policy, 1 for its action, and that action."""
        policy = self.get_policy(state)
        return policy, max(policy, key=lambda pair: pair[1])[0]

    def get_policy(self, state: OpenSpielState) -> list[tuple[int, float]]:
        """Every legal action with 1 for the one to make, 0 for the others."""
        node = state.node
        if not isinstance(node, PlayNode):
            raise TefudaError("ISMCTSBot: nobody is to act in this state")
        return self.think(state.get_game(), node.view(node.player).copy(), node)

    def think(self, game: pyspiel.Game, view: States, seen: PlayNode) -> list[tuple[int, float]]:
        """The policy of a seat that sees this view.

        Args:
            game: the OpenSpiel game.
            view: of the seat that is to act, shape (1,).
            seen: the node whose ``plays``, ``story`` and ``memory`` the seat has seen.
        """
        rules = seen.rules
        numbers = [*seen.legal, seen.player]
        root = OpenSpielState(game, PlayNode(rules, view, numbers, seen.plays, seen.story, seen.memory, self._world))
        clone_to_resample(root)
        # Not step(): that lets go of the interpreter's lock, and states written in Python crash without it.
        policy: list[tuple[int, float]] = self._search(rules).get_policy(root)
        return policy

    def provides_policy(self) -> bool:
        """True: it provides one."""
        return True

    def restart(self) -> None:
        """It remembers nothing."""

    def restart_at(self, state: OpenSpielState) -> None:
        """It remembers nothing."""

    def _world(self, root: PlayNode) -> PlayNode:
        return root.imagine(root.player, self._rng, self._end if self.settings.compiled_rollouts else None)

    def _end(self, world: PlayNode) -> PlayNode:
        return world.roll_out(self._rng)

    def _search(self, rules: NodeRules) -> pyspiel.ISMCTSBot:
        if rules not in self._searches:
            budget = self.settings.budget
            self._searches[rules] = pyspiel.ISMCTSBot(
                seed=rng.below(self._rng, _MOST_SEED),
                evaluator=pyspiel.RandomRolloutEvaluator(1, rng.below(self._rng, _MOST_SEED)),
                uct_c=spread(rules) * EXPLORATION if self.settings.uct_c is None else self.settings.uct_c,
                max_simulations=budget.iterations or 1,
                final_policy_type=pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
                max_wall_clock_time=budget.milliseconds / 1000 if budget.milliseconds else -1.0,
            )
        return self._searches[rules]


@cache
def spread(rules: NodeRules) -> float:
    """The standard deviation of a seat's payoff in deals played at random, as people count it."""
    generator = rng.generator(0)
    ends = []
    for number in range(SPREAD_DEALS):
        states = rules.game.deal((0, number)).state
        node = PlayNode(rules, np.array([states], rules.record), [0])
        ends.append(node.roll_out(generator).returns())
    return float(np.std(ends)) or 1.0


class ISMCTSPlayer:
    """OpenSpiel's search as a player of Tefuda's matches.

    Args:
        settings: how to search.
    """

    def __init__(self, settings: ISMCTSSettings) -> None:
        self.settings = settings
        self._games: dict[tuple[Value, ...], pyspiel.Game] = {}

    def choose(self, view: View, legal: Sequence[int], rng: Rng) -> int:
        """One of ``legal``; what was played before is not told, but what the view says of it."""
        if len(legal) == 1:
            return legal[0]
        search = ISMCTSBot(int(rng[0]) & (_MOST_SEED - 1), self.settings)
        policy = search.think(self._game(view), view.array, self._node(view, legal))
        action = max(policy, key=lambda pair: pair[1])[0]
        return int(verbs.listed(view.record, action))

    def warm(self, view: View) -> None:
        """Compile what the search needs, by using it once."""
        generator = rng.generator(0)
        world = self._node(view, ()).imagine(view.seat, generator)
        world.after(world.legal[0]).roll_out(generator)
        world.knowledge(view.seat)
        spread(world.rules)

    def _node(self, view: View, legal: Sequence[int]) -> PlayNode:
        return PlayNode(self._game(view).rules, view.array, [*legal, view.seat])

    def _game(self, view: View) -> pyspiel.Game:
        """The OpenSpiel game with the view's seats and options."""
        given = parameters_of(view.game, view.record)
        key = (view.game.name, *given.values())
        if key not in self._games:
            self._games[key] = pyspiel.load_game(short_name(view.game.name), given)
        return self._games[key]


def parameters_of(description: Description, record: StateRecord) -> dict[str, Value]:
    """The parameters of OpenSpiel that say what a record says of seats and options."""
    options = {option.name: as_parameter(option.word(int(record[option.name]))) for option in description.rules.options}
    return {"players": int(record["seats"]), **options}


def bot(spec: str) -> ISMCTSPlayer:
    """A player for Tefuda's matches.

    Args:
        spec: ``ismcts``, ``ismcts:100ms``, ``ismcts:1000it``, with settings ``ismcts:100ms,uct_c=150``.

    Raises:
        TefudaError: it is something else.
    """
    name, colon, rest = spec.partition(":")
    if name != "ismcts":
        raise TefudaError(f"bot 'openspiel:{spec}': write openspiel:ismcts, openspiel:ismcts:100ms or …:1000it")
    return ISMCTSPlayer(ISMCTSSettings.read(rest) if colon else ISMCTSSettings())


# Letting OpenSpiel's C++ code draw worlds of a game written in Python.
#
# Its ``ISMCTSBot`` calls ``State::ResampleFromInfostate``, which OpenSpiel 2.0 does not pass on to states written in
# Python: for them it fails. ``Clone`` is passed on: it copies a state by copying its Python attributes. Both take the
# state and return a new one, and arguments that a function does not read do no harm (Itanium C++ ABI, everywhere but on
# Windows). So a single state object can be given a table of virtual functions of its own, equal to its class's but for
# one entry: to resample it is to clone it. No other object changes.

_CLASS = "_ZTVN10open_spiel7PyStateE"
_CLONE = "_ZNK10open_spiel7PyState5CloneEv"
_RESAMPLE = (  # with GNU's and with LLVM's standard library
    "_ZNK10open_spiel5State21ResampleFromInfostateEiSt8functionIFdvEE",
    "_ZNK10open_spiel5State21ResampleFromInfostateEiNSt3__18functionIFdvEEE",
)

_HEAD = 2
"""Words of a table of virtual functions before its first function."""

_COPIED = 96
"""Words copied of it: more than it has."""

_Pointer = ctypes.c_void_p


def clone_to_resample(state: pyspiel.State) -> None:
    """Let C++ code that resamples this state clone it, from now on.

    Args:
        state: an object whose class is derived from ``pyspiel.State`` in Python.

    Raises:
        TefudaError: this OpenSpiel is built in another way.
    """
    ours, theirs = _tables()
    values = _word(id(state) + object.__basicsize__)  # pybind11's; the first is the C++ object's address
    value = _word(values) if values else 0
    if not value or _word(value) != theirs:
        raise TefudaError(_unknown())
    _Pointer.from_address(value).value = ctypes.addressof(ours) + _HEAD * ctypes.sizeof(_Pointer)


@cache
def _tables() -> tuple[ctypes.Array[_Pointer], int]:
    """A table of virtual functions in which resampling is cloning, and the address of the original's functions."""
    library = ctypes.CDLL(pyspiel.__file__)
    try:
        original = _address(library, _CLASS)
        resample = _address(library, *_RESAMPLE)
        words = (_Pointer * _COPIED).from_address(original)
        table = (_Pointer * _COPIED)(*words)
        table[list(words).index(resample)] = _address(library, _CLONE)
    except (ValueError, OSError) as error:
        raise TefudaError(_unknown()) from error
    return table, original + _HEAD * ctypes.sizeof(_Pointer)


def _address(library: ctypes.CDLL, *names: str) -> int:
    for name in names:
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(library, name))
        except ValueError:
            continue
    raise ValueError(f"{names[0]} is not there")


def _word(address: int) -> int:
    return _Pointer.from_address(address).value or 0


def _unknown() -> str:
    version = getattr(pyspiel, "__version__", "of this version")
    return (
        f"the C++ ISMCTSBot of OpenSpiel {version} on {sys.platform} cannot be given worlds of a Python game; "
        "open_spiel.python.algorithms.ismcts plays too, more slowly"
    )
