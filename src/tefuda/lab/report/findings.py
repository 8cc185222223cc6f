"""The results of a run: every number that its report shows, computed from its tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tefuda.engine.estimates import LEVEL
from tefuda.lab.experiment import ANSWERS, SAMPLED, Experiment
from tefuda.lab.measure import figures, intervals
from tefuda.lab.measure.figures import Luck, Reach, luck_of, of_arm, reach_of
from tefuda.lab.measure.intervals import Difference, Gaps, Interval, gaps_between, interval
from tefuda.lab.measure.rows import READ_COLUMNS
from tefuda.lab.report.vocabulary import is_share, label
from tefuda.lab.runs import Run

FIFTHS = 5

AT_A_TIME = 4  #: figures whose values by deal are in memory at a time

OF_PLAYS = ("pays", "costs", "worth")
"""Figures that are told together: how often a play is right, how often wrong, and its worth."""

QUANTILES = (0.001, 0.01, 0.05, 0.5, 0.95, 0.99, 0.999)


@dataclass
class FigureRow:
    """A figure: each arm's mean, and the others' differences from the first, judged from ``gaps`` (``judge_rows``).

    Lines of the score sheet, which are told by how often a deal they occur, also have a mean worth in each arm."""

    name: str
    label: str
    share: bool
    means: list[Interval]
    gaps: list[Gaps] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    worths: list[float | None] = field(default_factory=list)


@dataclass
class PayoffSpread:
    """The spread of an arm's payoffs; ``values`` and ``counts`` are every payoff, ascending, and how often it came."""

    arm: str
    deviation: Interval
    quantiles: list[float]
    least: float
    most: float
    values: NDArray[np.float64]
    counts: NDArray[np.uint32]


@dataclass
class RuleEffect:
    """Shares of an arm's decisions that have other legal actions, or other advice, under the options of another arm.

    ``scatter`` is how often the adviser says something else when it is asked again under the same options; None for
    ``hints``, which are not asked again. ``beyond`` is ``advice`` less ``scatter``, by deal; the intervals of all
    effects in an arm hold together."""

    played: str
    read: str
    binds: Interval
    advice: Interval
    scatter: Interval | None = None
    beyond: Interval | None = None

    def is_nothing(self, answer: str) -> bool:
        """True if no decision showed anything of ``binds`` or ``advice``: the options have asked nothing."""
        share = self.binds if answer == "binds" else self.beyond or self.advice
        return not share.mean and not share.deviation


@dataclass
class Findings:
    """All results of a run."""

    experiment: Experiment
    deals: int
    illegal: int  #: answers of bots that were not legal
    rows: list[FigureRow] = field(default_factory=list)  #: figures of every deal
    sampled_rows: list[FigureRow] = field(default_factory=list)
    rule_effects: list[RuleEffect] = field(default_factory=list)
    lines: list[FigureRow] = field(default_factory=list)
    payoffs: list[PayoffSpread] = field(default_factory=list)
    luck: list[Luck] = field(default_factory=list)
    chances: list[tuple[str, list[tuple[float, float, int, Interval]]]] = field(default_factory=list)
    """of each arm, the worth of the play asked about by the chance of coming first after it: from, to, how often, and
    its worth"""
    sample: int = 0  #: deals whose decisions were sampled
    reaches: list[Reach] = field(default_factory=list)  #: in how many deals the options of the arms made a difference
    others: int = 0  #: differences beside those that answer the question; their intervals hold together
    stopped: bool = False  #: the run ended early, since its answer was clear

    @property
    def answering(self) -> FigureRow | None:
        """The row that answers the question; None where the table of how often rules bind does, or nothing does."""
        return next((row for row in (*self.rows, *self.sampled_rows) if row.name == self.experiment.answer), None)

    @property
    def unfinished(self) -> bool:
        """True if deals are still to be played."""
        return self.deals < self.experiment.deals and not self.stopped

    def sampled_row(self, name: str) -> FigureRow | None:
        """A figure of the sample, if it was measured."""
        return next((row for row in self.sampled_rows if row.name == name), None)

    def is_moot(self, k: int) -> bool:
        """True if the play asked about could be made in the k-th arm, but never came to matter in any rollout."""
        differs = self.sampled_row("differs")
        return differs is not None and differs.means[k].mean == 0

    def reach(self, arm: str) -> Reach | None:
        """The reach of an arm's options, if the deals can be compared one by one."""
        return next((each for each in self.reaches if each.arm == arm), None)


