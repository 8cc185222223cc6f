"""What actions are worth, from the payoffs of rollouts: the best against the second, one kind of play against others.

Half of the worlds choose which actions are best, the other half say by how much, and the other way round: judged by the
worlds that chose it, a best action would be found even among equals.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NOBODY = -1
"""In place of a seat: nobody leads yet."""

CLEAR = 2.0
"""Standard errors by which the better of two actions must lead before a decision is said to matter."""


class ActionValues(NamedTuple):
    """What the actions of a decision are worth to the mover, in what people count.

    Attributes:
        gap: by how much the best action beats the second.
        matters: whether it clearly does.
        care: by how much it beats one chosen at random.
        expected: payoff after the action that was made.
        first: the mover's chance of the highest payoff after it; seats that tie share it.
    """

    gap: float
    matters: bool
    care: float
    expected: float
    first: float


class PlayWorth(NamedTuple):
    """What a kind of play is worth to the mover, in what people count.

    Attributes:
        worth: by how much the best play of the kind beats the best other one.
        pays, costs: whether it clearly does; whether it is clearly beaten.
        taken: whether one of the kind was made.
        chance: the mover's chance of the highest payoff after it; seats that tie share it.
        differs: whether it came to matter in any world what was played: not all rollouts of it ended the same.
    """

    worth: float
    pays: bool
    costs: bool
    taken: bool
    chance: float
    differs: bool


def action_values(payoffs: NDArray[np.int64], seat: int, made: int, unit: int) -> ActionValues:
    """What the actions of a decision are worth.

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
        clear.append(bool(leads.mean() > CLEAR * _standard_error(leads)))
        care.append(float((judged_by[:, best] - judged_by.mean(1)).mean()))
    first = first_place_chance(payoffs[:, made], seat)
    return ActionValues(sum(gaps) / 2, clear[0], sum(care) / 2, float(own[:, made].mean()), first)


def play_worth(payoffs: NDArray[np.int64], seat: int, of_kind: NDArray[np.bool_], taken: bool, unit: int) -> PlayWorth:
    """What the best action of a kind is worth beyond the best other one.

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
        chances.append(first_place_chance(payoffs[1 - k :: 2, best], seat))
    lead = np.concatenate(leads)
    mean, doubt = float(lead.mean()), CLEAR * _standard_error(lead)
    differs = bool((payoffs != payoffs[:, :1]).any())
    return PlayWorth(mean, bool(mean > doubt), bool(mean < -doubt), taken, sum(chances) / 2, differs)


def first_place_chance(payoffs: NDArray[np.int64], seat: int) -> float:
    """How often a seat has the highest payoff, int64 of shape (worlds, seats); seats that tie share it."""
    top = payoffs == payoffs.max(1, keepdims=True)
    return float((top[:, seat] / top.sum(1)).mean())


def leader(payoffs: NDArray[np.int64], before: int) -> int:
    """The seat that expects most; the one that led before, unless another now clearly expects more.

    Args:
        payoffs: int64 of shape (worlds, seats).
        before: NOBODY at first.
    """
    best = int(payoffs.mean(0).argmax())
    if before == NOBODY:
        return best
    ahead = payoffs[:, best] - payoffs[:, before]
    return best if ahead.mean() > CLEAR * _standard_error(ahead) else before


def _standard_error(values: NDArray[np.float64] | NDArray[np.int64]) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))
