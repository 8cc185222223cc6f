"""What a run found: every number that its report shows, computed from its tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tefuda.lab import figures
from tefuda.lab.experiment import Experiment
from tefuda.lab.inference import LEVEL, RESAMPLES, Difference, Interval, bound, compare, interval, judge
from tefuda.lab.luck import Luck, luck_of
from tefuda.lab.measures import ANSWERS, SAMPLED
from tefuda.lab.report.labels import dealt, is_share, label, number, written
from tefuda.lab.run import Run
from tefuda.lab.tables import READ

FIFTHS = 5

TOGETHER = 4
"""Figures whose values by deal are in memory at a time."""

QUANTILES = (0.001, 0.01, 0.05, 0.5, 0.95, 0.99, 0.999)


@dataclass
class Row:
    """A figure: each arm's mean, and how the others differ from the first."""

    name: str
    label: str
    share: bool
    means: list[Interval]
    differences: list[Difference] = field(default_factory=list)


@dataclass
class Payoffs:
    """How an arm's payoffs are spread: standard deviation with its interval, quantiles, extremes.

    Attributes:
        values, counts: every payoff that came, in their order, and how often.
    """

    arm: str
    deviation: Interval
    quantiles: list[float]
    least: float
    most: float
    values: NDArray[np.float64]
    counts: NDArray[np.uint32]


@dataclass
class Line:
    """A line of the score sheet: times a deal and mean worth in each arm."""

    row: Row
    worths: list[float | None]


@dataclass
class Reading:
    """How often an arm's moments, read under the options of another, have other legal actions, or other advice.

    Attributes:
        played, read: names of the arms.
        binds, advice: shares of the decisions.
        scatter: how often the adviser says something else when it is asked again under the same options; of bots that
            are asked so.
        beyond: ``advice`` less ``scatter``, by deal; the intervals of all readings of an arm hold together.
    """

    played: str
    read: str
    binds: Interval
    advice: Interval
    scatter: Interval | None = None
    beyond: Interval | None = None


@dataclass
class Findings:
    """What a run found.

    Attributes:
        deals: played in each arm.
        illegal: answers of bots that were not legal.
        sentences: the answer.
        rows: figures of every deal; ``looks`` those of the sample; ``binds`` how the arms' options differ in it.
        lines: of the score sheet.
        payoffs: one an arm.
        luck: of the arms in which bots differ.
        course: ``figures.course``, if the sample was looked at.
        chances: of each arm, what the play asked about is worth by the chance of coming first after it: from, to, how
            often, and its worth.
        sample: deals that were looked at closely.
    """

    experiment: Experiment
    deals: int
    illegal: int
    sentences: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    looks: list[Row] = field(default_factory=list)
    binds: list[Reading] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    payoffs: list[Payoffs] = field(default_factory=list)
    luck: list[Luck] = field(default_factory=list)
    course: pl.DataFrame | None = None
    chances: list[tuple[str, list[tuple[float, float, int, Interval]]]] = field(default_factory=list)
    sample: int = 0

    @property
    def faults(self) -> str:
        """What is said where bots gave answers that were not legal."""
        what = f"{self.illegal:,} answers of bots were not legal (or raised an exception, or came too late)"
        instead = "random actions were made instead, and who gave them received the game's lowest payoff"
        return f"{what}: {instead}. tefuda match says what was wrong."


