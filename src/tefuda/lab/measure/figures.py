"""The figures: each is one number for every deal and arm, computed from a run's tables. docs/lab.md defines them."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from tefuda.engine.estimates import ControlledMeans
from tefuda.engine.objective import teams_of
from tefuda.lab.experiment import ANSWERS, OF_FIRST_BOT, RECOVERY, Arm, Experiment, recovery_figures
from tefuda.lab.measure.intervals import Interval, interval, resampled
from tefuda.lab.measure.rows import KEY, READ_COLUMNS, measures_luck

DEAL = ("arm", "seed", "deal")

PART = 1 << 16  #: deals whose rows are held in memory at a time

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
    """Payoff of a seat of this kind beyond the mean of the others; null where no seat, or every seat, is such. Its
    partners are none of the others (``engine/objective.py``)."""
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


def first_place() -> pl.Expr:
    """A seat's share of the first place, which seats that tie share."""
    is_best = pl.col("payoff") == pl.col("payoff").max()
    return is_best / is_best.sum()


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
    if name in OF_FIRST_BOT:
        strong = {arm.name: arm.bots[0] for arm in experiment.arms}
        named = pl.col("arm").cast(pl.String).replace_strict(strong, return_dtype=pl.String)
        is_first = pl.col("bot").cast(pl.String) == named
        if name == "gain":
            return advantage(experiment, is_first)
        place = pl.col("payoff").rank("average", descending=True)
        return first_place().filter(is_first).sum() if name == "wins" else place.filter(is_first).mean()
    what, _, which = name.partition(".")
    if what in RECOVERY:  # of the seats that once were so far behind
        recovered = first_place() if what == "wins" else (pl.col("payoff") > pl.col("payoff").min()).cast(pl.Float64)
        return recovered.filter(pl.col("behind") >= float(which)).mean()
    return pl.col("lines").list.count_matches(pl.lit(which)).sum().cast(pl.Float64)


def in_parts(deals: pl.LazyFrame, summarise: Callable[[pl.LazyFrame], pl.LazyFrame]) -> pl.DataFrame:
    """Summarise the rows of whole deals, ``PART`` of them at a time: a run need not fit into memory."""
    end = (deals.select(pl.col("deal").max()).collect().item() or 0) + 1
    each = (deals.filter(pl.col("deal").is_between(k, k + PART, closed="left")) for k in range(0, end, PART))
    return pl.concat([summarise(part).collect() for part in each])


def by_deal(experiment: Experiment, deals: pl.LazyFrame, names: Sequence[str]) -> pl.DataFrame:
    """Figures measured in every deal: a row for each arm and deal (the mean of its rotations), sorted by them."""

    def figures(part: pl.LazyFrame) -> pl.LazyFrame:
        wanted = {each: figure_expression(experiment, each) for each in names}
        games = part.group_by(KEY, maintain_order=True).agg(**wanted)
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
    """Share of winners that had once thought winning unlikely: a row for each arm and deal, sorted by them. Unlikely is
    a chance below half of an equal share of the seats, as the winner saw it at one of its own decisions."""
    low = decisions.filter(pl.col("first").is_not_null()).group_by(*KEY, "seat").agg(pl.col("first").min())
    ends = deals.group_by(KEY).agg(best=pl.col("payoff").max(), worst=pl.col("payoff").min(), seats=pl.len())
    games = deals.join(low, on=[*KEY, "seat"], how="inner").join(ends, on=KEY)
    winners = games.filter((pl.col("payoff") == pl.col("best")) & (pl.col("best") > pl.col("worst")))
    came_back = (pl.col("first") < 0.5 / pl.col("seats")).cast(pl.Float64).mean()
    return winners.group_by(DEAL).agg(comeback=came_back).sort(DEAL)


def lead_changes(decisions: pl.DataFrame) -> pl.DataFrame:
    """Share of sampled decisions to which the lead passes on: a row for each arm and deal, sorted."""
    seen = decisions.filter(pl.col("leader").is_not_null()).sort("decision")
    changed = pl.col("leader") != pl.col("leader").shift(1)  # null at the first decision, which has none before it
    games = seen.group_by(KEY).agg(lead_changes=changed.mean())
    return games.group_by(DEAL).agg(pl.col("lead_changes").mean()).sort(DEAL)


