"""The answer of a run in sentences, from its findings."""

from tefuda.lab.experiment.schema import Experiment
from tefuda.lab.measure.intervals import Difference, Interval, differing_share_bound
from tefuda.lab.report.findings import FigureRow, Findings, RuleEffect
from tefuda.lab.report.labels import interval_text, label, number_text, unit_name


def answer_sentences(found: Findings) -> list[str]:
    """The answer: a sentence for each arm that is compared, or one if there is only one arm."""
    experiment = found.experiment
    first = experiment.arms[0].name
    if experiment.answer in ("binds", "advice"):
        return [rule_effect_sentence(experiment, each) for each in found.rule_effects if each.played == first]
    row = next((row for row in (*found.rows, *found.sampled_rows) if row.name == experiment.answer), None)
    if (
        row is None
        or not any(each.count for each in row.means)
        or (len(experiment.arms) > 1 and experiment.compare and not row.differences)
    ):
        return ["No answer: nothing of the kind occurred in these deals."]
    if len(experiment.arms) == 1:
        return [f"{row.label}: {interval_text(row.means[0], row.share)}."]
    if not experiment.compare:
        arms = zip(experiment.arms, row.means, strict=True)
        return [
            f"{row.label}, ‘{arm.name}’: {interval_text(mean, row.share, row.name == 'worth')}." for arm, mean in arms
        ]
    return [difference_sentence(experiment, row, difference) for difference in row.differences]


def rule_effect_sentence(experiment: Experiment, found: RuleEffect) -> str:
    """What reading an arm's decisions under another's options shows; of an adviser, beyond its own scatter."""
    what = label(experiment, experiment.answer).lower()
    arms = f"Where ‘{found.played}’ is played, but read as ‘{found.read}’ – {what}"
    if experiment.answer == "binds" or found.scatter is None or found.beyond is None:
        return f"{arms}: {interval_text(found.binds if experiment.answer == 'binds' else found.advice, True)}."
    by, scatter = found.beyond, number_text(found.scatter.mean, found.scatter.high - found.scatter.low, share=True)
    again = f"{scatter} when it is asked again under the same rule"
    if not by.mean and not by.deviation:
        return f"{arms}: exactly as often as the {again}."
    if by.high < 0:
        said = "Not more: a value below 0 can only be chance."
    else:
        said = verdict(by, experiment.smallest, share=True)
    return f"{arms}: {interval_text(by, True, sign=True)}, beyond the {again}. {said}"


def difference_sentence(experiment: Experiment, row: FigureRow, difference: Difference) -> str:
    """How an arm differs from the first one."""
    arms = f"‘{difference.arm}’ against ‘{experiment.arms[0].name}’ – {row.label[0].lower()}{row.label[1:]}"
    by = difference.by
    if difference.equal == 1:
        at_most = differing_share_bound(by.count)
        same, most = interval_text(row.means[0], row.share), number_text(at_most, at_most, share=True)
        if not experiment.paired:
            return f"{arms}: no difference in {by.count:,} {unit_name(experiment)}s each, {same}."
        what = f"exactly the same in every one of {by.count:,} {unit_name(experiment)}s"
        return f"{arms}: {what} (so in all but {most} at most), {same}."
    mean = row.means[0].mean
    moved = f"{interval_text(by, row.share, sign=True)}, from {number_text(mean, by.high - by.low, row.share)}"
    return f"{arms}: {moved}. {verdict(by, experiment.smallest, row.share)}"


def verdict(by: Interval, smallest: float | None, share: bool = False) -> str:
    """What an interval of a difference decides."""
    differs = by.low > 0 or by.high < 0
    if smallest is not None and max(abs(by.low), abs(by.high)) < smallest:
        small = f"{number_text(100 * smallest)} percentage points" if share else number_text(smallest)
        return f"No difference of {small}, which would matter." if not differs else f"Real, but less than {small}."
    if not differs:
        return "Undecided: the interval includes 0."
    return "More." if by.mean > 0 else "Less."
