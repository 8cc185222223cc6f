"""People who sit together: who hosts the table when the host leaves, and what is done about those who are gone."""

import pytest

from tefuda.server.table import commands, reports, table_messages
from tefuda.server.table.callers import Caller
from tefuda.server.table.events import apply
from tefuda.server.table.table_state import TableState
from tests.server.test_table import ANN, BEN, HOST, Played, order, refused

CHO = Caller("guest-cho")


@pytest.fixture
def friends() -> Played:
    """The host, Ann, Ben, and a free seat."""
    played = Played()
    for caller, name in ((HOST, "Host"), (ANN, "Ann"), (BEN, "Ben")):
        played.do(order(commands.join, played.table, caller, name=name))
    return played


def folded(played: Played) -> TableState:
    """The table as a server makes it from its log when it has started again."""
    table = TableState()
    for event in played.events:
        apply(table, event)
    return table


def hosts(table: TableState) -> list[Caller]:
    return [caller for caller in (HOST, ANN, BEN, CHO) if table.is_host(caller)]


def test_when_the_host_leaves_the_first_person_who_sits_there_hosts_the_table(friends: Played) -> None:
    told = friends.table.people
    friends.do(order(commands.leave, friends.table, HOST))
    last = [(event.kind, event.body) for event in friends.events[-2:]]
    assert last == [("left", {"seat": 0}), ("hosted", {"seat": 1})]
    assert friends.table.people is not told, "what was told to those who are here is told to others now"
    for table in (friends.table, folded(friends)):
        assert hosts(table) == [ANN]
        assert {each.guest: each.host for each in table.belongings()} == {"guest-ben": False}
    refused("not_host", commands.close, friends.table, HOST)
    assert order(commands.seat_bots, friends.table, ANN, bot="hints")
    friends.do(order(commands.join, friends.table, HOST, name="Host"))
    assert hosts(friends.table) == [ANN], "who comes back is a guest of the new host"


def test_one_who_is_connected_and_not_away_hosts_before_others(friends: Played) -> None:
    friends.do(order(commands.join, friends.table, CHO, name="Cho"))
    friends.table.gone = frozenset({1})
    friends.table.chairs[2].absent = True
    friends.do(order(commands.leave, friends.table, HOST))
    assert hosts(friends.table) == [CHO]
    friends.do(order(commands.leave, friends.table, CHO))
    assert hosts(friends.table) == [BEN], "away, and connected"


def test_nobody_else_hosts_the_table_while_only_bots_are_left_or_when_it_is_closed(friends: Played) -> None:
    alone = Played()
    alone.do(order(commands.join, alone.table, HOST, name="Host"))
    alone.do(order(commands.seat_bots, alone.table, HOST, bot="hints"))
    friends.do(order(commands.close, friends.table, HOST))
    for played in (alone, friends):
        played.do(order(commands.leave, played.table, HOST))
        assert played.events[-1].kind == "left"
        assert hosts(played.table) == [HOST]
    friends.do(order(commands.leave, friends.table, ANN))
    assert friends.events[-1].kind == "left"


def test_everybody_is_told_who_hosts_the_table_and_no_message_names_a_hash(friends: Played) -> None:
    (draft,) = order(commands.leave, friends.table, HOST)[1:]
    friends.do(order(commands.leave, friends.table, HOST)[:1])
    friends.do([draft])
    viewer = reports.Perspective(1)
    event = friends.events[-1]
    table = folded(friends).copy()
    table.seq -= 1
    told = reports.apply_and_report(table, event, [viewer])[viewer]
    assert told == {"seq": event.seq, "at": event.at, "kind": "hosted", "seat": 1}
    state = table_messages.state_message(friends.table, viewer, host=friends.table.is_host(ANN))
    assert state["you"] == {"seat": 1, "host": True}


def test_a_bot_plays_for_somebody_who_is_not_connected_when_another_asks_for_it(friends: Played) -> None:
    table = friends.table
    refused("still_here", commands.stand_in, table, ANN, seat=2)
    table.gone = frozenset({2})
    refused("not_seated", commands.stand_in, table, CHO, seat=2)
    for seat in (0, 3, 15):
        refused("still_here", commands.stand_in, table, ANN, seat=seat)
    friends.do(order(commands.stand_in, table, ANN, seat=2))
    assert (friends.events[-1].kind, friends.events[-1].body) == ("absent", {"seat": 2, "by": 1})
    assert order(commands.stand_in, table, HOST, seat=2) == [], "one does already"
    assert [chair.player for chair in folded(friends).chairs] == [None, None, "hints", "hints"]
    friends.do(order(commands.here, table, BEN))
    assert folded(friends).chairs[2].player is None


def test_a_seat_that_is_free_has_nobody_who_is_not_connected(friends: Played) -> None:
    friends.table.gone = frozenset({1, 2})
    friends.do(order(commands.leave, friends.table, BEN))
    shown = table_messages.shared_state(friends.table)["seats"]
    assert [seat.get("connected", True) for seat in shown] == [True, False, True, True]
    refused("still_here", commands.stand_in, friends.table, ANN, seat=2)
