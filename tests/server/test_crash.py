"""Pulling the plug: servers are killed in the middle of everything, and nothing that was acknowledged is lost."""

import asyncio
import random
import signal
import time
from pathlib import Path
from statistics import median

import pytest

from tests.server.conftest import new_database
from tests.server.crowds import Load, check
from tests.server.postgres import Cluster
from tests.server.server_process import Served, serving

pytestmark = pytest.mark.slow


async def acknowledge(load: Load, count: int) -> float:
    """Wait until so many more plays have been acknowledged; how long that took, in seconds."""
    before, began = len(load.acknowledged), time.monotonic()
    while len(load.acknowledged) < before + count:
        await asyncio.sleep(0.005)
    return time.monotonic() - began


async def pull_the_plug(url: str, folder: Path, kills: int, tables: int) -> None:
    """Kill a server under load, over and over; what that was like is printed."""
    options = ("--game", "gong-zhu")
    server = Served(url, folder / "log", *options)
    load, chance = Load([server.url]), random.Random(url)
    rates, starts, firsts = [], [], []
    try:
        await load.start(tables)
        for _ in range(kills):
            await acknowledge(load, 20)  # everybody is back
            rates.append(200 / await acknowledge(load, 200))
            await asyncio.sleep(chance.uniform(0, 0.3))
            server.end(signal.SIGKILL)
            began = time.monotonic()
            server = await asyncio.to_thread(Served, url, folder / "log", *options, port=server.port)
            starts.append(time.monotonic() - began)
            firsts.append(starts[-1] + await acknowledge(load, 1))
        await acknowledge(load, 20)
    finally:
        await load.stop()
        server.end()
    events = await check(url, load.acknowledged)
    assert events > len(load.acknowledged)
    print(
        f"\n{url.partition(':')[0]}, {kills} kills: {len(load.acknowledged)} plays acknowledged, none lost, "
        f"{events} events without gaps; plays a second before a kill {told(rates)}; "
        f"seconds until it serves again {told(starts)}, until the next play is acknowledged {told(firsts)}"
    )


def told(figures: list[float]) -> str:
    return f"{median(figures):.1f} ({min(figures):.1f} … {max(figures):.1f})"


def test_a_killed_server_has_lost_nothing(tmp_path: Path) -> None:
    asyncio.run(pull_the_plug(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path, kills=1, tables=3))


@pytest.mark.deep
def test_a_server_killed_many_times_has_lost_nothing(database: str, tmp_path: Path) -> None:
    asyncio.run(pull_the_plug(database, tmp_path, kills=20, tables=40))


async def restart(url: str, folder: Path, restarts: int, tables: int) -> None:
    """Stop a server under load as systemd does, and start the next in its place; what that was like is printed."""
    options = ("--game", "gong-zhu")
    server = Served(url, folder / "log", *options)
    load = Load([server.url])
    try:
        await load.start(tables)
        for _ in range(restarts):
            await acknowledge(load, 100)
            assert await asyncio.to_thread(server.end) in (0, -signal.SIGTERM)
            server = await asyncio.to_thread(Served, url, folder / "log", *options, port=server.port)
        await acknowledge(load, 100)
    finally:
        await load.stop()
        server.end()
    assert await check(url, load.acknowledged) > len(load.acknowledged)
    assert set(load.codes) == {1012}
    assert len(load.codes) >= 4 * tables * restarts  # whoever comes back to the server that stops is told again
    assert "Traceback" not in (folder / "log").read_text()
    print(
        f"\n{url.partition(':')[0]}, {restarts} restarts: {len(load.acknowledged)} plays acknowledged, none lost; "
        f"{len(load.codes)} sockets told to come back, absent for {told(load.absences)} seconds"
    )


def test_a_restart_under_load_loses_no_play_and_tells_every_socket_to_come_back(database: str, tmp_path: Path) -> None:
    asyncio.run(restart(database, tmp_path, restarts=2, tables=3))


@pytest.mark.deep
def test_a_server_that_waits_takes_the_place_of_one_that_stops(tmp_path: Path) -> None:
    """The next one is started while the one before serves: nobody is away for longer than it takes to change over."""
    url, options = f"sqlite:///{tmp_path / 'tables.db'}", ("--game", "gong-zhu")

    async def scenario() -> None:
        server = Served(url, tmp_path / "log", *options)
        load = Load([server.url])
        await load.start(3)
        await acknowledge(load, 50)
        following = asyncio.create_task(
            asyncio.to_thread(Served, url, tmp_path / "next", *options, "--wait", "120", port=server.port)
        )
        await asyncio.sleep(8)
        await acknowledge(load, 50)
        assert not following.done()
        assert await asyncio.to_thread(server.end) in (0, -signal.SIGTERM)
        after = await following
        await acknowledge(load, 50)
        await load.stop()
        after.end()
        assert await check(url, load.acknowledged) > len(load.acknowledged)
        print(f"\na server that waited: {len(load.codes)} sockets absent for {told(load.absences)} seconds")

    asyncio.run(scenario())


async def disturb(cluster: Cluster, folder: Path, rounds: int) -> None:
    """Three processes on one database: connections cut, the database restarted, a process stopped for a while."""
    import psycopg

    url = new_database(cluster)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'tefuda'"
    options = ("--game", "gong-zhu")
    servers = [await asyncio.to_thread(Served, url, folder / f"log{k}", *options) for k in range(3)]
    load = Load([server.url for server in servers])
    try:
        await load.start(6)
        for k in range(rounds):
            before = len(load.acknowledged)
            while len(load.acknowledged) < before + 20:
                await asyncio.sleep(0.01)
            if k % 3 == 0:
                with psycopg.connect(cluster.url, autocommit=True) as connection:
                    connection.execute(cut)
            elif k % 3 == 1:
                servers[k % 2].process.send_signal(signal.SIGSTOP)
                await asyncio.sleep(1)
                servers[k % 2].process.send_signal(signal.SIGCONT)
            else:
                await asyncio.to_thread(cluster.stop)
                await asyncio.to_thread(cluster.start)
        await everyone_is_current(load)
    finally:
        await load.stop()
        for server in servers:
            server.end()
    assert await check(url, load.acknowledged) > len(load.acknowledged)


async def everyone_is_current(load: Load) -> None:
    """All players of a table come to see the same moment, through whichever process they look."""
    tables = {player.table for player in load.players}
    for table in tables:
        seats = [player for player in load.players if player.table == table]
        start = max(player.state["seq"] for player in seats)
        while min(player.state["seq"] for player in seats) < start:
            await asyncio.sleep(0.01)


@pytest.mark.deep
def test_three_processes_share_the_tables_whatever_happens_to_them(cluster: Cluster, tmp_path: Path) -> None:
    asyncio.run(disturb(cluster, tmp_path, rounds=6))


def test_a_stopped_server_tells_everybody_to_come_back(tmp_path: Path) -> None:
    from tests.server.players import closed, seat_all

    async def scenario(server: Served) -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4)
        await crowd.players[0].receive()
        server.process.terminate()
        assert await closed(crowd.players[0]) == 1012
        assert '"type":"bye"' in crowd.players[0].frames[-1]
        await crowd.close()

    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", "--game", "gong-zhu") as server:
        asyncio.run(scenario(server))
        assert server.end() in (0, -signal.SIGTERM)  # uvicorn ends as if by the signal, after all is done
    assert "Traceback" not in (tmp_path / "log").read_text()
