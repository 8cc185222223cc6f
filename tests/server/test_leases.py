"""Which of several processes drives a table: the database itself refuses what anybody else appends."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from tefuda.server.live import cluster_node
from tefuda.server.live.cluster_node import ClusterNode, InOtherWorker
from tefuda.server.store import Draft, NotHolder, Store, open_store
from tefuda.server.store.leases import FORGOTTEN_AFTER
from tefuda.server.store.schema import processes

Scenario = Callable[[Store, Store], Coroutine[Any, Any, None]]


def run(url: str, scenario: Scenario) -> None:
    """Two processes on one database."""

    async def with_stores() -> None:
        first, second = open_store(url, shared=True), open_store(url, shared=True)
        try:
            await scenario(first, second)
        finally:
            await first.close()
            await second.close()

    asyncio.run(with_stores())


async def say(store: Store, after: int, word: str) -> None:
    await store.append("t", after, [Draft("said", {"word": word})])


async def words(store: Store) -> list[str]:
    return [event.body["word"] for event in await store.read("t")]


def test_only_the_holder_appends(database: str) -> None:
    async def scenario(ann: Store, bob: Store) -> None:
        ann.leases.join("ann")
        bob.leases.join("bob")
        assert not ann.leases.take("t")  # nobody holds a table that there is not
        assert ann.leases.take("t", new=True)
        await say(ann, 0, "a")
        with pytest.raises(NotHolder):
            await say(bob, 1, "b")
        ann.leases.let_go("t")
        with pytest.raises(NotHolder):
            await say(ann, 1, "b")
        assert bob.leases.take("t")
        await say(bob, 1, "c")
        assert await words(ann) == ["a", "c"]

    run(database, scenario)


def test_who_is_asked_for_a_table_takes_it_from_the_holder_who_notices(database: str) -> None:
    async def scenario(ann: Store, bob: Store) -> None:
        ann.leases.join("ann")
        bob.leases.join("bob")
        assert ann.leases.take("t", new=True)
        await say(ann, 0, "a")
        assert ann.leases.held() == {"t"}
        assert bob.leases.take("t")
        with pytest.raises(NotHolder):
            await say(ann, 1, "b")
        assert not ann.leases.held()
        assert bob.leases.held() == {"t"}
        ann.leases.let_go("t")  # which is not hers any more
        await say(bob, 1, "c")

    run(database, scenario)


def test_of_many_who_want_a_table_one_gets_it(database: str) -> None:
    async def scenario(ann: Store, bob: Store) -> None:
        ann.leases.join("ann")
        bob.leases.join("bob")
        asked = [asyncio.to_thread(store.leases.take, f"t{k}", new=True) for k in range(20) for store in (ann, bob)]
        assert all(await asyncio.gather(*asked))
        held = ann.leases.held(), bob.leases.held()
        assert held[0] | held[1] == {f"t{k}" for k in range(20)}
        assert not held[0] & held[1]

    run(database, scenario)


def test_who_leaves_holds_nothing_and_who_was_forgotten_comes_back(database: str) -> None:
    async def scenario(ann: Store, bob: Store) -> None:
        ann.leases.join("ann")
        assert ann.leases.take("t", new=True)
        await say(ann, 0, "a")
        ann.leases.leave()
        with pytest.raises(NotHolder):
            await say(ann, 1, "b")
        assert ann.leases.take("t")
        await say(ann, 1, "b")
        old = processes.c.beat - FORGOTTEN_AFTER - 1
        ann.transact(lambda connection: connection.execute(update(processes).values(beat=old)))
        bob.leases.join("bob")
        found = bob.transact(lambda connection: list(connection.scalars(select(processes.c.id))))
        assert found == ["bob"]
        assert ann.leases.held() == frozenset()
        assert ann.leases.take("t")

    run(database, scenario)


def test_a_server_that_starts_alone_finds_nobody_of_before(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def scenario(ann: Store, _: Store) -> None:
        ann.leases.join("ann")

    async def later(_: Store, bob: Store) -> None:
        bob.leases.join("bob")
        assert list(bob.transact(lambda connection: list(connection.scalars(select(processes.c.id))))) == ["bob"]

    run(url, scenario)
    asyncio.run(open_store(url).close())
    run(url, later)


def test_a_process_lets_go_of_what_another_takes_and_does_not_take_it_back_at_once(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_node, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(cluster_node, "STAY", 0.5)

    async def scenario(ann: Store, bob: Store) -> None:
        first, second, lost = ClusterNode(ann.leases), ClusterNode(bob.leases), list[str]()
        await first.start(lost.append)
        await second.start(lost.append)
        assert await first.holds("t", new=True)
        await say(ann, 0, "a")
        assert await second.holds("t")
        began = time.monotonic()
        taking = asyncio.create_task(first.holds("t"))  # an append was refused, perhaps, before it looked
        while not lost:
            await asyncio.sleep(0.01)
        assert not taking.done()
        assert await taking
        assert time.monotonic() - began > 0.4
        async with asyncio.timeout(10):
            while lost != ["t", "t"]:
                await asyncio.sleep(0.05)
        await second.close()
        assert await first.holds("t")
        await first.close()

    run(database, scenario)


def test_workers_of_one_server_divide_the_tables(database: str) -> None:
    async def scenario(ann: Store, bob: Store) -> None:
        nodes = [ClusterNode(store.leases, slot, 2) for slot, store in enumerate((ann, bob))]
        for node in nodes:
            await node.start(lambda _: None)
        slots = {name: nodes[0].slot_of(name) for name in map(str, range(20))}
        assert set(slots.values()) == {0, 1}
        for name, slot in slots.items():
            assert await nodes[slot].holds(name, new=True)
            with pytest.raises(InOtherWorker) as raised:
                await nodes[1 - slot].holds(name)
            assert raised.value.slot == slot
        for node in nodes:
            await node.close()

    run(database, scenario)
