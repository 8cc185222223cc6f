"""Examines the decisions of some games: changes by other rules, the worth of each action, what is unknown.

Every decision is read under the options of the other arms. Of each game ``PICKED`` decisions, spread over its length,
are followed by rollouts of each of the mover's actions, and searched for what their mover cannot know. Decisions at
which a play that is asked about can be made are followed by more rollouts. docs/lab.md defines the figures.

Two judges play the rollouts out, the rules of thumb and the game's network, and what is said is what both find; where
the network does not know the tables of all arms, the rules of thumb judge alone.

Half of the worlds choose which actions are best, the other half say by how much, and the other way round: judged by the
worlds that chose it, a best action would be found even among equals.

A bot that thinks by chance answers differently each time among plays that it finds about equal. So an adviser is asked
twice under each set of options, with other random numbers: how much more often its answers differ across the options
than within them is what the rule does."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from tefuda.bots.net import is_learned, own_network
from tefuda.bots.play_estimates import rollout_payoffs
from tefuda.bots.players import Bot, ask, bot
from tefuda.engine import recorder, verbs
from tefuda.engine.record import Field, Holds, Ints, Visible, duplicate
from tefuda.engine.recorder import OTHER_ADVICE, OTHER_PLAYS
from tefuda.engine.rng import Rng, generators, shuffle
from tefuda.lab.experiment import ADVISER, Arm
from tefuda.lab.play.python_game import DecisionPoints
from tefuda.lab.play.question_bots import PlayPattern
from tefuda.lab.play.runner import legal_actions
from tefuda.table.view import View

PICKED = 8  #: decisions of a game whose actions are compared, and whose unknown cards are measured
WORLDS = 32  # worlds in which every action is tried: the even ones choose which two are best, the odd ones compare them
PLAY_WORLDS = 128  #: worlds in which a kind of play is compared with the others
IMAGINED = 64  #: worlds from which it is estimated what a mover cannot know

MOST_TRIED = 24
"""Actions tried at most; of more, some are drawn at random, and the one that was made is always among them."""

_READ, _VALUES, _UNKNOWN, _PLAYS, _AGAIN = range(5)
"""Streams of random numbers of a game, one for each measure; _AGAIN is for asking an adviser a second time."""

Columns = dict[str, Any]  #: columns of a game's decisions, as ``rows`` names them

NOBODY = -1  #: in place of a seat: none leads yet

_DIMENSIONS = {Holds.CARDS: 1, Holds.COUNTS: 2}
"""Dimensions at most of a field that says in which hand or pile cards are; with more it also says when they came."""

_COPIES = 5  # one more than the copies of a card in any pack
CLEAR = 2.0  #: standard errors by which the better of two actions must lead before a decision is said to matter


class ActionValues(NamedTuple):
    """Worths of a decision's actions to the mover, as people count them.

    ``gap`` is the lead of the best action over the second, ``matters`` if it is clear, ``care`` its lead over one
    chosen at random, all as every judge finds at least; ``first`` is the chance of the highest payoff (shared) after
    the action made, by the strongest judge."""

    gap: float
    matters: bool
    care: float
    first: float


class PlayWorth(NamedTuple):
    """Worth of a kind of play to the mover, as people count it: the lead of the best of the kind over the best other.

    By every judge it clearly leads (``pays``) or is clearly beaten (``costs``); one of the kind was ``taken``.
    ``chance`` is that of the highest payoff after it (ties share it), by the strongest judge. ``differs``: not all
    rollouts of some world ended the same."""

    worth: float
    pays: bool
    costs: bool
    taken: bool
    chance: float
    differs: bool


def action_values(judged: Sequence[NDArray[np.int64]], seat: int, made: int, unit: int) -> ActionValues:
    """Worths of the actions of a decision, of which ``made`` is the index of the one made.

    ``judged`` are each judge's payoffs, int64 of shape (worlds, actions, seats), the strongest judge's last; ``unit``
    of them make one of what people count."""
    own = [payoffs[:, :, seat] / unit for payoffs in judged]
    gaps, care, clear = np.zeros((2, len(own))), np.zeros((2, len(own))), True
    for half in (0, 1):
        means = sum(each[half::2].mean(0) for each in own)
        best, second = np.argsort(-means, kind="stable")[:2]
        for judge, each in enumerate(own):
            others = each[1 - half :: 2]
            leads = others[:, best] - others[:, second]
            gaps[half, judge], care[half, judge] = leads.mean(), (others[:, best] - others.mean(1)).mean()
            clear &= bool(half or leads.mean() > CLEAR * stats.sem(leads))
    first = first_place_chance(judged[-1][:, made], seat)
    return ActionValues(in_common(gaps.mean(0)), clear, in_common(care.mean(0)), first)


def play_worth(judged: Sequence[Ints], seat: int, of_kind: NDArray[np.bool_], taken: bool, unit: int) -> PlayWorth:
    """Worth of the best action of a kind beyond the best other one. ``judged`` are as for ``action_values``;
    ``of_kind`` is bool of shape (actions,), where at least one is, and one is not."""
    own = [payoffs[:, :, seat] / unit for payoffs in judged]
    halves, chances = list[NDArray[np.float64]](), []
    for half in (0, 1):
        means = sum(each[half::2].mean(0) for each in own)
        best = int(np.where(of_kind, means, -np.inf).argmax())
        other = int(np.where(of_kind, -np.inf, means).argmax())
        halves.append(np.array([(each[:, best] - each[:, other])[1 - half :: 2] for each in own]))
        chances.append(first_place_chance(judged[-1][1 - half :: 2, best], seat))
    leads = np.concatenate(halves, axis=1)
    doubts = np.array([CLEAR * stats.sem(each) for each in leads])
    means = leads.mean(1)
    differs = any(bool((payoffs != payoffs[:, :1]).any()) for payoffs in judged)
    pays, costs = bool((means > doubts).all()), bool((means < -doubts).all())
    return PlayWorth(in_common(means), pays, costs, taken, sum(chances) / 2, differs)


def in_common(found: NDArray[np.float64]) -> float:
    """Figure that all judges find at least: the one nearest to 0; 0 where they do not agree about the sign."""
    return float(found[np.abs(found).argmin()]) if abs(np.sign(found).sum()) == len(found) else 0.0


def first_place_chance(payoffs: NDArray[np.int64], seat: int) -> float:
    """Share of the worlds in which a seat has the highest of payoffs of shape (worlds, seats); ties are shared."""
    top = payoffs == payoffs.max(1, keepdims=True)
    return float((top[:, seat] / top.sum(1)).mean())


def leader(payoffs: NDArray[np.int64], before: int) -> int:
    """The seat that expects most, from payoffs of shape (worlds, seats); another than ``before`` only if clearly."""
    best = int(payoffs.mean(0).argmax())
    if before == NOBODY:
        return best
    ahead = payoffs[:, best] - payoffs[:, before]
    return best if ahead.mean() > CLEAR * stats.sem(ahead) else before


# What a mover cannot know


def card_fields(fields: Sequence[Field]) -> list[Field]:
    """The fields that say in which hand or pile cards are, and that some seat may not see."""
    hidden = (each for each in fields if each.visible is not Visible.PUBLIC)
    return [each for each in hidden if len(each.shape) <= _DIMENSIONS.get(each.holds, -1)]


def card_locations(worlds: NDArray[np.void], fields: Sequence[Field], cards: int) -> NDArray[np.int64]:
    """The place of each card in each world: a number for each way of being placed, int64 of shape (worlds, cards).

    ``worlds`` are records of shape (worlds,), ``fields`` those of ``card_fields``; copies of a card are counted once.
    """
    found = np.zeros((len(worlds), cards), np.int64)
    for field in fields:
        held = worlds[field.name]
        if field.holds is Holds.CARDS:
            held = held.reshape(len(worlds), -1, 1) >> np.arange(cards) & 1
        held = held.reshape(len(worlds), -1, held.shape[-1])[:, :, :cards]
        for place in range(held.shape[1]):
            found[:, : held.shape[2]] = found[:, : held.shape[2]] * _COPIES + held[:, place]
    return found


def entropy(locations: NDArray[np.int64]) -> float:
    """Bits that would tell where each card is, summed over the cards: an upper bound of log2 of the possible worlds.

    From the frequencies in locations of shape (worlds, cards), with Miller's and Madow's correction for their number.
    """
    bits = 0.0
    for column in locations.T:
        _, counts = np.unique(column, return_counts=True)
        if len(counts) > 1:
            shares = counts / counts.sum()
            bits += float(-(shares * np.log2(shares)).sum() + (len(counts) - 1) / (2 * counts.sum() * np.log(2)))
    return bits


# What a bot says under other options


class AdviceDifference(NamedTuple):
    """Differences of a bot's answers at a decision, of pairs across the options and of pairs under the same ones.

    Each is a share of two pairs, given with different random numbers: 0, 0.5 or 1. ``advice`` less ``scatter`` is 0
    where the options change nothing. Otherwise its expectation is half the squared distance between the two
    distributions of answers: never below 0, and 1 where the bot always says one thing here and another there."""

    advice: float
    scatter: float


OTHER_MOVER = AdviceDifference(1.0, 0.0)  #: difference where another seat acts under the other options


def advice_difference(here: tuple[int, int], there: tuple[int, int]) -> AdviceDifference:
    """The difference of answers given with the same two random numbers under two sets of options."""
    across = (here[0] != there[1]) + (here[1] != there[0])
    within = (here[0] != here[1]) + (there[0] != there[1])
    return AdviceDifference(across / 2, within / 2)


class DecisionAnalyst:
    """Examines the decisions of one arm's games, also under the options of ``others``."""

    def __init__(self, arm: Arm, others: Sequence[Arm], measures: Sequence[str], adviser: str = ADVISER) -> None:
        self.arm, self.others, self.measures = arm, list(others), measures
        self.adviser = None if adviser == ADVISER else bot(adviser)
        self.plays = PlayPattern.read(arm.play) if arm.play else None
        self._card_fields = card_fields(arm.game.description.fields)
        self._unit = arm.game.description.rules.unit
        game, tables = arm.game.description, [each.game.template[0] for each in (arm, *others)]
        self._network = own_network(game) if all(is_learned(game, each) for each in tables) else None

    def analyse(self, points: DecisionPoints, seed: Sequence[int]) -> Columns:
        """Examine the decisions of a game; ``seed`` is that of what is drawn for them."""
        n = len(points.states)

        def streams(which: int) -> NDArray[np.uint64]:
            return generators((*seed, which), max(1, n))

        seats = np.array([verbs.mover(points.states[k]) for k in range(n)], np.int64)
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

    def _view(self, states: NDArray[np.void], k: int) -> View:
        """The mover's view of the k-th decision."""
        return View(self.arm.game.description, states[k : k + 1], verbs.mover(states[k]))

    def _matching_plays(self, points: DecisionPoints, plays: PlayPattern) -> dict[int, list[int]]:
        """The decisions at which both a play that is asked about and another can be made, with its first actions."""
        found = {}
        for k in range(len(points.states)):
            legal = legal_actions(points.states, k).tolist()
            among = plays.among(self._view(points.states, k), legal)
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
        adviser: Bot,
        points: DecisionPoints,
        asked: Sequence[int],
        rngs: tuple[NDArray[np.uint64], NDArray[np.uint64]],
    ) -> Columns:
        """Columns: the other options' changes of a bot's advice, at the decisions at which it is asked."""

        def answers(states: NDArray[np.void], k: int) -> tuple[int, int]:
            """The bot is asked once with each of the generators."""
            view, legal = self._view(states, k), legal_actions(states, k).tolist()
            first, second = (ask(adviser, view, legal, drawn[k].copy(), f"seat {view.seat}") for drawn in rngs)
            return first, second

        def difference(other: NDArray[np.void], k: int) -> AdviceDifference:
            if verbs.mover(other[k]) != verbs.mover(points.states[k]):
                return OTHER_MOVER
            return advice_difference(own[k], answers(other, k))

        others, own = self._under_other_rules(points), {k: answers(points.states, k) for k in asked}
        found = [[difference(other, k) for other in others] for k in asked]
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
            for option in self.arm.game.description.rules.settings.values():
                option.write(states, option.number_in(other.game.template[0]))
            found.append(states)
        return found

    def _action_values(self, points: DecisionPoints, picked: Sequence[int], rngs: NDArray[np.uint64]) -> Columns:
        """Columns: the worths of actions and the leader, at the decisions picked."""
        values, leaders = [], [NOBODY]
        for k in picked:
            actions = self._tried_actions(points, k, rngs[k], [])
            judged = rollout_payoffs(points.states, k, rngs[k], actions, WORLDS, self._network)
            made = actions.index(int(points.chosen[k]))
            values.append(action_values(judged, verbs.mover(points.states[k]), made, self._unit))
            leaders.append(leader(judged[-1][:, made], leaders[-1]))
        n = len(points.states)
        leading = _sparse_column(n, picked, leaders[1:])
        return {**_as_columns(n, picked, values, ActionValues._fields), "leader": leading}

    def _play_worth(self, points: DecisionPoints, k: int, rng: Rng, matching: list[int]) -> PlayWorth:
        """Worth of the play asked about at the k-th decision; ``matching`` are the actions that begin it."""
        actions = self._tried_actions(points, k, rng, matching)
        judged = rollout_payoffs(points.states, k, rng, actions, PLAY_WORLDS, self._network)
        taken = int(points.chosen[k]) in matching
        return play_worth(judged, verbs.mover(points.states[k]), np.isin(actions, matching), taken, self._unit)

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
