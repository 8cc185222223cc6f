"""Experiment files: what they say, and what is said of those that will not do."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tefuda.engine.errors import TefudaError

pytest.importorskip("polars", reason="the laboratory is left out: uv sync --extra lab")
from tefuda.lab.experiment import TAKEN, places
from tefuda.lab.experiment_file import comparison_keys, different_arms, parse, players_and_deals, read, with_players
from tefuda.lab.measure.rows import deal_schema

PLAIN: dict[str, Any] = {"question": "Why?", "game": "gong-zhu"}
ALL = sorted((Path(__file__).parents[2] / "experiments").glob("*/*.toml"))


def test_what_a_file_leaves_out_has_a_sensible_value() -> None:
    found = parse("why", PLAIN)
    assert [arm.name for arm in found.arms] == ["as it is"]
    assert found.arms[0].bots == ("hints",) * 4
    assert (found.deals, found.sample, found.answer) == (10_000, 0, "spread")


def test_arms_take_over_what_the_file_says_for_all() -> None:
    arms = [{"name": "a"}, {"name": "b", "seats": 4, "options": {"target": 500}, "bots": ["search:5it", "random"]}]
    found = parse("why", {**PLAIN, "seats": 5, "options": {"five_deck": "pagat"}, "arms": arms})
    assert found.arms[0].game.seats == 5
    assert found.arms[1].game.changed_options() == {"five_deck": "pagat", "target": 500}
    assert found.arms[1].bots == ("search:5it", "random", "random", "random")
    assert not found.paired


@pytest.mark.parametrize(
    ("bots", "rotations"), [(["hints"], 1), (["hints", "random"], 4), (["hints", "random", "hints", "random"], 2)]
)
def test_a_deal_is_played_as_often_as_seatings_differ(bots: list[str], rotations: int) -> None:
    assert parse("why", {**PLAIN, "bots": bots}).arms[0].rotations == rotations


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dealz": 3}, "there is no key 'dealz'; did you mean 'deals'?"),
        ({"question": None}, "question is missing"),
        ({"deals": "many"}, "deals: 'many' is not a whole number"),
        ({"deals": 0}, "deals: 0 is below 1"),
        ({"deals": True}, "deals: True is not a whole number"),
        ({"deals": 10**9}, "deals: 1000000000 is above 999,999,999"),
        ({"seed": 2**63}, "seed: 9223372036854775808 is above 9,223,372,036,854,775,807"),
        ({"smallest": math.inf}, "smallest: inf is not a number above 0"),
        ({"smallest": math.nan}, "smallest: nan is not a number above 0"),
        ({"question": " "}, "question: ' ' is not one line of 1 to 1000 characters without |"),
        ({"arms": [{"name": ""}]}, "arms 1: name: '' is not one line of 1 to 100 characters"),
        ({"arms": [{"name": "a\nb"}]}, "arms 1: name: 'a\\nb' is not one line"),
        ({"arms": [{"name": "a|b"}]}, "arms 1: name: 'a|b' is not one line of 1 to 100 characters without |"),
        ({"arms": [{"name": "x" * 101}]}, "arms 1: name: 'xxxxxxxxxxxxxxxxxxxx…' is not one line"),
        ({"measures": ["binds"], "answer": "binds"}, "answer: 'binds' needs two arms"),
        ({"bots": ["never:frob", "hints"]}, "gong-zhu: no play is called 'frob'"),
        ({"game": "gong-zu"}, "did you mean 'gong-zhu'?"),
        ({"measures": ["lenght"]}, "measures: there is no 'lenght'; did you mean 'length'?"),
        ({"answer": "spred"}, "answer: there is no figure 'spred'; did you mean 'spread'?"),
        ({"answer": "line.pigs"}, "did you mean 'line.pig'?"),
        ({"answer": "binds"}, "answer: 'binds' needs 'binds' among the measures"),
        ({"answer": "gain"}, "answer: 'gain' needs bots that differ, in every arm"),
        ({"bots": ["hints", "random", "random", "random"], "answer": "rank"}, "answer: 'rank' needs whole_games"),
        ({"smallest": -1}, "smallest: -1 is not a number above 0"),
        ({"measures": ["play"], "answer": "pays"}, "measures: 'play' needs to be told which play, in every arm"),
        ({"play": "expose:nun"}, "gong-zhu: no play is called 'expose:nun'; did you mean 'expose:none'"),
        ({"adviser": "hunts"}, "did you mean 'hints'?"),
        ({"fields": ["turns"]}, "fields: gong-zhu has no public number 'turns'; did you mean 'turn'?"),
        ({"game": "kakkuri", "fields": ["first"]}, "fields: 'first' is the name of a figure or a column"),
        ({"answer": "tricks"}, "answer: there is no figure 'tricks'"),
        ({"compare": 1}, "compare: 1 is not true or false"),
        ({"stop": True, "compare": False, "arms": [{"name": "a"}, {"name": "b"}]}, "stop: without comparing there is"),
        ({"whole_games": True}, "whole_games: of whole games only length, outcome, seats and recovery are measured"),
        (
            {"measures": ["outcome", "recovery"], "behind": [200]},
            "measures: 'recovery' is measured of whole games: add whole_games",
        ),
        (
            {"measures": ["recovery"], "whole_games": True},
            "behind: 'recovery' needs to be told how many points, such as behind = [200, 500]",
        ),
        ({"measures": ["recovery"], "behind": [0]}, "behind: 'recovery' needs to be told how many points"),
        ({"behind": [200]}, "behind: only 'recovery' asks about it, which is not among the measures"),
        (
            {"measures": ["recovery"], "behind": [200], "whole_games": True, "answer": "recovers.20"},
            "answer: there is no figure 'recovers.20'; did you mean 'recovers.200'?",
        ),
        (
            {"whole_games": True, "measures": ["outcome"], "bots": ["never:SQ", "hints"]},
            "whole_games: they are played by hints and random only",
        ),
        (
            {"whole_games": True, "measures": ["seats"], "answer": "leads_first"},
            "answer: 'leads_first' belongs to one deal, and a whole game has many",
        ),
        (
            {"whole_games": True, "measures": ["outcome"], "fields": ["deals", "tricks"]},
            "fields: 'tricks' belongs to one deal, and a whole game has many",
        ),
        ({"stop": True}, "stop: with one arm there is no difference"),
        ({"arms": [{"options": {}}]}, "arms 1: name is missing"),
        ({"arms": [{"name": "a", "option": {}}]}, "arms 1: there is no key 'option'; did you mean 'options'?"),
        ({"arms": [{"name": "a", "options": {"expose": 1}}]}, "arms 1: gong-zhu has no option 'expose'"),
        ({"arms": [{"name": "a"}, {"name": "a"}]}, "arms: two are called 'a'"),
        ({"arms": ["a"]}, "it has no [[arms]]"),
        ({"bots": ["hunts"]}, "did you mean 'hints'?"),
        ({"bots": ["hints"] * 5}, "bots: 5 for 4 seats"),
        ({"seats": 7}, "is played by 4 or 5, not by 7"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(TefudaError) as caught:
        parse("why", {**PLAIN, **given})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_fields_are_places_or_numbers() -> None:
    found = parse("why", {**PLAIN, "fields": ["turn", "tricks"], "answer": "tricks"})
    assert (found.places, found.numbers) == (["leads_first", "turn"], ["tricks"])


def test_a_place_named_as_a_figure_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game may call the seat that leads ``first``, which is a figure of every experiment."""
    assert places(parse("why", PLAIN).description) == ["leads_first"]
    monkeypatch.setattr("tefuda.lab.experiment.TAKEN", TAKEN | {"leads_first"})
    assert places(parse("why", PLAIN).description) == []


