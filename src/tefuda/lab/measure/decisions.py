"""Examines the decisions of some games: changes by other rules, the worth of each action, what is unknown.

Every decision is read under the options of the other arms. Of each game ``PICKED`` decisions, spread over its length,
are followed by rollouts of each of the mover's actions, and searched for what their mover cannot know. Decisions at
which a play that is asked about can be made are followed by more rollouts. docs/lab.md defines the figures.

A bot that thinks by chance answers differently each time among plays that it finds about equal. So an adviser is asked
twice under each set of options, with other random numbers: how much more often its answers differ across the options
than within them is what the rule does.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.bots.play_estimates import rollout_payoffs
from tefuda.bots.players import ask, bot
from tefuda.engine import recorder
from tefuda.engine.description import Description
from tefuda.engine.record import duplicate
from tefuda.engine.recorder import OTHER_ADVICE, OTHER_PLAYS
from tefuda.engine.rng import Rng, generators, shuffle
from tefuda.lab.experiment.definition import ADVISER, Arm
from tefuda.lab.measure.decision_values import (
    NOBODY,
    ActionValues,
    PlayWorth,
    action_values,
    card_fields,
    card_locations,
    entropy,
    leader,
    play_worth,
)
from tefuda.lab.play.python_game import DecisionPoints
from tefuda.lab.play.question_bots import PlayPattern
from tefuda.lab.play.runner import legal_actions
from tefuda.table.view import View

PICKED = 8
"""Decisions of a game whose actions are compared, and whose unknown cards are measured."""

WORLDS = 32
"""Worlds in which every action is tried: the even ones choose which two are best, the odd ones compare them."""

PLAY_WORLDS = 128
"""Worlds in which a kind of play is compared with the others."""

IMAGINED = 64
"""Worlds from which it is estimated what a mover cannot know."""

MOST_TRIED = 24
"""Actions tried at most; of more, some are drawn at random, and the one that was made is always among them."""

_READ, _VALUES, _UNKNOWN, _PLAYS, _AGAIN = range(5)
"""Streams of random numbers of a game, one for each measure; _AGAIN is for asking an adviser a second time."""

Columns = dict[str, Any]
"""Columns of a game's decisions, as ``rows`` names them."""


class AdviceDifference(NamedTuple):
    """Differences of a bot's answers at a decision; each is a share of two pairs of answers, so 0, 0.5 or 1.

    The answers of every pair were given with different random numbers. ``advice`` less ``scatter`` is 0 where the
    options change nothing. Otherwise its expectation is half the squared distance between the two distributions of
    answers: never below 0, and 1 where the bot always says one thing here and another there.

    Attributes:
        advice: of pairs across the options.
        scatter: of pairs under the same options.
    """

    advice: float
    scatter: float


OTHER_MOVER = AdviceDifference(1.0, 0.0)
"""The difference where another seat acts under the other options."""


class Adviser:
    """Asks a bot what it would play, at one decision under several sets of options."""

    def __init__(self, spec: str, description: Description) -> None:
        self._bot, self._description = bot(spec), description

    def compare(
        self, states: NDArray[np.void], others: Sequence[NDArray[np.void]], k: int, rngs: tuple[Rng, Rng]
    ) -> list[AdviceDifference]:
        """Differences between the bot's answers at the k-th decision, and under each of the other options.

        ``others`` are the same states with other options; the bot is asked once with each of ``rngs``.
        """
        own = self._ask(states, k, rngs)
        mover = recorder.mover_of(states, k)
        return [
            advice_difference(own, self._ask(other, k, rngs)) if recorder.mover_of(other, k) == mover else OTHER_MOVER
            for other in others
        ]

    def _ask(self, states: NDArray[np.void], k: int, rngs: tuple[Rng, Rng]) -> tuple[int, int]:
        view = View(self._description, states[k : k + 1], recorder.mover_of(states, k))
        legal = legal_actions(states, k).tolist()
        first, second = (ask(self._bot, view, legal, rng.copy(), f"seat {view.seat}") for rng in rngs)
        return first, second


