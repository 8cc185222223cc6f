"""What a log means: who sits where, what is refused and why, whose cards are shown to whom, what is revealed when."""

from dataclasses import replace
from typing import Any

import pytest

from tefuda.server.store import Draft, Event
from tefuda.server.table import commands, events, replays, reports, table_messages
from tefuda.server.table.callers import Caller, Refused, token_hash
from tefuda.server.table.commands import Command, Order
from tefuda.server.table.events import apply
from tefuda.server.table.player_names import clean_name
from tefuda.server.table.table_state import OUTSIDER, TableState
from tefuda.table.game import Game, load
from tefuda.table.record import Record

RIGHT, WRONG = "the-right-invitation-00", "the-wrong-invitation-00"

HOST, ANN, BEN = Caller("guest-host"), Caller(None, "token-ann"), Caller("guest-ben")


class Played:
    """A table with its log.

    Attributes:
        table: as it stands.
        events: all of them.
    """

    def __init__(self, **settings: Any) -> None:
        self.table, self.events = TableState(), list[Event]()
        given = {"public": True, "invite": None, "spectators": "public", "clock": 60, **settings}
        host = {"guest": HOST.guest, "token": None}
        body = {"table": "t", "game": "gong-zhu", "rules": 1, "seats": 4, "options": {}, "host": host, **given}
        self.do([Draft("created", body)])

    def do(self, drafts: list[Draft]) -> None:
        for draft in drafts:
            self.events.append(Event(self.table.seq + 1, 1000 * (self.table.seq + 1), draft.kind, draft.body))
            apply(self.table, self.events[-1])

    def deal(self) -> None:
        self.do(events.commit(self.table, bytes(32)))
        self.do(events.close_seals(self.table))

    def play_out(self) -> None:
        while self.table.phase == "playing":
            deal = self.table.deal
            assert deal is not None
            self.do(events.play_for(deal.mover, deal.legal()[0]))


@pytest.fixture
def full() -> Played:
    """Ann, Ben and two bots."""
    played = Played()
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.do(order(commands.join, played.table, BEN, name="Ben", seat=1))
    played.do(order(commands.seat_bots, played.table, HOST, bot="hints"))
    return played


def order(command: Command[Any], table: TableState, caller: Caller, **arguments: Any) -> list[Draft]:
    """The events of a command."""
    return command(table, Order(caller, command.arguments(**arguments), at=table.at))


def refused(code: str, command: Command[Any], table: TableState, caller: Caller, **arguments: Any) -> None:
    with pytest.raises(Refused) as caught:
        order(command, table, caller, **arguments)
    assert caught.value.code == code


def test_people_sit_where_there_is_room(full: Played) -> None:
    table = full.table
    assert [chair.name for chair in table.chairs] == ["Ann", "Ben", "hints 2", "hints 3"]
    assert (table.seat_of(ANN), table.seat_of(BEN), table.seat_of(HOST), table.seat_of(Caller())) == (0, 1, None, None)
    assert order(commands.join, table, ANN, name="Ann again", seat=3) == []
    refused("full", commands.join, table, HOST, name="Host")
    assert table.phase == "shuffling"


@pytest.mark.parametrize(
    ("code", "command", "caller", "arguments"),
    [
        ("name", commands.join, HOST, {"name": " \u200b "}),
        ("name", commands.join, HOST, {"name": "x" * 25}),
        ("no_such_seat", commands.join, HOST, {"name": "Host", "seat": 4}),
        ("not_host", commands.seat_bots, ANN, {"bot": "hints"}),
        ("no_such_bot", commands.seat_bots, HOST, {"bot": "os:system"}),
        ("no_such_bot", commands.seat_bots, HOST, {"bot": "mcp:python agent.py"}),
        ("no_such_seat", commands.seat_bots, HOST, {"bot": "hints", "seat": 9}),
        ("not_host", commands.close, ANN, {}),
        ("not_seated", commands.play, HOST, {"play": "SQ"}),
        ("not_over", commands.rematch, HOST, {}),
        ("no_shuffle", commands.ready, ANN, {"deal": 1, "entropy": ""}),
        ("no_deal", commands.play, ANN, {"play": "SQ"}),
    ],
)
def test_what_is_refused_says_why(code: str, command: Any, caller: Caller, arguments: Any) -> None:
    played = Played()
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    refused(code, command, played.table, caller, **arguments)


