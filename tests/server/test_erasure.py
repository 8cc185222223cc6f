"""Who has been erased stays erased, whatever the processes of the server are about to write."""

import asyncio
import random
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, select

from tefuda.server.store import Draft, Listing, Store, Unavailable, identities, open_store, schema
from tefuda.server.store.database import Database
from tefuda.server.store.erasures import erased_among, mark_of
from tefuda.server.store.people import ERASED, GameResult
from tefuda.server.store.port import Belonging, DailyResult, DealOfDay, HouseRules, Passkey, SeatResult
from tefuda.server.store.ratings import contests

ANN, TOKEN, BEN = "a" * 40, "f" * 40, "b" * 40
NAME = "Zenobia"
SEATED = Draft("seated", {"seat": 0, "name": NAME, "guest": ANN, "token": TOKEN})
OPENED = Draft("created", {"host": {"guest": BEN, "token": None}})

Write = Callable[[Store], Coroutine[Any, Any, object]]


def run(url: str, scenario: Write, **how: Any) -> None:
    async def with_store() -> None:
        store = open_store(url, **how)
        try:
            await scenario(store)
        finally:
            await store.close()

    asyncio.run(with_store())


def listing(table: str, seq: int) -> Listing:
    summary = {"seats": [{"name": NAME}, {"name": "Ben"}]}
    people = Belonging(ANN, 0, host=False), Belonging(BEN, 1, host=True)
    return Listing(table, seq, 1, True, summary, people, frozenset({ANN, TOKEN, BEN}))


def result(table: str) -> GameResult:
    seats = SeatResult(0, NAME, ANN, None, 0, 40, 1), SeatResult(1, "Ben", BEN, None, 1, -10, 2)
    return GameResult(table, 1, 1, "gong-zhu", 2, over=True, practice=False, seats=seats)


async def sit_down(store: Store, table: str) -> None:
    await store.append(table, 0, [OPENED])
    await store.append(table, 1, [SEATED, Draft("said", {"seat": 0, "text": f"It is me, {NAME}"})])


def writes(table: str) -> list[Write]:
    """All that a process may have on the way when somebody is erased."""
    opened_by = Draft("created", {"host": {"guest": ANN, "token": TOKEN}})
    return [
        lambda store: store.append(f"{table}-own", 0, [opened_by]),
        lambda store: sit_down(store, table),
        lambda store: store.show(listing(table, 2)),
        lambda store: store.people.record(result(table), contests),
        lambda store: store.daily.record(DealOfDay("2026-11-23", table), DailyResult(ANN, 1, NAME, 5, table)),
        lambda store: store.people.save_rules(HouseRules(table, 1, ANN, "Tuesdays", "gong-zhu", 4, {})),
        lambda store: store.passkeys.add(Passkey(table, ANN, "key", 0, 1, name=NAME)),
    ]


async def go_on(store: Store, table: str) -> None:
    """Write one after the other, as a table does; nothing follows a seat that was not kept."""
    with suppress(Unavailable):
        for write in writes(table):
            await write(store)


def traces(url: str) -> list[str]:
    """The rows that still say something of Ann."""
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        rows = [
            f"{name}: {tuple(row)}"
            for name, table in schema.metadata.tables.items()
            for row in connection.execute(select(table))
        ]
    engine.dispose()
    return [row for row in rows if any(each in row for each in (ANN, TOKEN, NAME))]


@pytest.mark.slow
@pytest.mark.parametrize("late", range(len(writes("t"))))
def test_what_a_process_still_writes_brings_nobody_back(database: str, late: int) -> None:
    async def before(store: Store) -> None:
        for write in writes("t"):
            await write(store)

    async def after(store: Store) -> None:
        await asyncio.to_thread(erase, database)
        assert traces(database) == []
        with suppress(Unavailable):
            await writes("late")[late](store)

    run(database, before)
    assert {row.partition(":")[0] for row in traces(database)} == {
        "events", "listings", "belongings", "results", "ratings", "daily_results", "house_rules", "passkeys"
    }  # fmt: skip
    run(database, after)
    assert traces(database) == []


def erase(url: str) -> None:
    """Erase Ann as *Forget me* does."""
    with Database(url) as beside:
        identities.erase(beside, identities.own_identity(beside, [ANN]), identities.own_identity)


def test_a_seat_is_found_though_the_list_of_tables_was_never_written(database: str) -> None:
    """The process that drives the table writes the list in the background, and may have died before."""

    async def scenario(store: Store) -> None:
        await sit_down(store, "t")
        await asyncio.to_thread(erase, database)

    run(database, scenario)
    assert traces(database) == []


