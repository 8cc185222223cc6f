"""Which of several processes drives a table: the database itself refuses what anybody else appends."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tefuda.server.live import membership
from tefuda.server.live.membership import DEAD_AFTER, Membership
from tefuda.server.store import Draft, NotHolder, Store, open_store
from tefuda.server.store.port import Ousted, Peer

Scenario = Callable[[Store, Store], Coroutine[Any, Any, None]]

ANN, BOB = Peer("ann.1", "family", ""), Peer("bob.1", "family", "")


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
        ann.leases.join(ANN)
        bob.leases.join(BOB)
        assert ann.leases.hold("t", ANN.id) is None  # nobody holds a table that there is not
        assert ann.leases.hold("t", ANN.id, new=True) == ANN
        assert bob.leases.hold("t", BOB.id) == ANN
        await say(ann, 0, "a")
        with pytest.raises(NotHolder):
            await say(bob, 1, "b")
        ann.leases.let_go("t")
        with pytest.raises(NotHolder):
            await say(ann, 1, "b")
        assert bob.leases.hold("t", BOB.id) == BOB
        await say(bob, 1, "c")
        assert await words(ann) == ["a", "c"]

    run(database, scenario)


def test_of_many_who_want_a_table_one_gets_it(database: str) -> None:
    async def scenario(ann: Store, bob: Store) -> None:
        ann.leases.join(ANN)
        bob.leases.join(BOB)
        asked = [
            asyncio.to_thread(store.leases.hold, f"t{k}", peer.id, new=True)
            for k in range(20)
            for store, peer in ((ann, ANN), (bob, BOB))
        ]
        found = await asyncio.gather(*asked)
        assert all(found[2 * k] is not None and found[2 * k] == found[2 * k + 1] for k in range(20))

    run(database, scenario)


def test_who_is_taken_for_dead_holds_nothing_and_learns_it(database: str) -> None:
    async def scenario(ann: Store, bob: Store) -> None:
        ann.leases.join(ANN)
        bob.leases.join(BOB)
        ann.leases.hold("t", ANN.id, new=True)
        await say(ann, 0, "a")
        beats = bob.leases.beat()
        ann.leases.beat()
        bob.leases.oust(ANN.id, beats[ANN])  # ann has counted on meanwhile
        assert ann.leases.hold("t", ANN.id) == ANN
        bob.leases.oust(ANN.id, bob.leases.beat()[ANN])
        with pytest.raises(NotHolder):
            await say(ann, 1, "b")
        with pytest.raises(Ousted):
            ann.leases.beat()
        assert ann.leases.hold("t", ANN.id) is None
        assert bob.leases.hold("t", BOB.id) == BOB

    run(database, scenario)


def test_processes_that_have_ended_are_named_by_those_that_follow(database: str) -> None:
    async def scenario(ann: Store, bob: Store) -> None:
        ann.leases.join(ANN)
        ann.leases.hold("t", ANN.id, new=True)
        await say(ann, 0, "a")
        bob.leases.join(BOB, ["ann"])
        assert bob.leases.hold("t", BOB.id) == BOB

    run(database, scenario)


def test_a_server_that_starts_alone_finds_nobody_of_before(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def scenario(ann: Store, _: Store) -> None:
        ann.leases.join(ANN)

    async def later(_: Store, bob: Store) -> None:
        bob.leases.join(BOB)
        assert set(bob.leases.beat()) == {BOB}

    run(url, scenario)
    asyncio.run(open_store(url).close())
    run(url, later)


def test_who_stands_still_is_dead_by_the_count_of_others_and_joins_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No clock is asked: a process that was paused itself takes nobody for dead."""
    monkeypatch.setattr(membership, "BEAT", 0.05)

    async def scenario(ann: Store, bob: Store) -> None:
        first, second = Membership(ann.leases, "f", "", "ann"), Membership(bob.leases, "f", "", "bob")
        told = asyncio.Event()
        before = first.id
        await first.start(told.set)
        assert await first.holds("t", new=True)
        await say(ann, 0, "a")
        first._leases.beat, counted = dict, first._leases.beat  # type: ignore[method-assign]
        await second.start(lambda: None)
        async with asyncio.timeout(20):
            while not await second.holds("t"):
                await asyncio.sleep(0.01)
            first._leases.beat = counted  # type: ignore[method-assign]
            await told.wait()
            while (peer := await second.elsewhere("u", new=True)) is None or peer.id == before:
                second._leases.let_go("u")
                await asyncio.sleep(0.01)
        assert first.id != before
        assert await first.elsewhere("t") is not None
        await second.close()
        assert await first.holds("t")
        await first.close()

    assert DEAD_AFTER > 1
    run(database, scenario)
