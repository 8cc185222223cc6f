"""Several processes behind one port: whatever happens to one of them, its tables go on elsewhere."""

import asyncio
import os
import random
import signal
import time
from pathlib import Path
from statistics import median

import httpx
import pytest

from tests.server.conftest import new_database
from tests.server.crowds import Load, check
from tests.server.players import Player, closed, seat_all
from tests.server.postgres import Cluster
from tests.server.server_process import Served, serving

OPTIONS = ("--game", "gong-zhu", "--workers")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")]


def workers(server: Served) -> list[int]:
    """The processes of the workers."""
    pid = server.process.pid
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return [int(each) for each in found]


async def all_go_on(load: Load, within: float = 60) -> float:
    """Wait until a play has been acknowledged at every table; how long that took, in seconds."""
    began, start = time.monotonic(), len(load.acknowledged)
    tables = {player.table for player in load.players}
    async with asyncio.timeout(within):
        while tables - {each.table for each in load.acknowledged[start:]}:
            await asyncio.sleep(0.01)
    return time.monotonic() - began


async def kill_workers(url: str, folder: Path, count: int, kills: int, tables: int) -> list[float]:
    """Kill one worker after the other under load; the seconds until all tables went on."""
    chance, back = random.Random(url), list[float]()
    with serving(url, folder / "log", *OPTIONS, str(count)) as server:
        load = Load([server.url])
        try:
            await load.start(tables)
            for _ in range(kills):
                await all_go_on(load)
                await asyncio.sleep(chance.uniform(0, 0.3))
                os.kill(chance.choice(workers(server)), signal.SIGKILL)
                back.append(await all_go_on(load))
                async with asyncio.timeout(10):  # another takes its place
                    while len(workers(server)) < count:
                        await asyncio.sleep(0.05)
        finally:
            await load.stop()
    events = await check(url, load.acknowledged)
    places = [(each.table, each.seq) for each in load.acknowledged]
    assert len(set(places)) == len(places)
    print(
        f"\n{url.partition(':')[0]}, {count} workers, {tables} tables, {kills} kills: {len(places)} plays "
        f"acknowledged, none lost, none doubled, {events} events without gaps; seconds until every table goes on: "
        f"median {median(back):.2f}, at most {max(back):.2f}"
    )
    return back


def test_a_killed_workers_tables_go_on_elsewhere(database: str, tmp_path: Path) -> None:
    back = asyncio.run(kill_workers(database, tmp_path, count=3, kills=2, tables=4))
    assert len(back) == 2


@pytest.mark.deep
def test_forty_kills_of_workers_lose_nothing(database: str, tmp_path: Path) -> None:
    asyncio.run(kill_workers(database, tmp_path, count=4, kills=40, tables=20))


