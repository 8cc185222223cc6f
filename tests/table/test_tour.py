"""Tours: each that a game brings is played through by the rules, and a file that will not do says what is wrong."""

from pathlib import Path

import pytest

from tefuda import games
from tefuda.engine.texts import LANGUAGES
from tefuda.table import tour

TOURS = [path for name in games.names() for path in games.description(name).files.tours]

FIRST = "first"
STEPS = {True: (10,), False: range(3, 11)}
"""Of a first tour, and of a lesson on judgement."""


@pytest.mark.parametrize("path", TOURS, ids=lambda path: path.parts[-3])
def test_a_tour_is_played_by_the_rules_in_every_way(path: Path) -> None:
    found = tour.load(path)
    tour.check(found)
    assert len(found.steps) in STEPS[found.name == FIRST]
    assert set(found.title) == set(LANGUAGES)


@pytest.mark.parametrize("path", TOURS, ids=lambda path: path.parts[-3])
def test_all_languages_name_the_same_rules(path: Path) -> None:
    found = tour.load(path)
    for number, step in enumerate(found.steps, 1):
        named = {
            language: set(tour.rules_in(words.text, found.game.description)) for language, words in step.words.items()
        }
        assert len(set(map(frozenset, named.values()))) == 1, (number, named)
        assert len({bool(words.other) for words in step.words.values()}) == 1, number


def test_every_game_has_one() -> None:
    assert {path.parts[-3].replace("_", "-") for path in TOURS} == set(games.names())


GOOD = """
game = "gong-zhu"
title.en = "A trick"
names.en = ["Ann", "Bo", "Cy"]

[position]
hands = ["SA H2", "SK H3", "SQ H4", "SJ H5"]

[[step]]
show = ["hand", "SA", "seat:2"]
play = "SA"
en = { head = "Lead", text = "Lead the {SA} to #1 (GZ-13)." }

[[step]]
moves = ["1:SK", "2:SQ"]
en = { head = "Wait", text = "#3 is last." }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_is_read_as_it_is_written(tmp_path: Path) -> None:
    found = tour.load(written(tmp_path, GOOD))
    tour.check(found)
    assert found.name == "mine"
    assert found.names["en"] == ["", "Ann", "Bo", "Cy"]
    assert found.language("ja") == "en"
    assert [step.play for step in found.steps] == [("SA",), ()]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("GZ-13", "GZ-99", "step 1: en: there is no rule GZ-99"),
        ("GZ-13", "GZ-", "step 1: en: there is no rule GZ-"),
        ("{SA}", "{SX}", "step 1: en: there is no card 'SX'"),
        ("#1", "#7", "step 1: en: there is no seat 7"),
        ('title.en = "A trick"', 'title.en = "A trick"\ntitle.ja = "x"', "names: ja: 0 names for the 3 other seats"),
        ('"Cy"]', '"Cy"]\nnames.ja = ["x"]\ntitle.ja = "x"', "names: ja: 1 names for the 3 other seats"),
        ('"Cy"]', '"Cy"]\nnames.ja = ["x", "y", "z"]\ntitle.ja = "x"', "step 1: no text in 'ja'"),
        ('en = { head = "Wait"', 'ja = { head = "Wait"', "step 2: ja: the tour has no title in this language"),
        ('title.en = "A trick"', "", "title: in no language"),
        ('title.en = "A trick"', 'title.fr = "A trick"', "title: there is no key 'fr'"),
        ('head = "Wait", ', "", "step 2: en: head is missing"),
        ('"seat:2"', '"seat:4"', "step 1: show: 'seat:4' is no card"),
        ('"hand"', '"hnd"', "step 1: show: 'hnd' is no card, seat:N, or one of hand"),
        ('"1:SK"', '"SK"', "step 2: moves: 'SK' is not written as seat:play"),
        ('play = "SA"', 'play = "SA"\nask = "SA"', "step 1: give play or ask, not both"),
        ('play = "SA"', "plays = 3", "step 1: there is no key 'plays'; did you mean 'play'?"),
        ('play = "SA"', "play = 3", "step 1: play: 3 is not a list of words"),
        ('moves = ["1:SK", "2:SQ"]', 'play = "SQ"', "step 2: nothing follows the play that the last step waits for"),
        ('"gong-zhu"', '"gong-zu"', "there is no game 'gong-zu'"),
        ("[[step]]", "[[steps]]", "there is no key 'steps'; did you mean 'step'?"),
        ("title.en", "seat = 4\ntitle.en", "seat: there is no seat 4"),
        ('"gong-zhu"', '"gong-zhu', "not TOML"),
    ],
)
def test_a_fault_in_a_file_is_named_with_file_and_step(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(tour.TourError) as caught:
        tour.load(path)
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"2:SQ"', '"2:H4"', "step 2: H4: You cannot play H4"),
        ('"2:SQ"', '"3:SJ"', "step 2: moves: 3:SJ: it is seat 2's turn"),
        ('"2:SQ"', '"2:XX"', "step 2: "),
        ('play = "SA"', 'play = "SK"', "step 1: SK: You do not hold SK"),
        ('play = "SA"', 'ask = "SA"', "step 1: ask: SA is legal"),
        ('play = "SA"', 'moves = "0:SA"\nask = "H2"', "step 1: the step waits for seat 0, but it is seat 1's turn"),
        ('"SJ H5"]', '"SJ SA"]', "hands, seat 3: "),
    ],
)
def test_a_play_that_cannot_be_is_named_with_file_and_step(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(tour.TourError) as caught:
        tour.check(tour.load(path))
    assert str(caught.value).startswith(f"{path}: {message}")


def test_a_step_may_have_several_right_plays_and_all_ways_are_played(tmp_path: Path) -> None:
    several = GOOD.replace('play = "SA"', 'play = ["SA", "H2"]')
    found = tour.load(written(tmp_path, several))
    assert tour.ways(found) == [("SA",), ("H2",)]
    with pytest.raises(tour.TourError, match="step 2: SK: You cannot play SK"):
        tour.check(found)
