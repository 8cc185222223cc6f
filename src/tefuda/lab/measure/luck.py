"""Luck and skill: what decides a payoff where different bots play the same hands, and how soon the better bot leads."""

import math
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from tefuda.engine.estimates import LEVEL, ControlledMeans
from tefuda.lab.experiment.schema import Arm, Experiment
from tefuda.lab.measure.figures import DEAL, figure_expression, in_parts
from tefuda.lab.measure.intervals import RESAMPLES, Interval, interval
from tefuda.lab.measure.tables import KEY, measures_luck

SURE = 0.95
"""The probability with which the better bot is to lead."""

GROUPS = 1000
"""Groups at most in which deals are resampled."""


@dataclass(frozen=True)
class Luck:
    """How much of an arm's payoffs the cards decide, and how much the bots that play them.

    Attributes:
        arm: which.
        strong: the bot named first; the others are compared with it.
        shares: of the variance of a payoff: the hand dealt, the bot, the rest; each with its interval.
        gain: what the first bot receives beyond the others' mean, a deal.
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
    rows = deals.filter(pl.col("arm").cast(pl.String) == arm.name)
    gained = figure_expression(experiment, "gain")
    games = in_parts(rows, lambda part: part.group_by(KEY, maintain_order=True).agg(gain=gained))
    by_deal = games.group_by(DEAL, maintain_order=True).agg(pl.col("gain").mean()).sort(DEAL)["gain"].to_numpy()
    gain = interval(by_deal)
    measured = (
        measures_luck(experiment, arm) and "luck" in rows.collect_schema().names()
    )  # runs of earlier versions lack it
    single = float(games["gain"].to_numpy().std(ddof=1))
    return Luck(
        arm.name,
        arm.bots[0],
        variance_shares(rows),
        gain,
        deals_needed(gain, single),
        deals_needed(gain, gain.deviation),
        without_luck(by_deal, luck_by_deal(rows, gained)) if measured else None,
    )


def luck_by_deal(rows: pl.LazyFrame, gained: pl.Expr) -> NDArray[np.float64]:
    """What of the first bot's gain was the luck of the cards, on average over the rotations of each deal."""
    as_payoff = rows.with_columns(payoff=pl.col("luck"))
    games = in_parts(as_payoff, lambda part: part.group_by(KEY, maintain_order=True).agg(luck=gained))
    return games.group_by(DEAL, maintain_order=True).agg(pl.col("luck").mean()).sort(DEAL)["luck"].to_numpy()


def without_luck(gains: NDArray[np.float64], luck: NDArray[np.float64]) -> Interval:
    """The gain as a match has it without luck (``ControlledMeans``), with its interval."""
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
    seats = int(wide["seat"].n_unique())
    table = wide.drop(hand).to_numpy()
    hands = table.reshape(-1, seats, table.shape[1])
    sums = np.stack([variance_sums(each) for each in np.array_split(hands, min(GROUPS, len(hands)))])
    rng = np.random.default_rng(0)
    weights = rng.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), RESAMPLES)
    whole = variance_components(sums.sum(0, keepdims=True), table.shape[1])[0]
    low, high = np.quantile(
        variance_components(weights @ sums, table.shape[1]), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0
    )
    names = ("the hand dealt", "the bot", "the rest")
    return {
        name: Interval(float(whole[k]), float(low[k]), float(high[k]), len(hands), math.nan)
        for k, name in enumerate(names)
    }


def variance_sums(hands: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums from which the components follow: count, squares, squared hand means, and each bot's sum.

    Args:
        hands: float64 of shape (deals, seats, bots).
    """
    flat = hands.reshape(-1, hands.shape[-1])
    return np.array([len(flat), (flat**2).sum(), (flat.mean(1) ** 2).sum(), *flat.sum(0)])


def variance_components(sums: NDArray[np.float64], bots: int) -> NDArray[np.float64]:
    """Shares of the variance, float64 of shape (samples, 3), from rows of ``variance_sums`` added up."""
    count, squares, hand_squares = sums[:, 0], sums[:, 1], sums[:, 2]
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
