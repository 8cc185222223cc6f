"""What a public host needs of a server: it says so when it cannot write, and no damage takes down more than itself."""

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy.engine import make_url

from tefuda.server.http import error_answers
from tefuda.server.live import scheduler, subscribers
from tefuda.server.live.live_tables import LiveTables
from tefuda.server.live.scheduler import GRACE, Scheduler
from tefuda.server.live.subscribers import DelayedBroadcaster
from tefuda.server.store import Draft, Event, Listing, StoreError, open_store
from tefuda.server.store.port import DamagedLog, Elsewhere, Unavailable
from tefuda.server.store.sql import Store
from tefuda.server.store.sqlite import SqliteStore
from tefuda.server.table import commands
from tefuda.server.table.callers import Caller, Refused, order_key
from tefuda.server.table.commands import Order
from tefuda.server.table.events import apply
from tefuda.server.table.request_types import Say
from tefuda.server.table.table_messages import is_summary
from tefuda.server.table.table_state import TableState
from tests.web.people import Reader

SUMMARY = {
    "game": "gong-zhu", "options": {}, "phase": "waiting", "seats": [], "deals": 0, "free": 4, "by_invitation": False,
    "spectators": "public",
}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{file}")
    yield store
    asyncio.run(store.close())


def write(file: Path, statement: str, *values: Any) -> None:
    """Change the database behind the server's back."""
    with sqlite3.connect(file) as connection:
        connection.execute(statement, values)
    connection.close()


def test_a_second_server_on_the_same_file_stops_by_whatever_link_it_names_it(store: Store, file: Path) -> None:
    link = file.with_name("link.db")
    link.symlink_to(file)
    with pytest.raises(StoreError, match="in use by another process"):
        SqliteStore(make_url(f"sqlite:///{link}"))


def test_a_file_with_two_names_is_not_opened(store: Store, file: Path) -> None:
    """Nothing would keep a second server out that is given the other name."""
    other = file.with_name("other.db")
    os.link(file, other)
    with pytest.raises(StoreError, match="has another name in the file system"):
        SqliteStore(make_url(f"sqlite:///{other}"))
    other.unlink()


@pytest.mark.parametrize("summary", ["not JSON", "7"])
def test_a_damaged_line_of_the_list_is_left_out(store: Store, file: Path, summary: str) -> None:
    async def listed() -> list[str]:
        for name in ("whole", "damaged"):
            await store.show(Listing(name, 1, 1, True, SUMMARY, ()))
        write(file, "UPDATE listings SET summary = ? WHERE \"table\" = 'damaged'", summary)
        return [each.table for each in await store.public(10)]

    assert asyncio.run(listed()) == ["whole"]


@pytest.mark.parametrize(
    "damage", [{"game": 7}, {"seats": 7}, {"seats": [7]}, {"seats": [{"name": "Ann"}]}, {"phase": None}, {"free": "x"}]
)
def test_a_line_of_another_shape_is_no_line(damage: dict[str, Any]) -> None:
    assert is_summary(SUMMARY)
    assert not is_summary({**SUMMARY, **damage})


@pytest.mark.parametrize("body", ["not JSON", "7"])
def test_a_damaged_event_is_named(store: Store, file: Path, body: str) -> None:
    async def read() -> None:
        await store.append("t", 0, [Draft("restarted", {})])
        write(file, "UPDATE events SET body = ?", body)
        await store.read("t")

    with pytest.raises(DamagedLog, match="table t: event 1 is damaged"):
        asyncio.run(read())


def test_a_table_with_a_damaged_event_cannot_be_read_and_that_is_said(store: Store, file: Path) -> None:
    async def read() -> None:
        await store.append("t", 0, [Draft("restarted", {})])
        write(file, "UPDATE events SET body = ?", "not JSON")
        resources: Any = SimpleNamespace(store=store)
        await LiveTables(resources).log("t")

    with pytest.raises(Refused) as caught:
        asyncio.run(read())
    assert (caught.value.code, caught.value.status) == ("unreadable", 410)


