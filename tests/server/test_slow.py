"""Slow tables: people come and go between their plays, have a day for each, and go from one table to the next."""

import time

import pytest

from tefuda.server.live.subscribers import Broadcaster
from tefuda.server.table import commands, events, table_messages
from tefuda.server.table.table_state import SLOW
from tests.server.test_company import folded
from tests.server.test_pace import seated, until_asked, waits
from tests.server.test_table import ANN, BEN, HOST, Played, order, refused

DAY = 86_400


@pytest.fixture
def slow() -> Played:
    """The host, Ann and Ben at a deal with a day for each play."""
    return seated(ANN, BEN, clock=DAY)


def test_a_table_is_slow_from_half_a_day_on_and_while_others_are_waited_for(slow: Played) -> None:
    assert table_messages.shared_state(slow.table)["slow"]
    assert not seated(ANN, clock=SLOW - 1).table.is_slow
    assert not seated(ANN, clock=None).table.is_slow
    assert not seated(clock=DAY).table.is_slow, "nobody is waited for who is alone"
    slow.do(order(commands.pace, slow.table, HOST, clock=30))
    assert not slow.table.is_slow
    assert not table_messages.shared_state(slow.table)["slow"]


def test_nobody_is_missed_who_is_not_connected(slow: Played) -> None:
    assert Broadcaster(slow.table).missing() == frozenset()
    refused("still_here", commands.stand_in, slow.table, ANN, seat=0)
    slow.do(order(commands.pace, slow.table, HOST, clock=30))
    assert Broadcaster(slow.table).missing() == {0, 1, 2}


def test_the_deadline_stays_when_the_table_is_loaded_again(slow: Played) -> None:
    until_asked(slow, 0)
    hours = 7
    slow.table.acted = int(1000 * (time.time() - 3600 * hours))
    for table in (slow.table, slow.table.copy()):
        assert waits(table, here=False) == pytest.approx(DAY - 3600 * hours, abs=60)


def test_when_the_day_has_passed_a_bot_makes_one_play(slow: Played) -> None:
    until_asked(slow, 1)
    table = slow.table
    slow.do(events.miss(1))
    assert table.bot_at(1)
    assert table.asked() == [], "nobody is told: a bot plays"
    assert table.deal is not None
    slow.do(events.play_for(1, table.deal.legal()[0]))
    for same in (table, folded(slow)):
        assert same.bot_at(1) is None
        assert not same.chairs[1].absent


def test_whoever_does_not_reveal_in_a_day_plays_on_themselves(slow: Played) -> None:
    slow.play_out()
    table = slow.table
    slow.do(events.commit(table, bytes(32)))
    for caller in (HOST, ANN, BEN):
        slow.do(order(commands.ready, table, caller, seal="ab" * 32))
    slow.do(events.close_seals(table))
    assert table.asked() == [0, 1, 2]
    table.pending.at = int(1000 * time.time())
    assert waits(table) == pytest.approx(DAY, abs=60), "they may be asleep"
    slow.do(events.name_unrevealed(table))
    assert not any(chair.absent for chair in table.chairs)


def test_each_time_that_others_are_asked_is_another_moment(slow: Played) -> None:
    table, seen = slow.table, [slow.table.moment]
    while table.phase == "playing":
        assert table.deal is not None
        slow.do(events.play_for(table.deal.mover, table.deal.legal()[0]))
        seen.append(table.moment)
    slow.do(events.commit(table, bytes(32)))
    seen.append(table.moment)
    for caller in (HOST, ANN, BEN):
        slow.do(order(commands.ready, table, caller, seal="ab" * 32))
        assert table.moment == seen[-1], "who has not answered yet has been told"
    slow.do(events.close_seals(table))
    seen.append(table.moment)
    slow.do(events.name_unrevealed(table))
    seen.append(table.moment)
    assert len(set(seen)) == len(seen)
