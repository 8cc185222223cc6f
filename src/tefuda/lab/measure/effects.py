"""Effects of options and of bots: in how many deals options made a difference, and luck and skill where bots differ."""

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from tefuda.engine.estimates import ControlledMeans
from tefuda.lab.experiment.definition import Arm, Experiment
from tefuda.lab.measure.figures import DEAL, figure_expression, in_parts, of_arm
from tefuda.lab.measure.intervals import Interval, interval, resampled
from tefuda.lab.measure.rows import KEY, measures_luck

SURE = 0.95
"""The probability with which the better bot is to lead."""

NOTED = 0.1
"""Share of the deals paid differently from which on chance is worth a sentence."""

_SEAT = (*KEY[1:], "seat")
"""Columns that name a seat of a game, whatever the arm."""

_PLAYED = ("moves", "decisions", "choices")
"""Columns that show that other actions were made, or could be chosen."""


@dataclass(frozen=True)
class Luck:
    """Shares of an arm's payoffs that the cards decide, and that the bots decide.

    Attributes:
        arm: its name.
        strong: the bot named first; the others are compared with it.
        shares: of the variance of a payoff: the hand dealt, the bot, the rest; each with its interval.
        gain: of the first bot over the others' mean, a deal.
        deals: how many are needed before the better bot leads with a probability of 95 %, each deal played once.
        duplicate: how many are needed where each deal is played in every rotation.
        gain_without_luck: the gain with the luck of the cards taken out; None where that was not measured.
    """

    arm: str
    strong: str
    shares: dict[str, Interval]
    gain: Interval
    deals: Interval
    duplicate: Interval
    gain_without_luck: Interval | None = None


def luck_of(experiment: Experiment, arm: Arm, deals: pl.LazyFrame) -> Luck:
    """Luck and skill in an arm in which bots differ, from the rows of all arms."""
    rows, gained = deals.filter(of_arm(arm.name)), figure_expression(experiment, "gain")
    games = in_parts(rows, lambda part: part.group_by(KEY, maintain_order=True).agg(gain=gained))
    by_deal = _means_by_deal(games, "gain")
    gain = interval(by_deal)
    single = float(games["gain"].to_numpy().std(ddof=1))
    kept = "luck" in rows.collect_schema().names()  # runs of earlier versions lack it
    return Luck(
        arm.name,
        arm.bots[0],
        variance_shares(rows),
        gain,
        deals_needed(gain, single),
        deals_needed(gain, gain.deviation),
        _without_luck(by_deal, _luck_by_deal(rows, gained)) if kept and measures_luck(experiment, arm) else None,
    )


def _means_by_deal(games: pl.DataFrame, name: str) -> NDArray[np.float64]:
    return games.group_by(DEAL, maintain_order=True).agg(pl.col(name).mean()).sort(DEAL)[name].to_numpy()


def _luck_by_deal(rows: pl.LazyFrame, gained: pl.Expr) -> NDArray[np.float64]:
    """The part of the first bot's gain that was luck of the cards, on average over the rotations of each deal."""
    as_payoff = rows.with_columns(payoff=pl.col("luck"))
    games = in_parts(as_payoff, lambda part: part.group_by(KEY, maintain_order=True).agg(luck=gained))
    return _means_by_deal(games, "luck")


def _without_luck(gains: NDArray[np.float64], luck: NDArray[np.float64]) -> Interval:
    """The gain without luck, as in a match (``ControlledMeans``), with its interval."""
    controlled, corrected = ControlledMeans(1), np.zeros(len(gains))
    for k, (gain, chance) in enumerate(zip(gains, luck, strict=True)):
        corrected[k] = gain - float(controlled.multiples()[0]) * chance
        controlled.add(np.array([[gain]]), np.array([[chance]]))
    return interval(corrected)


def deals_needed(gain: Interval, deviation: float) -> Interval:
    """Deals until a sum of independent gains is above 0 with probability ``SURE``, by the normal approximation.

    The interval follows from that of the gain; it has no end where the gain's interval includes 0.
    """
    factor = (stats.norm.ppf(SURE) * deviation) ** 2

    def deals(by: float) -> float:
        return factor / by**2 if by else math.inf

    clear = gain.low * gain.high > 0
    near, far = sorted((abs(gain.low), abs(gain.high)))
    return Interval(deals(gain.mean), deals(far), deals(near) if clear else math.inf, gain.count, math.nan)