def test_any_process_answers_for_any_table(database: str, tmp_path: Path) -> None:
    """Whichever takes a connection hands it on; repeated orders to open a table find the one that is open."""

    async def scenario(server: Served) -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4)
        for _ in range(20):
            async with httpx.AsyncClient() as client:  # a connection of its own
                assert (await client.get(f"{server.url}/api/v1/tables/{crowd.table}")).status_code == 200
        async with httpx.AsyncClient(base_url=server.url) as client:  # one connection, tables of several processes
            who = {"Authorization": "Bearer 0123456789012345678901", "Idempotency-Key": "k"}
            opened = []
            for _ in range(12):
                opened.append((await client.post("/api/v1/tables", json={"game": "gong-zhu"})).json()["table"])
                again = await client.post("/api/v1/tables", json={"game": "gong-zhu"}, headers=who)
                assert again.status_code == 201, again.text
                opened.append(again.json()["table"])
            assert len(set(opened)) == 13
            for table in opened:
                assert (await client.get(f"/api/v1/tables/{table}")).json()["table"] == table
                assert (await client.get(f"/t/{table}", headers={"accept": "text/html"})).status_code == 200
            assert (await client.get("/api/v1/tables/nowhere")).status_code == 404
            assert (await client.get("/api/v1/games")).status_code == 200
        await crowd.play()
        await crowd.close()

    with serving(database, tmp_path / "log", *OPTIONS, "3") as server:
        asyncio.run(scenario(server))
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_server_takes_the_tables_that_it_is_asked_for(cluster: Cluster, tmp_path: Path) -> None:
    """Two servers on one database, and a proxy that changes its mind: players follow, and nothing is lost."""
    url = new_database(cluster)

    async def ask(server: Served, table: str) -> httpx.Response:
        async with httpx.AsyncClient() as client:
            return await client.get(f"{server.url}/api/v1/tables/{table}", headers={"x-forwarded-for": "1.2.3.4"})

    async def scenario(first: Served, second: Served) -> None:
        crowd = await seat_all([first.url], "gong-zhu", 4, options={"target": 10_000})
        await crowd.play()
        assert (await ask(second, crowd.table)).status_code == 200
        for player in crowd.players:
            assert await closed(player) == 1012
        for player in crowd.players:
            player.url = second.url
            await player.connect()
        await crowd.play(deals=2)
        began = time.monotonic()
        assert (await ask(first, crowd.table)).status_code == 200  # it takes the table back, but not at once
        print(f"\na table was taken back after {time.monotonic() - began:.1f} s")
        for player in crowd.players:
            assert await closed(player) == 1012
        await crowd.close()

    one, other = serving(url, tmp_path / "1", "--game", "gong-zhu"), serving(url, tmp_path / "2", "--game", "gong-zhu")
    with one as first, other as second:
        asyncio.run(scenario(first, second))
    assert "Traceback" not in (tmp_path / "1").read_text() + (tmp_path / "2").read_text()


async def pause(url: str, folder: Path, seconds: float) -> None:
    """One of two servers stands still, and goes on when its tables have long gone on elsewhere."""
    options = ("--game", "gong-zhu")
    with serving(url, folder / "1", *options) as first, serving(url, folder / "2", *options) as second:
        load = Load([first.url, second.url])
        try:
            await load.start(6)
            await all_go_on(load)
            watching = [await Player(second.url, player.table).connect() for player in load.players[::4]]
            first.process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(seconds)
            for player in watching:  # whoever asks finds every table driven
                await player.close()
                await (await player.connect()).receive(within=10)
            first.process.send_signal(signal.SIGCONT)
            await all_go_on(load)
            await asyncio.gather(*(player.close() for player in watching))
        finally:
            first.process.send_signal(signal.SIGCONT)
            await load.stop()
    assert await check(url, load.acknowledged) > len(load.acknowledged)


def test_a_paused_server_does_no_harm_when_it_goes_on(cluster: Cluster, tmp_path: Path) -> None:
    asyncio.run(pause(new_database(cluster), tmp_path, 4))


@pytest.mark.deep
def test_a_server_paused_for_twenty_seconds_does_no_harm(cluster: Cluster, tmp_path: Path) -> None:
    asyncio.run(pause(new_database(cluster), tmp_path, 20))


@pytest.mark.deep
def test_a_paused_worker_is_replaced(database: str, tmp_path: Path) -> None:
    async def scenario(server: Served) -> Load:
        load = Load([server.url])
        try:
            await load.start(8)
            await all_go_on(load)
            paused = workers(server)[0]
            os.kill(paused, signal.SIGSTOP)
            back = await all_go_on(load)
            assert paused not in workers(server) or back < 6
            await asyncio.sleep(20 - min(20, back))
            assert paused not in workers(server)
            await all_go_on(load)
            print(f"\n{database.partition(':')[0]}: a worker stands still, all tables go on after {back:.1f} s")
        finally:
            await load.stop()
        return load

    with serving(database, tmp_path / "log", *OPTIONS, "4") as server:
        load = asyncio.run(scenario(server))
    assert asyncio.run(check(database, load.acknowledged)) > len(load.acknowledged)


