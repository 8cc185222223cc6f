"""What a search found of every action, from the roots of its trees, and of every play, as people are told it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.bots import tree
from tefuda.bots.tree import NONE

FEWEST_VISITS = 30
"""Simulations of a play below which their mean tells nothing."""


@dataclass(frozen=True)
class ActionEstimate:
    """What a search found of one action.

    Attributes:
        action: kernel number.
        visits: simulations that began with it.
        worth: mean of what they were worth to the mover (``SearchSettings.relative``), in the game's smallest unit.
        doubt: variance of that mean.
        mean: of the mover's payoff in them, in the game's smallest unit.
        spread: standard deviation of that payoff.
        advised: whether the network, or, where there is none, the rules of thumb advise it.
        bonus: what that adds to its worth (``SearchSettings.prior``).
        rounds: worlds in which it raced, if it was among the last (``SearchSettings.race``); else 0.
        lead: by how much it was better there than what is advised, on average.
        lead_doubt: variance of that mean.
    """

    action: int
    visits: int
    worth: float
    doubt: float
    mean: float
    spread: float
    advised: bool
    bonus: float = 0.0
    rounds: int = 0
    lead: float = 0.0
    lead_doubt: float = 0.0


@dataclass(frozen=True)
class PlayEstimate:
    """Findings of a search, or of the judges, on one play.

    Attributes:
        play: as ``Deal.legal`` lists it.
        visits: simulations that began with it.
        mean: of what it brought the mover in them, as people count it (points, chips, stakes).
        spread: standard deviation of that.
        worth: mean of what the search plays for (``SearchSettings.relative``), in the same unit.
        doubt: variance of that mean.
    """

    play: str
    visits: int
    mean: float
    spread: float
    worth: float
    doubt: float

    @property
    def judged(self) -> bool:
        """Whether it was tried often enough for its mean to say something."""
        return self.visits >= FEWEST_VISITS

    @property
    def error(self) -> float:
        """So far its true worth lies from ``worth`` at most, in 19 of 20 cases."""
        return 2 * sqrt(self.doubt)


def play_estimate(play: str, parts: Sequence[ActionEstimate], unit: int) -> PlayEstimate:
    """Of a play, from what was found of the actions that it may begin with."""
    visits = sum(part.visits for part in parts)
    shares = np.array([part.visits / visits for part in parts])
    mean = float(shares @ [part.mean for part in parts])
    square = float(shares @ [part.spread**2 + part.mean**2 for part in parts])
    worth = float(shares @ [part.worth for part in parts])
    doubt = float(shares**2 @ [part.doubt for part in parts])
    return PlayEstimate(play, visits, mean / unit, spread_of(1, mean, square) / unit, worth / unit, doubt / unit**2)


def prefer_advised(found: list[ActionEstimate], trust: float) -> list[ActionEstimate]:
    """The same, with what is advised first unless the first is better by so many standard errors.

    Simulations scatter. Where they cannot tell two actions apart, experience may.
    """
    first = found[0]
    for advised in found:
        if advised.advised:
            ahead, doubt = first.worth - advised.worth, first.doubt + advised.doubt
            if first.rounds:
                if not advised.rounds:  # it has lost the race; its mean is of other worlds
                    break
                ahead, doubt = first.lead, first.lead_doubt
            if ahead + first.bonus - advised.bonus <= trust * sqrt(doubt):
                return [advised, *(other for other in found if other is not advised)]
    return found


def root_estimates(trees: Sequence[Any], fading: int) -> list[ActionEstimate]:
    """What the roots of these trees found, added up; first those that were tried beside all others to the end, the
    best of them first, then the most visited; ``fading`` is that of their settings."""
    sums: dict[int, NDArray[np.float64]] = defaultdict(lambda: np.zeros(10))
    for grown in trees:
        edge = int(grown["first"][0])
        while edge != NONE:
            found = grown["edges"][edge]
            action, visits = int(found["action"]), int(found["visits"])
            payoff, payoff_squared, worth_squared, rounds, lead, doubt = map(float, grown["sums"][action].item())
            scale = sqrt(float(grown["deviations"]) / max(int(grown["worths"]), 1))
            bonus = scale * tree.faded(float(found["bonus"]), int(rounds) or visits, fading)
            sums[action] += [
                visits,
                action == int(grown["advised"]),
                visits * float(found["worth"]),
                visits * bonus,
                payoff,
                payoff_squared,
                worth_squared,
                rounds,
                lead * rounds,
                doubt * rounds**2,
            ]
            edge = int(found["next"])
    found = [action_estimate(action, *amounts) for action, amounts in sums.items() if amounts[0]]
    return sorted(found, key=rank)


def rank(found: ActionEstimate) -> tuple[float, ...]:
    """By which estimates are sorted."""
    return (-found.rounds, 0 if found.rounds else -found.visits, -found.worth - found.bonus, found.action)


def action_estimate(
    action: int,
    visits: float,
    advised: float,
    worth: float,
    bonus: float,
    payoff: float,
    payoff_squared: float,
    worth_squared: float,
    rounds: float,
    lead: float,
    doubt: float,
) -> ActionEstimate:
    """From an action's sums over all trees."""
    return ActionEstimate(
        action=action,
        visits=int(visits),
        worth=float(worth / visits),
        doubt=spread_of(visits, worth, worth_squared) ** 2 / visits,
        mean=float(payoff / visits),
        spread=spread_of(visits, payoff, payoff_squared),
        advised=advised > 0,
        bonus=float(bonus / visits),
        rounds=int(rounds),
        lead=float(lead / max(rounds, 1)),
        lead_doubt=float(doubt / max(rounds, 1) ** 2),
    )


def spread_of(number: float, total: float, squares: float) -> float:
    """Standard deviation, from the sums of so many numbers and of their squares."""
    return sqrt(max(0.0, squares / number - (total / number) ** 2))