def variance_shares(rows: pl.LazyFrame) -> dict[str, Interval]:
    """Variance components of a payoff: the hand (deal and seat), the bot, and what is left.

    A two-way layout without repetition, hands by bots, estimated from mean squares; intervals by resampling deals.
    """
    hand = ["seed", "deal", "seat"]
    cells = in_parts(rows, lambda part: part.group_by(*hand, "bot").agg(pl.col("payoff").mean()))
    wide = cells.pivot("bot", index=hand, values="payoff").drop_nulls().sort(hand)
    table = wide.drop(hand).to_numpy()
    hands = table.reshape(-1, int(wide["seat"].n_unique()), table.shape[1])
    counts = np.full(len(hands), hands.shape[1])
    squares = [(hands**2).sum((1, 2)), (hands.mean(2) ** 2).sum(1)]
    sums = np.column_stack([counts, *squares, hands.sum(1)])
    names = ("the hand dealt", "the bot", "the rest")
    ends = zip(*resampled(sums, _variance_components), strict=True)
    return {
        name: Interval(float(whole), float(low), float(high), len(hands), math.nan)
        for name, (whole, low, high) in zip(names, ends, strict=True)
    }


def _variance_components(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of the variance, float64 of shape (samples, 3).

    Args:
        sums: of each sample the number of hands, the sums of all squares and of the squared means of hands, and each
            bot's sum.
    """
    count, squares, hand_squares, bots = sums[:, 0], sums[:, 1], sums[:, 2], sums.shape[1] - 3
    means = sums[:, 3:] / count[:, None]
    grand = means.mean(1)
    between_hands = bots * (hand_squares - count * grand**2)
    between_bots = count * ((means - grand[:, None]) ** 2).sum(1)
    rest = (squares - count * bots * grand**2 - between_hands - between_bots) / ((count - 1) * (bots - 1))
    hand = np.maximum(0, (between_hands / (count - 1) - rest) / bots)
    bot = np.maximum(0, (between_bots / (bots - 1) - rest) / count)
    parts = np.stack([hand, bot, rest], axis=1)
    total = parts.sum(1, keepdims=True)
    found: NDArray[np.float64] = np.divide(parts, total, out=np.zeros_like(parts), where=total > 0)
    return found


# Reach of options


@dataclass(frozen=True)
class Reach:
    """Shares of the deals in which an arm went differently from the first one, with the same cards and bots.

    Attributes:
        arm: its name.
        differing: share of the deals in which anything went differently.
        played: share in which players made, or could choose among, another number of actions.
        paid: share in which a seat received something else.
        chance: share in which a seat receives something else where the first arm is played again with other random
            numbers; None where it was not. Once a deal goes differently, bots draw other numbers too.
    """

    arm: str
    differing: Interval
    played: Interval
    paid: Interval
    chance: Interval | None = None

    @property
    def is_nothing(self) -> bool:
        """True if no deal went differently: the comparison has asked nothing of these players."""
        return self.differing.mean == 0

    @property
    def may_be_chance(self) -> bool:
        """True if chance may have paid ``NOTED`` or more of the deals that were paid differently."""
        might = self.differing.mean * self.chance.mean if self.chance else 0.0
        return might > NOTED * self.paid.mean > 0


def reach_of(experiment: Experiment, deals: pl.LazyFrame) -> list[Reach]:
    """The reach of each arm that differs from the first by its options only."""
    first = experiment.arms[0]
    chance = _chance(deals) if "again" in deals.collect_schema().names() else None
    return [_reach(first, arm, deals, chance) for arm in experiment.arms[1:] if arm.differs_by_options(first)]


def _chance(deals: pl.LazyFrame) -> Interval | None:
    """Share of the deals played again in which a seat received something else; None if none was."""
    again = deals.filter(pl.col("again").is_not_null())
    differs = again.group_by("seed", "deal").agg(paid=(pl.col("payoff") != pl.col("again")).any()).collect()
    return interval(differs["paid"].to_numpy().astype(float), share=True) if len(differs) > 1 else None


def _reach(first: Arm, arm: Arm, deals: pl.LazyFrame, chance: Interval | None) -> Reach:
    paid = pl.col("payoff") != pl.col("payoff_right")
    played = pl.any_horizontal(pl.col(each) != pl.col(f"{each}_right") for each in _PLAYED)

    def compared(part: pl.LazyFrame) -> pl.LazyFrame:
        rows = part.select("arm", *_SEAT, "payoff", *_PLAYED)
        both = rows.filter(of_arm(first.name)).join(rows.filter(of_arm(arm.name)), on=list(_SEAT), how="inner")
        return both.group_by("seed", "deal").agg(paid=paid.any(), played=played.any())

    found = in_parts(deals, compared).with_columns(differing=pl.col("paid") | pl.col("played"))
    shares = {
        each: interval(found[each].to_numpy().astype(float), share=True) for each in ("differing", "played", "paid")
    }
    return Reach(arm.name, **shares, chance=chance)
