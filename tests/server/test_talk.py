"""What people say at a table: the phrases of every game, and who may say what where."""

import pytest

from tefuda import games
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.table import commands
from tests.server.test_table import ANN, HOST, Played, order, refused

LATER = 1_000_000
"""Milliseconds: whoever has never spoken may."""

OLD = {"hello", "thanks", "well_played", "oops", "one_moment", "again", "goodbye"}
"""Phrases that stand in logs from before games had their own."""


@pytest.mark.parametrize("game", games.names())
def test_every_game_has_about_twenty_phrases_some_of_them_its_own(game: str) -> None:
    texts = games.description(game).files.texts
    known, own = commands.phrases(games.description(game)), catalogue(texts, "en").under("phrases")
    assert len(known) == len(set(known)) >= 20
    assert len(own) >= 5
    assert set(known) >= OLD
    for language in LANGUAGES:
        said = [
            *catalogue(TEXTS, language).under("page.phrases").values(),
            *catalogue(texts, language).under("phrases").values(),
        ]
        assert len(said) == len(set(said)) == len(known)


def test_a_phrase_of_a_game_is_said_at_its_tables_alone() -> None:
    played = Played()
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.table.at = LATER
    assert [draft.body for draft in order(commands.say, played.table, ANN, phrase="pig_comes")] == [
        {"seat": 0, "phrase": "pig_comes"}
    ]
    for phrase in ("utazu", "Pig_comes", ""):
        refused("no_such_phrase", commands.say, played.table, ANN, phrase=phrase)
    refused("not_seated", commands.say, played.table, HOST, phrase="pig_comes")
