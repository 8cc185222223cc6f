"""A report in words, in the language of its reader: what was found, for whom it holds, how sure it is."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tefuda.engine.estimates import FEWEST_DIFFERING
from tefuda.engine.texts import LANGUAGES, spelled
from tefuda.lab.experiment.schema import Experiment
from tefuda.lab.measure.intervals import FEW, Difference, Interval, differing_share_bound
from tefuda.lab.measure.power import Need
from tefuda.lab.report.findings import OF_PLAYS, FigureRow, Findings, RuleEffect
from tefuda.lab.report.labels import interval_places, number_text
from tefuda.lab.report.words import FINEST, Words

DECIDING = 0.25
"""Share of all differences that the ``FEW`` largest must make for the report to say so."""

HUNDRED = 100
"""Deals from which on the intervals hold what they promise, as docs/explanation/laboratory.md shows."""


@dataclass(frozen=True)
class Summary:
    """A report in words.

    Attributes:
        language: of the words.
        title: of the game.
        parts: headings with their sentences, the first one the answer.
        verdicts: what was decided of each arm that is compared, whatever the language: ``more``, ``less``, ``none`` or
            ``open``.
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


def _verdict(found: Findings, row: FigureRow, difference: Difference) -> str:
    by, reach = difference.by, found.reach(difference.arm)
    if difference.equal == 1 and ((reach and reach.is_nothing) or _never_occurred(row)):
        return "open"  # nothing was asked
    if difference.equal == 1 or _is_small(by, found.experiment.smallest):
        return "none"
    return "open" if by.low <= 0 <= by.high else "more" if by.mean > 0 else "less"


def _never_occurred(row: FigureRow) -> bool:
    """Whether a figure is 0 in every deal of the first arm."""
    return not row.means[0].mean and not row.means[0].deviation


def kinds_sentences(experiment: Experiment, told: Mapping[str, Summary]) -> list[str]:
    """How the answers of several kinds of players agree, after what each of them says.

    Args:
        experiment: the question.
        told: for each kind of players, what their report says.
    """
    words = Words(experiment, next(iter(told.values())).language)
    said = [words("kinds.of", bot=words.bot(spec), answer=words.joined(each.answer)) for spec, each in told.items()]
    by_arm = list(zip(*(each.verdicts for each in told.values()), strict=True))
    if not by_arm:
        return said
    decided = [{each for each in arm if each != "open"} for arm in by_arm]
    if any(len(each) > 1 for each in decided):
        return [*said, words("kinds.differ")]
    return [*said, words("kinds.open" if any("open" in arm for arm in by_arm) else "kinds.agree")]


def summaries(found: Findings) -> list[Summary]:
    """A report in words in every language."""
    return [summary(found, language) for language in LANGUAGES]


# What was found


def _answer(found: Findings, words: Words) -> list[str]:
    experiment = found.experiment
    if experiment.answer in ("binds", "advice"):
        first = experiment.arms[0].name
        return [rule_effect_sentence(words, each) for each in found.rule_effects if each.played == first] or [
            words("say.absent")
        ]
    row = found.answering
    if row is not None and row.name in OF_PLAYS:
        return _plays(found, words)
    if row is None or not any(each.count for each in row.means):
        return [words("say.absent")]
    if len(experiment.arms) == 1:
        mean = words.interval(row.name, row.means[0])
        return [words("say.alone", figure=words.figure(row.name), mean=mean)]
    if not experiment.compare:
        return [
            words("say.value", arm=arm.name, figure=words.figure(row.name), mean=words.interval(row.name, mean))
            for arm, mean in zip(experiment.arms, row.means, strict=True)
            if mean.count
        ]
    said = [difference_sentence(found, words, row, each) for each in row.differences]
    return said or [words("say.absent")]