def figure_names(experiment: Experiment) -> list[str]:
    """The figures measured in every deal, except the lines of the score sheet."""
    measured = [name for name, measure in ANSWERS.items() if measure in experiment.measures and name in _OF_GAME]
    if "seats" in experiment.measures:
        measured += ["first", *experiment.places, *experiment.numbers]
    measured += recovery_figures(experiment.behind)
    if "outcome" in experiment.measures and all(arm.rotations > 1 for arm in experiment.arms):
        measured += OF_FIRST_BOT if experiment.whole_games else ["gain"]
    return measured


# Luck and skill where bots differ


SURE = 0.95  #: probability with which the better bot is to lead
NOTED = 0.1  #: share of the deals paid differently from which on chance is worth a sentence
_SEAT = (*KEY[1:], "seat")  # columns that name a seat of a game, whatever the arm
_PLAYED = ("moves", "decisions", "choices")  # columns that show that other actions were made, or could be chosen


@dataclass(frozen=True)
class Luck:
    """Shares of the variance of an arm's payoffs by the hand dealt, the bot and the rest, and the bots' gain.

    ``gain`` is that of the first bot (``strong``) over the others' mean, a deal; without luck None where that was not
    measured. So many ``deals`` are needed before the better bot leads with a probability of 95%, each played once, or
    ``duplicate`` in every rotation."""

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

    def gains(amount: str) -> pl.DataFrame:
        paid = rows.with_columns(payoff=pl.col(amount))
        return in_parts(paid, lambda part: part.group_by(KEY, maintain_order=True).agg(gain=gained))

    games = gains("payoff")
    by_deal = _gain_by_deal(games)
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
        _without_luck(by_deal, _gain_by_deal(gains("luck"))) if kept and measures_luck(experiment, arm) else None,
    )


def _gain_by_deal(games: pl.DataFrame) -> NDArray[np.float64]:
    return games.group_by(DEAL, maintain_order=True).agg(pl.col("gain").mean()).sort(DEAL)["gain"].to_numpy()


def _without_luck(gains: NDArray[np.float64], luck: NDArray[np.float64]) -> Interval:
    """The gain without luck, as in a match (``ControlledMeans``), with its interval."""
    controlled, corrected = ControlledMeans(1), np.zeros(len(gains))
    for k, (gain, chance) in enumerate(zip(gains, luck, strict=True)):
        corrected[k] = gain - float(controlled.multiples()[0]) * chance
        controlled.add(np.array([[gain]]), np.array([[chance]]))
    return interval(corrected)


def deals_needed(gain: Interval, deviation: float) -> Interval:
    """Deals until a sum of independent gains is above 0 with probability ``SURE``, by the normal approximation. The
    interval follows from that of the gain; it has no end where the gain's interval includes 0."""
    factor = (stats.norm.ppf(SURE) * deviation) ** 2

    def deals(by: float) -> float:
        return factor / by**2 if by else math.inf

    clear = gain.low * gain.high > 0
    near, far = sorted((abs(gain.low), abs(gain.high)))
    return Interval(deals(gain.mean), deals(far), deals(near) if clear else math.inf, gain.count, math.nan)


def variance_shares(rows: pl.LazyFrame) -> dict[str, Interval]:
    """Variance components of a payoff: the hand (deal and seat), the bot, and what is left. A two-way layout without
    repetition, hands by bots, estimated from mean squares; intervals by resampling deals."""
    hand = ["seed", "deal", "seat"]
    cells = in_parts(rows, lambda part: part.group_by(*hand, "bot").agg(pl.col("payoff").mean()))
    wide = cells.pivot("bot", index=hand, values="payoff").drop_nulls().sort(hand)
    table = wide.drop(hand).to_numpy()
    hands = table.reshape(-1, int(wide["seat"].n_unique()), table.shape[1])
    counts = np.full(len(hands), hands.shape[1])
    squares = [(hands**2).sum((1, 2)), (hands.mean(2) ** 2).sum(1)]
    sums = np.column_stack([counts, *squares, hands.sum(1)])
    return dict(zip(("the hand dealt", "the bot", "the rest"), resampled(sums, _variance_components), strict=True))


def _variance_components(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of the variance, float64 of shape (samples, 3), from the number of hands, the sums of all squares and of
    the squared means of hands, and each bot's sum."""
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

    Players made, or could choose among, another number of actions (``played``), or a seat received something else
    (``paid``). By ``chance`` a seat receives something else where the first arm is played again with other random
    numbers; None where it was not. Once a deal goes differently, bots draw other numbers too."""

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
    kinds = ("differing", "played", "paid")
    shares = {kind: interval(found[kind].to_numpy().astype(float), share=True) for kind in kinds}
    return Reach(arm.name, **shares, chance=chance)