@pytest.mark.parametrize(
    ("game", "options", "code", "setting"),
    [
        ("kakkuri", {"k_free": "anyone"}, "net_unknown", "k_free=anyone"),
        ("gong-zhu", {"pig_flips": "never"}, "net_unknown", "pig_flips=never"),
    ],
)
def test_a_net_that_cannot_play_the_table_is_refused_in_words(
    game: str, options: dict[str, Any], code: str, setting: str | None
) -> None:
    with pytest.raises(Refused) as caught:
        commands.wanted_bot(load(game, **options), "net")
    assert (caught.value.code, caught.value.fields.get("setting")) == (code, setting)


def test_a_net_that_a_game_does_not_have_is_refused() -> None:
    usual = load("kakkuri").description
    without = replace(usual, files=replace(usual.files, net=None))
    with pytest.raises(Refused) as caught:
        commands.wanted_bot(Game(without), "net")
    assert caught.value.code == "no_net"


def test_a_level_seats_the_bot_that_stands_for_it_at_this_table() -> None:
    usual, never = load("gong-zhu"), load("gong-zhu", pig_flips="never")
    assert commands.wanted_bot(usual, "net") == commands.wanted_bot(usual, "strong") == "net"
    assert commands.wanted_bot(never, "strong").startswith("search:")
    assert commands.wanted_bot(never, "easy") == "hints"


def test_names_are_made_plain() -> None:
    assert clean_name("  A\u0308nn\u202e  \n B ") == "Änn B"
    assert clean_name("a" + 20 * "\u0335" + "b") == "a" + 3 * "\u0335" + "b"
    for nothing in ("", " \u200b ", "\u3164", "\u2800\u2800", "\u0301\u0301"):
        with pytest.raises(Refused) as caught:
            clean_name(nothing)
        assert caught.value.code == "name"


@pytest.mark.parametrize(
    "unseen",
    [
        "\ufe0f",
        "\ufe00",
        "\U000e0100",
        "\u180b",
        "\u180f",
        "\U000e0041",
        "\u200b",
        "\u034f",
        "\ufffc",
        "\U0001d159",
        "\u17b4",
    ],
)
def test_what_nobody_sees_is_no_part_of_a_name(unseen: str) -> None:
    assert clean_name(f"An{unseen}n{unseen}") == "Ann"


def test_what_chooses_how_a_character_is_drawn_stays() -> None:
    for name in ("\u2764\ufe0f", "\u845b\U000e0100\u57ce"):
        assert clean_name(name) == name


@pytest.mark.parametrize("like", ["ann", "Ａｎｎ", "\U0001d400nn", "\u0410nn", "An\ufe0fn"])
def test_whoever_is_called_like_somebody_else_gets_a_number(like: str) -> None:
    played = Played()
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.do(order(commands.join, played.table, BEN, name=like))
    assert played.table.chairs[1].name == f"{clean_name(like)} 2"


@pytest.mark.parametrize("bot", ["Peony", "peony", "ぼたん", "hints 1", "Hints 3"])
def test_nobody_is_called_like_a_bot_that_may_come(bot: str) -> None:
    played = Played()
    played.do(order(commands.join, played.table, ANN, name=bot))
    assert played.table.chairs[0].name == f"{bot} 2"


def test_other_names_stay_as_they_are() -> None:
    played = Played()
    for caller, name in ((ANN, "Élise"), (BEN, "Elise"), (HOST, "Мария"), (Caller("cho"), "ニコ")):
        played.do(order(commands.join, played.table, caller, name=name))
    assert [chair.name for chair in played.table.chairs] == ["Élise", "Elise", "Мария", "ニコ"]


def test_a_closed_table_offers_no_play(full: Played) -> None:
    full.deal()
    table = full.table
    full.do(order(commands.close, table, HOST))
    assert table.deal is not None
    mover, word = table.deal.mover, table.deal.legal()[0]
    for seat in range(-1, 4):
        shown = table_messages.state_message(table, reports.Perspective(seat))["deal"]
        assert shown is not None
        assert (shown["mover"], shown["legal"], shown["answered"], shown["wish"]) == (None, [], False, None)
    with pytest.raises(Refused) as caught:
        commands.why_not(table, mover, word, "en")
    assert caught.value.code == "closed"
    played = Played()
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.do(order(commands.join, played.table, BEN, name="Ann"))
    assert [chair.name for chair in played.table.chairs[:2]] == ["Ann", "Ann 2"]


