"""A report in words, in the language of its reader: the answer, for whom it holds, how sure it is."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tefuda.engine.estimates import FEWEST_DIFFERING
from tefuda.engine.texts import spelled
from tefuda.lab.experiment import ADVISER, ANSWERS, SAMPLED, Experiment
from tefuda.lab.measure.intervals import FEW, Difference, Interval, Need, differing_share_bound, precision
from tefuda.lab.report.findings import OF_PLAYS, FigureRow, Findings, RuleEffect, find
from tefuda.lab.report.vocabulary import FINEST, Words, interval_places, number_text
from tefuda.lab.runs import Run

DECIDING = 0.25  #: share of all differences that the ``FEW`` largest must make for the report to say so
HUNDRED = 100  #: deals from which on the intervals hold what they promise, as docs/explanation/laboratory.md shows

_VERDICTS = {"nothing": "open", "never": "open", "undecided": "open", "same": "none", "too_small": "none"}


@dataclass(frozen=True)
class Summary:
    """A report in words: headings with their sentences, the first one the answer.

    ``verdicts`` decide on each arm that is compared, whatever the language: ``more``, ``less``, ``none`` or ``open``.
    """

    language: str
    title: str
    parts: list[tuple[str, list[str]]]
    verdicts: tuple[str, ...] = ()

    @property
    def answer(self) -> list[str]:
        return self.parts[0][1]


def summary(found: Findings, language: str) -> Summary:
    """A report in words, in one of ``LANGUAGES``."""
    words = Words(found.experiment, language)
    parts = {
        "found": _answer(found, words),
        "arms": [words.arm_rules(arm) for arm in found.experiment.arms] if len(found.experiment.arms) > 1 else [],
        "came": _reach(found, words),
        "holds": _players(found, words),
        "sure": _sureness(found, words),
        "open": _open(found, words),
    }
    told = [(words(f"heading.{name}"), sentences) for name, sentences in parts.items() if sentences]
    row = found.answering if found.experiment.compare else None
    verdicts = tuple(_verdict(found, row, each) for each in row.differences) if row else ()
    return Summary(language, words.game("title"), told, verdicts)


def kinds_sentences(experiment: Experiment, told: Mapping[str, Summary]) -> list[str]:
    """Agreement of several kinds of players on a question, after the answer of each report."""
    words = Words(experiment, next(iter(told.values())).language)
    said = [words("kinds.of", bot=words.bot(spec), answer=words.joined(each.answer)) for spec, each in told.items()]
    by_arm = list(zip(*(each.verdicts for each in told.values()), strict=True))
    if not by_arm:
        return said
    if any(len(set(arm) - {"open"}) > 1 for arm in by_arm):
        return [*said, words("kinds.differ")]
    return [*said, words("kinds.open" if any("open" in arm for arm in by_arm) else "kinds.agree")]


# The answer


def _case(found: Findings, row: FigureRow, difference: Difference) -> str:
    """The sentence that tells a difference: a key of the texts under ``say``."""
    reach, by = found.reach(difference.arm), difference.by
    if reach and reach.is_nothing:
        return "nothing"
    if difference.equal == 1:
        return "same" if row.means[0].mean or row.means[0].deviation else "never"
    if by.low <= 0 <= by.high:
        return "too_small" if _is_small(by, found.experiment.smallest) else "undecided"
    return "more" if by.mean > 0 else "less"


def _verdict(found: Findings, row: FigureRow, difference: Difference) -> str:
    case = _case(found, row, difference)
    return _VERDICTS.get(case) or ("none" if _is_small(difference.by, found.experiment.smallest) else case)


def _is_small(by: Interval, smallest: float | None) -> bool:
    return smallest is not None and max(abs(by.low), abs(by.high)) < smallest


def _answer(found: Findings, words: Words) -> list[str]:
    experiment, row = found.experiment, found.answering
    if experiment.answer in ("binds", "advice"):
        first = experiment.arms[0].name
        said = [rule_effect_sentence(words, each) for each in found.rule_effects if each.played == first]
    elif row is None or (row.name not in OF_PLAYS and not any(each.count for each in row.means)):
        said = []
    elif row.name in OF_PLAYS:
        said = _plays(found, words)
    elif len(experiment.arms) == 1:
        said = [words("say.alone", figure=words.figure(row.name), mean=words.interval(row.name, row.means[0]))]
    elif not experiment.compare:
        figure, means = words.figure(row.name), zip(experiment.arms, row.means, strict=True)
        told = [(arm.name, words.interval(row.name, mean)) for arm, mean in means if mean.count]
        return [words("say.value", arm=arm, figure=figure, mean=mean) for arm, mean in told]
    else:
        said = [difference_sentence(found, words, row, each) for each in row.differences]
    return said or [words("say.absent")]


def difference_sentence(found: Findings, words: Words, row: FigureRow, difference: Difference) -> str:
    """An arm's difference from the first one, and whether that matters."""
    by, smallest, case = difference.by, found.experiment.smallest, _case(found, row, difference)
    named = {"arm": difference.arm, "first": found.experiment.arms[0].name, "figure": words.figure(row.name)}
    if case == "nothing":
        return words("say.nothing", arm=named["arm"], first=named["first"], **_none_of(words, by.count))
    if case in ("same", "never"):
        reach, said = found.reach(difference.arm), words(f"say.{case}", **named, deals=words.count(by.count))
        return words.joined([said, words("say.unpaid")]) if case == "same" and reach and not reach.paid.mean else said
    if case in ("too_small", "undecided"):
        least = {"smallest": words.smallest()} if case == "too_small" else {}
        return words(f"say.{case}", **named, **_ends(words, row.name, by), **least)
    size = _size(by)
    mean = words.amount(row.name, row.means[0].mean, interval_places(by))
    said = words(f"say.{case}", **named, by=words.interval(row.name, size, difference=True), mean=mean)
    if smallest is None or size.low >= smallest:
        return said
    doubt = words("say.small" if _is_small(by, smallest) else "say.perhaps_small", smallest=words.smallest())
    return words.joined([said, doubt])


