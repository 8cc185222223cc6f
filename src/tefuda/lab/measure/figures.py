"""The figures: each is one number for every deal and arm, computed from a run's tables. docs/lab.md defines them."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tefuda.engine.objective import teams_of
from tefuda.lab.experiment.definition import ANSWERS, RECOVERY, Experiment, recovery_figures
from tefuda.lab.measure.rows import KEY, READ_COLUMNS

DEAL = ("arm", "seed", "deal")

PART = 1 << 16
"""Deals whose rows are held in memory at a time."""

_OF_GAME = {
    "moves": pl.col("moves").sum(),
    "decisions": pl.col("decisions").sum(),
    "choices": (pl.col("choices").sum() / pl.col("decisions").sum()).fill_nan(None),  # where no seat had a choice
    "drawn": (pl.col("payoff").max() == pl.col("payoff").min()).cast(pl.Float64),
    "spread": pl.col("payoff").max() - pl.col("payoff").min(),
    "sum": pl.col("payoff").sum(),
}
"""Figures of a game, from the rows of its seats."""

SAMPLED_FIGURES = ("matters", "gap", "care", "pays", "costs", "worth", "taken", "differs", "unknown")
"""Figures of a deal that are means over its sampled decisions."""


def of_arm(name: str) -> pl.Expr:
    """True for the rows of an arm."""
    return pl.col("arm").cast(pl.String) == name


def advantage(experiment: Experiment, is_one: pl.Expr) -> pl.Expr:
    """Payoff of a seat of this kind beyond the mean of the others; null where no seat, or every seat, is such.

    Its partners are none of the others (``engine/objective.py``).
    """
    payoff, beside = pl.col("payoff"), ~is_one
    for is_partner in partnerships(experiment):
        beside &= ~(is_partner & (is_partner & is_one).any())
    return payoff.filter(is_one).mean() - payoff.filter(beside).mean()


def partnerships(experiment: Experiment) -> Iterator[pl.Expr]:
    """For every team of several seats, in every arm: true for the rows of its seats."""
    for arm in experiment.arms:
        teams = teams_of(arm.game.template[0])
        for team in set(teams):
            seats = [seat for seat, of in enumerate(teams) if of == team]
            if len(seats) > 1:
                yield of_arm(arm.name) & pl.col("seat").is_in(seats)


def recovery_share(what: str, points: float) -> pl.Expr:
    """Share that recovered (one of ``RECOVERY``) of the seats of a whole game that once were so far behind.

    Null where no seat was so far behind.
    """
    payoff, far = pl.col("payoff"), pl.col("behind") >= points
    won = (payoff == payoff.max()) / (payoff == payoff.max()).sum()
    return {"recovers": (payoff > payoff.min()).cast(pl.Float64), "wins": won}[what].filter(far).mean()


def figure_expression(experiment: Experiment, name: str) -> pl.Expr:
    """A figure of a game, from the rows of its seats."""
    if name in _OF_GAME:
        return _OF_GAME[name]
    if name == "first":
        return advantage(experiment, pl.col("acts_first"))
    if name in experiment.places:
        return advantage(experiment, pl.col(name))
    if name in experiment.numbers:
        return pl.col(name).first().cast(pl.Float64)
    if name == "gain":
        strong = {arm.name: arm.bots[0] for arm in experiment.arms}
        named = pl.col("arm").cast(pl.String).replace_strict(strong, return_dtype=pl.String)
        return advantage(experiment, pl.col("bot").cast(pl.String) == named)
    what, _, which = name.partition(".")
    if what in RECOVERY:
        return recovery_share(what, float(which))
    return pl.col("lines").list.count_matches(pl.lit(which)).sum().cast(pl.Float64)


def in_parts(deals: pl.LazyFrame, summarise: Callable[[pl.LazyFrame], pl.LazyFrame]) -> pl.DataFrame:
    """Summarise rows of a run part by part, ``PART`` deals at a time: a run need not fit into memory.

    ``summarise`` makes something smaller of the rows of whole deals; its results come one below the other.
    """
    end = (deals.select(pl.col("deal").max()).collect().item() or 0) + 1
    starts = range(0, end, PART)
    each = (deals.filter(pl.col("deal").is_between(k, k + PART, closed="left")) for k in starts)
    return pl.concat([summarise(part).collect() for part in each])


def by_deal(experiment: Experiment, deals: pl.LazyFrame, names: Sequence[str]) -> pl.DataFrame:
    """Figures measured in every deal: a row for each arm and deal (the mean of its rotations), sorted by them."""

    def figures(part: pl.LazyFrame) -> pl.LazyFrame:
        games = part.group_by(KEY, maintain_order=True).agg(
            **{each: figure_expression(experiment, each) for each in names}
        )
        return games.group_by(DEAL, maintain_order=True).agg(pl.col(each).mean() for each in names)

    return in_parts(deals, figures).sort(DEAL)


def values_by_deal(experiment: Experiment, deals: pl.LazyFrame, name: str) -> list[NDArray[np.float64]]:
    """A figure's values for the same deals in every arm, arm by arm, in the order of the deals."""
    return paired_values(experiment, by_deal(experiment, deals, [name]), name)