def find(run: Run) -> Findings:
    """The results of a run, finished or not."""
    experiment, deals = run.experiment, run.deals()
    counts = deals.select(deals=pl.col("deal").max() + 1, illegal=pl.col("illegal").sum())  # deals are 0 … deals − 1
    found = Findings(experiment, **counts.collect(engine="streaming").row(0, named=True))
    sheets = sheet_worths(experiment, deals)
    names = [*figures.figure_names(experiment), *sheets]
    if experiment.answer not in names and ANSWERS.get(experiment.answer) not in SAMPLED:
        names.append(experiment.answer)
    rows = {row.name: row for row in rows_of(experiment, deals, names)}
    found.rows = [row for name, row in rows.items() if name == experiment.answer or is_shown(row)]
    found.lines = [replace(rows[name], worths=worths) for name, worths in sheets.items()]
    found.payoffs = payoff_spreads(experiment, deals)
    found.luck = [luck_of(experiment, arm, deals) for arm in experiment.arms if arm.rotations > 1]
    found.reaches = reach_of(experiment, deals)
    if experiment.sample:
        _add_sampled(found, deals, run.decisions())
    judge_rows(found)
    found.stopped = experiment.stop and found.deals < experiment.deals and not run.parts()
    return found


def judge_rows(found: Findings) -> None:
    """Correct the report's comparisons: the answer for its arms, all the other figures together for their number. The
    question chose its answer before the cards were dealt. The other figures are there to be looked through, so their
    intervals are widened until all of them hold together."""
    rows = (*found.rows, *found.sampled_rows)
    found.others = sum(len(row.gaps) for row in rows if row.name != found.experiment.answer)
    for row in (*rows, *found.lines):
        family = len(row.gaps) if row.name == found.experiment.answer else found.others or len(row.gaps)
        row.differences = [each.judged(family, found.experiment.stop) for each in row.gaps]


def rows_of(experiment: Experiment, deals: pl.LazyFrame, names: Sequence[str]) -> Iterator[FigureRow]:
    """The rows of figures of every deal, ``AT_A_TIME`` of which are in memory at a time."""
    for k in range(0, len(names), AT_A_TIME):
        table = figures.by_deal(experiment, deals, names[k : k + AT_A_TIME])
        yield from (row_of(experiment, table, name) for name in names[k : k + AT_A_TIME])


def is_shown(row: FigureRow) -> bool:
    """True if a figure belongs in the table of figures: not a line of the sheet, and not always 0 or absent."""
    return not row.name.startswith("line.") and any(each.count and (each.mean or each.deviation) for each in row.means)


def row_of(experiment: Experiment, table: pl.DataFrame, name: str) -> FigureRow:
    """A figure's row, from its values by deal."""
    values = figures.paired_values(experiment, table, name)
    paired = experiment.compare and all(len(each) > 1 for each in values)
    if not paired:  # an arm without a value leaves the others theirs
        values = figures.arm_values(experiment, table, name)
    share = is_share(name)
    count = name.startswith("line.") or name in experiment.numbers  # rare ones occur once in a deal, or not at all
    row = FigureRow(name, label(experiment, name), share, [interval(each, share=share, count=count) for each in values])
    if paired:
        others = zip(experiment.arms[1:], values[1:], strict=True)
        row.gaps = [gaps_between(arm.name, values[0], each) for arm, each in others]
    return row


def sheet_worths(experiment: Experiment, deals: pl.LazyFrame) -> dict[str, list[float | None]]:
    """The lines of the score sheet that occurred, in the order of the catalogue, as names of figures, each with its
    mean worth in each arm, None where the line does not name points."""
    if "lines" not in experiment.measures:
        return {}

    def summarise(part: pl.LazyFrame) -> pl.LazyFrame:
        both = part.select("arm", "lines", "worths").explode("lines", "worths").drop_nulls("lines")
        return both.group_by("arm", "lines").agg(pl.col("worths").sum(), said=pl.col("worths").count())

    found = figures.in_parts(deals, summarise).group_by("arm", "lines").agg(pl.col("worths", "said").sum())
    worth = {(str(arm), str(line)): total / said for arm, line, total, said in found.iter_rows() if said}
    seen = found["lines"].unique().sort().cast(pl.String)
    return {f"line.{line}": [worth.get((arm.name, line)) for arm in experiment.arms] for line in seen}