def advice_difference(here: tuple[int, int], there: tuple[int, int]) -> AdviceDifference:
    """The difference of answers given with the same two random numbers under two sets of options."""
    across = (here[0] != there[1]) + (here[1] != there[0])
    within = (here[0] != here[1]) + (there[0] != there[1])
    return AdviceDifference(across / 2, within / 2)


class DecisionAnalyst:
    """Examines the decisions of one arm's games, also under the options of ``others``."""

    def __init__(self, arm: Arm, others: Sequence[Arm], measures: Sequence[str], adviser: str = ADVISER) -> None:
        self.arm, self.others, self.measures = arm, list(others), measures
        self.adviser = None if adviser == ADVISER else Adviser(adviser, arm.game.description)
        self.plays = PlayPattern.read(arm.play) if arm.play else None
        self._card_fields = card_fields(arm.game.description.fields)
        self._unit = arm.game.description.rules.unit

    def analyse(self, points: DecisionPoints, seed: Sequence[int]) -> Columns:
        """Examine the decisions of a game; ``seed`` is that of what is drawn for them."""
        n = len(points.states)

        def streams(which: int) -> NDArray[np.uint64]:
            return generators((*seed, which), max(1, n))

        seats = np.array([recorder.mover_of(points.states, k) for k in range(n)], np.int64)
        columns: Columns = {"decision": np.arange(n), "seat": seats}
        matching = self._matching_plays(points, self.plays) if self.plays else {}
        picked = spread(n)
        if "binds" in self.measures:
            columns |= self._other_rules(points, streams(_READ))
            if self.adviser:
                asked = list(matching) if self.plays else picked
                columns |= self._other_advice(self.adviser, points, asked, (streams(_READ), streams(_AGAIN)))
        if "decisions" in self.measures:
            columns |= self._action_values(points, picked, streams(_VALUES))
        if "play" in self.measures:
            rngs = streams(_PLAYS)
            worths = [self._play_worth(points, k, rngs[k], actions) for k, actions in matching.items()]
            columns |= _as_columns(n, list(matching), worths, PlayWorth._fields)
        if "information" in self.measures:
            rngs = streams(_UNKNOWN)
            columns["unknown"] = _sparse_column(n, picked, [self._unknown(points, k, rngs[k]) for k in picked])
        return columns

    def _matching_plays(self, points: DecisionPoints, plays: PlayPattern) -> dict[int, list[int]]:
        """The decisions at which both a play that is asked about and another can be made, with its first actions."""
        found = {}
        for k in range(len(points.states)):
            legal = legal_actions(points.states, k).tolist()
            view = View(self.arm.game.description, points.states[k : k + 1], recorder.mover_of(points.states, k))
            among = plays.among(view, legal)
            if among and len(among) < len(legal):
                found[k] = among
        return found

    def _other_rules(self, points: DecisionPoints, rngs: NDArray[np.uint64]) -> Columns:
        """Columns: where the other options bind, and where they change what the rules of thumb say."""
        columns: Columns = {}
        for other, states in zip(self.others, self._under_other_rules(points), strict=True):
            differs = np.zeros((len(states), 2), np.bool_)
            recorder.read_otherwise(points.states, states, rngs.copy(), differs)
            columns[f"binds {other.name}"] = differs[:, OTHER_PLAYS]
            columns[f"advice {other.name}"] = differs[:, OTHER_ADVICE].astype(np.float64)
        return columns

    def _other_advice(
        self,
        adviser: Adviser,
        points: DecisionPoints,
        asked: Sequence[int],
        rngs: tuple[NDArray[np.uint64], NDArray[np.uint64]],
    ) -> Columns:
        """Columns: the other options' changes of a bot's advice, at the decisions at which it is asked."""
        others = self._under_other_rules(points)
        found = [adviser.compare(points.states, others, k, (rngs[0][k], rngs[1][k])) for k in asked]
        columns: Columns = {}
        for place, other in enumerate(self.others):
            named = _as_columns(len(points.states), asked, [each[place] for each in found], AdviceDifference._fields)
            columns |= {f"{name} {other.name}": column for name, column in named.items()}
        return columns

    def _under_other_rules(self, points: DecisionPoints) -> list[NDArray[np.void]]:
        """The states under the options of each other arm."""
        found = []
        for other in self.others:
            states = duplicate(points.states)
            for option in self.arm.game.description.rules.options:
                states[option.name] = other.game.template[option.name][0]
            found.append(states)
        return found

    def _action_values(self, points: DecisionPoints, picked: Sequence[int], rngs: NDArray[np.uint64]) -> Columns:
        """Columns: the worths of actions and the leader, at the decisions picked."""
        values, leaders = [], [NOBODY]
        for k in picked:
            actions = self._tried_actions(points, k, rngs[k], [])
            payoffs = rollout_payoffs(points.states, k, rngs[k], actions, WORLDS)
            made = actions.index(int(points.chosen[k]))
            values.append(action_values(payoffs, recorder.mover_of(points.states, k), made, self._unit))
            leaders.append(leader(payoffs[:, made], leaders[-1]))
        n = len(points.states)
        return {
            **_as_columns(n, picked, values, ActionValues._fields),
            "leader": _sparse_column(n, picked, leaders[1:]),
        }

    def _play_worth(self, points: DecisionPoints, k: int, rng: Rng, matching: list[int]) -> PlayWorth:
        """Worth of the play asked about at the k-th decision; ``matching`` are the actions that begin it."""
        actions = self._tried_actions(points, k, rng, matching)
        payoffs = rollout_payoffs(points.states, k, rng, actions, PLAY_WORLDS)
        taken = int(points.chosen[k]) in matching
        mover = recorder.mover_of(points.states, k)
        return play_worth(payoffs, mover, np.isin(actions, matching), taken, self._unit)

    def _tried_actions(self, points: DecisionPoints, k: int, rng: Rng, matching: list[int]) -> list[int]:
        """The actions to be tried; of too many, the one made, some of those that match, and others at random."""
        actions = legal_actions(points.states, k)
        if len(actions) > MOST_TRIED:
            kept = list(dict.fromkeys([int(points.chosen[k]), *matching[: MOST_TRIED // 2]]))
            rest = actions[~np.isin(actions, [*kept, *matching])]
            shuffle(rng, rest)
            actions = np.concatenate([kept, rest[: MOST_TRIED - len(kept)]])
        found: list[int] = actions.tolist()
        return found

    def _unknown(self, points: DecisionPoints, k: int, rng: Rng) -> float:
        """Bits that the mover of the k-th decision lacks to know where the cards are."""
        worlds, views = np.zeros(IMAGINED, points.states.dtype), np.zeros(1, points.states.dtype)
        recorder.imagine_each(points.states, k, rng, views, worlds)
        return entropy(card_locations(worlds, self._card_fields, len(self.arm.game.description.cards)))


def spread(n: int) -> list[int]:
    """``PICKED`` of n decisions at even distances, or all."""
    return sorted({(2 * k + 1) * n // (2 * PICKED) for k in range(PICKED)}) if n else []


def _as_columns(n: int, picked: Sequence[int], found: Sequence[NamedTuple], names: Sequence[str]) -> Columns:
    """A column for each attribute of what was found at the decisions picked."""
    return {name: _sparse_column(n, picked, [getattr(each, name) for each in found]) for name in names}


def _sparse_column(n: int, picked: Sequence[int], values: Sequence[float]) -> list[float | None]:
    """A column of n rows with values where a decision was picked."""
    column: list[float | None] = [None] * n
    for k, value in zip(picked, values, strict=True):
        column[k] = value
    return column
