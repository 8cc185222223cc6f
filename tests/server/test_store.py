"""What every store must do, on SQLite and on a real PostgreSQL."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import orjson
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from tefuda.engine.errors import TefudaError
from tefuda.server.store import Conflict, Draft, Listing, Store, StoreError, Unavailable, open_store, schema
from tefuda.server.store.port import Belonging
from tefuda.server.table import commands
from tefuda.server.table.callers import Caller, token_hash
from tefuda.server.table.commands import Order
from tefuda.server.table.events import apply
from tefuda.server.table.request_types import MakePlay
from tefuda.server.table.table_state import TableState
from tests.server.conftest import new_database
from tests.server.postgres import Cluster

Scenario = Callable[[Store], Coroutine[Any, Any, None]]


def run(url: str, scenario: Scenario) -> None:
    async def with_store() -> None:
        store = open_store(url)
        try:
            await scenario(store)
        finally:
            await store.close()

    asyncio.run(with_store())


def drafts(*words: str) -> list[Draft]:
    return [Draft("said", {"word": word}) for word in words]


async def words(store: Store, table: str, after: int = 0) -> list[str]:
    events = await store.read(table, after)
    assert [event.seq for event in events] == list(range(after + 1, after + 1 + len(events)))
    return [event.body["word"] for event in events]


def test_what_was_appended_is_read_also_by_the_next_process(database: str) -> None:
    async def write(store: Store) -> None:
        kept = await store.append("t", 0, drafts("one", "二"))
        assert [(event.seq, event.body) for event in kept] == [(1, {"word": "one"}), (2, {"word": "二"})]
        assert kept == await store.read("t")
        await store.append("t", 2, drafts("three"))

    async def read(store: Store) -> None:
        assert await words(store, "t") == ["one", "二", "three"]
        assert await words(store, "t", 2) == ["three"]
        assert await words(store, "nowhere") == []
        await store.check()

    run(database, write)
    run(database, read)


def test_an_append_that_does_not_follow_the_end_is_a_conflict_and_keeps_nothing(database: str) -> None:
    async def scenario(store: Store) -> None:
        await store.append("t", 0, drafts("a", "b"))
        for after in (0, 1, 3, 7):
            with pytest.raises(Conflict):
                await store.append("t", after, drafts("x", "y"))
        assert await words(store, "t") == ["a", "b"]

    run(database, scenario)


def test_of_many_who_append_at_once_exactly_one_wins_each_place(database: str) -> None:
    async def scenario(store: Store) -> None:
        async def push(name: str) -> int:
            won, after = 0, 0
            while after < 40:
                try:
                    await store.append("t", after, drafts(name))
                    won += 1
                except Conflict:
                    pass
                after = len(await store.read("t"))
            return won

        won = await asyncio.gather(*map(push, "abcdef"))
        kept = await words(store, "t")
        assert len(kept) == sum(won)
        assert [kept.count(name) for name in "abcdef"] == won

    run(database, scenario)


def test_of_several_events_at_once_all_are_kept_or_none_also_when_processes_race(database: str) -> None:
    async def scenario(store: Store) -> None:
        stores = [store] if not store.shared else [store, open_store(database)]

        async def push(which: Store, name: str) -> int:
            won = 0
            for _ in range(30):
                after = len(await which.read("t"))
                try:
                    await which.append("t", after, drafts(*[name] * (1 + after % 3)))
                    won += 1 + after % 3
                except Conflict:
                    pass
            return won

        won = await asyncio.gather(*(push(which, f"{k}{name}") for k, which in enumerate(stores) for name in "abc"))
        kept = await words(store, "t")
        assert len(kept) == sum(won)
        for after in range(len(kept)):
            if after == 0 or kept[after] != kept[after - 1]:
                together = 1 + after % 3
                assert kept[after : after + together] == [kept[after]] * together
        for other in stores[1:]:
            await other.close()

    run(database, scenario)


def test_an_event_that_cannot_be_written_does_not_stop_the_others(database: str) -> None:
    async def scenario(store: Store) -> None:
        with pytest.raises(orjson.JSONEncodeError):
            await store.append("t", 0, drafts("\ud800"))
        await store.append("t", 0, drafts("a"))
        assert await words(store, "t") == ["a"]

    run(database, scenario)


def test_tables_do_not_wait_for_each_other(database: str) -> None:
    async def scenario(store: Store) -> None:
        async def fill(table: str) -> None:
            for after in range(5):
                await store.append(table, after, drafts(str(after)))

        await asyncio.gather(*(fill(f"t{k}") for k in range(30)))
        assert [len(await store.read(f"t{k}")) for k in range(30)] == [5] * 30

    run(database, scenario)


def test_public_tables_are_listed_the_latest_changed_first(database: str) -> None:
    async def scenario(store: Store) -> None:
        for at, table in enumerate(("one", "two", "three")):
            await store.show(Listing(table, 1, at, table != "two", {"name": table}))
        await store.show(Listing("one", 7, 9, True, {"name": "changed"}))
        await store.show(Listing("one", 6, 99, True, {"name": "late news"}))
        assert [found.table for found in await store.public(10)] == ["one", "three"]
        assert await store.public(1) == [Listing("one", 7, 9, True, {"name": "changed"})]

    run(database, scenario)


def test_a_guest_has_their_tables_public_or_not_for_good(database: str) -> None:
    async def scenario(store: Store) -> None:
        ann, ben = Belonging("ann", 0, host=True), Belonging("ben", 1, host=False)
        for at, (table, people) in enumerate((("one", (ann,)), ("two", (ann, ben)), ("three", (ben,)))):
            await store.show(Listing(table, 1, at, table == "one", {"name": table}, people))
        await store.show(Listing("one", 2, 9, True, {"name": "left"}, (ben,)))
        await store.show(Listing("one", 1, 8, True, {"name": "late news"}, (ann,)))
        assert [found.table for found in await store.of("ann", 10)] == ["one", "two"]
        assert [found.table for found in await store.of("ben", 2)] == ["one", "three"]
        assert await store.of("eve", 10) == []
        left = Belonging("ann", None, host=True)
        assert await store.of("ann", 1) == [Listing("one", 2, 9, True, {"name": "left"}, own=left)]
        assert [each.own for each in await store.of("ben", 2)] == [ben, ben]

    run(database, scenario)


def test_all_processes_share_a_secret(database: str) -> None:
    secrets: list[bytes] = []

    async def scenario(store: Store) -> None:
        secrets.append(store.secret)

    run(database, scenario)
    run(database, scenario)
    assert len(secrets[0]) == 32
    assert secrets[0] == secrets[1]


def execute(url: str, *statements: str) -> None:
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


RELEASED = [
    "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
    'CREATE TABLE events ("table" TEXT NOT NULL, seq INTEGER NOT NULL, at BIGINT NOT NULL, id TEXT NOT NULL, '
    'kind TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY ("table", seq))',
    'CREATE TABLE listings ("table" TEXT NOT NULL PRIMARY KEY, seq INTEGER NOT NULL, at BIGINT NOT NULL, '
    "public BOOLEAN NOT NULL, summary TEXT NOT NULL)",
    "CREATE INDEX listings_by_time ON listings (public, at)",
    'CREATE TABLE belongings (guest TEXT NOT NULL, "table" TEXT NOT NULL, PRIMARY KEY (guest, "table"))',
]
"""The statements that led to the versions of the database before Alembic: 1 with the first three, 2 and 3 with one more
each. Releases 0.1.0 and 0.2.0 have version 3."""


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_older_database_is_brought_up_to_date(database: str, version: int) -> None:
    execute(
        database,
        *RELEASED[: version + 2],
        f"INSERT INTO meta VALUES ('version', '{version}'), ('secret', '{'5a' * 32}')",
        "INSERT INTO events VALUES ('t', 1, 1700000000000, 'x', 'said', '{\"word\":\"old\"}')",
    )

    async def scenario(store: Store) -> None:
        assert await words(store, "t") == ["old"]
        assert store.secret == b"\x5a" * 32
        await store.append("t", 1, drafts("new"))
        assert await store.public(10) == []

    run(database, scenario)
    assert differences(database) == []
    run(database, lambda store: store.check())


def test_an_empty_database_gets_the_present_tables(database: str) -> None:
    run(database, lambda store: store.check())
    assert differences(database) == []


def differences(url: str) -> list[Any]:
    """What a database has otherwise than ``schema`` says, and Alembic's mark if it is not the present version."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        found = MigrationContext.configure(connection)
        differing = list(compare_metadata(found, schema.metadata))
        mark = found.get_current_revision()
    engine.dispose()
    return differing if mark == str(schema.VERSION) else [*differing, mark]