def difference_sentence(found: Findings, words: Words, row: FigureRow, difference: Difference) -> str:
    """How an arm differs from the first one, and whether that matters."""
    experiment, by = found.experiment, difference.by
    named = {"arm": difference.arm, "first": experiment.arms[0].name, "figure": words.figure(row.name)}
    reach = found.reach(difference.arm)
    if reach and reach.is_nothing:
        return words("say.nothing", arm=named["arm"], first=named["first"], **_none_of(words, by.count))
    if difference.equal == 1:
        if _never_occurred(row):
            return words("say.never", **named, deals=words.count(by.count))
        same = words("say.same", **named, deals=words.count(by.count))
        return words.joined([same, words("say.unpaid")]) if reach and not reach.paid.mean else same
    like = interval_places(by)
    ends = {
        "low": words.amount(row.name, by.low, like, difference=True),
        "high": words.amount(row.name, by.high, like, difference=True),
    }
    smallest = experiment.smallest
    reaches = max(abs(by.low), abs(by.high))
    if by.low <= 0 <= by.high:
        if smallest is not None and reaches < smallest:
            return words("say.too_small", **named, **ends, smallest=words.smallest())
        return words("say.undecided", **named, **ends)
    size = by if by.mean > 0 else replace(by, mean=-by.mean, low=-by.high, high=-by.low)
    mean = words.amount(row.name, row.means[0].mean, like)
    said = words(
        "say.more" if by.mean > 0 else "say.less",
        **named,
        by=words.interval(row.name, size, difference=True),
        mean=mean,
    )
    if smallest is None or size.low >= smallest:
        return said
    doubt = words("say.small" if reaches < smallest else "say.perhaps_small", smallest=words.smallest())
    return words.joined([said, doubt])


def _none_of(words: Words, deals: int) -> dict[str, str]:
    """So many deals, and in which share of all deals that may occur which occurred in none of these."""
    most = differing_share_bound(deals)
    return {"deals": words.count(deals), "most": number_text(most, most, share=True)}


def _plays(found: Findings, words: Words) -> list[str]:
    """How often the play asked about is right and wrong, and what it is worth, arm by arm."""
    pays, costs, worth, taken = (found.sampled_row(name) for name in ("pays", "costs", "worth", "taken"))
    if not (pays and costs and worth and taken and any(each.count for each in taken.means)):
        return [words("say.absent")]
    told = []
    for k, arm in enumerate(found.experiment.arms):
        if found.is_moot(k):
            deals = words.count(taken.means[k].count)
            told.append(words("say.moot", arm=arm.name, deals=deals))
            continue
        if not pays.means[k].count:
            told.append(words("say.absent_in", arm=arm.name))
            continue
        left = max(0.0, 1 - pays.means[k].mean - costs.means[k].mean)
        like = max(interval_places(pays.means[k]) or 0.0, FINEST)
        said = words(
            "say.plays",
            arm=arm.name,
            pays=words.share(pays.means[k]),
            costs=words.share(costs.means[k]),
            open=number_text(left, like, share=True),
        )
        by = worth.means[k]
        size = by if by.mean >= 0 else replace(by, mean=-by.mean, low=-by.high, high=-by.low)
        key = "say.worth_more" if by.mean >= 0 else "say.worth_less"
        gained = words(key, worth=words.interval("worth", size))
        told.append(words.joined([said, gained, words("say.made", taken=words.share(taken.means[k]))]))
    return told


def rule_effect_sentence(words: Words, effect: RuleEffect) -> str:
    """What reading an arm's decisions under another's options shows; of an adviser, beyond its own scatter."""
    experiment = words.experiment
    named = {"played": effect.played, "read": effect.read}
    adviser = words.bot(experiment.adviser)
    if effect.is_nothing(experiment.answer):
        none_of = _none_of(words, effect.binds.count)
        return words(f"say.{experiment.answer}_none", **named, adviser=adviser, **none_of)
    if experiment.answer == "binds":
        return words("say.binds", **named, binds=words.share(effect.binds))
    if effect.beyond is None:
        return words("say.advice", **named, adviser=adviser, advice=words.share(effect.advice))
    by = effect.beyond
    scatter = words.share(effect.scatter) if effect.scatter else ""
    if by.low > 0:
        said = words.interval("advice", by, difference=True)
        return words("say.advice_more", **named, adviser=adviser, by=said, scatter=scatter)
    like = interval_places(by)
    ends = {
        key: words.amount("advice", end, like, difference=True) for key, end in (("low", by.low), ("high", by.high))
    }
    return words("say.advice_open", **named, adviser=adviser, **ends, scatter=scatter)