def test_every_column_but_places_and_numbers_is_a_taken_name() -> None:
    measures = ["length", "outcome", "seats", "lines"]
    made = parse("why", {**PLAIN, "fields": ["turn", "tricks"], "measures": measures, "bots": ["search:5it", "hints"]})
    made = replace(made, measures=(*made.measures, "recovery"))
    assert set(deal_schema(made)) - {"leads_first", "turn", "tricks"} <= TAKEN


def test_what_repeats() -> None:
    for bots, repeats in (["never:SQ", "hints"], True), (["search:5it"], True), (["search:5ms"], False):
        assert parse("why", {**PLAIN, "bots": bots}).repeatable == repeats
    assert not parse("why", {**PLAIN, "adviser": "search:5ms"}).repeatable


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    with pytest.raises(TefudaError, match=r"bad\.toml: No such file"):
        read(path)
    path.write_text("question = ", "utf-8")
    with pytest.raises(TefudaError, match=r"bad\.toml: not TOML"):
        read(path)
    path.write_text('game = "gong-zhu"', "utf-8")
    with pytest.raises(TefudaError, match=r"bad\.toml: question is missing"):
        read(path)


def test_a_comparison_is_an_experiment() -> None:
    found = parse("compare", comparison_keys("gong-zhu", ["exposing=false,target=500"], ["random"]))
    assert [arm.name for arm in found.arms] == ["default", "exposing=false,target=500"]
    assert found.arms[1].game.changed_options() == {"exposing": False, "target": 500}
    for words, said in (
        (["exposing"], "write an arm as option=value"),
        (["default"], "say what to compare the plain rules with"),
        (["exposing=true,exposing=false"], "exposing is said twice"),
        (["seats=4, seats=5"], "seats is said twice"),
    ):
        with pytest.raises(TefudaError, match=said):
            comparison_keys("gong-zhu", words, ["random"])