def test_a_check_writes(store: Store, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that can be read and not written, as on a full disk, is not ready."""
    assert isinstance(store, SqliteStore)
    monkeypatch.setattr("tefuda.server.store.sql.CHECK_EVERY", -1)
    asyncio.run(store.check())
    store._connection.exec_driver_sql("PRAGMA query_only = ON")
    store._connection.commit()
    with pytest.raises(Unavailable, match="readonly"):
        asyncio.run(store.check())


def test_another_order_with_the_same_id_is_no_repetition() -> None:
    ann = Caller("ann")
    keys = [order_key(ann, "1", order) for order in ("ready {}", 'play {"play":"SQ"}', 'play {"play":"S2"}')]
    assert len(set(keys)) == 3
    assert order_key(ann, "1", "ready {}") == keys[0]


@pytest.mark.parametrize("jump", [3600, -3600])
def test_a_change_of_the_machines_time_changes_no_clock_that_runs(monkeypatch: pytest.MonkeyPatch, jump: float) -> None:
    now = SimpleNamespace(wall=1_000_000.0, steady=50.0)
    clocks = SimpleNamespace(time=lambda: now.wall, monotonic=lambda: now.steady)
    monkeypatch.setattr(scheduler, "time", clocks)
    table: Any = SimpleNamespace()
    clock = Scheduler(table, table, table)
    asked = 1_000_000_000
    assert clock._until(asked, 60) == pytest.approx(60)
    now.steady += 20
    now.wall += 20 + jump
    assert clock._until(asked, 60) == pytest.approx(40)


def test_whoever_comes_back_to_a_table_has_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "time", SimpleNamespace(time=lambda: 10_000.0, monotonic=lambda: 0.0))
    table: Any = SimpleNamespace()
    assert Scheduler(table, table, table)._until(1_000, 60) == pytest.approx(GRACE)


def test_a_fault_is_logged_once_and_answered(caplog: pytest.LogCaptureFixture) -> None:
    app = FastAPI()
    error_answers.install(app, lambda request, status, text: pytest.fail("no page was asked for"))

    @app.get("/api/fault")
    def fault() -> None:
        raise ZeroDivisionError("an unforeseen fault")

    answer = Reader(app).get("/api/fault")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "fault")
    assert [record.exc_info is not None for record in caplog.records if record.levelname == "ERROR"] == [True]


@pytest.mark.parametrize(("met", "status"), [(Elsewhere, 421), (Unavailable, 503)])
def test_who_comes_to_another_process_is_not_told_that_nothing_can_be_saved(met: type[Exception], status: int) -> None:
    app = FastAPI()
    error_answers.install(app, lambda request, status, text: pytest.fail("no page was asked for"))

    @app.get("/api/met")
    def meet() -> None:
        raise met("not here, or not now")

    answer = Reader(app).get("/api/met")
    told = {421: "elsewhere", 503: "unavailable"}[status]
    assert (answer.status_code, answer.json()["error"]["code"], answer.headers["retry-after"]) == (status, told, "1")


def test_a_clock_that_is_set_back_holds_up_no_delayed_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    """What happened before is dated in the future; they see it after their delay all the same."""
    now = SimpleNamespace(wall=1_000_000.0, steady=50.0)
    clocks = SimpleNamespace(time_ns=lambda: int(now.wall * 1e9), monotonic=lambda: now.steady)
    monkeypatch.setattr(subscribers, "time", clocks)
    body = {
        "table": "t", "game": "gong-zhu", "rules": 1, "seats": 4, "options": {}, "public": True, "invite": None,
        "host": {"guest": None, "token": None}, "spectators": "delayed", "clock": 60,
    }  # fmt: skip

    async def watch() -> list[int]:
        made = [Event(1, 1_000_000_000, "created", body)]
        broadcaster, seen = DelayedBroadcaster(made, 60_000), []
        for seq, jump in ((2, 0), (3, -3600), (4, +7200)):
            now.wall += jump
            at = int(now.wall * 1000)
            broadcaster.publish_later([Event(seq, at, "seated", {"seat": seq - 1, "name": str(seq), "bot": "hints"})])
        for passed in (0, 59, 2):
            now.steady += passed
            now.wall += passed
            broadcaster._publish_due()
            seen.append(broadcaster.table.seq)
        broadcaster.close()
        loaded = [Event(2, int(now.wall * 1000) + 3_600_000, "seated", {"seat": 1, "name": "b", "bot": "hints"})]
        again = DelayedBroadcaster([*made, *loaded], 60_000)
        now.steady += 61
        again._publish_due()
        again.close()
        return [*seen, again.table.seq]

    assert asyncio.run(watch()) == [1, 1, 4, 2]


def test_a_clock_that_is_set_back_keeps_nobody_from_speaking() -> None:
    ann, table = Caller(token="ann"), TableState()
    host = {"guest": None, "token": "ann"}
    apply(table,
        Event(1, 10_000_000, "created", {
            "table": "t", "game": "gong-zhu", "rules": 1, "seats": 4, "options": {}, "public": True, "invite": None,
            "host": host, "spectators": "public", "clock": 60,
        })
    )  # fmt: skip
    apply(table, Event(2, 10_000_000, "seated", {"seat": 0, "name": "Ann", "guest": None, "token": "ann"}))
    apply(table, Event(3, 10_000_000, "said", {"seat": 0, "phrase": "hello"}))

    def say(at: int) -> str:
        try:
            commands.say(table, Order(ann, Say(phrase="thanks"), at=at))
        except Refused as refused:
            return refused.code
        return "said"

    assert [say(10_001_000), say(10_003_000), say(10_000_000 - 3_600_000)] == ["too_many", "said", "said"]
