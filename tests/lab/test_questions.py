"""The page of the rules pages' questions: every number, every experiment, and what was found."""

import tomllib
from pathlib import Path

import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
pytest.importorskip("matplotlib", reason="the laboratory is left out: uv sync --extra lab")

from tools import laboratory

ROOT = Path(__file__).parents[2]
NUMBERS = {"gong-zhu": 8, "kakkuri": 9, "luk-fu": 11, "ma-diao": 10, "sap-ng-wu": 9}
"""How many open questions each rules page has."""


def questions() -> dict[str, dict[str, list[dict[str, str]]]]:
    return tomllib.loads((ROOT / "experiments" / "questions.toml").read_text("utf-8"))


def test_every_question_of_every_page_is_there() -> None:
    for game, numbered in questions().items():
        assert list(numbered) == [str(k + 1) for k in range(NUMBERS[game])]
        assert all(numbered.values()), "a question with neither an experiment nor a reason"
    assert set(questions()) == set(NUMBERS)


def test_every_experiment_answers_a_question() -> None:
    named = {
        f"{game}/{each['experiment']}"
        for game, numbered in questions().items()
        for answers in numbered.values()
        for each in answers
        if "experiment" in each
    }
    ours = {f"{path.parent.name}/{path.stem}" for path in (ROOT / "experiments").glob("*/*.toml")}
    assert named == ours


def test_every_answer_is_a_sentence_and_what_is_not_answered_says_why() -> None:
    for numbered in questions().values():
        for each in (each for answers in numbered.values() for each in answers):
            asked, said = ("asks", "unanswered") if "asks" in each else ("experiment", "says")
            assert set(each) == {asked, said}
            assert each[said].endswith(".")
            assert asked == "experiment" or each["asks"].endswith("?")


def test_the_index_names_the_players_without_their_habits_and_beliefs() -> None:
    specs = ("never:pass if held<3", "always:supreme:none by search:50it", "believes:knock=false:search:9it", "net")
    assert [laboratory.kind(spec) for spec in specs] == ["hints", "search:50it", "search:9it", "net"]


def test_a_sentence_of_a_report_is_its_arm_and_its_numbers() -> None:
    said = {
        "With ‘a’ it is smaller than with ‘b’, by 2.0 percentage points (1.1 to 3.0).": "a −2.0 (−3.0 to −1.1)",
        "With ‘a’ it is larger than with ‘b’, by 84 points (49 to 119).": "a 84 (49 to 119)",
        "Undecided is ‘a’: it may be anything between −16 points and 6 points.": "a −16 to 6",
        "Where ‘b’ is played, but read as ‘a’: −0.3 (−3.5 to +2.9).": "a −0.3 (−3.5 to +2.9)",
        "In these deals the number of times “`SA`” is on a score sheet is 0.8 (0.6 to 1.0).": "0.8 (0.6 to 1.0)",
        "‘a’ and ‘b’ agree in every one of 10,000 deals.": "",
    }
    assert {each: laboratory.short(each) for each in said} == said
    play = "‘a’: clearly the best in 9% (8% to 10%). On average it is worth 1.2 chips (1.1 to 1.4) less than others."
    assert laboratory.short(play) == "a 9% (8 to 10)"
    assert laboratory.short(play, worth=True) == "a −1.2 (−1.4 to −1.1)"


def test_every_experiment_has_been_played_as_its_file_stands() -> None:
    names = [f"{path.parent.name}/{path.stem}" for path in (ROOT / "experiments").glob("*/*.toml")]
    assert [name for name in names if laboratory.answer_of(name) is None] == []
    assert set(laboratory.answers()) == set(names)


def test_the_page_says_what_was_found() -> None:
    assert laboratory.index() == laboratory.PAGE.read_text("utf-8")
