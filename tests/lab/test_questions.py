"""The index of the rules pages' questions: every number, every experiment, and what the reports say."""

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
pytest.importorskip("matplotlib", reason="the laboratory is left out: uv sync --extra lab")

ROOT = Path(__file__).parents[2]
NUMBERS = {"gong-zhu": 8, "kakkuri": 9, "luk-fu": 11, "ma-diao": 10, "sap-ng-wu": 9}
"""How many open questions each rules page has."""


@pytest.fixture(scope="module")
def lab() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_lab", ROOT / "docs" / "lab.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def test_the_index_names_the_players_without_their_habits_and_beliefs(lab: ModuleType) -> None:
    specs = ("never:pass if held<3", "always:supreme:none by search:50it", "believes:knock=false:search:9it", "net")
    assert [lab.kind(spec) for spec in specs] == ["hints", "search:50it", "search:9it", "net"]


def test_the_index_says_what_the_reports_say(lab: ModuleType) -> None:
    assert lab.index() == (ROOT / "docs" / "lab" / "README.md").read_text("utf-8")
