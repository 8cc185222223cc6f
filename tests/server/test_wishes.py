"""What a player says before they are asked: the table says it for them, and nobody else is told."""

from typing import Any

import pytest

from tefuda.games import description
from tefuda.server.store import Draft, Event
from tefuda.server.table import commands, reports, table_messages
from tefuda.server.table.callers import Caller, Refused, SeatHolder
from tefuda.server.table.commands import Order
from tefuda.server.table.events import apply
from tefuda.server.table.reports import Perspective
from tefuda.server.table.request_types import MakePlay
from tefuda.server.table.table_state import TableState
from tefuda.table.game import Game

PEOPLE = [Caller(f"guest-{seat}") for seat in range(5)]


def table_with(version: int | None = None, **options: Any) -> TableState:
    """Five people, the dealer about to have the first turn; the table may go on under an older version of the rules."""
    table, kakkuri = TableState(), description("kakkuri")
    table.name, table.game = "t", Game(kakkuri.as_of(version or kakkuri.rules_version), 5, {"fuwaru": False, **options})
    table.settings = {"host": {"guest": None, "token": None}, "public": True, "spectators": "public", "clock": 60}
    table.chairs = [SeatHolder(f"P{seat}") for seat in range(5)]
    for seat, caller in enumerate(PEOPLE):
        table.set_chair(seat, SeatHolder(f"P{seat}", caller.guest))
    table.deal = table.game.deal(seed=3)
    answer_all(table)
    return table


def say(table: TableState, seat: int, word: str) -> list[Draft]:
    drafts = commands.play(table, Order(PEOPLE[seat], MakePlay(play=word, seq=None), 0))
    for draft in drafts:
        apply(table, Event(table.seq + 1, 0, draft.kind, draft.body))
    return drafts


def answer_all(table: TableState) -> list[str]:
    """What the table answers until somebody is to choose."""
    given = []
    while (answer := table.own_answer()) is not None:
        assert table.deal is not None
        given.append(f"{table.deal.mover}:{answer}")
        apply(table, Event(table.seq + 1, 0, "played", {"seat": table.deal.mover, "play": answer}))
    return given


def test_before_the_dealers_turn_the_table_answers_for_all_others() -> None:
    """KK-17, KK-56."""
    table = table_with()
    assert table.deal is not None
    dealer = table.deal.mover
    assert table.deal.history == [((dealer + k) % 5, "stay") for k in range(1, 5)]


def test_who_says_drop_has_dropped_at_once_in_the_middle_of_anothers_turn() -> None:
    """KK-17, KK-56."""
    table = table_with()
    assert table.deal is not None
    dealer = table.deal.mover
    first, second, third, fourth = ((dealer + k) % 5 for k in range(1, 5))
    assert [(draft.kind, draft.body["play"]) for draft in say(table, third, "drop")] == [("played", "drop")]
    assert table.deal.mover == dealer
    assert int(table.deal.state.dropped) == 1 << third
    with pytest.raises(Refused):
        say(table, third, "drop")
    say(table, dealer, "end")
    assert answer_all(table) == [f"{first}:stay", f"{second}:stay", f"{fourth}:stay"]
    assert table.deal.mover == first


def test_a_record_tells_who_dropped_in_the_middle_of_anothers_turn() -> None:
    table = table_with()
    assert table.deal is not None
    dealer, third = table.deal.mover, (table.deal.mover + 3) % 5
    say(table, third, "drop")
    say(table, dealer, "end")
    again = table.deal.at(len(table.deal.history))
    assert again.history == table.deal.history
    assert again.mover == table.deal.mover
    assert again.array == table.deal.array


# Version 2 of the rules: who has said drop drops when they are next asked.


def test_nobody_is_interrupted_and_who_has_said_drop_drops() -> None:
    """KK-17, KK-56."""
    table = table_with(version=2)
    assert table.deal is not None
    dealer = table.deal.mover
    first, second, third, fourth = ((dealer + k) % 5 for k in range(1, 5))
    assert [draft.kind for draft in say(table, third, "drop")] == ["wished"]
    say(table, dealer, "end")
    assert answer_all(table) == [f"{first}:stay", f"{second}:stay", f"{third}:drop", f"{fourth}:stay"]
    assert table.deal.mover == first
    assert not table.wishes


def test_what_was_said_can_be_taken_back() -> None:
    table = table_with(version=2)
    assert table.deal is not None
    dealer = table.deal.mover
    say(table, (dealer + 2) % 5, "drop")
    say(table, (dealer + 2) % 5, "stay")
    say(table, dealer, "end")
    assert all(each.endswith("stay") for each in answer_all(table))


def test_who_said_drop_while_the_one_before_them_plays_drops_at_the_start_of_their_turn() -> None:
    """KK-17: "and at its very start"."""
    table = table_with(version=2)
    assert table.deal is not None
    dealer = table.deal.mover
    first = (dealer + 1) % 5
    for seat, word in ((dealer, "end"), *((seat % 5, "stay") for seat in range(first, first + 3))):
        apply(table, Event(table.seq + 1, 0, "played", {"seat": seat, "play": word}))
    assert table.deal.mover == (dealer + 4) % 5
    say(table, first, "drop")
    assert answer_all(table)[:2] == [f"{(dealer + 4) % 5}:stay", f"{first}:drop"]


def test_only_the_player_is_told() -> None:
    table = table_with(version=2)
    assert table.deal is not None
    third = (table.deal.mover + 3) % 5
    event = Event(table.seq + 1, 0, "wished", {"seat": third, "play": "drop"})
    everybody = [Perspective(seat) for seat in range(-1, 5)]
    told = reports.apply_and_report(table, event, everybody)
    assert all(set(report) == {"seq", "at", "kind"} for report in told.values())
    for perspective in everybody:
        wish = table_messages.state_message(table, perspective)["deal"]["wish"]  # type: ignore[index]
        is_dealer = perspective.seat == table.deal.mover
        said = {"play": "drop", "otherwise": "stay", "said": perspective.seat == third}
        assert wish == (None if perspective.seat < 0 else said) or is_dealer


@pytest.mark.parametrize("early_drop", ["no", "round"])
def test_where_seats_are_asked_nothing_is_said_before(early_drop: str) -> None:
    """KK-56."""
    table = table_with(early_drop=early_drop)
    assert table.deal is not None
    with pytest.raises(Refused):
        say(table, (table.deal.mover + 2) % 5, "drop")


def test_who_has_had_their_first_turn_cannot_say_it() -> None:
    """KK-17."""
    table = table_with()
    assert table.deal is not None
    dealer = table.deal.mover
    say(table, dealer, "end")
    answer_all(table)
    with pytest.raises(Refused):
        say(table, dealer, "drop")