def _size(by: Interval) -> Interval:
    """A difference without its sign."""
    return by if by.mean >= 0 else replace(by, mean=-by.mean, low=-by.high, high=-by.low)


def _ends(words: Words, figure: str, by: Interval) -> dict[str, str]:
    like = interval_places(by)
    return {key: words.amount(figure, end, like, difference=True) for key, end in (("low", by.low), ("high", by.high))}


def _none_of(words: Words, deals: int) -> dict[str, str]:
    """So many deals, and the share of all deals in which that may occur which occurred in none of these."""
    most = differing_share_bound(deals)
    return {"deals": words.count(deals), "most": number_text(most, most, share=True)}


def _plays(found: Findings, words: Words) -> list[str]:
    """Shares of the decisions at which the play asked about is right and wrong, and its worth, arm by arm."""
    pays, costs, worth, taken = (found.sampled_row(name) for name in ("pays", "costs", "worth", "taken"))
    if not (pays and costs and worth and taken and any(each.count for each in taken.means)):
        return []
    told = []
    for k, arm in enumerate(found.experiment.arms):
        if found.is_moot(k):
            told.append(words("say.moot", arm=arm.name, deals=words.count(taken.means[k].count)))
            continue
        if not pays.means[k].count:
            told.append(words("say.absent_in", arm=arm.name))
            continue
        left = max(0.0, 1 - pays.means[k].mean - costs.means[k].mean)
        like = max(interval_places(pays.means[k]) or 0.0, FINEST)
        shares = {"pays": words.share(pays.means[k]), "costs": words.share(costs.means[k])}
        said = words("say.plays", arm=arm.name, **shares, open=number_text(left, like, share=True))
        by = worth.means[k]
        gained = words("say.worth_more" if by.mean >= 0 else "say.worth_less", worth=words.interval("worth", _size(by)))
        told.append(words.joined([said, gained, words("say.made", taken=words.share(taken.means[k]))]))
    return told


