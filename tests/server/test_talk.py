"""What people say at a table: the phrases of every game, and who may say what where."""

import pytest

from tefuda import games
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue
from tefuda.server.store import Draft
from tefuda.server.table import commands, replays, reports, table_messages
from tefuda.server.table.events import MOST_SPOKEN, apply
from tefuda.server.table.table_state import TableState
from tests.server.test_table import ANN, BEN, HOST, Played, order, refused

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


def test_somebody_is_reported_by_what_they_said_or_by_their_name_and_nobody_is_told() -> None:
    played = Played(chat=True, public=False)
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.do(order(commands.join, played.table, BEN, name="Ben"))
    played.table.at = LATER
    played.do(order(commands.say, played.table, BEN, text="Something rude"))
    rude, before, played.table.at = played.table.seq, played.table.copy(), LATER
    for seat, said, code in ((0, None, "nobody_there"), (2, None, "nobody_there"), (15, None, "nobody_there"),
                             (0, rude, "not_said"), (1, rude - 1, "not_said"), (1, rude + 1, "not_said")):  # fmt: skip
        refused(code, commands.report, played.table, ANN, seat=seat, said=said)
    refused("nobody_there", commands.report, played.table, BEN, seat=1, said=rude)
    refused("not_seated", commands.report, played.table, HOST, seat=1, said=rude)
    refused("text", commands.report, played.table, ANN, seat=1, said=rude, note="x" * 301)
    played.do(order(commands.leave, played.table, BEN))
    played.table.at = LATER
    played.do(order(commands.report, played.table, ANN, seat=1, said=rude, note=" rude\u200b "))
    assert played.events[-1].body == {"seat": 0, "of": 1, "said": rude, "note": "rude"}
    refused("too_many", commands.report, played.table, ANN, seat=1, said=rude)
    for event in played.events[rude:-1]:
        apply(before, event)
    perspectives = [reports.Perspective(seat) for seat in (-1, 0, 1)]
    told = [reports.apply_and_report(before, played.events[-1], perspectives)]
    writer = table_messages.MessageWriter(before, told, table_messages.shared_state(before), "any", {})
    assert [b'"events":[]' in writer.write(each, host=False) for each in perspectives] == [True] * 3


def test_what_was_said_long_ago_is_reported_no_more() -> None:
    played = Played()
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.do(order(commands.join, played.table, BEN, name="Ben"))
    first = played.table.seq + 1
    for _ in range(MOST_SPOKEN + 1):
        played.do([Draft("said", {"seat": 1, "phrase": "hello"})])
    played.table.at = LATER
    refused("not_said", commands.report, played.table, ANN, seat=1, said=first)
    assert order(commands.report, played.table, ANN, seat=1, said=first + 1)
