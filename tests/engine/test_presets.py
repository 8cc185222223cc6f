"""Presets: known sets of options, with their sources."""

import pytest

from tefuda import games, load
from tefuda.engine.option import OptionError
from tefuda.engine.texts import LANGUAGES

ALL = [(game, name) for game in games.names() for name in games.description(game).presets]


@pytest.mark.parametrize(("game", "name"), ALL)
def test_a_preset_changes_something_and_says_what_in_every_language(game: str, name: str) -> None:
    preset = games.description(game).presets[name]
    changed = load(game, preset=name).changed_options()
    assert changed
    assert changed.items() <= preset["options"].items()
    assert all(preset["title"][language] and preset["about"][language] for language in LANGUAGES)
    assert preset["source"]


def test_every_game_has_presets_and_no_two_of_them_are_the_same() -> None:
    assert {game for game, _ in ALL} == set(games.names())
    tables = [(game, tuple(sorted(load(game, preset=name).changed_options().items()))) for game, name in ALL]
    assert len(set(tables)) == len(tables)


def test_options_that_are_given_too_come_before_those_of_the_preset() -> None:
    game = load("gong-zhu", preset="taiwan", first_leader="C2")
    flags = dict.fromkeys(("sheep_flips", "transformer_losses_only", "all_cards_1000"), True)
    assert game.changed_options() == {"heart_values": "pips", "first_leader": "C2", **flags}


def test_an_unknown_preset_is_answered_with_the_nearest() -> None:
    with pytest.raises(
        OptionError, match=r"^gong-zhu has no preset 'taiwn'; it has: pagat, .*; did you mean 'taiwan'\?$"
    ):
        load("gong-zhu", preset="taiwn")
