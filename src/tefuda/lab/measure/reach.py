"""In how many deals the options of the arms made a difference: what a comparison has asked of its players."""

from dataclasses import dataclass

import polars as pl

from tefuda.lab.experiment.schema import Arm, Experiment
from tefuda.lab.measure.figures import in_parts
from tefuda.lab.measure.intervals import Interval, interval
from tefuda.lab.measure.tables import KEY

_SEAT = (*KEY[1:], "seat")
"""Columns that name a seat of a game, whatever the arm."""

_PLAYED = ("moves", "decisions", "choices")
"""Columns that show that other actions were made, or could be chosen."""


@dataclass(frozen=True)
class Reach:
    """In how many deals an arm went differently from the first one, where both play the same cards and bots.

    Attributes:
        arm: which.
        differing: share of the deals in which anything went differently.
        played: share in which players made, or could choose among, another number of actions.
        paid: share in which a seat received something else.
    """

    arm: str
    differing: Interval
    played: Interval
    paid: Interval

    @property
    def is_nothing(self) -> bool:
        """Whether no deal went differently: the comparison has asked nothing of these players."""
        return self.differing.mean == 0


def reach_of(experiment: Experiment, deals: pl.LazyFrame) -> list[Reach]:
    """Of each arm that differs from the first by its options only, in how many deals that made a difference."""
    first = experiment.arms[0]
    return [_reach(first, arm, deals) for arm in experiment.arms[1:] if is_comparable(first, arm)]


def is_comparable(first: Arm, arm: Arm) -> bool:
    """Whether two arms play the same cards with the same bots, so that only options can make a difference."""
    return arm.bots == first.bots and arm.has_pack_of(first)


def _reach(first: Arm, arm: Arm, deals: pl.LazyFrame) -> Reach:
    paid = pl.col("payoff") != pl.col("payoff_right")
    played = pl.any_horizontal(pl.col(each) != pl.col(f"{each}_right") for each in _PLAYED)

    def compared(part: pl.LazyFrame) -> pl.LazyFrame:
        rows = part.select("arm", *_SEAT, "payoff", *_PLAYED)
        one, two = (rows.filter(pl.col("arm").cast(pl.String) == each.name) for each in (first, arm))
        both = one.join(two, on=list(_SEAT), how="inner")
        return both.group_by("seed", "deal").agg(paid=paid.any(), played=played.any())

    found = in_parts(deals, compared).with_columns(differing=pl.col("paid") | pl.col("played"))
    shares = [interval(found[each].to_numpy().astype(float), share=True) for each in ("differing", "played", "paid")]
    return Reach(arm.name, *shares)
