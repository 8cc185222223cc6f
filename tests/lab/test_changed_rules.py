"""Experiments with rules that the games do not have: other values, and payments by a function of one's own."""

import re
from pathlib import Path

import pytest

from tefuda.engine.errors import TefudaError
from tefuda.games import names
from tefuda.table.record import Record

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
import polars as pl

from tefuda.lab.experiment_file import parse, read, with_players
from tefuda.lab.report import page
from tefuda.lab.runs import RESULTS, Run, open_run
from tefuda.table.game import load

FILE = """question = "Why?"
game = "gong-zhu"
bots = ["random"]
deals = 5
arms = [{ name = "usual" }, { name = "other", score = "scores.py:hearts" }]
"""

HEARTS = """
def hearts(deal):
    return [-sum(card.startswith("H") for card in taken) for taken in deal.view(-1).to_dict()["won"]]
"""


def written(folder: Path, scores: str = HEARTS, file: str = FILE) -> Path:
    (folder / "scores.py").write_text(scores, encoding="utf-8")
    (folder / "why.toml").write_text(file, encoding="utf-8")
    return folder / "why.toml"


def paid(folder: Path, arm: str) -> list[list[float]]:
    """What the seats receive in each deal of an arm."""
    rows = pl.read_parquet(folder / RESULTS).filter(pl.col("arm").cast(pl.String) == arm)
    return rows.sort("deal", "seat").group_by("deal", maintain_order=True).agg("payoff")["payoff"].to_list()


# Values


def test_values_are_those_of_the_file_and_of_the_arm() -> None:
    arms = [{"name": "a"}, {"name": "b", "values": {"pig": -200, "HA": -60}}]
    found = parse("why", {"question": "Why?", "game": "gong-zhu", "values": {"pig": -150}, "arms": arms})
    assert [arm.game.changed_options() for arm in found.arms] == [{"pig": -150}, {"pig": -200, "HA": -60}]
    assert parse("why", found.as_dict()).as_dict() == found.as_dict()


def test_the_pig_costs_what_the_experiment_says(tmp_path: Path) -> None:
    """Random players do not look at points, so all deals are played alike; one seat has taken the pig in each, and
    some have it doubled by the transformer."""
    arms = [{"name": "usual"}, {"name": "dear", "values": {"pig": -150}}]
    given = {"question": "Why?", "game": "gong-zhu", "options": {"exposing": False}, "bots": ["random"], "deals": 20}
    run = Run(tmp_path, parse("why", {**given, "arms": arms}))
    run.play(processes=1)
    differences = [
        sorted(dear - usual for dear, usual in zip(*deal, strict=True))
        for deal in zip(paid(tmp_path, "dear"), paid(tmp_path, "usual"), strict=True)
    ]
    assert {tuple(each) for each in differences} == {(-50, 0, 0, 0), (-100, 0, 0, 0)}


def test_the_report_says_which_values_are_changed(tmp_path: Path) -> None:
    arms = [{"name": "usual"}, {"name": "dear", "values": {"pig": -150}}]
    run = Run(tmp_path, parse("why", {"question": "Why?", "game": "gong-zhu", "arms": arms, "deals": 5}))
    run.play(processes=1)
    page.write(run, tmp_path)
    assert "“dear”: pig: −150; 4 players." in (tmp_path / "report.html").read_text("utf-8")
    assert "| dear | pig = -150 |" in (tmp_path / "report.md").read_text("utf-8")
    assert open_run(tmp_path).experiment.as_dict() == run.experiment.as_dict()


def test_a_record_says_which_values_were_played_by() -> None:
    deal = load("gong-zhu", pig=-150).deal(seed=1)
    assert Record.parse(deal.record()).options == {"pig": -150}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"pgi": -150}, "arms 1: gong-zhu has no option 'pgi'; did you mean 'pig'?"),
        ({"pig": 150}, "arms 1: pig: 150 is not from -10000 to 0"),
        ({"pig": -1.5}, "arms 1: pig: '-1.5' is not a whole number"),
        ({"pig": True}, "arms 1: pig: 'True' is not a whole number"),
        (-150, "values: -150 is not a table of keys and values"),
    ],
)
def test_values_that_will_not_do_are_named(values: object, said: str) -> None:
    with pytest.raises(TefudaError) as caught:
        parse("why", {"question": "Why?", "game": "gong-zhu", "arms": [{"name": "a", "values": values}]})
    assert said in str(caught.value)


# Scoring functions


def test_a_function_says_what_deals_pay(tmp_path: Path) -> None:
    """Each heart that a seat has taken costs a point, 13 in all."""
    run = Run(tmp_path / "run", read(written(tmp_path)))
    run.play(processes=1)
    assert [sum(deal) for deal in paid(tmp_path / "run", "other")] == [-13] * 5
    assert [sum(deal) for deal in paid(tmp_path / "run", "usual")] != [-13] * 5


def test_where_bots_think_a_function_pays_the_same(tmp_path: Path) -> None:
    run = Run(tmp_path / "run", read(written(tmp_path, file=FILE.replace('"random"', '"search:1it"')), deals=1))
    run.play(processes=1)
    assert sum(paid(tmp_path / "run", "other")[0]) == -13