def paired_values(experiment: Experiment, table: pl.DataFrame, name: str) -> list[NDArray[np.float64]]:
    """A column of a table by deal, for each arm; deals in which an arm has no value are left out of all."""
    wide = table.select(*DEAL, name).pivot("arm", index=["seed", "deal"], values=name, maintain_order=True)
    wide = wide.drop_nulls().sort("seed", "deal")
    names = [arm.name for arm in experiment.arms]
    return [wide[each].to_numpy().astype(np.float64) if each in wide.columns else np.zeros(0) for each in names]


def arm_values(experiment: Experiment, table: pl.DataFrame, name: str) -> list[NDArray[np.float64]]:
    """A column of a table by deal, for each arm, in all deals in which that arm has a value."""
    kept = table.filter(pl.col(name).is_not_null()).sort("seed", "deal")
    return [kept.filter(of_arm(arm.name))[name].to_numpy().astype(np.float64) for arm in experiment.arms]


def sampled_by_deal(decisions: pl.DataFrame) -> pl.DataFrame:
    """Figures of the sampled deals: a row for each arm and deal, sorted by them."""
    kept = [name for name in decisions.columns if name in SAMPLED_FIGURES or name.split()[0] in READ_COLUMNS]
    return decisions.group_by(DEAL).agg(pl.col(each).mean() for each in kept).sort(DEAL)


def comebacks(deals: pl.DataFrame, decisions: pl.DataFrame) -> pl.DataFrame:
    """Share of winners that had once thought winning unlikely: a row for each arm and deal, sorted by them.

    Unlikely is a chance below half of an equal share of the seats, as the winner saw it at one of its own decisions.
    """
    low = decisions.filter(pl.col("first").is_not_null()).group_by(*KEY, "seat").agg(pl.col("first").min())
    games = deals.join(low, on=[*KEY, "seat"], how="inner").join(
        deals.group_by(KEY).agg(best=pl.col("payoff").max(), worst=pl.col("payoff").min(), seats=pl.len()), on=KEY
    )
    winners = games.filter((pl.col("payoff") == pl.col("best")) & (pl.col("best") > pl.col("worst")))
    came_back = (pl.col("first") < 0.5 / pl.col("seats")).cast(pl.Float64).mean()
    return winners.group_by(DEAL).agg(comeback=came_back).sort(DEAL)


def lead_changes(decisions: pl.DataFrame) -> pl.DataFrame:
    """Share of sampled decisions to which the lead passes on: a row for each arm and deal, sorted."""
    seen = decisions.filter(pl.col("leader").is_not_null()).sort("decision")
    changed = pl.col("leader") != pl.col("leader").shift(1)  # null at the first decision, which has none before it
    games = seen.group_by(KEY).agg(lead_changes=changed.mean())
    return games.group_by(DEAL).agg(pl.col("lead_changes").mean()).sort(DEAL)


def deal_course(deals: pl.DataFrame, decisions: pl.DataFrame, variances: pl.DataFrame, parts: int = 8) -> pl.DataFrame:
    """Course of a deal: a row for each arm and part of the deal's decisions, from the rows of the sampled deals.

    Columns ``part`` (0 … parts − 1), ``unknown`` (bits) and ``open``: of the variance of what a seat will receive
    (``variances`` has it for each arm), the share that its own expectation at a decision leaves unexplained.
    """
    timed = decisions.filter(pl.col("gap").is_not_null() | pl.col("unknown").is_not_null()).join(
        deals.select(*KEY, "seat", "payoff"), on=[*KEY, "seat"], how="inner"
    )
    error = ((pl.col("payoff") - pl.col("expected")) ** 2).mean()
    return (
        timed.with_columns(part=pl.col("decision") * parts // pl.col("of"))
        .group_by("arm", "part")
        .agg(pl.col("unknown").mean(), error=error)
        .join(variances, on="arm")
        .with_columns(open=pl.col("error") / pl.col("variance"))
        .select("arm", "part", "unknown", "open")
        .sort("arm", "part")
    )


def figure_names(experiment: Experiment) -> list[str]:
    """The figures measured in every deal, except the lines of the score sheet."""
    measured = [name for name, measure in ANSWERS.items() if measure in experiment.measures and name in _OF_GAME]
    if "seats" in experiment.measures:
        measured += ["first", *experiment.places, *experiment.numbers]
    measured += recovery_figures(experiment.behind)
    if "outcome" in experiment.measures and all(arm.rotations > 1 for arm in experiment.arms):
        measured.append("gain")
    return measured
