"""What people say at a table: the phrases of every game, and who may say what where."""

import pytest

from tefuda import games
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.table import commands, replays, reports, table_messages
from tefuda.server.table.events import apply
from tefuda.server.table.table_state import TableState
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


def test_friends_write_to_each_other_where_the_host_allows_it() -> None:
    silent, played = Played(), Played(chat=True, public=False)
    for each in (silent, played):
        each.do(order(commands.join, each.table, ANN, name="Ann"))
        each.table.at = LATER
    refused("no_chat", commands.say, silent.table, ANN, text="Hi")
    (draft,) = order(commands.say, played.table, ANN, text="  One\u202e  more\u200b ?\n" + "e" + 9 * "\u0301")
    assert draft.body == {"seat": 0, "text": "One more ? é\u0301\u0301\u0301"}
    for bad in (" \u200b ", "x" * 121):
        refused("text", commands.say, played.table, ANN, text=bad)
    refused("no_such_phrase", commands.say, played.table, ANN)
    played.do([draft])
    refused("too_many", commands.say, played.table, ANN, text="And one more?")
    event = played.events[-1]
    before = TableState()
    for earlier in played.events[:-1]:
        apply(before, earlier)
    told = reports.apply_and_report(before, event, [reports.Perspective(1)])
    assert told[reports.Perspective(1)]["text"] == draft.body["text"]
    assert [table_messages.shared_state(each.table)["chat"] for each in (silent, played)] == [False, True]


def test_what_friends_write_is_in_the_log_and_in_no_record() -> None:
    played = Played(chat=True, public=False)
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.do(order(commands.seat_bots, played.table, HOST, bot="hints"))
    played.deal()
    played.table.at = LATER
    played.do(order(commands.say, played.table, ANN, text="a secret between us"))
    played.play_out()
    played.do(order(commands.close, played.table, HOST))
    assert "a secret" not in replays.write_record(played.events)
    assert any(event.body.get("text") for event in played.events)
