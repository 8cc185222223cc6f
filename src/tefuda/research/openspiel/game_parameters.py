"""OpenSpiel's parameters: the game with its seats and options, and how its deals begin.

Parameters are ``players``, every option of the game under its own name, and for a deal cut down to its end ``last``,
``seed`` and ``worlds`` (``Rules.cut_down``). ``all_deals`` is for games small enough to be solved whole
(``tree.all_deals``); a miniature begins so by default.
``reward`` is what players play for (``engine/objective.py``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, cached_property

import numpy as np

from tefuda import games
from tefuda.engine import rng, verbs, views
from tefuda.engine.description import Bounds, Description
from tefuda.engine.errors import TefudaError
from tefuda.engine.objective import Reward, is_gain, seat_worths
from tefuda.engine.option import Value
from tefuda.engine.play import MOST_CHANCE
from tefuda.engine.record import SPECTATOR, States, duplicate
from tefuda.research.openspiel import nodes
from tefuda.research.openspiel.nodes import DealNode, PlayNode, WorldsNode
from tefuda.research.tree import all_deals, count_orders
from tefuda.table.game import Game
from tefuda.table.planes import Observation

DIGITS, DIGIT = 3, 1 << 10
"""The random number of a deal, below ``MOST_CHANCE``, is this many chance nodes, each of as many outcomes."""

assert DIGIT**DIGITS == MOST_CHANCE

CUT: dict[str, Value] = {"last": 0, "seed": 0, "worlds": 16, "all_deals": 0}
"""The parameters that say how deals begin, and what they are by default; ``last`` 0 is the whole deal."""

PATIENCE = 50  #: worlds drawn for each that is wanted, before it is said that there are no more
OTHER = {"players", "reward"}  #: the parameters that are no options and do not say how deals begin

Parameters = tuple[tuple[str, Value], ...]


def parameters(description: Description) -> dict[str, Value]:
    """Every parameter of a game with its default value."""
    options = {option.name: as_parameter(option.default) for option in description.rules.options}
    cut = {**CUT, "all_deals": int(bool(description.miniature_of))}
    return {"players": description.seats[0], "reward": "payoff", **options, **cut}


def as_parameter(value: Value) -> Value:
    """An option's value as OpenSpiel reads it: a word such as ``8`` is a number to it."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def rules_of(name: str, given: Mapping[str, Value]) -> Rules:
    """The rules that these parameters stand for; the same object for the same values. ``OptionError`` for a value or a
    number of seats that the game does not have; ``TefudaError`` if a cut-down deal cannot be made with the parameters.
    """
    usual = parameters(games.description(name))
    return _rules(name, tuple(sorted((key, value) for key, value in given.items() if value != usual[key])))


