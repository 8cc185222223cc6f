"""Looking closely at the moments of some games: rules read otherwise, what each action is worth, what is still unknown.

Every moment is read under the options of the other arms. Of each game ``PICKED`` moments, spread over its length, are
played on from each of the mover's actions, and looked at for what their mover cannot know; those at which a play that
is asked about can be made are played on to weigh it. docs/lab.md defines the figures.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import recorder
from tefuda.engine.playout import MOST_ACTIONS
from tefuda.engine.record import Holds, Visible, duplicate
from tefuda.engine.recorder import OTHER_ADVICE, OTHER_PLAYS
from tefuda.engine.rng import Rng, generators, shuffle
from tefuda.lab.advising import Advised, Adviser
from tefuda.lab.experiment import ADVISER, Arm
from tefuda.lab.playing import Moments, legal_actions
from tefuda.lab.plays import Plays
from tefuda.lab.rehearsing import rehearse
from tefuda.table.view import View

NOBODY = -1

PICKED = 8
"""Moments of a game that are played on from and imagined."""

WORLDS = 32
"""Worlds in which every action is tried: in the even ones it is chosen which two are best, in the odd ones compared."""

WEIGHED = 128
"""Worlds in which a kind of play is weighed against the others."""

IMAGINED = 64
"""Worlds from which it is estimated what a mover cannot know."""

MOST_TRIED = 24
"""Actions that are tried at most, at random where there are more; the one that was made is always among them."""

CLEAR = 2.0
"""Standard errors by which the better of two actions must lead before a decision is said to matter."""


class Tried(NamedTuple):
    """What a moment's actions are worth to the mover, in what people count.

    Attributes:
        gap: by how much the best action beats the second.
        matters: whether it clearly does.
        care: by how much it beats one chosen at random.
        expected: payoff after the action that was made.
        first: the mover's chance of the highest payoff after it; who ties for it shares it.
    """

    gap: float
    matters: bool
    care: float
    expected: float
    first: float


class Weighed(NamedTuple):
    """What a kind of play is worth to the mover, in what people count.

    Attributes:
        worth: by how much the best play of the kind beats the best other one.
        pays, costs: whether it clearly does; whether it is clearly beaten.
        taken: whether one of the kind was made.
        chance: of the mover's having the highest payoff after it; who ties for it shares it.
    """

    worth: float
    pays: bool
    costs: bool
    taken: bool
    chance: float


class Looker:
    """Looks at the moments of one arm's games.

    Args:
        arm: whose games they are.
        others: the arms under whose options they are read too.
        measures: of the experiment.
        adviser: the bot whose advice is read under those options.
    """

    def __init__(self, arm: Arm, others: Sequence[Arm], measures: Sequence[str], adviser: str = ADVISER) -> None:
        self.arm, self.others, self.measures = arm, list(others), measures
        self.adviser = None if adviser == ADVISER else Adviser(adviser, arm.game.description)
        self.plays = Plays.read(arm.play) if arm.play else None
        self.places = card_places(arm.game.description.fields)

    def look(self, moments: Moments, seed: Sequence[int]) -> dict[str, Any]:
        """Columns of the game's decisions, as ``tables.DECISIONS`` names them; ``seed`` is of what is drawn for it."""
        n = len(moments.states)
        columns: dict[str, Any] = {
            "decision": np.arange(n),
            "seat": np.array([recorder.mover_of(moments.states, k) for k in range(n)], np.int64),
        }
        named = self._named(moments) if self.plays else {}
        picked = spread(n)
        if "binds" in self.measures:
            columns |= self._read(moments, generators((*seed, 0), max(1, n)))
            if self.adviser:
                twice = generators((*seed, 0), max(1, n)), generators((*seed, 4), max(1, n))
                columns |= self._advise(self.adviser, moments, list(named) if self.plays else picked, twice)
        if "decisions" in self.measures:
            columns |= self._decide(moments, picked, generators((*seed, 1), max(1, n)))
        if "play" in self.measures:
            rngs = generators((*seed, 3), max(1, n))
            weighed = [self._weigh(moments, k, rngs[k], named[k]) for k in named]
            columns |= as_columns(n, list(named), weighed, Weighed._fields)
        if "information" in self.measures:
            rngs = generators((*seed, 2), max(1, n))
            columns["unknown"] = sparse(n, picked, [self._unknown(moments, k, rngs[k]) for k in picked])
        return columns

    def _named(self, moments: Moments) -> dict[int, list[int]]:
        """The moments at which a play that is asked about can be made, or another; and with which actions it begins."""
        assert self.plays is not None
        found = {}
        for k in range(len(moments.states)):
            legal = legal_actions(moments.states, k, np.zeros(MOST_ACTIONS, np.int64)).tolist()
            among = self.plays.among(self._view(moments.states, k), legal)
            if among and len(among) < len(legal):
                found[k] = among
        return found

    def _view(self, states: NDArray[Any], k: int) -> View:
        """What the mover sees."""
        return View(self.arm.game.description, states[k : k + 1], recorder.mover_of(states, k))

    def _read(self, moments: Moments, rngs: NDArray[np.uint64]) -> dict[str, Any]:
        """How often the other options bind, and change what the rules of thumb say."""
        columns: dict[str, Any] = {}
        for other, again in self._otherwise(moments):
            differs = np.zeros((len(again), 2), np.bool_)
            recorder.read_otherwise(moments.states, again, rngs.copy(), differs)
            columns[f"binds {other.name}"] = differs[:, OTHER_PLAYS]
            columns[f"advice {other.name}"] = differs[:, OTHER_ADVICE].astype(np.float64)
        return columns

    def _advise(
        self,
        adviser: Adviser,
        moments: Moments,
        asked: Sequence[int],
        rngs: tuple[NDArray[np.uint64], NDArray[np.uint64]],
    ) -> dict[str, Any]:
        """How often the other options change what a bot says, at the moments at which it is asked."""
        others = [again for _, again in self._otherwise(moments)]
        said = [adviser.compare(moments.states, others, k, (rngs[0][k], rngs[1][k])) for k in asked]
        columns: dict[str, Any] = {}
        for place, other in enumerate(self.others):
            own = as_columns(len(moments.states), asked, [each[place] for each in said], Advised._fields)
            columns |= {f"{name} {other.name}": column for name, column in own.items()}
        return columns

    def _otherwise(self, moments: Moments) -> list[tuple[Arm, NDArray[Any]]]:
        """The moments under the options of the other arms."""
        found = []
        for other in self.others:
            again = duplicate(moments.states)
            for option in self.arm.game.description.rules.options:
                again[option.name] = other.game.template[option.name][0]
            found.append((other, again))
        return found

    def _decide(self, moments: Moments, picked: Sequence[int], rngs: NDArray[np.uint64]) -> dict[str, Any]:
        """What actions are worth, and who leads, at the moments picked."""
        tried, leaders = [], [NOBODY]
        for k in picked:
            actions = self._to_try(moments, k, rngs[k], [])
            payoffs = rehearse(moments.states, k, rngs[k], actions, WORLDS)
            made = actions.index(int(moments.chosen[k]))
            seat = recorder.mover_of(moments.states, k)
            tried.append(judge(payoffs, seat, made, self.arm.game.description.rules.unit))
            leaders.append(leading(payoffs[:, made], leaders[-1]))
        n = len(moments.states)
        return as_columns(n, picked, tried, Tried._fields) | {"leader": sparse(n, picked, leaders[1:])}

    def _weigh(self, moments: Moments, k: int, rng: Rng, named: list[int]) -> Weighed:
        actions = self._to_try(moments, k, rng, named)
        payoffs = rehearse(moments.states, k, rng, actions, WEIGHED)
        of_kind = np.isin(actions, named)
        seat = recorder.mover_of(moments.states, k)
        made = int(moments.chosen[k]) in named
        return weigh(payoffs, seat, of_kind, made, self.arm.game.description.rules.unit)

    def _to_try(self, moments: Moments, k: int, rng: Rng, named: list[int]) -> list[int]:
        """The actions to be tried; where there are too many, the one made, some of those named and others at random."""
        actions = legal_actions(moments.states, k, np.zeros(MOST_ACTIONS, np.int64))
        if len(actions) > MOST_TRIED:
            kept = list(dict.fromkeys([int(moments.chosen[k]), *named[: MOST_TRIED // 2]]))
            rest = actions[~np.isin(actions, [*kept, *named])]
            shuffle(rng, rest)
            actions = np.concatenate([kept, rest[: MOST_TRIED - len(kept)]])
        found: list[int] = actions.tolist()
        return found

    def _unknown(self, moments: Moments, k: int, rng: Rng) -> float:
        worlds, views = np.zeros(IMAGINED, moments.states.dtype), np.zeros(1, moments.states.dtype)
        recorder.imagine_each(moments.states, k, rng, views, worlds)
        return entropy(whereabouts(worlds, self.places, len(self.arm.game.description.cards)))


def spread(n: int) -> list[int]:
    """``PICKED`` of n moments at even distances, or all."""
    return sorted({(2 * k + 1) * n // (2 * PICKED) for k in range(PICKED)}) if n else []


def as_columns(n: int, picked: Sequence[int], found: Sequence[Any], names: Sequence[str]) -> dict[str, Any]:
    """Columns of what was found at the moments picked, an attribute each."""
    return {name: sparse(n, picked, [getattr(each, name) for each in found]) for name in names}


def sparse(n: int, picked: Sequence[int], values: Sequence[float]) -> list[float | None]:
    """A column with values where a moment was picked."""
    column: list[float | None] = [None] * n
    for k, value in zip(picked, values, strict=True):
        column[k] = value
    return column


def judge(payoffs: NDArray[np.int64], seat: int, made: int, unit: int) -> Tried:
    """What a moment's actions are worth.

    Each half of the worlds chooses which two actions are best, and the other half says by how much: the same half would
    find a best one among equals.

    Args:
        payoffs: int64 of shape (worlds, actions, seats).
        seat: the mover.
        made: index of the action that was made.
        unit: how many of the smallest unit make one of what people count.
    """
    own = payoffs[:, :, seat] / unit
    halves = (own[::2], own[1::2])
    gaps, clear, care = [], [], []
    for chosen_by, judged_by in (halves, halves[::-1]):
        best, second = np.argsort(-chosen_by.mean(0), kind="stable")[:2]
        leads = judged_by[:, best] - judged_by[:, second]
        gaps.append(float(leads.mean()))
        clear.append(bool(leads.mean() > CLEAR * leads.std(ddof=1) / np.sqrt(len(leads))))
        care.append(float((judged_by[:, best] - judged_by.mean(1)).mean()))
    first = chance_of_first(payoffs[:, made], seat)
    return Tried(sum(gaps) / 2, clear[0], sum(care) / 2, float(own[:, made].mean()), first)


def chance_of_first(payoffs: NDArray[np.int64], seat: int) -> float:
    """How often a seat has the highest payoff, int64 of shape (worlds, seats); who ties for it shares it."""
    top = payoffs == payoffs.max(1, keepdims=True)
    return float((top[:, seat] / top.sum(1)).mean())


def weigh(payoffs: NDArray[np.int64], seat: int, of_kind: NDArray[np.bool_], taken: bool, unit: int) -> Weighed:
    """What the best action of a kind is worth beyond the best other one.

    Each half of the worlds chooses the best of both, and the other half says by how much, as in ``judge``.

    Args:
        payoffs: int64 of shape (worlds, actions, seats).
        seat: the mover.
        of_kind: bool of shape (actions,): at least one is, and one is not.
        taken: whether one of the kind was made.
        unit: how many of the smallest unit make one of what people count.
    """
    own = payoffs[:, :, seat] / unit
    halves = (own[::2], own[1::2])
    leads, chances = [], []
    for k, (chosen_by, judged_by) in enumerate((halves, halves[::-1])):
        means = chosen_by.mean(0)
        best = int(np.where(of_kind, means, -np.inf).argmax())
        other = int(np.where(of_kind, -np.inf, means).argmax())
        leads.append(judged_by[:, best] - judged_by[:, other])
        chances.append(chance_of_first(payoffs[1 - k :: 2, best], seat))
    lead = np.concatenate(leads)
    doubt = CLEAR * lead.std(ddof=1) / np.sqrt(len(lead))
    mean = float(lead.mean())
    return Weighed(mean, bool(mean > doubt), bool(mean < -doubt), taken, sum(chances) / 2)


def leading(payoffs: NDArray[np.int64], before: int) -> int:
    """The seat that expects most; the one that led before, unless another now clearly expects more.

    Args:
        payoffs: int64 of shape (worlds, seats).
        before: NOBODY at first.
    """
    best = int(payoffs.mean(0).argmax())
    if before == NOBODY:
        return best
    ahead = payoffs[:, best] - payoffs[:, before]
    return best if ahead.mean() > CLEAR * ahead.std(ddof=1) / np.sqrt(len(ahead)) else before


def card_places(fields: Sequence[Any]) -> list[Any]:
    """The fields that say in which hand or pile cards are, and that somebody may not see; not when they came there."""
    deep = {Holds.CARDS: 1, Holds.COUNTS: 2}
    return [
        each
        for each in fields
        if each.visible is not Visible.PUBLIC and each.holds in deep and len(each.shape) <= deep[each.holds]
    ]


def whereabouts(worlds: NDArray[Any], places: Sequence[Any], cards: int) -> NDArray[np.int64]:
    """Where each card is in each world: one number for each way of being placed, int64 of shape (worlds, cards)."""
    found = np.zeros((len(worlds), cards), np.int64)
    for field in places:
        held = worlds[field.name].reshape(len(worlds), -1) if field.holds is Holds.CARDS else worlds[field.name]
        if field.holds is Holds.COUNTS:
            held = held.reshape(len(worlds), -1, held.shape[-1])[:, :, :cards]
        for place in range(held.shape[1]):
            if field.holds is Holds.CARDS:
                here = held[:, place, None] >> np.arange(cards) & 1
            else:
                here = held[:, place].astype(np.int64)
            found[:, : here.shape[1]] = found[:, : here.shape[1]] * 5 + here
    return found


def entropy(found: NDArray[np.int64]) -> float:
    """Bits that would tell where each card is, summed over the cards: an upper bound of log2 of the worlds possible.

    From the frequencies of a sample, with Miller's and Madow's correction for its size.

    Args:
        found: int64 of shape (worlds, cards).
    """
    bits = 0.0
    for column in found.T:
        _, counts = np.unique(column, return_counts=True)
        if len(counts) > 1:
            shares = counts / counts.sum()
            bits += float(-(shares * np.log2(shares)).sum() + (len(counts) - 1) / (2 * counts.sum() * np.log(2)))
    return bits
