"""Who comes back is told what they missed, exactly as if the whole log had been read again, without reading it."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import orjson
import pytest

from tefuda.server.http.application import create_app
from tefuda.server.live import subscribers
from tefuda.server.live.live_table import LiveTable
from tefuda.server.live.subscribers import MOST_MISSED, SECTION, Broadcaster, RecentEvents, Subscriber
from tefuda.server.settings import ServerSettings
from tefuda.server.store import Event, open_store
from tefuda.server.table import commands, events, reports, table_messages
from tefuda.server.table.callers import Caller
from tefuda.server.table.events import apply
from tefuda.server.table.message_types import EventReport
from tefuda.server.table.table_state import TableState
from tests.server.test_table import ANN, BEN, HOST, Played, order

STRANGER = Caller("stranger")


@pytest.fixture(scope="module")
def long() -> Played:
    """Some deals, with cards exposed by one seat in secret, while people come, go and take over from each other."""
    played = Played(options={"target": 10_000, "expose_order": "simultaneous"})
    played.do(order(commands.join, played.table, ANN, name="Ann"))
    played.do(order(commands.join, played.table, BEN, name="Ben", seat=1))
    played.do(order(commands.seat_bots, played.table, HOST, bot="hints"))
    for number in range(11):
        played.deal()
        if number % 3 == 1:
            played.do(order(commands.leave, played.table, ANN))
            played.do(order(commands.join, played.table, BEN if number > 6 else ANN, name="Ann again"))
        played.play_out()
    return played


def told_from_the_whole_log(events: Sequence[Event], after: int, subscriber: Subscriber) -> list[EventReport]:
    broadcaster, told = Broadcaster(TableState()), list[EventReport]()
    for event in events:
        perspectives = [broadcaster.looks(subscriber)[0]] if 0 < after <= broadcaster.table.seq else []
        told += reports.apply_and_report(broadcaster.table, event, perspectives).values()
    return told


def missed(recent: RecentEvents, after: int, subscriber: Subscriber) -> list[EventReport]:
    """What somebody who comes back alone is told."""
    return recent.reports({subscriber: after})[subscriber]


@pytest.mark.slow
@pytest.mark.parametrize("caller", [ANN, BEN, STRANGER])
def test_what_was_missed_is_told_as_from_the_whole_log(long: Played, caller: Caller) -> None:
    subscriber, (table, recent) = Subscriber(caller), subscribers.load(long.events)
    for after in range(table.seq - MOST_MISSED, table.seq, 37):
        assert missed(recent, after, subscriber) == told_from_the_whole_log(long.events, after, subscriber)
    assert missed(recent, table.seq, subscriber) == missed(recent, table.seq + 9, subscriber) == []
    assert missed(recent, table.seq - MOST_MISSED - 1, subscriber) == missed(recent, 0, subscriber) == []


def test_who_come_back_together_are_each_told_what_they_missed(long: Played) -> None:
    table, recent = subscribers.load(long.events)
    callers = [ANN, BEN, STRANGER, ANN]
    returning = {Subscriber(caller): table.seq - 7 * place for place, caller in enumerate(callers)}
    returning[Subscriber(BEN)] = table.seq - MOST_MISSED - 1
    together = recent.reports(returning)
    assert [len(each) for each in together.values()] == [0, 7, 14, 21, 0]
    assert together == {each: missed(recent, after, each) for each, after in returning.items()}


def test_for_all_who_come_back_meanwhile_the_log_is_read_once(long: Played, tmp_path: Path) -> None:
    async def scenario() -> None:
        settings = ServerSettings(games=("gong-zhu",))
        services = create_app(open_store(f"sqlite:///{tmp_path / 'tables.db'}"), settings).state.services
        table, recent = subscribers.load(long.events)
        live, readings, read = LiveTable(services, table, recent, services.tables.daily), list[int](), recent.reports

        begun, may_end = threading.Event(), threading.Event()

        def counted(returning: Mapping[Subscriber, int]) -> dict[Subscriber, list[EventReport]]:
            readings.append(len(returning))
            begun.set()
            assert may_end.wait(60)
            return read(returning)

        recent.reports = counted  # type: ignore[method-assign]
        crowd = [Subscriber(caller) for caller in [ANN, BEN, STRANGER] * 20]
        coming = [asyncio.create_task(live.subscribe(each, table.seq - 5)) for each in crowd]
        assert await asyncio.to_thread(begun.wait, 60)
        coming[0].cancel()  # the first, for whom the log is being read, hangs up
        coming[1].cancel()  # and so does one who waits
        may_end.set()
        await asyncio.gather(*coming, return_exceptions=True)
        assert readings == [1, 58]
        assert live.subscribers == set(crowd[2:])
        for each in crowd[2:]:
            message = each.waiting.get_nowait()
            assert message is not None
            assert len(orjson.loads(message)["events"]) == 5
        live.unload()
        await services.background.close()
        await services.store.close()

    asyncio.run(scenario())


def test_a_table_that_grows_remembers_what_a_loaded_one_does(long: Played) -> None:
    subscriber, table = Subscriber(ANN), TableState()
    recent = RecentEvents(table)
    for event in long.events:
        apply(table, event)
        recent.add([event], table)
        if event.seq % 101 == 0:
            assert missed(recent, event.seq - 5, subscriber) == told_from_the_whole_log(
                long.events[: event.seq], event.seq - 5, subscriber
            )
    loaded = subscribers.load(long.events)[1]
    assert missed(recent, table.seq - 9, subscriber) == missed(loaded, table.seq - 9, subscriber)


def test_no_more_events_are_applied_than_were_missed_and_a_section(
    long: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, recent = subscribers.load(long.events)
    applied = list[int]()

    def counted(table: TableState, event: Event) -> None:
        applied.append(event.seq)
        apply(table, event)

    monkeypatch.setattr(reports, "apply", counted)
    for count in (1, 40, 300):
        applied.clear()
        assert len(missed(recent, table.seq - count, Subscriber(ANN))) == count
        assert count <= len(applied) <= count + SECTION


def test_a_copy_of_a_table_goes_on_without_it(long: Played) -> None:
    table, _ = subscribers.load(long.events[:200])
    before = reports.encoded(table_messages.state_message(table, reports.Perspective(0)))
    twin = table.copy()
    for event in long.events[200:]:
        apply(twin, event)
    assert reports.encoded(table_messages.state_message(table, reports.Perspective(0))) == before
    assert events.commit(table, bytes(32)) == events.commit(subscribers.load(long.events[:200])[0], bytes(32))
    for event in long.events[200:]:
        apply(table, event)
    assert reports.encoded(table_messages.state_message(table, reports.Perspective(0))) == reports.encoded(
        table_messages.state_message(twin, reports.Perspective(0))
    )