def rule_effect_sentence(words: Words, effect: RuleEffect) -> str:
    """The effect of reading an arm's decisions under another's options; of an adviser, beyond its own scatter."""
    answer = words.experiment.answer
    named = {"played": effect.played, "read": effect.read}
    adviser = words.bot(words.experiment.adviser)
    if effect.is_nothing(answer):
        return words(f"say.{answer}_none", **named, adviser=adviser, **_none_of(words, effect.binds.count))
    if answer == "binds":
        return words("say.binds", **named, binds=words.share(effect.binds))
    if effect.beyond is None:
        return words("say.advice", **named, adviser=adviser, advice=words.share(effect.advice))
    by, scatter = effect.beyond, words.share(effect.scatter) if effect.scatter else ""
    if by.low > 0:
        said = words.interval("advice", by, difference=True)
        return words("say.advice_more", **named, adviser=adviser, by=said, scatter=scatter)
    return words("say.advice_open", **named, adviser=adviser, **_ends(words, "advice", by), scatter=scatter)


# For whom, how often, how sure


def _reach(found: Findings, words: Words) -> list[str]:
    """Shares of deals, and of decisions, in which the rules made a difference."""
    experiment, first, told = found.experiment, found.experiment.arms[0].name, []
    for reach in found.reaches if experiment.compare else []:
        shares = {"differing": words.share(reach.differing), "paid": words.share(reach.paid)}
        named = {"arm": reach.arm, "first": first, "deals": words.noun()}
        told.append(words("reach.none", **named) if reach.is_nothing else words("reach.some", **named, **shares))
    chance = next((each.chance for each in found.reaches if each.may_be_chance), None)
    if chance is not None:
        again = {"chance": words.share(chance), "deals": words.count(chance.count)}
        told.append(words("reach.chance", first=first, **again))
    for each in found.rule_effects if experiment.answer != "binds" else []:
        if each.played == first:
            named = {"played": each.played, "read": each.read, "binds": words.share(each.binds)}
            told.append(words("reach.decisions" if each.binds.mean else "reach.decisions_none", **named))
    if not told and len(experiment.arms) > 1 and experiment.compare and experiment.answer not in ("binds", "advice"):
        told.append(words("reach.unknown"))
    return told


def _players(found: Findings, words: Words) -> list[str]:
    """The players, and that others might show something else."""
    arms = found.experiment.arms
    if len({arm.bots for arm in arms}) == 1 and len(set(arms[0].bots)) > 1:
        told = [words("holds.several", bots=words.bots(arms[0]))]
    elif len({each for arm in arms for each in arm.bots}) == 1:
        told = [words("holds.all", bot=words.bots(arms[0]))]
    else:
        told = [words("holds.varied", arm=arm.name, bots=words.bots(arm)) for arm in arms]
    told += [words("holds.score", arm=arm.name, score=arm.score.spec) for arm in arms if arm.score]
    told.append(words("holds.limit"))
    if found.illegal:
        told.append(words("holds.illegal", count=f"{found.illegal:,}"))
    return told


def _sureness(found: Findings, words: Words) -> list[str]:
    """The deals on which it rests, and the promise of the intervals."""
    experiment, deals = found.experiment, words.count(found.deals)
    cards = "same_cards" if experiment.paired else "other_cards"
    told = [words(f"sure.{'alone' if len(experiment.arms) == 1 else cards}", deals=deals)]
    if found.sample and found.sample < found.deals:
        told.append(words("sure.sample", deals=words.count(found.sample)))
    if found.stopped or found.unfinished:
        key = "sure.stopped" if found.stopped else "sure.unfinished"
        told.append(words(key, deals=deals, planned=words.count(experiment.deals)))
    told.append(words("sure.interval", count=words.count(HUNDRED)))
    row = found.answering if experiment.compare else None
    for gaps in row.gaps if row else []:
        if gaps.few >= DECIDING:
            share = number_text(gaps.few, 1.0, share=True)
            named = {"arm": gaps.arm, "first": experiment.arms[0].name}
            told.append(words("sure.few", **named, share=share, count=words.count(FEW)))
    if row and len(row.differences) > 1:
        told.append(words("sure.together", count=len(row.differences)))
    if found.others:
        told.append(words("sure.others", count=found.others))
    if experiment.stop:
        told.append(words("sure.stops", count=words.count(FEWEST_DIFFERING)))
    return told