def test_a_comparison_of_a_game_with_itself_is_refused() -> None:
    keys = comparison_keys("gong-zhu", ["exposing=true"], ["hints"])
    with pytest.raises(TefudaError, match="'exposing=true' is the same game as 'default'"):
        different_arms(parse("compare", keys))
    other = parse("compare", comparison_keys("gong-zhu", ["exposing=false"], ["hints"]))
    assert different_arms(other) is other


def test_a_question_is_put_to_other_players() -> None:
    asked = parse("compare", comparison_keys("gong-zhu", ["exposing=false"], ["hints"], deals=40))
    found = with_players(asked, "random", 7)
    assert [arm.bots for arm in found.arms] == [("random",) * 4] * 2
    assert (found.deals, found.answer, found.name) == (7, asked.answer, asked.name)
    assert [arm.game.changed_options() for arm in found.arms] == [arm.game.changed_options() for arm in asked.arms]
    assert with_players(asked, "random").deals == 40
    assert players_and_deals("search:100it@400") == ("search:100it", 400)
    assert players_and_deals("hints") == ("hints", None)
    for wrong in ("@5", "hints@", "hints@many", "hints@0"):
        with pytest.raises(TefudaError, match="write a bot, or a bot and its number of deals"):
            players_and_deals(wrong)
    with pytest.raises(TefudaError, match="there is no bot 'nobody'"):
        with_players(asked, "nobody")
    with pytest.raises(TefudaError, match="the experiment says itself who plays"):
        with_players(parse("why", {**PLAIN, "bots": ["hints", "random"]}), "hints")


def test_what_does_not_change_the_deals_does_not_change_the_run() -> None:
    first = parse("why", PLAIN).digest()
    assert parse("how", {**PLAIN, "deals": 5, "question": "How?", "smallest": 2}).digest() == first
    assert parse("why", {**PLAIN, "seed": 5}).digest() != first


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_experiment_of_ours_can_be_read(path: Path) -> None:
    assert read(path).description.name == path.parent.name
