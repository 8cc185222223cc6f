"""Reports: the same bytes again, whole in one file, and with the numbers in them."""

import math
import re
from pathlib import Path

import pytest

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
pytest.importorskip("matplotlib", reason="the laboratory is left out: uv sync --extra lab")
import polars as pl

from tefuda.engine.texts import LANGUAGES
from tefuda.lab.experiment_file import parse
from tefuda.lab.measure import figures
from tefuda.lab.measure.intervals import Interval
from tefuda.lab.report import vocabulary
from tefuda.lab.report.page import experiment_file, write
from tefuda.lab.report.vocabulary import Words
from tefuda.lab.runs import Run, open_run

PLAIN = {"question": "Why?", "game": "gong-zhu"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    given = {
        "question": 'Is <it> "so"?',
        "game": "gong-zhu",
        "deals": 60,
        "bots": ["hints", "random"],
        "measures": ["length", "outcome", "seats", "lines", "binds", "decisions", "information"],
        "sample": 3,
        "arms": [{"name": "exposing"}, {"name": "none", "options": {"exposing": False}}],
    }
    made = Run(tmp_path_factory.mktemp("run"), parse("why", given))
    made.play(processes=1)
    return made


def test_a_report_is_the_same_again_and_needs_nothing_else(run: Run, tmp_path: Path) -> None:
    write(run, tmp_path / "a")
    write(open_run(run.path), tmp_path / "b")
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == ["answer.svg", "differences.svg", "payoffs.svg", "report.html", "report.json", "report.md"]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    page = (tmp_path / "a" / "report.html").read_text("utf-8")
    assert "Is &lt;it&gt;" in page
    assert not re.search(r'(src|href)="(?!#)', page)
    assert not re.search(r"url\((?!#)", page)
    assert page.count("<svg ") == 2 + len(LANGUAGES)
    for language in LANGUAGES:
        assert (
            f'<section class="words{" usual" if language == "en" else ""}" id="in-{language}" lang="{language}"' in page
        )
    markdown = (tmp_path / "a" / "report.md").read_text("utf-8")
    assert "tefuda lab run why.toml" in markdown
    assert "| Spread: best payoff less worst, a deal |" in markdown


def test_answers_that_were_not_legal_are_told_with_the_answer(tmp_path: Path) -> None:
    given = {
        "question": "Why?",
        "game": "gong-zhu",
        "deals": 1,
        "bots": ["tests.lab.test_python_game:Raising", "hints"],
    }
    run = Run(tmp_path, parse("why", {**given, "measures": ["outcome"]}))
    run.play(processes=1)
    told = write(run, tmp_path).parts
    assert any("answers of bots were not legal" in sentence for _, said in told for sentence in said)
    assert "answers of bots were not legal" in (tmp_path / "report.md").read_text("utf-8")


def test_where_no_deal_has_a_figure_the_answer_says_so_and_its_row_is_whole(tmp_path: Path) -> None:
    """In Ma Diao by the plain rules nobody is handed the first lead."""
    arms = [{"name": "a"}, {"name": "b", "options": {"accuser": False}}]
    given = {"question": "Why?", "game": "ma-diao", "deals": 5, "arms": arms, "measures": ["outcome", "seats"]}
    run = Run(tmp_path, parse("why", {**given, "answer": "leads_first"}))
    run.play(processes=1)
    assert write(run, tmp_path).answer == ["No answer: the case never came up."]
    rows = [line for line in (tmp_path / "report.md").read_text("utf-8").splitlines() if "leads_first" in line]
    assert all(row.count("|") == 6 for row in rows if row.startswith("|"))


def test_a_table_without_rows_is_left_out(tmp_path: Path) -> None:
    """Four cards exposed at once are never seen in two deals."""
    given = {"question": "Why?", "game": "gong-zhu", "deals": 2, "measures": ["play"], "answer": "worth"}
    given |= {"play": r"expose:\w+(\+\w+){3}"}
    run = Run(tmp_path, parse("why", given))
    run.play(processes=1)
    write(run, tmp_path)
    page = (tmp_path / "report.md").read_text("utf-8")
    assert "| figure |" not in page
    assert "When the play is right" not in page
    assert "<h2>Figures</h2>" not in (tmp_path / "report.html").read_text("utf-8")


def test_of_whole_games_a_report_speaks_of_games(tmp_path: Path) -> None:
    arms = [{"name": "a"}, {"name": "b", "options": {"exposing": False}}]
    given = {"question": "Why?", "game": "gong-zhu", "deals": 4, "arms": arms}
    given |= {"measures": ["length", "outcome", "seats"], "bots": ["hints", "random"]}
    run = Run(tmp_path, parse("why", {**given, "whole_games": True}))
    run.play(processes=1)
    answer = write(run, tmp_path).answer
    page = (tmp_path / "report.md").read_text("utf-8")
    assert "the best and the worst result in a game" in answer[0]
    assert "4 games in each arm" in page
    assert "Length: actions in a game" in page
    assert "Advantage of acting first in the first deal, a game" in page
    assert "Advantage of the place" not in page, "who has a place in the last deal follows from who lost before"
    assert "games until the better leads" in page


def test_of_several_arms_each_figure_has_its_name_above_its_arms(tmp_path: Path) -> None:
    arms = [{"name": "a"}, {"name": "b", "options": {"exposing": False}}, {"name": "c", "seats": 5}]
    run = Run(tmp_path, parse("why", {**PLAIN, "deals": 4, "arms": arms, "measures": ["length", "outcome"]}))
    run.play(processes=1)
    write(run, tmp_path)
    page = (tmp_path / "report.html").read_text("utf-8")
    figures = page[page.index("<h2>Figures</h2>") : page.index("<h2>Payoffs</h2>")]
    named = re.findall(r'<th scope="rowgroup" colspan="4">([^<]+)', figures)
    assert "Spread: best payoff less worst, a deal" in named
    assert figures.count('<th scope="row">') == len(named) * len(arms)


def test_the_file_in_a_report_asks_the_same(run: Run) -> None:
    import tomllib

    assert parse("why", tomllib.loads(experiment_file(run.experiment))).as_dict() == run.experiment.as_dict()


def test_a_deal_without_a_choice_has_no_branching_factor() -> None:
    deals = pl.DataFrame({"deal": [1, 1, 2, 2], "choices": [0, 0, 9, 3], "decisions": [0, 0, 3, 1]})
    means = deals.group_by("deal").agg(figures.figure_expression(parse("why", PLAIN), "choices")).sort("deal")
    assert means["choices"].to_list() == [None, 3.0]


def test_an_interval_of_no_width_is_not_shown_as_one() -> None:
    """Where all deals are alike, or there is one: nothing is known of how far they may differ."""
    for found in (Interval(0.0, 0.0, 0.0, 9, 0.0), Interval(0.0, math.nan, math.nan, 1, math.nan)):
        assert vocabulary.interval_text(found) == "0"
        assert Words(parse("why", PLAIN), "en").interval("spread", found) == "0 points"


def test_numbers_have_the_places_that_make_sense() -> None:
    assert vocabulary.interval_text(Interval(1.23456, 1.2, 1.3, 9, 1.0)) == "1.23 (1.20 to 1.30)"
    assert (
        vocabulary.interval_text(Interval(-0.001, -0.004, 0.002, 9, 1.0), share=True, sign=True)
        == "−0.10 (−0.40 to +0.20) percentage points"
    )
    assert vocabulary.interval_text(Interval(5.0, float("nan"), float("nan"), 1, float("nan"))) == "5.0"
    assert (vocabulary.number_text(float("inf")), vocabulary.number_text(-float("inf"))) == ("∞", "−∞")
    # A bot that is no better than the others may need any number of deals.
    assert vocabulary.number_text(12.0, float("inf")) == "12"