# For whom, how often, how sure


def _reach(found: Findings, words: Words) -> list[str]:
    """In how many deals, and decisions, the rules made a difference."""
    experiment = found.experiment
    first = experiment.arms[0].name
    told = []
    for arm in experiment.arms[1:]:
        reach = found.reach(arm.name)
        if reach is None or not experiment.compare:
            continue
        shares = {"differing": words.share(reach.differing), "paid": words.share(reach.paid)}
        named = {"arm": arm.name, "first": first, "deals": words.noun()}
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
    """Who played, and that others might show something else."""
    arms = found.experiment.arms
    if len({arm.bots for arm in arms}) == 1:
        several = len(set(arms[0].bots)) > 1
        told = [
            words("holds.several" if several else "holds.all", **{"bots" if several else "bot": words.bots(arms[0])})
        ]
    elif all(len(set(arm.bots)) == 1 for arm in arms) and len({arm.bots[0] for arm in arms}) == 1:
        told = [words("holds.all", bot=words.bots(arms[0]))]
    else:
        told = [words("holds.varied", arm=arm.name, bots=words.bots(arm)) for arm in arms]
    told.append(words("holds.limit"))
    if found.illegal:
        told.append(words("holds.illegal", count=f"{found.illegal:,}"))
    return told


def _sureness(found: Findings, words: Words) -> list[str]:
    """On how many deals it rests, and what the intervals promise."""
    experiment, deals = found.experiment, words.count(found.deals)
    if len(experiment.arms) == 1:
        told = [words("sure.alone", deals=deals)]
    else:
        told = [words("sure.same_cards" if experiment.paired else "sure.other_cards", deals=deals)]
    if found.sample and found.sample < found.deals:
        told.append(words("sure.sample", deals=words.count(found.sample)))
    planned = words.count(experiment.deals)
    if found.stopped:
        told.append(words("sure.stopped", deals=deals, planned=planned))
    elif found.unfinished:
        told.append(words("sure.unfinished", deals=deals, planned=planned))
    told.append(words("sure.interval", count=words.count(HUNDRED)))
    row = found.answering
    for gaps in row.gaps if row and experiment.compare else []:
        if gaps.few >= DECIDING:
            share = number_text(gaps.few, 1.0, share=True)
            named = {"arm": gaps.arm, "first": experiment.arms[0].name}
            told.append(words("sure.few", **named, share=share, count=words.count(FEW)))
    answering = len(row.differences) if row and experiment.compare else 0
    if answering > 1:
        told.append(words("sure.together", count=answering))
    if found.others:
        told.append(words("sure.others", count=found.others))
    if experiment.stop:
        told.append(words("sure.stops", count=words.count(FEWEST_DIFFERING)))
    return told


def _open(found: Findings, words: Words) -> list[str]:
    """What would decide what these deals leave open."""
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
        (gaps, each)
        for gaps, each in zip(row.gaps, row.differences, strict=True)
        if each.equal < 1 and each.by.low <= 0 <= each.by.high and not _is_small(each.by, experiment.smallest)
    ]
    if not undecided:
        return []
    needs = [Need.of(gaps, len(row.gaps), experiment.stop) for gaps, _ in undecided]
    if experiment.smallest:
        deals = max(need.deals(experiment.smallest) for need in needs)
        return [words("open.deals", smallest=words.smallest(), deals=words.count(rounded(deals)))]
    deals = max(need.deals((each.by.high - each.by.low) / 4) for need, (_, each) in zip(needs, undecided, strict=True))
    return [words("open.half", deals=words.count(rounded(deals)))]


def _is_small(by: Interval, smallest: float | None) -> bool:
    return smallest is not None and max(abs(by.low), abs(by.high)) < smallest


def rounded(deals: float) -> float:
    """A number of deals with two digits that count, rounded up."""
    if deals < 100 or not math.isfinite(deals):
        return math.ceil(deals) if math.isfinite(deals) else deals
    unit = 10.0 ** (math.floor(math.log10(deals)) - 1)
    return math.ceil(deals / unit) * unit