def payoff_spreads(experiment: Experiment, deals: pl.LazyFrame) -> list[PayoffSpread]:
    """The spread of the payoffs of each arm's seats."""
    payoff = pl.col("payoff")

    def sums_by_deal(part: pl.LazyFrame) -> pl.LazyFrame:
        sums = {"n": pl.len(), "total": payoff.sum(), "squares": (payoff**2).sum()}
        return part.group_by(figures.DEAL, maintain_order=True).agg(**sums)

    by_deal = figures.in_parts(deals, sums_by_deal).sort(figures.DEAL)
    each = figures.in_parts(deals, lambda part: part.group_by("arm", "payoff").agg(pl.len()))
    each = each.group_by("arm", "payoff").agg(pl.col("len").sum()).sort("arm", "payoff")
    found = []
    for arm in experiment.arms:
        own = of_arm(arm.name)
        sums = by_deal.filter(own).select("n", "total", "squares").to_numpy().astype(np.float64)
        values, counts = (each.filter(own)[name].to_numpy() for name in ("payoff", "len"))
        quantiles = np.quantile(values, QUANTILES, weights=counts, method="inverted_cdf").tolist()
        (deviation,) = intervals.resampled(sums, _deviations)
        found.append(PayoffSpread(arm.name, deviation, quantiles, float(values[0]), float(values[-1]), values, counts))
    return found


def _deviations(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard deviations, a column, from rows of count, sum and sum of squares."""
    count, total, squares = np.hsplit(sums, 3)
    found: NDArray[np.float64] = np.sqrt(np.maximum(0, squares / count - (total / count) ** 2))
    return found


# The sample


def _add_sampled(found: Findings, deals: pl.LazyFrame, decisions: pl.DataFrame) -> None:
    """Add the figures of the sampled deals."""
    experiment = found.experiment
    found.sample = decisions["deal"].n_unique()
    table = figures.sampled_by_deal(decisions)
    names = [name for name in figures.SAMPLED_FIGURES if name in table.columns and table[name].is_not_null().any()]
    found.sampled_rows = [row_of(experiment, table, name) for name in names]
    _leave_out_what_was_not_asked(found)
    if "decisions" in experiment.measures:
        came_back = figures.comebacks(deals.filter(pl.col("deal") < experiment.sample).collect(), decisions)
        found.sampled_rows.append(row_of(experiment, came_back, "comeback"))
        found.sampled_rows.append(row_of(experiment, figures.lead_changes(decisions), "lead_changes"))
    if "play" in experiment.measures:
        asked = [arm for k, arm in enumerate(experiment.arms) if not found.is_moot(k)]
        found.chances = [(arm.name, worth_by_chance(decisions, arm.name)) for arm in asked]
    if "binds" in experiment.measures:
        found.rule_effects = [each for arm in experiment.arms for each in rule_effects(experiment, table, arm.name)]


def _leave_out_what_was_not_asked(found: Findings) -> None:
    """Take the figures of a play away in the arms in which it never came to matter: zeros there are no evidence."""
    moot = [found.is_moot(k) for k in range(len(found.experiment.arms))]
    for row in found.sampled_rows if any(moot) else []:
        if row.name in OF_PLAYS:
            row.means = [interval(np.zeros(0)) if none else mean for none, mean in zip(moot, row.means, strict=True)]
            row.gaps = []


def rule_effects(experiment: Experiment, table: pl.DataFrame, played: str) -> list[RuleEffect]:
    """The effects of the other arms' options in an arm, from the sample's figures by deal."""
    own, found = table.filter(of_arm(played)), []
    for arm in experiment.arms:
        binds, advice, scatter = (own[f"{what} {arm.name}"].drop_nulls().to_numpy() for what in READ_COLUMNS)
        if len(binds):
            effect = RuleEffect(played, arm.name, interval(binds, share=True), interval(advice, share=True))
            if len(scatter):
                effect.scatter = interval(scatter, share=True)
                alpha = (1 - LEVEL) / (len(experiment.arms) - 1)
                effect.beyond, _ = gaps_between(arm.name, scatter, advice).mean(alpha)
            found.append(effect)
    return found


def worth_by_chance(decisions: pl.DataFrame, arm: str) -> list[tuple[float, float, int, Interval]]:
    """The worth of the play asked about, by fifths of the chance of coming first: above 0 the play is right."""
    rows = decisions.filter(of_arm(arm) & pl.col("worth").is_not_null())
    fifths = rows.with_columns(fifth=(pl.col("chance") * FIFTHS).floor().clip(0, FIFTHS - 1))
    found = []
    for (fifth,), part in sorted(fifths.group_by("fifth")):
        by_deal = part.group_by(figures.DEAL).agg(pl.col("worth").mean()).sort(figures.DEAL)["worth"].to_numpy()
        found.append((float(fifth) / FIFTHS, (float(fifth) + 1) / FIFTHS, len(part), interval(by_deal)))
    return found
