"""Reports in words: every kind of answer, whom it holds for, how often a rule came into play, in every language."""

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
pytest.importorskip("matplotlib", reason="the laboratory is left out: uv sync --extra lab")

from tefuda.engine.texts import LANGUAGES
from tefuda.lab.experiment import Experiment
from tefuda.lab.experiment_file import parse
from tefuda.lab.measure.figures import Reach
from tefuda.lab.measure.intervals import Difference, Interval, gaps_between, interval
from tefuda.lab.report.findings import FigureRow, Findings, RuleEffect, find
from tefuda.lab.report.sentences import (
    Summary,
    difference_sentence,
    kinds_sentences,
    rounded,
    rule_effect_sentence,
    summary,
)
from tefuda.lab.report.vocabulary import Words
from tefuda.lab.runs import Run

TWO = [{"name": "a"}, {"name": "b", "options": {"exposing": False}}]


def asked(**more: Any) -> Experiment:
    given = {"question": "Why?", "game": "gong-zhu", "deals": 40, "arms": TWO, **more}
    return parse("why", given)


def played(path: Path, **more: Any) -> Findings:
    run = Run(path, asked(**more))
    run.play(processes=1)
    return find(run)


def told(found: Findings, language: str = "en") -> str:
    return "\n".join(sentence for _, said in summary(found, language).parts for sentence in said)


def judged(low: float, high: float, language: str = "en", **more: Any) -> str:
    """What is said of a difference with this interval."""
    experiment = asked(**more)
    found = Findings(experiment, deals=40, illegal=0)
    by = Interval((low + high) / 2, low, high, 40, 1.0)
    row = FigureRow(experiment.answer, "", False, [Interval(0.2, 0.1, 0.3, 40, 1.0)] * 2)
    return difference_sentence(found, Words(experiment, language), row, Difference("b", by, 0.01, 0.5))


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (4.0, 5.0, "is larger than with “a”, by 4.5 points (4.0 to 5.0)"),
        (-5.0, -4.0, "is smaller than with “a”, by 4.5 points (4.0 to 5.0)"),
        (0.1, 0.3, "The difference is real, but less than 2 points"),
        (0.5, 3.0, "It may be less than 2 points"),
        (-0.5, 0.5, "“b” makes no difference to the distance between"),
        (-2.0, 3.0, "These deals do not decide whether “b” changes"),
    ],
)
def test_what_an_interval_decides(low: float, high: float, said: str) -> None:
    assert said in judged(low, high, smallest=2)
    for language in LANGUAGES:
        assert "{" not in judged(low, high, language, smallest=2)


def test_only_what_is_as_large_as_matters_is_told_without_a_doubt() -> None:
    assert "less than" not in judged(4.0, 5.0, smallest=2)
    assert "less than" not in judged(0.001, 3.0)


def test_a_difference_of_shares_is_told_in_percentage_points() -> None:
    assert "by 20 percentage points (10 to 30)" in judged(0.1, 0.3, answer="drawn")
    assert "0 to 1" not in judged(0.1, 0.3, answer="drawn")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_says_who_played_how_sure_it_is_and_how_often_the_rule_came_into_play(
    tmp_path: Path, language: str
) -> None:
    found = played(tmp_path, bots=["hints", "random"], measures=["length", "outcome", "binds"], sample=4)
    said = told(found, language)
    assert "hints" in said
    assert "random" in said
    assert "40" in said
    assert f"{found.others}" in said
    assert "{" not in said
    assert len(summary(found, language).parts) >= 4
    reach = found.reach("b")
    assert reach is not None
    assert reach.differing.mean > 0
    assert Words(found.experiment, language).share(reach.paid) in said


def test_the_answer_is_judged_alone_and_the_other_figures_together(tmp_path: Path) -> None:
    arms = [*TWO, {"name": "c", "options": {"sheep_flips": True}}]
    found = played(tmp_path, arms=arms, measures=["length", "outcome"])
    names = [row.name for row in found.rows if row.gaps]
    assert found.others == 2 * (len(names) - 1)
    row = found.answering
    assert row is not None
    assert row.differences == [each.judged(2) for each in row.gaps]
    other = next(each for each in found.rows if each.name == "moves")
    assert other.differences == [each.judged(found.others) for each in other.gaps]
    assert f"The report shows {found.others} more comparisons." in told(found)
    assert "The ranges of the 2 comparisons that answer the question hold together." in told(found)


def test_where_other_bots_play_no_deal_is_counted_as_different_by_the_rule(tmp_path: Path) -> None:
    arms = [{"name": "a"}, {"name": "b", "bots": ["random"]}]
    found = played(tmp_path, arms=arms, measures=["outcome"])
    assert found.reaches == []
    assert "It can't be counted deal by deal" in told(found)
    assert "With “b” the players were “random” (any legal play)." in told(found)


def test_a_rule_that_nobody_is_paid_for_says_nothing_about_others() -> None:
    experiment = asked()
    none = Interval(0.0, 0.0, 0.1, 40, 0.0)
    found = Findings(experiment, deals=40, illegal=0, reaches=[Reach("b", Interval(1, 0.9, 1, 40, 0), none, none)])
    row = FigureRow("spread", "", False, [Interval(0.2, 0.1, 0.3, 40, 1.0)] * 2)
    same = Difference("b", Interval(0.0, 0.0, 0.0, 40, 0.0), 1.0, 1.0)
    said = difference_sentence(found, Words(experiment, "en"), row, same)
    assert "agree in the distance between the best and the worst result in a deal in every one of 40 deals" in said
    assert "That says nothing about others" in said