def test_a_table_by_invitation_asks_for_it() -> None:
    table = Played(invite=token_hash(RIGHT)).table
    refused("not_invited", commands.join, table, ANN, name="Ann")
    refused("not_invited", commands.join, table, ANN, name="Ann", invite=WRONG)
    assert order(commands.join, table, ANN, name="Ann", invite=RIGHT)
    assert order(commands.join, table, HOST, name="Host")


def test_who_leaves_in_the_middle_may_come_back_to_their_cards_only(full: Played) -> None:
    full.deal()
    full.do(order(commands.leave, full.table, ANN))
    assert full.table.chairs[0].player == "hints"
    full.do(order(commands.remove_bot, full.table, HOST, seat=2))
    refused("has_seen", commands.join, full.table, ANN, name="Ann", seat=2)
    carol = Caller("guest-carol")
    assert order(commands.join, full.table, carol, name="Carol", seat=2)
    full.do(order(commands.join, full.table, ANN, name="Ann"))
    assert full.table.seat_of(ANN) == 0


def test_a_bot_plays_for_somebody_who_is_away_until_they_return(full: Played) -> None:
    full.deal()
    full.do(events.miss(0))
    assert (full.table.chairs[0].player, full.table.chairs[1].player) == ("hints", None)
    assert [draft.kind for draft in order(commands.here, full.table, ANN)] == ["returned"]
    while full.table.deal is not None and full.table.deal.mover != 0:
        full.do(events.play_for(full.table.deal.mover, full.table.deal.legal()[0]))
    assert full.table.deal is not None
    full.do(order(commands.play, full.table, ANN, play=full.table.deal.legal()[0]))
    assert [event.kind for event in full.events[-2:]] == ["returned", "played"]
    assert full.table.chairs[0].player is None


def test_an_illegal_play_has_its_reason(full: Played) -> None:
    full.deal()
    with pytest.raises(Refused) as caught:
        order(commands.play, full.table, ANN, play="SQ")
    assert caught.value.reason is not None
    assert caught.value.reason.rule.startswith("GZ-")
    refused("no_play", commands.play, full.table, ANN, play="XX")
    refused("gone_on", commands.play, full.table, ANN, play="SQ", seq=full.table.seq - 1)


def test_entropy_of_people_is_waited_for_and_counts_once(full: Played) -> None:
    full.do(events.commit(full.table, bytes(32)))
    assert full.table.waited_for() == [0, 1]
    full.do(order(commands.ready, full.table, ANN, deal=1, entropy=b"first".hex()))
    assert order(commands.ready, full.table, ANN, deal=1, entropy=b"second".hex()) == []
    refused("no_shuffle", commands.ready, full.table, BEN, deal=2, entropy="")
    full.do(events.miss(1))
    assert full.table.waited_for() == []
    full.do(events.close_seals(full.table))
    assert full.table.proofs[0].entropy == (b"first", b"", b"", b"")


def test_the_secret_is_shown_when_nothing_is_hidden_any_more(full: Played) -> None:
    full.deal()
    assert full.table.revealed == []
    full.play_out()
    assert [proof.deal for proof in full.table.revealed] == [1]
    full.deal()
    assert [proof.deal for proof in full.table.revealed] == [1]
    assert len(Record.parse(replays.write_record(full.events)).verify()) == 1
    full.do(order(commands.close, full.table, HOST))
    assert [proof.deal for proof in full.table.revealed] == [1, 2]
    assert len(Record.parse(replays.write_record(full.events)).verify()) == 2
    refused("closed", commands.play, full.table, ANN, play="SQ")


def test_the_same_log_gives_the_same_table(full: Played) -> None:
    full.deal()
    full.play_out()
    full.deal()
    again = TableState()
    for event in full.events:
        apply(again, event)
    assert again.deal is not None
    assert full.table.deal is not None
    assert again.deal.state.tobytes() == full.table.deal.state.tobytes()
    assert again.results == full.table.results


def test_a_rematch_begins_anew_and_keeps_the_earlier_record() -> None:
    played = Played(options={"target": 1})
    played.do(order(commands.seat_bots, played.table, HOST, bot="hints"))
    while played.table.phase != "over":
        played.deal()
        played.play_out()
    first = replays.write_record(played.events)
    played.do(order(commands.rematch, played.table, HOST))
    assert (played.table.phase, played.table.session, played.table.results) == ("shuffling", 2, [])
    played.deal()
    played.do(order(commands.close, played.table, HOST))
    assert replays.write_record(played.events, 1) == first
    assert Record.parse(replays.write_record(played.events)).deals[0].proof is not None
    names = {proof.table for proof in played.table.proofs}
    assert names == {"t/2"}