class Rules:
    """A game as OpenSpiel plays it; ``changed`` are the parameters that differ from their defaults.

    Attributes:
        digits: the outcomes of the chance nodes that come before the cards.
        unchanging: the fields that no deal changes: options, values, and the numbers of earlier deals.
        equal: the number of actions if the game has equal cards (the verb ``listed``), else 0.
        worths: float64 of shape (seats, seats): payoffs, in the smallest unit, times these are what seats play for.
    """

    def __init__(self, name: str, changed: Parameters) -> None:
        self.name, self.changed = name, dict(changed)
        options = {key: value for key, value in changed if key not in CUT and key not in OTHER}
        self.description = games.description(name)
        self.game = Game(self.description, self.changed.get("players"), options)  # type: ignore[arg-type]
        self.record = self.description.record
        self.work = nodes.Buffers(self.record, self.game.seats)
        self.digits: list[nodes.Outcomes] = [[(digit, 1 / DIGIT) for digit in range(DIGIT)]] * DIGITS
        self.equal = self.description.actions if verbs.has_equal_cards(self.record) else 0
        self.reward: Reward = "gain" if is_gain(str(self.changed.get("reward", "payoff"))) else "payoff"
        self.worths = seat_worths(self.game.template[0], self.reward) / self.description.rules.unit
        self.fields = {field.name: field for field in self.description.fields}
        session = {field.name for field in self.description.fields if field.of_session}
        self.unchanging = session | {each.field or each.name for each in self.description.rules.settings.values()}
        self._words = {number: word for word, number in self.description.notation.single.items()}
        self._check()

    def __reduce__(self) -> tuple[object, ...]:
        return rules_of, (self.name, self.changed)

    def __str__(self) -> str:
        changed = ", ".join(f"{key}={value}" for key, value in self.changed.items())
        return f"{self.name} ({changed})" if changed else self.name

    def _check(self) -> None:
        for name, least in (("last", 0), ("seed", 0), ("worlds", 1)):
            if self.cut(name) < least:
                raise TefudaError(f"{name}: {self.cut(name)} is below {least}")
        if self.cut("all_deals") and self.cut("last"):
            raise TefudaError("all_deals and last: a deal is whole, or cut down to its end")
        if self.cut("all_deals") and not self.description.begins:
            count_orders(self.game)

    def cut(self, name: str) -> int:
        """A parameter of the cut-down deal."""
        return int(self.changed.get(name, parameters(self.description)[name]))

    @cached_property
    def bounds(self) -> Bounds:
        """Bounds of the rewards, in the smallest unit, and of a deal's length; ``TefudaError`` if the game has none."""
        if self.description.rules.bounds is None:
            raise TefudaError(f"{self.name}: its description gives no bounds, which OpenSpiel asks for")
        found = self.description.rules.bounds(self.game.template[0])
        if self.reward == "payoff":
            return found
        widest = found.most - found.least
        return replace(found, least=-widest, most=widest, zero_sum=True)  # every team has as many seats

    @cached_property
    def observation(self) -> Observation:
        """The encoder of views as arrays of numbers."""
        return Observation(self.game)

    def word(self, action: int) -> str:
        """An action in words that depend on nothing but its number."""
        return self._words.get(action, f"#{action}")

    @cached_property
    def start(self) -> DealNode | WorldsNode:
        """The node at which every deal begins: chance is to decide."""
        if self.cut("last"):
            return WorldsNode(self, self.cut_down())
        if self.cut("all_deals"):
            states, counts = all_deals(self.game)  # each as likely as the orders of the pack make it
            return WorldsNode(self, [self.begun(states[k : k + 1]) for k in range(len(states))], counts)
        return DealNode(self, (), tuple(sorted(self.game.pack.tolist())))

    def deal(self, drawn: tuple[int, ...]) -> PlayNode:
        """The deal that follows from all that chance has decided: the digits of the random number, and the deck."""
        states = duplicate(self.game.template)
        states["chance"] = sum(digit * DIGIT**k for k, digit in enumerate(reversed(drawn[:DIGITS])))
        verbs.deal(states[0], np.array(drawn[DIGITS:], np.int64))
        return self.begun(states)

    def begun(self, states: States) -> PlayNode:
        """A deal that has just been dealt."""
        work = self.work
        work.memory[0] = nodes.EMPTY_MEMORY
        n = nodes.begin(states, self.equal, work.memory, work.views, work.words, work.out)
        return PlayNode(self, states, work.numbers[: n + 1].tolist(), memory=int(work.memory[0]))

    def cut_down(self) -> list[PlayNode]:
        """The worlds of a deal cut down to its end.

        The deal of this ``seed`` is played by the rules of thumb until ``last`` actions are left to do. What everybody
        has seen by then is the same in all worlds; the cards that nobody has seen are dealt anew in each (``imagine``).
        ``TefudaError`` if the deal is not so long, or there are not so many worlds."""
        seen = self._public_views()
        last, worlds, seed = (self.cut(name) for name in ("last", "worlds", "seed"))
        if last >= len(seen):
            raise TefudaError(f"last: {last}, but the deal of seed {seed} has {len(seen) - 1} actions in all")
        public, generator = PlayNode(self, seen[-1 - last], [nodes.CHANCE]), rng.generator((seed, last))
        found: dict[bytes, PlayNode] = {}
        for _ in range(PATIENCE * worlds):
            world = public.imagine(SPECTATOR, generator)
            hands = views.observe_all(np.repeat(world.states, self.game.seats), np.arange(self.game.seats))
            found.setdefault(hands.tobytes(), world)
            if len(found) == worlds:
                return list(found.values())
        raise TefudaError(f"worlds: {worlds}, but of the last {last} actions of seed {seed} there are {len(found)}")

    def _public_views(self) -> list[States]:
        """The spectator's views before each action of this seed's deal, played by rules of thumb, and at its end."""
        deal, generator = self.game.deal(self.cut("seed")), rng.generator((self.cut("seed"), 1))
        seen = [deal.view(SPECTATOR).array]
        while not deal.over:
            deal.act(int(verbs.advise(deal.state, generator)))
            seen.append(deal.view(SPECTATOR).array)
        return seen


_rules = cache(Rules)