def find(run: Run) -> Findings:
    """Everything that a finished run, or as much of it as there is, says."""
    experiment, deals = run.experiment, run.deals()
    seeds = deals.group_by("seed").agg(pl.col("illegal").sum(), deals=pl.col("deal").max() + 1)  # 0 … deals − 1
    counted = seeds.collect(engine="streaming").sum().row(0, named=True)
    found = Findings(experiment, deals=counted["deals"], illegal=counted["illegal"])
    sheets = sheet_lines(experiment, deals)
    names = [*figures.names_of(experiment), *sheets]
    if experiment.answer not in names and ANSWERS.get(experiment.answer) not in SAMPLED:
        names.append(experiment.answer)
    rows = {row.name: row for row in rows_of(experiment, deals, names)}
    found.rows = [row for name, row in rows.items() if name == experiment.answer or is_shown(row)]
    found.lines = [Line(rows[name], worths) for name, worths in sheets.items()]
    found.payoffs = payoffs_of(experiment, deals)
    found.luck = [luck_of(experiment, arm, deals) for arm in experiment.arms if arm.rotations > 1]
    if experiment.sample:
        look_closely(found, deals, run.decisions())
    found.sentences = sentences(found)
    return found


def rows_of(experiment: Experiment, deals: pl.LazyFrame, names: Sequence[str]) -> Iterator[Row]:
    """The rows of figures of every deal, ``TOGETHER`` of which are in memory at a time."""
    for k in range(0, len(names), TOGETHER):
        table = figures.by_deal(experiment, deals, names[k : k + TOGETHER])
        yield from (row_of(experiment, table, name) for name in names[k : k + TOGETHER])


def is_shown(row: Row) -> bool:
    """Whether a figure belongs into the table of figures: no line of the sheet, none always 0 or never there."""
    return not row.name.startswith("line.") and any(each.count and (each.mean or each.deviation) for each in row.means)


def row_of(experiment: Experiment, table: pl.DataFrame, name: str) -> Row:
    """A figure's row, from its values by deal."""
    values = (figures.matched if experiment.compare else figures.own)(experiment, table, name)
    exact = is_share(name) or name.startswith("line.") or name in experiment.numbers  # the rare come once or not
    row = Row(name, label(experiment, name), is_share(name), [interval(each, share=exact) for each in values])
    if experiment.compare and len(values) > 1 and all(len(each) > 1 for each in values):
        others = [(arm.name, each) for arm, each in zip(experiment.arms[1:], values[1:], strict=True)]
        row.differences = compare(values[0], others, experiment.stop)
    return row


def sheet_lines(experiment: Experiment, deals: pl.LazyFrame) -> dict[str, list[float | None]]:
    """The figures of the lines of the score sheet that occurred, in the order of the catalogue.

    With each comes what it is worth on the mean in each arm, None where it says nothing of points.
    """
    if "lines" not in experiment.measures:
        return {}

    def summed(part: pl.LazyFrame) -> pl.LazyFrame:
        both = part.select("arm", "lines", "worths").explode("lines", "worths").drop_nulls("lines")
        return both.group_by("arm", "lines").agg(pl.col("worths").sum(), said=pl.col("worths").count())

    found = figures.in_parts(deals, summed).group_by("arm", "lines").agg(pl.col("worths", "said").sum())
    worth = {(str(arm), str(line)): total / said for arm, line, total, said in found.iter_rows() if said}
    seen = found["lines"].unique().sort().cast(pl.String)
    return {f"line.{line}": [worth.get((arm.name, line)) for arm in experiment.arms] for line in seen}


def payoffs_of(experiment: Experiment, deals: pl.LazyFrame) -> list[Payoffs]:
    """How the payoffs of each arm's seats are spread."""
    by_deal = figures.in_parts(
        deals,
        lambda part: part.group_by(figures.DEAL, maintain_order=True).agg(
            n=pl.len(), total=pl.col("payoff").sum(), squares=(pl.col("payoff") ** 2).sum()
        ),
    ).sort(figures.DEAL)
    each = figures.in_parts(deals, lambda part: part.group_by("arm", "payoff").agg(pl.len()))
    each = each.group_by("arm", "payoff").agg(pl.col("len").sum()).sort("arm", "payoff")
    found = []
    for arm in experiment.arms:
        own = pl.col("arm").cast(pl.String) == arm.name
        sums = by_deal.filter(own).select("n", "total", "squares").to_numpy().astype(np.float64)
        values, counts = (each.filter(own)[name].to_numpy() for name in ("payoff", "len"))
        quantiles = np.quantile(values, QUANTILES, weights=counts, method="inverted_cdf").tolist()
        found.append(Payoffs(arm.name, spread_of(sums), quantiles, float(values[0]), float(values[-1]), values, counts))
    return found