def test_a_database_of_the_present_version_is_opened_without_alembic(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    run(url, lambda store: store.check())
    script = (
        f"import sys; from tefuda.server.store import open_store; open_store({url!r}); print('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script, url], capture_output=True, check=True).stdout == b"False\n"


HANDS = {
    "9hkwvdpe3fvw": ["SA", "S6", "H8", "D10", "D8", "D7", "D3", "CQ"],
    "hhfpfxs4kbnt": ["SJ", "H8", "H6", "DQ", "D10", "D6", "D2", "C4"],
}
"""Ann's, at each table of the released versions that is being played."""


@pytest.mark.parametrize("release", ["0_1_0", "0_2_0"])
def test_tables_of_a_released_version_are_played_on(database: str, release: str) -> None:
    """In each file Ann plays Gong Zhu against three bots; of 0.2.0 there is also a game that is over."""
    dump = (Path(__file__).parent / f"tables_of_{release}.sql").read_text("utf-8")
    statements = dump.replace("BEGIN TRANSACTION;", "").replace("COMMIT;", "").replace(",1,'{", ",TRUE,'{")
    execute(database, *filter(str.strip, statements.split(";\n")))

    async def scenario(store: Store) -> None:
        phases = []
        for listing in await store.public(10):
            state = TableState()
            for event in await store.read(listing.table):
                apply(state, event)
            assert listing.summary["phase"] == state.phase
            phases.append(state.phase)
            if state.phase == "playing":
                await play_on(store, state)
        assert sorted(phases) == (["playing"] if release == "0_1_0" else ["over", "playing"])

    run(database, scenario)
    assert differences(database) == []


async def play_on(store: Store, state: TableState) -> None:
    """Make Ann's next play at a table that an older version has left."""
    ann = Caller(token=token_hash("old-client-token-0123456789"))
    assert state.seat_of(ann) == 0
    assert state.deal is not None
    hand = [card for group in state.view(0).scene.hand for card in group.cards]
    assert hand == HANDS[state.name]
    seq = state.seq
    order = Order(ann, MakePlay(play=state.deal.legal()[0], seq=None), at=state.at)
    for event in await store.append(state.name, state.seq, commands.play(state, order)):
        apply(state, event)
    assert state.seq == seq + 1


def test_a_newer_database_is_refused(database: str) -> None:
    run(database, lambda store: store.check())
    execute(database, "UPDATE meta SET value = '99' WHERE key = 'version'")
    with pytest.raises(StoreError, match=f"of version 99, this Tefuda reads up to {schema.VERSION}: install a newer"):
        open_store(database)


def test_somebody_elses_database_is_left_alone(database: str) -> None:
    execute(database, "CREATE TABLE events (id INTEGER)")
    with pytest.raises(StoreError, match="a table 'events' that is not Tefuda's"):
        open_store(database)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("nonsense", "--db: write it like"),
        ("mysql://localhost/x", "there is no store 'mysql'"),
        ("sqlite://", "name a file"),
        ("sqlite:////proc/tables.db", "/proc/tables.db"),
        ("postgresql://nobody@localhost:1/x", "postgresql+psycopg://nobody@localhost:1/x: "),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(url: str, told: str) -> None:
    if url.startswith("postgresql"):
        pytest.importorskip("psycopg", reason="PostgreSQL left out: uv sync --extra postgres")
    with pytest.raises(TefudaError, match=re.escape(told)) as caught:
        open_store(url)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_text("not a database, but long enough to be looked at as one" * 100)
    with pytest.raises(StoreError, match=r"tables\.db: file is not a database"):
        open_store(f"sqlite:///{tmp_path / 'tables.db'}")


def test_a_second_process_on_one_file_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    script = f"from tefuda.server.store import open_store; open_store({url!r}); print('open', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=-1, stdout=-1) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(StoreError, match=r"tables\.db is in use by another process; stop that one"):
            open_store(url)
        other.kill()
        other.wait()
    run(url, lambda store: store.check())


async def read_again(store: Store) -> list[str]:
    """The log, as soon as the store answers."""
    while True:
        try:
            return await words(store, "t")
        except Unavailable:
            await asyncio.sleep(0.1)


def test_appends_survive_cut_connections_and_a_restart(cluster: Cluster) -> None:
    """Every append that returned is kept once and in its place, whatever happened to the database in between."""
    url = new_database(cluster)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'tefuda' AND pid <> pg_backend_pid()"

    async def scenario(store: Store) -> None:
        acknowledged: list[str] = []
        stop = asyncio.Event()

        async def write() -> None:
            while not stop.is_set():
                word = str(len(acknowledged))
                try:
                    await store.append("t", len(acknowledged), drafts(word))
                except Unavailable:  # kept or not: the log itself tells
                    kept = await read_again(store)
                    assert kept[: len(acknowledged)] == acknowledged
                    acknowledged[:] = kept
                else:
                    acknowledged.append(word)

        writing = asyncio.create_task(write())
        for k in range(4):
            await asyncio.sleep(0.2)
            if k == 2:
                await asyncio.to_thread(cluster.stop)
                await asyncio.to_thread(cluster.start)
            else:
                await asyncio.to_thread(execute, cluster.url, cut)
        await asyncio.sleep(0.5)
        stop.set()
        await writing
        assert len(acknowledged) > 10
        assert await words(store, "t") == acknowledged

    run(url, scenario)