@pytest.mark.deep
def test_the_database_restarts_under_workers(cluster: Cluster, tmp_path: Path) -> None:
    url = new_database(cluster)

    async def scenario(server: Served) -> None:
        load, back = Load([server.url]), list[float]()
        try:
            await load.start(12)
            for _ in range(5):
                await all_go_on(load)
                await asyncio.to_thread(cluster.stop)
                await asyncio.to_thread(cluster.start)
                back.append(await all_go_on(load))
        finally:
            await load.stop()
        events = await check(url, load.acknowledged)
        print(
            f"\nPostgreSQL killed and restarted 5 times: {len(load.acknowledged)} plays acknowledged, none lost, "
            f"{events} events; seconds until every table goes on: {', '.join(f'{each:.1f}' for each in back)}"
        )

    with serving(url, tmp_path / "log", *OPTIONS, "4") as server:
        asyncio.run(scenario(server))


@pytest.mark.deep
def test_a_rolling_restart_loses_nothing(database: str, tmp_path: Path) -> None:
    """SIGHUP replaces every worker."""

    async def scenario(server: Served) -> Load:
        load = Load([server.url])
        try:
            await load.start(8)
            await all_go_on(load)
            before = set(workers(server))
            server.process.send_signal(signal.SIGHUP)
            async with asyncio.timeout(60):
                while before & set(workers(server)):
                    await asyncio.sleep(0.1)
            await all_go_on(load)
            assert set(load.codes) == {1012}
            away = f"median {median(load.absences):.1f}, at most {max(load.absences):.1f}"
            print(f"\n{database.partition(':')[0]}: three workers replaced; seconds until players were back: {away}")
        finally:
            await load.stop()
        return load

    with serving(database, tmp_path / "log", *OPTIONS, "3") as server:
        load = asyncio.run(scenario(server))
    assert asyncio.run(check(database, load.acknowledged)) > len(load.acknowledged)


@pytest.mark.deep
def test_two_thousand_come_back_at_once(tmp_path: Path) -> None:
    async def scenario(server: Served) -> None:
        crowds = [await seat_all([server.url], "gong-zhu", 4) for _ in range(20)]
        for crowd in crowds:
            await crowd.play()
        watching = [Player(server.url, crowd.table) for crowd in crowds for _ in range(100)]
        began = time.monotonic()
        await asyncio.gather(*(player.connect(after=2) for player in watching))
        await asyncio.gather(*(player.receive(within=60) for player in watching))
        print(f"\n2,000 reconnects at once to 4 workers: all have their table after {time.monotonic() - began:.1f} s")
        assert all(player.state["table"] == player.table for player in watching)
        await asyncio.gather(*(player.close() for player in [*watching, *(p for c in crowds for p in c.players)]))

    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", *OPTIONS, "4") as server:
        asyncio.run(scenario(server))


def test_workers_stop_together_and_say_goodbye(tmp_path: Path) -> None:
    async def scenario(server: Served) -> None:
        crowd = await seat_all([server.url], "gong-zhu", 4)
        await crowd.players[0].receive()
        children = workers(server)
        server.process.terminate()
        assert await closed(crowd.players[0]) == 1012
        assert '"type":"bye"' in crowd.players[0].frames[-1]
        await crowd.close()
        await asyncio.to_thread(server.process.wait, 20)
        assert not any(Path(f"/proc/{pid}").exists() for pid in children)

    with serving(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path / "log", *OPTIONS, "2") as server:
        asyncio.run(scenario(server))


def test_workers_end_when_the_process_that_keeps_them_is_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    with serving(url, tmp_path / "log", *OPTIONS, "2") as server:
        children = workers(server)
        server.end(signal.SIGKILL)
        until = time.monotonic() + 20
        while any(Path(f"/proc/{pid}/exe").exists() for pid in children) and time.monotonic() < until:
            time.sleep(0.1)
        with serving(url, tmp_path / "log2", *OPTIONS, "2") as again:
            assert again.answers()