def _open(found: Findings, words: Words) -> list[str]:
    """The way to decide what these deals leave open."""
    row, experiment = found.answering, found.experiment
    if row is None and found.rule_effects:
        own = [each for each in found.rule_effects if each.played == experiment.arms[0].name]
        return [words("open.others")] if all(each.is_nothing(experiment.answer) for each in own) else []
    if row is not None and row.name in OF_PLAYS and any(map(found.is_moot, range(len(experiment.arms)))):
        return [words("open.moot")]
    if row is None or not experiment.compare:
        return []
    if found.reaches and all(each.is_nothing for each in found.reaches):
        return [spelled(words("open.nothing"))]
    undecided = [
        (Need.of(gaps, len(row.gaps), experiment.stop), each.by)
        for gaps, each in zip(row.gaps, row.differences, strict=True)
        if each.equal < 1 and each.by.low <= 0 <= each.by.high and not _is_small(each.by, experiment.smallest)
    ]
    if not undecided:
        return []
    if experiment.smallest:
        deals = max(need.deals(experiment.smallest) for need, _ in undecided)
        return [words("open.deals", smallest=words.smallest(), deals=words.count(rounded(deals)))]
    deals = max(need.deals((by.high - by.low) / 4) for need, by in undecided)
    return [words("open.half", deals=words.count(rounded(deals)))]


def rounded(deals: float) -> float:
    """A number of deals with two digits that count, rounded up."""
    if deals < 100 or not math.isfinite(deals):
        return math.ceil(deals) if math.isfinite(deals) else deals
    unit = 10.0 ** (math.floor(math.log10(deals)) - 1)
    return math.ceil(deals / unit) * unit


# The plan of a run, from a short pilot: which difference it will find, and how many deals another would need


PILOT = 200  #: deals of a pilot in compiled play
PILOT_EXAMINED = 24  #: deals of a pilot where bots think, or where decisions are examined
RARE = 3  #: A rule that touches one deal of n shows in ``RARE`` times n deals with a probability of 95%


def pilot_deals(experiment: Experiment) -> int:
    """Number of deals of an experiment's pilot."""
    examined = set(experiment.measures).intersection(SAMPLED) - {"binds"} or experiment.adviser != ADVISER
    quick = all(arm.compiled for arm in experiment.arms) and not examined
    return min(PILOT if quick else PILOT_EXAMINED, experiment.deals)


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
    margin = words.amount(figure, by, by, difference=True)
    return words("plan.precise", arm=arm, deals=words.count(deals), margin=margin)


def _precise_effects(found: Findings, words: Words, deals: int) -> list[str]:
    """The precision of the shares of decisions in which rules bind."""
    first, answer = words.experiment.arms[0].name, words.experiment.answer
    told = []
    for each in found.rule_effects:
        if each.played == first:
            share = each.beyond or (each.binds if answer == "binds" else each.advice)
            told.append(_precise(each.read, answer, share, words, deals, deals))
    return told or [words("plan.none", arm=first)]


def _rare(arm: str, figure: str, words: Words, deals: int) -> str:
    """The difference that is sure to show although the pilot has not shown it."""
    rare = words.count(max(1, deals // RARE))
    return words("plan.rare", arm=arm, figure=words.figure(figure), deals=words.count(deals), rare=rare)
