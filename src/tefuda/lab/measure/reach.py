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


NOTED = 0.1
"""Share of the deals paid differently from which on chance is worth a sentence."""


@dataclass(frozen=True)
class Reach:
    """In how many deals an arm went differently from the first one, where both play the same cards and bots.

    Attributes:
        arm: which.
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
        """Whether no deal went differently: the comparison has asked nothing of these players."""
        return self.differing.mean == 0

    @property
    def may_be_chance(self) -> bool:
        """Whether chance may have paid ``NOTED`` or more of the deals that were paid differently."""
        might = self.differing.mean * self.chance.mean if self.chance else 0.0
        return might > NOTED * self.paid.mean > 0


def reach_of(experiment: Experiment, deals: pl.LazyFrame) -> list[Reach]:
    """Of each arm that differs from the first by its options only, in how many deals that made a difference."""
    first = experiment.arms[0]
    chance = _chance(deals) if "again" in deals.collect_schema().names() else None
    return [_reach(first, arm, deals, chance) for arm in experiment.arms[1:] if arm.differs_by_options(first)]


def _chance(deals: pl.LazyFrame) -> Interval | None:
    """In which share of the deals that were played again a seat received something else; None if none was."""
    again = deals.filter(pl.col("again").is_not_null())
    differs = again.group_by("seed", "deal").agg(paid=(pl.col("payoff") != pl.col("again")).any()).collect()
    return interval(differs["paid"].to_numpy().astype(float), share=True) if len(differs) > 1 else None


def _reach(first: Arm, arm: Arm, deals: pl.LazyFrame, chance: Interval | None) -> Reach:
    paid = pl.col("payoff") != pl.col("payoff_right")
    played = pl.any_horizontal(pl.col(each) != pl.col(f"{each}_right") for each in _PLAYED)

    def compared(part: pl.LazyFrame) -> pl.LazyFrame:
        rows = part.select("arm", *_SEAT, "payoff", *_PLAYED)
        one, two = (rows.filter(pl.col("arm").cast(pl.String) == each.name) for each in (first, arm))
        both = one.join(two, on=list(_SEAT), how="inner")
        return both.group_by("seed", "deal").agg(paid=paid.any(), played=played.any())

    found = in_parts(deals, compared).with_columns(differing=pl.col("paid") | pl.col("played"))
    shares = {
        each: interval(found[each].to_numpy().astype(float), share=True) for each in ("differing", "played", "paid")
    }
    return Reach(arm.name, **shares, chance=chance)
