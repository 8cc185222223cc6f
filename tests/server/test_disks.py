"""Disks that are full, read-only or slow: refusals in words, nothing lost, and all goes on without a restart."""

import asyncio
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tefuda.server.store import StoreError, open_store
from tests.server.crowds import Load, check
from tests.server.players import seat_all
from tests.server.server_process import Served, serving

OPTIONS = ("--game", "gong-zhu")
SENTENCE = "The server cannot save anything at the moment. Nothing is lost; try again soon."


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, of 16 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("a disk of its own left out: it needs the right to mount one")
    yield folder
    subprocess.run(["umount", folder], check=True)


def fill(disk: Path) -> Path:
    """Leave no byte free; the file that takes them."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue
    return filler


async def until(wanted: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(30):
        while not await wanted():
            await asyncio.sleep(0.05)


async def go_through(server: Served, disk: Path) -> Load:
    """Play, fill the disk, make room again, play on."""
    load = Load([server.url])
    await load.start(2)

    async def played(count: int) -> None:
        before = len(load.acknowledged)

        async def enough() -> bool:
            return len(load.acknowledged) >= before + count

        await until(enough)

    async with httpx.AsyncClient(base_url=server.url) as client:

        async def is_ready() -> bool:
            return (await client.get("/readyz")).status_code == 200

        async def is_not_ready() -> bool:
            return not await is_ready()

        await played(50)
        filler = fill(disk)
        await until(is_not_ready)
        table = load.players[0].table
        refused = await client.post("/api/v1/tables", json={"game": "gong-zhu"})
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        assert refused.json()["error"] == {"code": "unavailable", "text": SENTENCE}
        assert (await client.get(f"/api/v1/tables/{table}")).status_code == 200
        assert (await client.get("/healthz")).status_code == 200
        filler.unlink()
        await until(is_ready)
        for player in load.players:  # whoever was refused tries again
            player.drop()
        await played(50)
    await load.stop()
    return load


@pytest.mark.slow
def test_a_full_disk_is_said_and_outlived(disk: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{disk / 'tables.db'}"
    with serving(url, tmp_path / "log", *OPTIONS) as server:
        load = asyncio.run(go_through(server, disk))
    assert asyncio.run(check(url, load.acknowledged)) > len(load.acknowledged)
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_read_only_disk_is_said_when_the_server_starts(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    with pytest.raises(StoreError, match=r"Read-only file system; name another file by --db"):
        open_store(f"sqlite:///{disk / 'tables.db'}")


@pytest.mark.slow
def test_a_database_that_became_read_only_is_said_and_outlived(tmp_path: Path) -> None:
    """As when a disk reports an error and the system stops writing to it: here a file may not grow any more."""
    resource = pytest.importorskip("resource", reason="limits of files left out: this system has none")
    if not hasattr(resource, "prlimit"):
        pytest.skip("limits of another process left out: this system has none")
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def scenario(server: Served) -> None:
        body = {"game": "gong-zhu"}
        async with httpx.AsyncClient(base_url=server.url) as client:
            assert (await client.post("/api/v1/tables", json=body)).status_code == 201
            before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
            refused = await client.post("/api/v1/tables", json=body)
            assert (refused.status_code, refused.json()["error"]["text"]) == (503, SENTENCE)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)
            assert (await client.post("/api/v1/tables", json=body)).status_code == 201

    with serving(url, tmp_path / "log", *OPTIONS) as server:
        asyncio.run(scenario(server))


@pytest.mark.slow
def test_while_a_disk_is_slow_plays_wait_and_nothing_else_does(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def scenario(server: Served) -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4)
        second = crowd.players[1]
        with closing(sqlite3.connect(path, isolation_level=None)) as slow:
            slow.execute("BEGIN IMMEDIATE")  # all writing waits for this
            waiting = asyncio.create_task(crowd.post("say", {"phrase": "hello"}))
            await asyncio.sleep(1)
            assert (await second.order(type="ping"))["type"] == "pong"
            async with httpx.AsyncClient(base_url=server.url) as client:
                assert (await client.get(f"/api/v1/tables/{crowd.table}")).status_code == 200
            assert not waiting.done()
            slow.execute("ROLLBACK")
        assert (await waiting).status_code == 200
        await second.until(lambda message: any(each["kind"] == "said" for each in message.get("events", ())))
        await crowd.close()

    with serving(f"sqlite:///{path}", tmp_path / "log", *OPTIONS) as server:
        asyncio.run(scenario(server))


@pytest.mark.deep
def test_a_disk_that_does_not_answer_is_said_and_outlived(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"

    async def scenario(server: Served) -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4)
        with closing(sqlite3.connect(path, isolation_level=None)) as stuck:
            stuck.execute("BEGIN IMMEDIATE")
            async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
                refused = await client.post("/api/v1/tables", json={"game": "gong-zhu"})
                assert (refused.status_code, refused.json()["error"]["text"]) == (503, SENTENCE)
                assert (await client.get("/readyz")).status_code == 503
                assert (await client.get("/healthz")).status_code == 200
            stuck.execute("ROLLBACK")
        assert (await crowd.post("say", {"phrase": "hello"})).status_code == 200
        await crowd.close()

    with serving(f"sqlite:///{path}", tmp_path / "log", *OPTIONS) as server:
        asyncio.run(scenario(server))


@pytest.mark.deep
def test_the_memory_of_a_server_does_not_grow_with_the_deals(tmp_path: Path) -> None:
    """Four people play a hundred deals at one table."""

    async def scenario(server: Served) -> list[float]:
        crowd, memory, finished, deals = await seat_all([server.url], "gong-zhu", 4), list[float](), 0, 0
        while len(memory) < 10:
            await asyncio.gather(*(player.play_on(deals - finished + 1) for player in crowd.players))
            state = crowd.players[0].state
            deals = finished + len(state["results"])
            if deals >= 10 * (len(memory) + 1):
                memory.append(server.memory())
            if state["phase"] == "over":
                finished = deals
                assert (await crowd.post("rematch")).status_code == 200
            else:
                await asyncio.gather(*(player.act() for player in crowd.players))
            for player in crowd.players:
                player.frames.clear()
        await crowd.close()
        return memory

    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", *OPTIONS) as server:
        memory = asyncio.run(scenario(server))
    print("\nMiB after 10, 20 … 100 deals: " + " ".join(f"{each:.0f}" for each in memory))
    assert max(memory[2:]) < memory[1] + 10
