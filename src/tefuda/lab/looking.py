"""Looking closely at the moments of some games: rules read otherwise, what each action is worth, what is still unknown.

Every moment is read under the options of the other arms. Of each game ``PICKED`` moments, spread over its length, are
played on from each of the mover's actions, and looked at for what their mover cannot know. docs/lab.md defines the
figures.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import measuring
from tefuda.engine.measuring import OTHER_ADVICE, OTHER_PLAYS
from tefuda.engine.playout import MOST_ACTIONS
from tefuda.engine.record import Holds, Visible, duplicate
from tefuda.engine.rng import Rng, generators, shuffle
from tefuda.lab.experiment import Arm
from tefuda.lab.playing import Moments, legal_actions

PICKED = 8
"""Moments of a game that are played on from and imagined."""

WORLDS = 32
"""Worlds in which every action is tried: in the even ones it is chosen which two are best, in the odd ones compared."""

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


class Looker:
    """Looks at the moments of one arm's games.

    Args:
        arm: whose games they are.
        others: the arms under whose options they are read too.
        measures: of the experiment.
    """

    def __init__(self, arm: Arm, others: Sequence[Arm], measures: Sequence[str]) -> None:
        self.arm, self.others, self.measures = arm, list(others), measures
        self.places = card_places(arm.game.description.fields)

    def look(self, moments: Moments, seed: Sequence[int]) -> dict[str, Any]:
        """Columns of the game's decisions, as ``tables.DECISIONS`` names them; ``seed`` is of what is drawn for it."""
        n = len(moments.states)
        columns: dict[str, Any] = {
            "decision": np.arange(n),
            "seat": np.array([measuring.mover_of(moments.states, k) for k in range(n)], np.int64),
        }
        if "binds" in self.measures:
            columns |= self._read(moments, generators((*seed, 0), max(1, n)))
        picked = spread(n)
        if "decisions" in self.measures:
            rngs = generators((*seed, 1), max(1, n))
            tried = [self._try(moments, k, rngs[k]) for k in picked]
            for name in Tried._fields:
                columns[name] = sparse(n, picked, [getattr(each, name) for each in tried])
        if "information" in self.measures:
            rngs = generators((*seed, 2), max(1, n))
            columns["unknown"] = sparse(n, picked, [self._unknown(moments, k, rngs[k]) for k in picked])
        return columns

    def _read(self, moments: Moments, rngs: NDArray[np.uint64]) -> dict[str, Any]:
        columns = {}
        for other in self.others:
            again = duplicate(moments.states)
            for option in self.arm.game.description.options:
                again[option.name] = other.game.template[option.name][0]
            differs = np.zeros((len(again), 2), np.bool_)
            measuring.read_otherwise(moments.states, again, rngs.copy(), differs)
            columns[f"binds {other.name}"] = differs[:, OTHER_PLAYS]
            columns[f"advice {other.name}"] = differs[:, OTHER_ADVICE]
        return columns

    def _try(self, moments: Moments, k: int, rng: Rng) -> Tried:
        actions = legal_actions(moments, k, np.zeros(MOST_ACTIONS, np.int64))
        made = int(moments.chosen[k])
        if len(actions) > MOST_TRIED:
            rest = actions[actions != made]
            shuffle(rng, rest)
            actions = np.concatenate([[made], rest[: MOST_TRIED - 1]])
        payoffs = np.zeros((WORLDS, len(actions), self.arm.game.seats), np.int64)
        worlds = np.zeros(2, moments.states.dtype)
        measuring.try_each(moments.states, k, rng, actions, worlds[:1].copy(), worlds, payoffs)
        seat = measuring.mover_of(moments.states, k)
        return judge(payoffs, seat, actions.tolist().index(made), self.arm.game.description.unit)

    def _unknown(self, moments: Moments, k: int, rng: Rng) -> float:
        worlds, views = np.zeros(IMAGINED, moments.states.dtype), np.zeros(1, moments.states.dtype)
        measuring.imagine_each(moments.states, k, rng, views, worlds)
        return entropy(whereabouts(worlds, self.places, len(self.arm.game.description.cards)))


def spread(n: int) -> list[int]:
    """``PICKED`` of n moments at even distances, or all."""
    return sorted({(2 * k + 1) * n // (2 * PICKED) for k in range(PICKED)}) if n else []


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
    top = payoffs[:, made] == payoffs[:, made].max(1, keepdims=True)
    first = float((top[:, seat] / top.sum(1)).mean())
    return Tried(sum(gaps) / 2, clear[0], sum(care) / 2, float(own[:, made].mean()), first)


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