@pytest.mark.parametrize(("spectators", "seen"), [("public", -1), ("none", OUTSIDER), ("delayed", OUTSIDER)])
def test_who_may_look_on(spectators: str, seen: int) -> None:
    table = Played(spectators=spectators).table
    assert table.may_see(Caller("somebody")) == seen


def test_a_log_of_a_newer_version_is_not_read() -> None:
    with pytest.raises(ValueError, match="of a newer Tefuda"):
        Played().do([Draft("teleported", {})])


def test_a_table_of_other_rules_is_not_played_on(full: Played) -> None:
    created, *others = full.events
    table = TableState()
    apply(table, Event(1, 0, "created", {**created.body, "rules": 99}))
    for event in others:
        apply(table, event)
    assert (table.phase, table.deal) == ("closed", None)
    refused("other_rules", commands.play, table, ANN, play="SQ")
    refused("other_rules", commands.ready, table, ANN)
    refused("other_rules", commands.join, table, Caller("somebody"), name="Cy")
    assert order(commands.close, table, HOST)


def closed_early(played: Played) -> Any:
    played.do(order(commands.close, played.table, HOST))
    return replays.game_result(played.table)


def test_a_game_that_its_host_closes_is_played_out_by_bots_and_counts(full: Played) -> None:
    full.deal()
    full.play_out()
    full.do(events.commit(full.table, bytes(32)))
    found = closed_early(full)
    assert found.counts
    assert found.deals > 1
    assert max(seat.points for seat in found.seats) > -1000 >= min(seat.points for seat in found.seats)
    assert [seat.person for seat in found.seats] == ["token-ann", "guest-ben", None, None]
    assert replays.game_result(full.table) == found  # the log tells how it ends
    assert full.table.deals == len(full.table.results) == 1  # nothing that was not played is shown


def test_a_game_counts_from_the_first_play_of_a_person(full: Played) -> None:
    full.deal()
    while full.table.present.mover not in (0, 1):
        full.do(events.play_for(full.table.present.mover, full.table.present.legal()[0]))
    twin = full.table.copy()
    assert order(commands.close, twin, HOST) == [Draft("closed", {})]
    full.do(events.play_for(full.table.present.mover, full.table.present.legal()[0]))
    assert closed_early(full).counts


def test_nobody_gets_rid_of_a_result_by_leaving_before_the_table_is_closed(full: Played) -> None:
    full.deal()
    full.play_out()
    full.do(order(commands.leave, full.table, ANN))
    full.do(order(commands.leave, full.table, BEN))
    full.do(order(commands.seat_bots, full.table, HOST, bot="hints", seat=0))
    found = closed_early(full)
    assert found.counts
    assert [(seat.name, seat.person, seat.bot) for seat in found.seats[:2]] == [
        ("", "token-ann", None),
        ("", "guest-ben", None),
    ]


def test_who_takes_a_seat_that_was_left_takes_its_result_over(full: Played) -> None:
    full.deal()
    full.play_out()
    full.do(order(commands.leave, full.table, ANN))
    full.do(order(commands.join, full.table, Caller("guest-cleo"), name="Cleo", seat=0))
    assert replays.game_result(full.table).seats[0].person == "guest-cleo"


def test_a_closed_game_of_practice_and_one_closed_by_a_moderator_count_for_nothing(full: Played) -> None:
    full.deal()
    full.play_out()
    twin, log = full.table.copy(), list(full.events)
    full.do([Draft("closed", {})])
    assert not replays.game_result(full.table).counts
    full.table, full.events = twin, log
    full.table.taken_back = 1
    assert not closed_early(full).counts


def test_a_game_to_which_nobody_comes_back_is_closed_and_counts_if_it_is_not_from_before_that_rule(
    full: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    full.deal()
    full.play_out()
    later = full.table.at + events.ABANDONED
    assert events.give_up(full.table, later - 1) == []
    assert events.give_up(full.table, later) == [Draft("closed", {})]
    monkeypatch.setattr(events, "ABANDONED_COUNT", 0)
    full.do(events.give_up(full.table, later))
    assert replays.game_result(full.table).counts
    assert events.give_up(full.table, later) == []
