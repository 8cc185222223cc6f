"""The plan of a run: from a short pilot, which difference it will find, and how many deals another would need."""

from dataclasses import replace

from tefuda.lab.experiment.definition import ADVISER, ANSWERS, SAMPLED, Experiment
from tefuda.lab.measure.intervals import Interval, Need, precision
from tefuda.lab.report.findings import FigureRow, Findings, find
from tefuda.lab.report.sentences import rounded
from tefuda.lab.report.wording import Words
from tefuda.lab.runs import Run

PILOT = 200
"""Deals of a pilot in compiled play."""

FEW = 24
"""Deals of a pilot where bots think, or where decisions are examined."""

RARE = 3
"""A rule that touches one deal of n shows in ``RARE`` times n deals with a probability of 95 %."""


def pilot_deals(experiment: Experiment) -> int:
    """Number of deals of an experiment's pilot."""
    examined = set(experiment.measures).intersection(SAMPLED) - {"binds"} or experiment.adviser != ADVISER
    quick = all(arm.compiled for arm in experiment.arms) and not examined
    return min(PILOT if quick else FEW, experiment.deals)


def pilot_of(run: Run) -> Run:
    """The first deals of a run as a run of their own, in the same folder: what is played of them is kept."""
    return Run(run.path, replace(run.experiment, deals=pilot_deals(run.experiment), stop=False))


def plan_sentences(pilot: Run, experiment: Experiment, language: str) -> list[str]:
    """Sentences on the experiment that begins with a pilot, whose deals have been played, in a language."""
    with pilot.damage_named():
        found = find(pilot)
    words, row = Words(experiment, language), found.answering
    told = [words("plan.pilot", deals=words.count(found.deals))]
    is_sampled = ANSWERS.get(experiment.answer) in SAMPLED
    deals = experiment.sample if is_sampled else experiment.deals
    if experiment.answer in ("binds", "advice"):
        told += _precise_effects(found, words, deals)
    elif ANSWERS.get(experiment.answer) == "play" and (unseen := _unseen(found, words)):
        return told + unseen
    elif row is None or not any(each.count for each in row.means):
        told.append(words("plan.none", arm=experiment.arms[0].name))
    elif row.gaps:
        told += _differences(row, words, deals)
    else:
        most = max(each.count for each in row.means)
        for arm, mean in zip(experiment.arms, row.means, strict=True):
            told.append(_precise(arm.name, row.name, mean, words, deals, deals * mean.count / most))
    return [*told, words("plan.sample", deals=words.count(deals))] if is_sampled else told


def _unseen(found: Findings, words: Words) -> list[str]:
    """Advice where the pilot met no decision of the kind asked about, or none at which the play mattered."""
    arms, taken = found.experiment.arms, found.sampled_row("taken")
    counts = [taken.means[k].count if taken else 0 for k in range(len(arms))]
    told = [words("plan.none", arm=arm.name) for arm, count in zip(arms, counts, strict=True) if not count]
    if told:
        told.append(words("plan.unseen"))
    moot = [k for k in range(len(arms)) if found.is_moot(k)]
    told += [words("say.moot", arm=arms[k].name, deals=words.count(counts[k])) for k in moot]
    return [*told, *([words("open.moot")] if moot else [])]


def _differences(row: FigureRow, words: Words, deals: int) -> list[str]:
    """The differences that will be found, arm by arm."""
    told = []
    for gaps in row.gaps:
        if not gaps.differing:
            told.append(_rare(gaps.arm, row.name, words, deals))
            continue
        need = Need.of(gaps, len(row.gaps), words.experiment.stop)
        finds = need.difference(deals)
        said = words.amount(row.name, finds, finds, difference=True)
        told.append(words("plan.finds", arm=gaps.arm, deals=words.count(deals), difference=said))
        if words.experiment.smallest:
            needed = need.deals(words.experiment.smallest)
            key = "plan.enough" if needed <= deals else "plan.more"
            told.append(words(key, smallest=words.smallest(), deals=words.count(rounded(needed))))
        else:
            told.append(words("plan.half", deals=words.count(rounded(need.deals(finds / 2)))))
    return told


def _precise(arm: str, figure: str, found: Interval, words: Words, deals: int, valued: float) -> str:
    """The precision of a mean after so many deals, of which ``valued`` have a value."""
    if found.count < 2:
        return words("plan.none", arm=arm)
    if not found.deviation:
        return _rare(arm, figure, words, deals)
    by = precision(found.deviation, valued)
    return words(
        "plan.precise", arm=arm, deals=words.count(deals), margin=words.amount(figure, by, by, difference=True)
    )


def _precise_effects(found: Findings, words: Words, deals: int) -> list[str]:
    """The precision of the shares of decisions in which rules bind."""
    first, answer = words.experiment.arms[0].name, words.experiment.answer
    shares = {
        each.read: each.beyond or (each.binds if answer == "binds" else each.advice)
        for each in found.rule_effects
        if each.played == first
    }
    told = [_precise(arm, answer, share, words, deals, deals) for arm, share in shares.items()]
    return told or [words("plan.none", arm=first)]


def _rare(arm: str, figure: str, words: Words, deals: int) -> str:
    """The difference that is sure to show although the pilot has not shown it."""
    rare = words.count(max(1, deals // RARE))
    return words("plan.rare", arm=arm, figure=words.figure(figure), deals=words.count(deals), rare=rare)