def spread_of(sums: NDArray[np.float64]) -> Interval:
    """The standard deviation of payoffs, its interval by resampling deals in at most 1,000 groups.

    Args:
        sums: of each deal the number of payoffs, their sum and that of their squares, shape (deals, 3).
    """
    groups = np.stack([part.sum(0) for part in np.array_split(sums, min(1000, len(sums)))])
    weights = np.random.default_rng(0).multinomial(len(groups), np.full(len(groups), 1 / len(groups)), RESAMPLES)
    low, high = np.quantile(deviation(weights @ groups), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    whole = float(deviation(sums.sum(0, keepdims=True))[0])
    return Interval(whole, float(low), float(high), len(sums), float("nan"))


def deviation(sums: NDArray[Any]) -> NDArray[np.float64]:
    """Standard deviations from rows of count, sum and sum of squares."""
    count, total, squares = sums.T
    found: NDArray[np.float64] = np.sqrt(np.maximum(0, squares / count - (total / count) ** 2))
    return found


def look_closely(found: Findings, deals: pl.LazyFrame, decisions: pl.DataFrame) -> None:
    """Enter the figures of the sampled deals."""
    experiment = found.experiment
    sampled = deals.filter(pl.col("deal") < experiment.sample).collect()
    found.sample = decisions.select("seed", "deal").n_unique()
    table = figures.looks_by_deal(decisions)
    names = [name for name in figures.LOOKS if table[name].is_not_null().any()]
    found.looks = [row_of(experiment, table, name) for name in names]
    if "decisions" in experiment.measures:
        came_back = figures.comebacks(sampled, decisions)
        found.looks.append(row_of(experiment, came_back, "comeback"))
        found.looks.append(row_of(experiment, figures.lead_changes(decisions), "lead_changes"))
    if "play" in experiment.measures:
        found.chances = [(arm.name, worth_by_chance(decisions, arm.name)) for arm in experiment.arms]
    if "decisions" in experiment.measures or "information" in experiment.measures:
        variances = deals.group_by("arm").agg(variance=pl.col("payoff").var()).collect(engine="streaming")
        found.course = figures.course(sampled, decisions, variances)
    if "binds" in experiment.measures:
        found.binds = [each for arm in experiment.arms for each in readings(experiment, table, arm.name)]


def readings(experiment: Experiment, table: pl.DataFrame, played: str) -> list[Reading]:
    """How an arm's moments are read under the options of the others, from the sample's figures by deal."""
    own = table.filter(pl.col("arm").cast(pl.String) == played)
    found = []
    for arm in experiment.arms:
        columns = [f"{what} {arm.name}" for what in READ]
        binds, advice, scatter = (own[name].drop_nulls().to_numpy() for name in columns)
        if len(binds):
            reading = Reading(played, arm.name, interval(binds, share=True), interval(advice, share=True))
            if len(scatter):
                alpha = (1 - LEVEL) / (len(experiment.arms) - 1)
                reading.scatter, reading.beyond = interval(scatter, share=True), judge(advice - scatter, alpha)[0]
            found.append(reading)
    return found


def worth_by_chance(decisions: pl.DataFrame, arm: str) -> list[tuple[float, float, int, Interval]]:
    """What the play asked about is worth, by fifths of the chance of coming first after it.

    Where it changes its sign is the chance from which on the play is right.
    """
    rows = decisions.filter((pl.col("arm").cast(pl.String) == arm) & pl.col("worth").is_not_null())
    fifths = rows.with_columns(fifth=(pl.col("chance") * FIFTHS).floor().clip(0, FIFTHS - 1))
    found = []
    for (fifth,), part in sorted(fifths.group_by("fifth")):
        by_deal = part.group_by(figures.DEAL).agg(pl.col("worth").mean()).sort(figures.DEAL)["worth"].to_numpy()
        found.append((float(fifth) / FIFTHS, (float(fifth) + 1) / FIFTHS, len(part), interval(by_deal)))
    return found


def sentences(found: Findings) -> list[str]:
    """The answer: a sentence for each arm that is compared, or one if there is only one arm."""
    experiment = found.experiment
    first = experiment.arms[0].name
    if experiment.answer in ("binds", "advice"):
        return [read_sentence(experiment, each) for each in found.binds if each.played == first]
    row = next((row for row in (*found.rows, *found.looks) if row.name == experiment.answer), None)
    if (
        row is None
        or not any(each.count for each in row.means)
        or (len(experiment.arms) > 1 and experiment.compare and not row.differences)
    ):
        return ["Nothing was found that could answer: no such moment came."]
    if len(experiment.arms) == 1:
        return [f"{row.label}: {written(row.means[0], row.share)}."]
    if not experiment.compare:
        arms = zip(experiment.arms, row.means, strict=True)
        return [f"{row.label}, ‘{arm.name}’: {written(mean, row.share, row.name == 'worth')}." for arm, mean in arms]
    return [sentence(experiment, row, difference) for difference in row.differences]


def read_sentence(experiment: Experiment, found: Reading) -> str:
    """What reading an arm's moments under another's options says; of an adviser, beyond its own scatter."""
    what = label(experiment, experiment.answer).lower()
    arms = f"Where ‘{found.played}’ is played, but read as ‘{found.read}’ – {what}"
    if experiment.answer == "binds" or found.scatter is None or found.beyond is None:
        return f"{arms}: {written(found.binds if experiment.answer == 'binds' else found.advice, True)}."
    by, scatter = found.beyond, number(found.scatter.mean, found.scatter.high - found.scatter.low, share=True)
    again = f"{scatter} when it is asked again under the same rule"
    if not by.mean and not by.deviation:
        return f"{arms}: exactly as often as the {again}."
    said = "Not more: below 0 it is by chance alone." if by.high < 0 else verdict(by, experiment.smallest, share=True)
    return f"{arms}: {written(by, True, sign=True)}, beyond the {again}. {said}"


def sentence(experiment: Experiment, row: Row, difference: Difference) -> str:
    """What an arm's difference from the first one says."""
    arms = f"‘{difference.arm}’ against ‘{experiment.arms[0].name}’ – {row.label[0].lower()}{row.label[1:]}"
    by = difference.by
    if difference.equal == 1:
        same, most = written(row.means[0], row.share), number(bound(by.count), bound(by.count), share=True)
        if not experiment.paired:
            return f"{arms}: no difference in {by.count:,} {dealt(experiment)}s each, {same}."
        what = f"exactly the same in every one of {by.count:,} {dealt(experiment)}s"
        return f"{arms}: {what} (so in all but {most} at most), {same}."
    mean = row.means[0].mean
    moved = f"{written(by, row.share, sign=True)}, from {number(mean, by.high - by.low, row.share)}"
    return f"{arms}: {moved}. {verdict(by, experiment.smallest, row.share)}"


def verdict(by: Interval, smallest: float | None, share: bool = False) -> str:
    """What an interval of a difference decides."""
    differs = by.low > 0 or by.high < 0
    if smallest is not None and max(abs(by.low), abs(by.high)) < smallest:
        small = f"{number(100 * smallest)} % points" if share else number(smallest)
        return f"No difference of {small}, which would matter." if not differs else f"Real, but less than {small}."
    if not differs:
        return "Not decided: the interval holds 0."
    return "More." if by.mean > 0 else "Less."