def test_a_play_is_told_with_its_worth_and_with_what_is_open(tmp_path: Path) -> None:
    more = {"measures": ["outcome", "play"], "play": "expose:.*SQ.*", "answer": "pays", "compare": False}
    found = played(tmp_path, arms=[{"name": "pig"}], deals=6, sample=6, **more)
    (said,) = summary(found, "en").answer
    for word in (
        "clearly the best in",
        "clearly beaten in",
        "it makes no clear difference",
        "On average",
        "made it in",
    ):
        assert word in said


def of_plays(differs: float) -> Findings:
    """Findings about a play that came to matter in this share of the decisions, which says nothing else of it."""
    more = {"measures": ["outcome", "play"], "play": "expose:.*SQ.*", "answer": "worth", "arms": [{"name": "pig"}]}
    found = Findings(asked(**more), deals=40, illegal=0)
    asked_of = Interval(0, 0, 0, 40, 0) if differs else interval(np.zeros(0))
    means = {**dict.fromkeys(("pays", "costs", "worth"), asked_of), "taken": Interval(0, 0, 0.1, 40, 0)}
    means["differs"] = Interval(differs, differs, differs, 40, 0)
    found.sampled_rows = [FigureRow(name, "", name != "worth", [mean]) for name, mean in means.items()]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_never_came_to_matter_is_no_evidence(language: str) -> None:
    said = summary(of_plays(0.0), language)
    assert "40" in said.answer[0]
    assert not re.search(r"\b0\b", said.answer[0])
    assert "by search:100it" in said.parts[-1][1][0]
    assert re.search(r"\b0\b", summary(of_plays(0.5), language).answer[0])


def test_rules_that_never_bind_and_figures_that_never_occur_have_asked_nothing() -> None:
    never = Interval(0.0, 0.0, 0.1, 40, 0.0)
    for answer in ("binds", "advice"):
        words = Words(asked(answer=answer, measures=["binds"]), "en")
        assert rule_effect_sentence(words, RuleEffect("a", "b", never, never)).startswith("No answer:")
        seldom = replace(never, mean=0.02)
        assert rule_effect_sentence(words, RuleEffect("a", "b", seldom, seldom)).startswith("Where “a” is played, 2")
    found = Findings(asked(answer="drawn"), deals=40, illegal=0)
    same = Difference("b", Interval(0.0, 0.0, 0.0, 40, 0.0), 1.0, 1.0)
    found.rows = [FigureRow("drawn", "", True, [never, never], [gaps_between("b", *np.zeros((2, 40)))], [same])]
    said = difference_sentence(found, Words(found.experiment, "en"), found.rows[0], same)
    assert "The case never came up" in said
    assert summary(found, "en").verdicts == ("open",), "so it agrees with no other players"


def test_chance_stands_beside_what_was_paid_differently(tmp_path: Path) -> None:
    """Once a deal goes differently, players draw other random numbers; where none does, all of it is the rule's."""
    for name, options, said in ("goes differently", {"exposing": False}, True), ("the same", {"target": 500}, False):
        arms = [{"name": "a"}, {"name": "b", "options": options}]
        found = played(tmp_path / name, arms=arms, bots=["random"], measures=["outcome"])
        assert found.reaches[0].chance is not None
        assert found.reaches[0].chance.mean > 0.9
        assert ("Part of that may be chance" in told(found)) == said


def test_where_few_deals_decide_the_report_says_so() -> None:
    for size, said in (9.0, True), (1.0, False):
        values = np.where(np.arange(200) < 2, size, 0.1)
        found = Findings(asked(), deals=200, illegal=0)
        gaps = gaps_between("b", np.zeros(200), values)
        found.rows = [FigureRow("spread", "", False, [Interval(0.2, 0.1, 0.3, 200, 1.0)] * 2, [gaps], [gaps.judged(1)])]
        assert ("The 3 deals that differ most make up 48%" in told(found)) == said


def test_what_is_open_says_how_many_deals_would_settle_it(tmp_path: Path) -> None:
    found = played(tmp_path, deals=60, measures=["seats"], answer="first", smallest=0.01)
    row = found.answering
    assert row is not None
    assert row.differences[0].by.low < 0 < row.differences[0].by.high
    assert "To find a difference of 0.01 points nine times in ten, about" in told(found)


def test_a_run_that_stopped_and_one_that_is_not_finished_say_so() -> None:
    found = Findings(asked(stop=True), deals=30, illegal=0, stopped=True)
    assert "It stopped after 30 deals of 40 deals." in told(found)
    assert "wide enough for every look" in told(found)
    assert "The run is not finished: 30 deals of 40 deals." in told(Findings(asked(), deals=30, illegal=0))


def test_deals_are_rounded_up_to_two_digits() -> None:
    assert [rounded(each) for each in (7.2, 99, 101, 12_345)] == [8, 99, 110, 13_000]
    assert math.isinf(rounded(math.inf))


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (("more", "more"), "All these players give the same answer."),
        (("more", "less"), "These players do not give the same answer"),
        (("more", "none"), "These players do not give the same answer"),
        (("more", "open"), "for some of them the answer is open"),
    ],
)
def test_whether_several_kinds_of_players_agree_is_said(verdicts: tuple[str, str], said: str) -> None:
    told = {
        bot: Summary("en", "Gong Zhu", [("What was found", ["Larger."])], (verdict,))
        for bot, verdict in zip(("hints", "random"), verdicts, strict=True)
    }
    sentences = kinds_sentences(asked(), told)
    assert sentences[0] == "Played by “hints” (the heuristics that a beginner is taught): Larger."
    assert said in sentences[-1]


def test_a_report_keeps_what_was_decided_beside_the_words(tmp_path: Path) -> None:
    found = played(tmp_path, deals=300, bots=["random"], measures=["outcome"])
    assert summary(found, "en").verdicts == summary(found, "ja").verdicts == ("less",)