def test_a_function_may_pay_parts_of_points_and_see_the_games_payoff(tmp_path: Path) -> None:
    halved = "def hearts(deal):\n    return [points / 2 for points in deal.payoff()]"
    run = Run(tmp_path / "run", read(written(tmp_path, halved)))
    run.play(processes=1)
    usual, other = paid(tmp_path / "run", "usual"), paid(tmp_path / "run", "other")
    assert other == [[points / 2 for points in deal] for deal in usual]


def test_the_report_names_the_function_and_what_bots_play_for(tmp_path: Path) -> None:
    run = Run(tmp_path / "run", read(written(tmp_path)))
    run.play(processes=1)
    page.write(run, tmp_path)
    report = (tmp_path / "report.md").read_text("utf-8")
    assert "With “other”, the function scores.py:hearts says what a deal pays." in report
    assert str(tmp_path) not in report


def test_another_text_of_the_function_is_another_run(tmp_path: Path) -> None:
    first = read(written(tmp_path))
    assert first.digest() == read(written(tmp_path)).digest()
    assert first.digest() != read(written(tmp_path, HEARTS.replace("-sum", "-2 * sum"))).digest()


def test_other_players_keep_the_function(tmp_path: Path) -> None:
    experiment = read(written(tmp_path))
    assert with_players(experiment, "hints").arms[1].score == experiment.arms[1].score


def test_only_a_file_brings_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads a run, or hands over keys, runs nothing, though a file of that name lies where they are."""
    monkeypatch.chdir(written(tmp_path, "raise SystemExit").parent)
    given = {"question": "Why?", "game": "gong-zhu", "arms": [{"name": "a", "score": "scores.py:hearts"}]}
    score = parse("why", given).arms[0].score
    assert score is not None
    assert score.source == ""


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ("def heart(deal): return 0", "score: scores.py:hearts: there is no function 'hearts'; did you mean 'heart'?"),
        ("hearts = 3", "there is no function 'hearts'"),
        ("def hearts(:", "score: scores.py:hearts: SyntaxError: invalid syntax (scores.py, line 1)"),
        ("import no_such_module", "score: scores.py:hearts: ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)  # fmt: skip
def test_a_file_that_will_not_do_is_named(tmp_path: Path, scores: str, said: str) -> None:
    with pytest.raises(TefudaError) as caught:
        read(written(tmp_path, scores))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TefudaError, match=r"arms 2: .*other.py: No such file or directory"):
        read(written(tmp_path, file=FILE.replace("scores.py", "other.py")))


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("[1, 2]", "[1.0, 2.0] is not a list of 4 finite numbers"),
        ("[1, 2, 3, float('inf')]", "[1.0, 2.0, 3.0, inf] is not a list of 4 finite numbers"),
        ("[1, 2, 3, float('nan')]", "[1.0, 2.0, 3.0, nan] is not a list of 4 finite numbers"),
        ("[0, 0, 0, -1e308]", "[0.0, 0.0, 0.0, -1e+308] is not a list of 4 finite numbers < 1e15"),
        ("None", "nan is not a list of 4 finite numbers"),
        ("__import__('sys').exit(3)", "SystemExit: 3"),
        ("'abc'", "ValueError: could not convert string to float: 'abc'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("deal.payoffs", "AttributeError: 'Deal' object has no attribute 'payoffs'"),
    ],
)
def test_a_function_that_fails_is_named_with_arm_file_and_deal(tmp_path: Path, returned: str, said: str) -> None:
    experiment = read(written(tmp_path, f"def hearts(deal):\n    return {returned}"))
    with pytest.raises(TefudaError) as caught:
        Run(tmp_path / "run", experiment).play(processes=1)
    assert str(caught.value).startswith(f"arm 'other': score: scores.py:hearts: deal 0: {said}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("more", ["whole_games = true", 'measures = ["decisions"]', 'measures = ["play"]\nplay = "SQ"'])
def test_measures_that_need_the_games_payments_have_no_function(tmp_path: Path, more: str) -> None:
    with pytest.raises(TefudaError, match="score: whole games, and the measures 'decisions' and 'play', need"):
        read(written(tmp_path, file=f"{more}\n{FILE}"))


def test_luck_is_not_measured_of_payments_that_are_not_the_games(tmp_path: Path) -> None:
    two = FILE.replace('["random"]', '["search:1it", "random"]').replace('{ name = "usual" }, ', "")
    run = Run(tmp_path / "run", read(written(tmp_path, file=two), deals=1))
    run.play(processes=1)
    assert "luck" not in pl.read_parquet(tmp_path / "run" / RESULTS).columns


def test_the_page_of_the_laboratory_names_every_value() -> None:
    page_text = (Path(__file__).parents[2] / "docs" / "lab.md").read_text("utf-8")
    for game in names():
        for value in load(game).description.rules.values:
            assert f"`{value.name}`" in page_text or re.fullmatch("H[3-9JQK]|H10", value.name)
