"""Numbers of one decision: the worth of its actions from the payoffs of rollouts, and the bits that its mover lacks.

Half of the worlds choose which actions are best, the other half say by how much, and the other way round: judged by the
worlds that chose it, a best action would be found even among equals.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.record import Field, Holds, Visible

NOBODY = -1
"""In place of a seat: none leads yet."""

_DIMENSIONS = {Holds.CARDS: 1, Holds.COUNTS: 2}
"""Dimensions at most of a field that says in which hand or pile cards are; with more it also says when they came."""

_COPIES = 5
"""One more than the copies of a card in any pack."""

CLEAR = 2.0
"""Standard errors by which the better of two actions must lead before a decision is said to matter."""


class ActionValues(NamedTuple):
    """Worths of a decision's actions to the mover, as people count them.

    Attributes:
        gap: lead of the best action over the second.
        matters: it clearly leads.
        care: its lead over one chosen at random.
        expected: payoff after the action that was made.
        first: the mover's chance of the highest payoff after it; seats that tie share it.
    """

    gap: float
    matters: bool
    care: float
    expected: float
    first: float


class PlayWorth(NamedTuple):
    """Worth of a kind of play to the mover, as people count it.

    Attributes:
        worth: lead of the best play of the kind over the best other one.
        pays, costs: it clearly leads; it is clearly beaten.
        taken: one of the kind was made.
        chance: the mover's chance of the highest payoff after it; seats that tie share it.
        differs: it mattered in some world what was played: not all rollouts of it ended the same.
    """

    worth: float
    pays: bool
    costs: bool
    taken: bool
    chance: float
    differs: bool


def action_values(payoffs: NDArray[np.int64], seat: int, made: int, unit: int) -> ActionValues:
    """Worths of the actions of a decision.

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
    """Worth of the best action of a kind beyond the best other one.

    Args:
        payoffs: int64 of shape (worlds, actions, seats).
        seat: the mover.
        of_kind: bool of shape (actions,): at least one is, and one is not.
        taken: one of the kind was made.
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
    """Share of the worlds in which a seat has the highest of payoffs of shape (worlds, seats); ties are shared."""
    top = payoffs == payoffs.max(1, keepdims=True)
    return float((top[:, seat] / top.sum(1)).mean())


def leader(payoffs: NDArray[np.int64], before: int) -> int:
    """The seat that expects most, from payoffs of shape (worlds, seats).

    The one that led before stays (NOBODY at first), unless another now clearly expects more.
    """
    best = int(payoffs.mean(0).argmax())
    if before == NOBODY:
        return best
    ahead = payoffs[:, best] - payoffs[:, before]
    return best if ahead.mean() > CLEAR * _standard_error(ahead) else before


def _standard_error(values: NDArray[np.float64] | NDArray[np.int64]) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


# What a mover cannot know


def card_fields(fields: Sequence[Field]) -> list[Field]:
    """The fields that say in which hand or pile cards are, and that some seat may not see."""
    return [
        each
        for each in fields
        if each.visible is not Visible.PUBLIC
        and each.holds in _DIMENSIONS
        and len(each.shape) <= _DIMENSIONS[each.holds]
    ]


def card_locations(worlds: NDArray[np.void], fields: Sequence[Field], cards: int) -> NDArray[np.int64]:
    """The place of each card in each world.

    Args:
        worlds: records of shape (worlds,).
        fields: as ``card_fields`` gives them.
        cards: of the game, copies counted once.

    Returns:
        a number for each way of being placed, int64 of shape (worlds, cards).
    """
    found = np.zeros((len(worlds), cards), np.int64)
    for field in fields:
        held = worlds[field.name].reshape(len(worlds), -1) if field.holds is Holds.CARDS else worlds[field.name]
        if field.holds is Holds.COUNTS:
            held = held.reshape(len(worlds), -1, held.shape[-1])[:, :, :cards]
        for place in range(held.shape[1]):
            if field.holds is Holds.CARDS:
                here = held[:, place, None] >> np.arange(cards) & 1
            else:
                here = held[:, place].astype(np.int64)
            found[:, : here.shape[1]] = found[:, : here.shape[1]] * _COPIES + here
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
