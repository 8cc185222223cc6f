"""What a run found: every number that its report shows, computed from its tables."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tefuda.lab import figures
from tefuda.lab.experiment import ANSWERS, SAMPLED, Experiment
from tefuda.lab.inference import LEVEL, RESAMPLES, Difference, Interval, bound, compare, interval
from tefuda.lab.luck import Luck, luck_of
from tefuda.lab.report.labels import dealt, is_share, label, number, written
from tefuda.lab.run import Run

FIFTHS = 5

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
    """How an arm's payoffs are spread: standard deviation with its interval, quantiles, extremes."""

    arm: str
    deviation: Interval
    quantiles: list[float]
    least: float
    most: float


@dataclass
class Line:
    """A line of the score sheet: times a deal and mean worth in each arm."""

    row: Row
    worths: list[float | None]


@dataclass
class Findings:
    """What a run found.

    Attributes:
        deals: played in each arm.
        sentences: the answer.
        rows: figures of every deal; ``looks`` those of the sample; ``binds`` how the arms' options differ in it.
        lines: of the score sheet.
        payoffs: one an arm.
        luck: of the arms in which bots differ.
        course: ``figures.course``, if the sample was looked at.
        chances: of each arm, what the play asked about is worth by the chance of coming first after it: from, to, how
            often, and its worth.
        illegal: answers of bots that were not legal.
    """

    experiment: Experiment
    deals: int
    frame: pl.DataFrame
    sentences: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    looks: list[Row] = field(default_factory=list)
    binds: list[tuple[str, str, Interval, Interval]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    payoffs: list[Payoffs] = field(default_factory=list)
    luck: list[Luck] = field(default_factory=list)
    course: pl.DataFrame | None = None
    chances: list[tuple[str, list[tuple[float, float, int, Interval]]]] = field(default_factory=list)
    sample: int = 0
    illegal: int = 0

    @property
    def faults(self) -> str:
        """What is said where bots gave answers that were not legal."""
        what = f"{self.illegal:,} answers of bots were not legal (or raised an exception, or came too late)"
        instead = "random actions were made instead, and who gave them received the game's lowest payoff"
        return f"{what}: {instead}. tefuda match says what was wrong."


def find(run: Run) -> Findings:
    """Everything that a finished run, or as much of it as there is, says."""
    experiment, frame = run.experiment, run.deals()
    found = Findings(experiment, frame.select("seed", "deal").n_unique(), frame)
    found.illegal = int(frame["illegal"].sum())
    names = figures.names_of(experiment)
    lines = line_figures(experiment, frame)
    wanted = [*names, *lines]
    if experiment.answer not in wanted and ANSWERS.get(experiment.answer) not in SAMPLED:
        wanted.append(experiment.answer)
    table = figures.by_deal(experiment, frame, wanted)
    rows = {name: row_of(experiment, table, name) for name in wanted}
    found.rows = [row for name, row in rows.items() if name == experiment.answer or is_shown(row)]
    found.lines = [Line(rows[name], worths(experiment, frame, name)) for name in lines]
    found.payoffs = [payoffs_of(frame, arm.name) for arm in experiment.arms]
    found.luck = [luck_of(experiment, arm, frame) for arm in experiment.arms if arm.rotations > 1]
    if experiment.sample:
        look_closely(found, run.decisions())
    found.sentences = sentences(found)
    return found


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


def line_figures(experiment: Experiment, frame: pl.DataFrame) -> list[str]:
    """The lines of the score sheet that occurred, in the order of the catalogue."""
    if "lines" not in experiment.measures:
        return []
    seen = frame["lines"].explode().drop_nulls().unique().sort()
    return [f"line.{name}" for name in seen.cast(pl.String)]


def worths(experiment: Experiment, frame: pl.DataFrame, figure: str) -> list[float | None]:
    """What a line is worth on the mean, in each arm; None where it says nothing of points."""
    both = frame.select("arm", "lines", "worths").explode("lines", "worths")
    means = (
        both.filter(pl.col("lines").cast(pl.String) == figure.removeprefix("line."))
        .group_by("arm")
        .agg(pl.col("worths").mean())
    )
    by_arm = {str(arm): worth for arm, worth in means.iter_rows()}
    return [by_arm.get(arm.name) for arm in experiment.arms]


def payoffs_of(frame: pl.DataFrame, arm: str) -> Payoffs:
    """How the payoffs of an arm's seats are spread; the deviation's interval by resampling deals."""
    rows = frame.filter(pl.col("arm").cast(pl.String) == arm)
    payoff = rows["payoff"].to_numpy()
    sums = (
        rows.group_by("seed", "deal")
        .agg(n=pl.len(), total=pl.col("payoff").sum(), squares=(pl.col("payoff") ** 2).sum())
        .sort("seed", "deal")
        .select("n", "total", "squares")
        .to_numpy()
        .astype(np.float64)
    )
    groups = np.stack([part.sum(0) for part in np.array_split(sums, min(1000, len(sums)))])
    weights = np.random.default_rng(0).multinomial(len(groups), np.full(len(groups), 1 / len(groups)), RESAMPLES)
    low, high = np.quantile(deviation(weights @ groups), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    whole = float(deviation(sums.sum(0, keepdims=True))[0])
    found = Interval(whole, float(low), float(high), len(sums), float("nan"))
    quantiles = np.quantile(payoff, QUANTILES, method="inverted_cdf").tolist()
    return Payoffs(arm, found, quantiles, float(payoff.min()), float(payoff.max()))


def deviation(sums: NDArray[Any]) -> NDArray[np.float64]:
    """Standard deviations from rows of count, sum and sum of squares."""
    count, total, squares = sums.T
    found: NDArray[np.float64] = np.sqrt(np.maximum(0, squares / count - (total / count) ** 2))
    return found


def look_closely(found: Findings, decisions: pl.DataFrame) -> None:
    """Enter the figures of the sampled deals."""
    experiment = found.experiment
    found.sample = decisions.select("seed", "deal").n_unique()
    table = figures.looks_by_deal(decisions)
    names = [name for name in figures.LOOKS if table[name].is_not_null().any()]
    found.looks = [row_of(experiment, table, name) for name in names]
    if "decisions" in experiment.measures:
        came_back = figures.comebacks(found.frame, decisions)
        found.looks.append(row_of(experiment, came_back, "comeback"))
        found.looks.append(row_of(experiment, figures.lead_changes(decisions), "lead_changes"))
    if "play" in experiment.measures:
        found.chances = [(arm.name, worth_by_chance(decisions, arm.name)) for arm in experiment.arms]
    if "decisions" in experiment.measures or "information" in experiment.measures:
        found.course = figures.course(found.frame, decisions)
    for arm in experiment.arms:
        own = table.filter(pl.col("arm").cast(pl.String) == arm.name)
        for other in experiment.arms:
            binds = own[f"binds {other.name}"].drop_nulls().to_numpy()
            if len(binds):
                advice = own[f"advice {other.name}"].drop_nulls().to_numpy()
                found.binds.append((arm.name, other.name, interval(binds, share=True), interval(advice, share=True)))


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
        what = label(experiment, experiment.answer).lower()
        shown = [(played, other, a if experiment.answer == "binds" else b) for played, other, a, b in found.binds]
        return [
            f"Where ‘{played}’ is played, but read as ‘{other}’ – {what}: {written(share, True)}."
            for played, other, share in shown
            if played == first
        ]
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
