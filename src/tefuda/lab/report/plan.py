"""The plan of a run: from a short pilot, which difference it will find, and how many deals another would need."""

from dataclasses import replace

from tefuda.lab.experiment.measures import ANSWERS, SAMPLED
from tefuda.lab.experiment.schema import ADVISER, Experiment
from tefuda.lab.measure.power import Need, precision
from tefuda.lab.report.findings import FigureRow, Findings, find
from tefuda.lab.report.summary import rounded
from tefuda.lab.report.words import Words
from tefuda.lab.run.run import Run

PILOT = 200
"""Deals of a pilot in compiled play."""

FEW = 24
"""Deals of a pilot where bots think, or where decisions are examined."""

RARE = 3
"""A rule that touches one deal of n shows in ``RARE`` times n deals with a probability of 95 %."""


def pilot_deals(experiment: Experiment) -> int:
    """How many deals the pilot of an experiment has."""
    examined = set(experiment.measures).intersection(SAMPLED) - {"binds"} or experiment.adviser != ADVISER
    quick = all(arm.compiled for arm in experiment.arms) and not examined
    return min(PILOT if quick else FEW, experiment.deals)


def pilot_of(run: Run) -> Run:
    """The first deals of a run as a run of their own, in the same folder: what is played of them is kept."""
    return Run(run.path, replace(run.experiment, deals=pilot_deals(run.experiment), stop=False))


def plan_sentences(pilot: Run, experiment: Experiment, language: str) -> list[str]:
    """What a pilot says of the run that begins with it, a sentence each.

    Args:
        pilot: a run whose deals have been played.
        experiment: the whole run.
        language: of the sentences.
    """
    with pilot.damage_named():
        found = find(pilot)
    words = Words(experiment, language)
    told = [words("plan.pilot", deals=words.count(found.deals))]
    is_sampled = ANSWERS.get(experiment.answer) in SAMPLED
    deals = experiment.sample if is_sampled else experiment.deals
    if experiment.answer in ("binds", "advice"):
        told += _precise_effects(found, words, deals)
    elif ANSWERS.get(experiment.answer) == "play" and (unseen := _unseen(found, words)):
        return told + unseen
    elif found.answering is None or not any(each.count for each in found.answering.means):
        told.append(words("plan.none", arm=experiment.arms[0].name))
    elif found.answering.gaps:
        told += _differences(found.answering, words, deals)
    else:
        told += _precise(found.answering, words, deals)
    return [*told, words("plan.sample", deals=words.count(deals))] if is_sampled else told


def _unseen(found: Findings, words: Words) -> list[str]:
    """What to do where the pilot met no decision of the kind asked about, or none at which the play mattered."""
    arms, taken = found.experiment.arms, found.sampled_row("taken")
    seen = [taken is not None and taken.means[k].count > 0 for k in range(len(arms))]
    told = [words("plan.none", arm=arm.name) for k, arm in enumerate(arms) if not seen[k]]
    if told:
        told.append(words("plan.unseen"))
    moot = [k for k in range(len(arms)) if found.is_moot(k)]
    for k in moot:
        told.append(words("say.moot", arm=arms[k].name, deals=words.count(taken.means[k].count if taken else 0)))
    return [*told, *([words("open.moot")] if moot else [])]


def _differences(row: FigureRow, words: Words, deals: int) -> list[str]:
    """Which differences will be found, arm by arm."""
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


def _precise(row: FigureRow, words: Words, deals: int) -> list[str]:
    """How precise each arm's mean will be."""
    told = []
    for arm, mean in zip(words.experiment.arms, row.means, strict=True):
        if mean.count < 2:
            told.append(words("plan.none", arm=arm.name))
            continue
        if not mean.deviation:
            told.append(_rare(arm.name, row.name, words, deals))
            continue
        by = precision(mean.deviation, deals * mean.count / max(1, max(each.count for each in row.means)))
        margin = words.amount(row.name, by, by, difference=True)
        told.append(words("plan.precise", arm=arm.name, deals=words.count(deals), margin=margin))
    return told


def _precise_effects(found: Findings, words: Words, deals: int) -> list[str]:
    """How precise the shares of decisions will be in which rules bind."""
    first = words.experiment.arms[0].name
    told = []
    for each in (effect for effect in found.rule_effects if effect.played == first):
        share = each.beyond or (each.binds if words.experiment.answer == "binds" else each.advice)
        if not share.deviation:
            told.append(_rare(each.read, words.experiment.answer, words, deals))
            continue
        by = precision(share.deviation, deals)
        margin = words.amount("binds", by, by, difference=True)
        told.append(words("plan.precise", arm=each.read, deals=words.count(deals), margin=margin))
    return told or [words("plan.none", arm=first)]


def _rare(arm: str, figure: str, words: Words, deals: int) -> str:
    """Which difference is sure to show that the pilot has not shown."""
    rare = words.count(max(1, deals // RARE))
    return words("plan.rare", arm=arm, figure=words.figure(figure), deals=words.count(deals), rare=rare)