def test_a_list_that_is_behind_loses_the_name_too(database: str) -> None:
    """Ann is the host and has left her seat; the list of tables has not been told so yet."""

    async def scenario(store: Store) -> None:
        await store.append("t", 0, [Draft("created", {"host": {"guest": ANN, "token": TOKEN}}), SEATED])
        await store.show(listing("t", 2))
        await store.append("t", 2, [Draft("left", {"seat": 0})])
        await asyncio.to_thread(erase, database)
        shown = await store.listing("t")
        assert shown is not None
        assert [seat["name"] for seat in shown.summary["seats"]] == ["", "Ben"]

    run(database, scenario)
    assert traces(database) == []


def test_a_late_result_keeps_the_others(database: str) -> None:
    cleo = SeatResult(2, "Cleo", "c" * 40, None, 2, 0, 2)

    async def scenario(store: Store) -> None:
        await asyncio.to_thread(erase, database)
        await store.people.record(replace(result("t"), seats=(*result("t").seats, cleo)), contests)
        (kept,) = await store.people.results(BEN, 9)
        assert [(each.name, each.person) for each in kept.seats] == [(ERASED, None), ("Ben", BEN), ("Cleo", "c" * 40)]
        assert {who for who, _, _ in await store.people.ratings([ANN, BEN, "c" * 40])} == {BEN, "c" * 40}

    run(database, scenario)


def test_what_others_append_together_with_somebody_erased_is_kept(database: str) -> None:
    """Both go into one commit."""

    async def scenario(store: Store) -> None:
        await asyncio.to_thread(erase, database)
        wanted = {"x": [OPENED], "y": [OPENED, SEATED], "z": [OPENED]}
        appends = [store.append(table, 0, drafts) for table, drafts in wanted.items()]
        told = await asyncio.gather(*appends, return_exceptions=True)
        assert [isinstance(each, Unavailable) for each in told] == [False, True, False]
        assert [len(await store.read(table)) for table in "xyz"] == [1, 0, 1]

    run(database, scenario)


def test_marks_last_longer_than_cookies_and_then_go(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    year = 365 * 24 * 3600 * 1000
    run(database, lambda store: store.check())
    for at, other in ((0, ANN), (year, BEN), (year + 3 * 24 * 3600 * 1000, TOKEN)):
        monkeypatch.setattr(identities, "now", lambda at=at: at)
        with Database(database) as beside:
            identities.erase(beside, identities.KnownPerson((other,), ()))

    async def scenario(store: Store) -> None:
        assert await store.erased() == {mark_of(BEN), mark_of(TOKEN)}

    run(database, scenario)


def test_an_erasure_waits_for_what_is_being_written(database: str) -> None:
    """What has looked whether Ann is erased, and has not been yet, is finished first, and then found."""
    run(database, lambda store: store.check())
    erasing = threading.Thread(target=erase, args=[database])

    def write(connection: Connection) -> None:
        assert not erased_among(connection, [ANN])
        erasing.start()
        erasing.join(0.5)  # it does not end; if it did, the row below would stay
        row = {"guest": ANN, "table": "t", "host": False}
        connection.execute(schema.belongings.insert().values(row))

    with Database(database) as beside:
        beside.change(write)
    erasing.join()
    assert traces(database) == []


ROUNDS = 25


@pytest.mark.slow
def test_nothing_is_left_of_somebody_who_is_erased_while_others_write(database: str) -> None:
    """Two processes write, a third erases in the midst of it."""
    shared = {"shared": True} if database.startswith("sqlite") else {}
    run(database, lambda store: store.check())
    for number in range(ROUNDS):
        chance, begun = random.Random(number), threading.Barrier(3)

        async def write(store: Store, who: int, number: int = number, begun: threading.Barrier = begun) -> None:
            await asyncio.to_thread(begun.wait)
            await asyncio.gather(*(go_on(store, f"{number}-{who}-{k}") for k in range(3)))

        def work(who: int, write: Callable[..., Any] = write) -> None:
            run(database, lambda store: write(store, who), **shared)

        threads = [threading.Thread(target=work, args=[who]) for who in range(2)]
        for thread in threads:
            thread.start()
        begun.wait()
        threading.Event().wait(chance.uniform(0, 0.04))
        erase(database)
        for thread in threads:
            thread.join()
        assert traces(database) == []
        forgive(database)


def forgive(url: str) -> None:
    """Let Ann be written of again."""
    with Database(url) as database:
        database.change(lambda connection: connection.execute(schema.erased.delete()))
